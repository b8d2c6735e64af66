//===- uma_amx_model.h - AMX tiles in plain C -*- C -*---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

/* A model in plain C of the tile registers of AMX: what the instructions do by
 * Intel's manual, and the checks whose failure is an exception. */
#ifndef UMA_AMX_MODEL_H
#define UMA_AMX_MODEL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct uma_amx_tiles {
  uint8_t palette, start, reserved[14];
  uint16_t bytes[16];
  uint8_t rows[16];
};

static __thread struct uma_amx_tiles uma_amx_shape;
static __thread uint8_t uma_amx_data[8][16][64];

static inline void uma_amx_check(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "AMX: #UD, %s\n", what);
    abort();
  }
}

static inline void uma_amx_model_configure(const struct uma_amx_tiles *tiles) {
  int i;
  uma_amx_check(tiles->palette == 1 && tiles->start == 0,
                "the palette is not 1");
  for (i = 0; i < 16; ++i)
    uma_amx_check(tiles->reserved[i % 14] == 0 &&
                      (i < 8 ? tiles->rows[i] <= 16 && tiles->bytes[i] <= 64
                             : tiles->rows[i] == 0 && tiles->bytes[i] == 0),
                  "a tile is larger than 16 rows of 64 bytes");
  uma_amx_shape = *tiles;
  memset(uma_amx_data, 0, sizeof(uma_amx_data));
}

static inline void uma_amx_model_zero(int tile) {
  uma_amx_check(uma_amx_shape.palette == 1, "no tile is configured");
  memset(uma_amx_data[tile], 0, sizeof(uma_amx_data[tile]));
}

static inline void uma_amx_model_load(int tile, const void *from,
                                      ptrdiff_t stride) {
  int row;
  uma_amx_model_zero(tile);
  for (row = 0; row < uma_amx_shape.rows[tile]; ++row)
    memcpy(uma_amx_data[tile][row], (const char *)from + row * stride,
           uma_amx_shape.bytes[tile]);
}

static inline void uma_amx_model_store(int tile, void *to, ptrdiff_t stride) {
  int row;
  uma_amx_check(uma_amx_shape.palette == 1, "no tile is configured");
  for (row = 0; row < uma_amx_shape.rows[tile]; ++row)
    memcpy((char *)to + row * stride, uma_amx_data[tile][row],
           uma_amx_shape.bytes[tile]);
}

/* Checks the shapes of the operands of a product. */
static inline void uma_amx_check_product(int sum, int x, int w) {
  uma_amx_check(uma_amx_shape.palette == 1, "no tile is configured");
  uma_amx_check(uma_amx_shape.rows[sum] == uma_amx_shape.rows[x] &&
                    uma_amx_shape.bytes[x] == 4 * uma_amx_shape.rows[w] &&
                    uma_amx_shape.bytes[sum] == uma_amx_shape.bytes[w],
                "the shapes of the tiles do not fit");
}

/* TDPBUSD: sums of 32 bits, products of unsigned and signed bytes. */
static inline void uma_amx_model_dpbusd(int sum, int x, int w) {
  int row, column, word, i;
  uma_amx_check_product(sum, x, w);
  for (row = 0; row < uma_amx_shape.rows[sum]; ++row)
    for (column = 0; column < uma_amx_shape.bytes[sum] / 4; ++column) {
      uint32_t total;
      uint8_t *to = uma_amx_data[sum][row] + 4 * column;
      memcpy(&total, to, sizeof(total));
      for (word = 0; word < uma_amx_shape.rows[w]; ++word)
        for (i = 0; i < 4; ++i)
          total += (uint32_t)(uma_amx_data[x][row][4 * word + i] *
                              (int8_t)uma_amx_data[w][word][4 * column + i]);
      memcpy(to, &total, sizeof(total));
    }
}

static inline float uma_amx_read_bf16(const uint8_t *from) {
  uint16_t half;
  uint32_t bits;
  float value;
  memcpy(&half, from, sizeof(half));
  bits = (uint32_t)half << 16;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

/* TDPBF16PS: sums of f32, products of bf16. The processor takes subnormal
 * numbers for zeros and adds the even elements before the odd ones. */
static inline void uma_amx_model_dpbf16ps(int sum, int x, int w) {
  int row, column, word, i;
  uma_amx_check_product(sum, x, w);
  for (row = 0; row < uma_amx_shape.rows[sum]; ++row)
    for (column = 0; column < uma_amx_shape.bytes[sum] / 4; ++column) {
      float total;
      uint8_t *to = uma_amx_data[sum][row] + 4 * column;
      memcpy(&total, to, sizeof(total));
      for (word = 0; word < uma_amx_shape.rows[w]; ++word)
        for (i = 0; i < 2; ++i)
          total +=
              uma_amx_read_bf16(uma_amx_data[x][row] + 4 * word + 2 * i) *
              uma_amx_read_bf16(uma_amx_data[w][word] + 4 * column + 2 * i);
      memcpy(to, &total, sizeof(total));
    }
}

#define UMA_TILE_CONFIGURE(tiles) uma_amx_model_configure(tiles)
#define UMA_TILE_ZERO(tile) uma_amx_model_zero(tile)
#define UMA_TILE_LOAD(tile, from, stride) uma_amx_model_load(tile, from, stride)
#define UMA_TILE_STORE(tile, to, stride) uma_amx_model_store(tile, to, stride)
#define UMA_TILE_DPBUSD(sum, x, w) uma_amx_model_dpbusd(sum, x, w)
#define UMA_TILE_DPBF16PS(sum, x, w) uma_amx_model_dpbf16ps(sum, x, w)

static inline int uma_amx_enable(void) { return 1; }

#endif
