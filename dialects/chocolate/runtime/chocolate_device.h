/*===- chocolate_device.h - Model of the Chocolate device -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Internal interface between the driver and the model of the device. The device
 * gets lists of commands as bytes and does not trust them. There is one device,
 * and it is not thread-safe.
 *
 * The model executes commands in the order in which they start, and those that
 * start at the same time in the order of their engines. It counts an area as
 * accessed from start to end of the command, and rows or columns of x between
 * those that a window uses as accessed.
 *
 *===----------------------------------------------------------------------===*/

#ifndef CHOCOLATE_DEVICE_H
#define CHOCOLATE_DEVICE_H

#include "chocolate_format.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a list failed. */
typedef struct {
  size_t word; /* The offset of the packet in the list. */
  int layer;   /* Of the packet. */
} chocolate_failure;

/* Resets the device, and sets its parameters, which must be valid. Drops all
 * tokens. Counters restart at 0, and the contents of the memories are
 * undefined. */
void chocolate_device_reset(const chocolate_hardware *hardware);

/* Executes the commands of a list, which start no earlier than the end of all
 * commands before. Tokens that are left remain for later lists. `segments` and
 * `sizes` are the starts and bytes of `count` segments, as in the list.
 *
 * Returns a status. If it is not CHOCOLATE_OK, sets `failure`, and drops the
 * command that failed, all that start later, and all tokens. If the format of
 * the list is wrong, executes nothing. An engine that waits for a token forever
 * fails when no engine can continue. */
int chocolate_device_run(const unsigned char *list, size_t size,
                         unsigned char *const *segments, const size_t *sizes,
                         size_t count, chocolate_failure *failure);

/* Lets the command `number` fail with a status. Commands, with tokens, are
 * counted from 0 in the order of their execution, over all lists, and without
 * resets. A command that fails counts. */
void chocolate_device_inject(long long number, int status);

/* Returns the counters since the reset, except those of lists and registers,
 * which are 0. */
chocolate_statistics chocolate_device_get_statistics(void);

/* Returns the time at which all engines are idle. It does not restart at a
 * reset. */
long long chocolate_device_get_time(void);

/* Adds an event to the trace of chocolate_trace, if there is one. `lane` is an
 * engine, or CHOCOLATE_HOST with any layer. */
enum { CHOCOLATE_HOST = 4 };
void chocolate_record(const char *name, int lane, int layer, long long start,
                      long long cycles);

#ifdef __cplusplus
}
#endif

#endif /* CHOCOLATE_DEVICE_H */
