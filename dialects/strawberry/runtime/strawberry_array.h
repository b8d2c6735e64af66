/*===- strawberry_array.h - Array of the Strawberry model -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Internal interface between the simulator and its model of the array: what the
 * array computes and how long it takes. The simulator checks commands and keeps
 * the time. Programs are linked to one model: runtime/strawberry_array.c, or
 * the Verilog behind rtl/strawberry_array_rtl.cpp.
 *
 *===----------------------------------------------------------------------===*/

#ifndef STRAWBERRY_ARRAY_H
#define STRAWBERRY_ARRAY_H

#include "strawberry.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  STRAWBERRY_ARRAY_MAX_LANES = 32,      /* Rows and columns of multipliers. */
  STRAWBERRY_ARRAY_MAX_BYTES = 1 << 20, /* Bytes of the largest memory. */
  STRAWBERRY_ARRAY_SETUP = 48           /* Cycles besides the pixels. */
};

/* The on-chip memories, with STRAWBERRY_ARRAY_MAX_BYTES bytes each. The array
 * owns them. The DMA engine accesses them between commands of the array. */
typedef struct {
  int8_t *input, *weights;
  uint32_t *sums;
} strawberry_array_memories;

/* Returns the memories. Their addresses do not change. */
strawberry_array_memories strawberry_array_get_memories(void);

/* Sets the rows and columns of multipliers. Returns 0 if there is no such array
 * in the model. */
int strawberry_array_set_lanes(int lanes);

/* Executes a command and returns the cycles from its start to its end. The
 * command must be valid: sizes in range, areas aligned and inside of the
 * memories. */
long long strawberry_array_run(const strawberry_tile *tile, int is_depthwise);

#ifdef __cplusplus
}
#endif

#endif /* STRAWBERRY_ARRAY_H */
