/*===- strawberry_array.c - Array of the Strawberry model in C -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Computes the sums of a command in plain C99, and its cycles by formula.
 *
 *===----------------------------------------------------------------------===*/

#include "strawberry_array.h"

#include <string.h>

enum { MAX_LANES = STRAWBERRY_ARRAY_MAX_LANES };

/* Rows and columns of multipliers. */
static int lanes = 16;

static int8_t input[STRAWBERRY_ARRAY_MAX_BYTES];
static int8_t weights[STRAWBERRY_ARRAY_MAX_BYTES];
static uint32_t sums[STRAWBERRY_ARRAY_MAX_BYTES / 4];

strawberry_array_memories strawberry_array_get_memories(void) {
  const strawberry_array_memories memories = {input, weights, sums};
  return memories;
}

int strawberry_array_set_lanes(int wanted) {
  if (wanted != 8 && wanted != 16 && wanted != 32)
    return 0;
  lanes = wanted;
  return 1;
}

/* Multiplies one pixel by `n` x `n` weights. The differences and products fit
 * in 16 bits, so compilers use 16-bit multiplications. */
static inline void multiply(uint32_t *to, const int8_t *x, const int16_t *w,
                            int zero, int n) {
  uint32_t result[MAX_LANES];
  memcpy(result, to, sizeof(to[0]) * (size_t)n);
  for (int c = 0; c < n; ++c) {
    const int16_t value = (int16_t)(x[c] - zero);
    for (int o = 0; o < n; ++o)
      result[o] += (uint32_t)(value * w[c * n + o]);
  }
  memcpy(to, result, sizeof(to[0]) * (size_t)n);
}

/* Compilers unroll loops of a constant number of lanes. */
static void multiply_pixel(uint32_t *to, const int8_t *x, const int16_t *w,
                           int zero) {
  if (lanes == 8)
    multiply(to, x, w, zero, 8);
  else if (lanes == 16)
    multiply(to, x, w, zero, 16);
  else
    multiply(to, x, w, zero, 32);
}

/* Multiplies the channels of one pixel by one weight each. */
static void multiply_channels(uint32_t *to, const int8_t *x, const int16_t *w,
                              int zero) {
  for (int c = 0; c < lanes; ++c)
    to[c] += (uint32_t)((int16_t)(x[c] - zero) * w[c]);
}

/* Streams all pixels of a block through the array for one position (ky, kx) of
 * the kernel, whose weights are at `w`. */
static void stream(const strawberry_tile *t, const int8_t *x, const int8_t *w,
                   uint32_t *to, int ky, int kx, int is_depthwise) {
  int16_t wide[MAX_LANES * MAX_LANES];
  const int count = is_depthwise ? lanes : lanes * lanes;
  for (int k = 0; k < count; ++k)
    wide[k] = w[k];
  for (int i = 0; i < t->oh; ++i) {
    const long long row = (long long)i * t->stride_y + ky - t->top;
    if (row < 0 || row >= t->ih)
      continue;
    const int8_t *x_row = x + row * t->x_row;
    uint32_t *to_row = to + (long long)i * t->sums_row / 4;
    for (int j = 0; j < t->ow; ++j) {
      const long long column = (long long)j * t->stride_x + kx - t->left;
      if (column < 0 || column >= t->iw)
        continue;
      if (is_depthwise)
        multiply_channels(to_row + j * lanes, x_row + column * lanes, wide,
                          t->x_zero);
      else
        multiply_pixel(to_row + j * lanes, x_row + column * lanes, wide,
                       t->x_zero);
    }
  }
}

/* Computes the sums of one block, for which `inputs` blocks of x are read. */
static void compute_block(const strawberry_tile *t, const int8_t *x,
                          long long x_block, int inputs, const int8_t *w,
                          uint32_t *to, int is_depthwise) {
  if (!t->accumulate)
    for (int i = 0; i < t->oh; ++i)
      memset(to + (long long)i * t->sums_row / 4, 0,
             (size_t)t->ow * (size_t)lanes * sizeof(to[0]));
  for (int b = 0; b < inputs; ++b)
    for (int ky = 0; ky < t->kh; ++ky)
      for (int kx = 0; kx < t->kw; ++kx) {
        stream(t, x + b * x_block, w, to, ky, kx, is_depthwise);
        w += is_depthwise ? lanes : lanes * lanes;
      }
}

/* Returns the number of blocks of the channels. */
static int count_blocks(int channels) {
  return channels / lanes + (channels % lanes != 0);
}

long long strawberry_array_run(const strawberry_tile *tile, int is_depthwise) {
  const strawberry_tile *t = tile;
  const int outputs = count_blocks(t->oc);
  const int inputs = is_depthwise ? 1 : count_blocks(t->ic);
  const long long taps = (long long)t->kh * t->kw;
  const long long pixels = (long long)t->oh * t->ow;
  /* Meaningless where there is one block or only padding. */
  const int has_blocks = t->ic > lanes && t->ih > 0 && t->iw > 0;
  const long long x_block = has_blocks ? t->x_block : 0;
  for (int b = 0; b < outputs; ++b)
    compute_block(t, input + (t->x + (is_depthwise ? b * x_block : 0)), x_block,
                  inputs, weights + (t->w + (long long)b * t->w_block),
                  sums + (t->sums + (long long)b * t->sums_block) / 4,
                  is_depthwise);
  return STRAWBERRY_ARRAY_SETUP +
         outputs * inputs * taps *
             (!is_depthwise && pixels < lanes ? (long long)lanes : pixels);
}
