/*===- chocolate_trace.c - Timeline of the Chocolate model -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Writes a file in the Chrome trace format.
 *
 *===----------------------------------------------------------------------===*/

#include "chocolate_device.h"

#include <stdio.h>

static FILE *trace;

/* Overwrites the closing bracket and writes a new one, so that the file is
 * always complete. */
void chocolate_record(const char *name, int lane, int layer, long long start,
                      long long cycles) {
  if (trace == NULL || fseek(trace, -2L, SEEK_CUR) != 0)
    return;
  (void)fprintf(trace,
                ",\n{\"name\":\"%s\",\"ph\":\"X\",\"ts\":%lld,\"dur\":%lld,"
                "\"pid\":1,\"tid\":%d,\"args\":{",
                name, start, cycles, lane);
  if (lane != CHOCOLATE_HOST)
    (void)fprintf(trace, "\"layer\":\"%d\"", layer);
  (void)fprintf(trace, "}}\n]");
}

int chocolate_trace(const char *path) {
  static const char *const lanes[] = {"load", "matrix", "vector", "store",
                                      "host"};
  if (trace != NULL)
    (void)fclose(trace);
  trace = path ? fopen(path, "wb") : NULL;
  if (trace == NULL)
    return path ? CHOCOLATE_BAD_COMMAND : CHOCOLATE_OK;
  for (int lane = 0; lane <= CHOCOLATE_HOST; ++lane)
    (void)fprintf(trace,
                  "%s\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,"
                  "\"tid\":%d,\"args\":{\"name\":\"%s\"}}",
                  lane == 0 ? "[" : ",", lane, lanes[lane]);
  (void)fprintf(trace, "\n]");
  return CHOCOLATE_OK;
}
