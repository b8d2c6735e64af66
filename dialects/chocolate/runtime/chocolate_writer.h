/*===- chocolate_writer.h - Writer of Chocolate's lists -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Internal interface of the part of the driver that writes commands as a list.
 *
 *===----------------------------------------------------------------------===*/

#ifndef CHOCOLATE_WRITER_H
#define CHOCOLATE_WRITER_H

#include "chocolate_engines.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A command with pointers. */
typedef struct {
  int opcode;
  int argument; /* Of a token. */
  int layer;
  chocolate_operands operands; /* Without segments and offsets. */
  /* The main memory that an operation accesses: the place of a transfer; or
   * factors, then biases. */
  const unsigned char *places[2];
  long long bytes[2]; /* 0 if there is no such place. */
} chocolate_command;

/* A list, with the starts and bytes of its segments. */
typedef struct {
  unsigned char *bytes;
  size_t size;
  unsigned char **segments; /* NULL if there is none, and `sizes` too. */
  size_t *sizes;
  size_t count;
  long long registers, all_registers; /* As in chocolate_statistics. */
} chocolate_program;

/* Writes valid commands as a list, and sets their segments and offsets.
 * Accessed bytes of main memory that overlap or touch are one segment, and
 * segments are numbered in the order of their first use. Returns CHOCOLATE_OK,
 * CHOCOLATE_FULL, or CHOCOLATE_BAD_COMMAND if a segment is too large. */
int chocolate_write(const chocolate_hardware *hardware,
                    chocolate_command *commands, size_t count,
                    chocolate_program *program);

/* Frees the memory of a program. */
void chocolate_free(chocolate_program *program);

/* Returns `items` or a larger copy with space for `count` items of `size`
 * bytes, or NULL if the host is out of memory. */
void *chocolate_reserve(void *items, size_t *capacity, size_t count,
                        size_t size);

#ifdef __cplusplus
}
#endif

#endif /* CHOCOLATE_WRITER_H */
