/*===- chocolate_engines.h - Operations of the Chocolate model -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Internal interface between the files of the driver and of the model:
 * properties and results of single operations, without lists and time.
 *
 *===----------------------------------------------------------------------===*/

#ifndef CHOCOLATE_ENGINES_H
#define CHOCOLATE_ENGINES_H

#include "chocolate_format.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  CHOCOLATE_MAX_BYTES = 1 << 20, /* Of one memory. */
  CHOCOLATE_LANES = 16           /* Channels in a block. */
};

/* The registers of an operation, in their order. `memory` of a store is 0. */
typedef struct {
  int at;
  uint32_t segment, offset;
  int rows, row_bytes, stride, memory;
} chocolate_transfer;

typedef struct {
  int sums, sums_block, sums_row, y, y_block, y_row, c, oh, ow;
  uint32_t bias_segment, bias, factor_segment, factor;
  int has_bias, y_zero, low, high;
} chocolate_rescaling;

typedef union {
  uint32_t words[21];
  chocolate_transfer transfer;
  chocolate_window window; /* Conv and depthwise. */
  chocolate_rescaling rescaling;
  chocolate_sum sum;
  chocolate_pooling pooling;
} chocolate_operands;

/* Bytes that an operation reads or writes: in each of `blocks` blocks, `rows`
 * rows of `bytes` bytes. `place` is a memory, or a segment of main memory. */
typedef struct {
  long long place;
  int writes;
  long long at, blocks, block, rows, row, bytes;
} chocolate_area;

/* Returns the engine that executes an operation. */
int chocolate_get_engine(int opcode);

/* Checks the operands of an operation, but not main memory. */
int chocolate_are_valid(const chocolate_hardware *hw, int opcode,
                        const chocolate_operands *operands);

/* Compute the areas of the memories, or of main memory, that a valid operation
 * accesses. Return their number. */
int chocolate_get_areas(int opcode, const chocolate_operands *operands,
                        chocolate_area areas[4]);
int chocolate_get_host_areas(int opcode, const chocolate_operands *operands,
                             chocolate_area areas[2]);

/* Returns the offset of the end of an area. */
long long chocolate_get_end(const chocolate_area *area);

/* Returns 1 if two areas, the rows of which may overlap, have a common byte. */
int chocolate_have_common_byte(const chocolate_area *a,
                               const chocolate_area *b);

/* Return the cycles and the multiply-adds of a valid operation. */
long long chocolate_count_cycles(const chocolate_hardware *hw, int opcode,
                                 const chocolate_operands *operands);
long long chocolate_count_macs(int opcode, const chocolate_operands *operands);

/* Checks that `count` factors in main memory are finite. */
int chocolate_are_finite(const unsigned char *factor, int count);

/* Compute the results of valid operations. The pointers are the starts of the
 * memories, and of biases and factors. `bias` may be NULL. */
void chocolate_compute_conv(const chocolate_window *w, const int8_t *data,
                            const int8_t *weights, uint32_t *sums);
void chocolate_compute_depthwise(const chocolate_window *w, const int8_t *data,
                                 const int8_t *weights, uint32_t *sums);
void chocolate_compute_rescale(const chocolate_rescaling *r,
                               const unsigned char *bias,
                               const unsigned char *factor,
                               const uint32_t *sums, int8_t *data);
void chocolate_compute_add(const chocolate_sum *s, int8_t *data);
void chocolate_compute_pool(const chocolate_pooling *p, int8_t *data);

#ifdef __cplusplus
}
#endif

#endif /* CHOCOLATE_ENGINES_H */
