//===- tilecore.h - Made-up coprocessor -*- C -*---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

/* A model of the coprocessor. With WRONG, one product in each tile is missing.
 */
#ifndef TILECORE_H
#define TILECORE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static ptrdiff_t tilecore_rows, tilecore_words;
static int32_t tilecore_sums[8][16];

static inline void tilecore_configure(ptrdiff_t rows, ptrdiff_t words) {
  tilecore_rows = rows;
  tilecore_words = words;
}
static inline void tilecore_clear(void) {
  memset(tilecore_sums, 0, sizeof(tilecore_sums));
}
static inline void tilecore_multiply(const uint8_t *x, ptrdiff_t x_stride,
                                     const int8_t *w, ptrdiff_t w_stride) {
  ptrdiff_t row, column, word, i;
  for (row = 0; row < tilecore_rows; ++row)
    for (column = 0; column < 16; ++column)
      for (word = 0; word < tilecore_words; ++word)
        for (i = 0; i < 4; ++i) {
#ifdef WRONG
          if (row + column + word + i == 0)
            continue;
#endif
          tilecore_sums[row][column] += x[row * x_stride + 4 * word + i] *
                                        w[word * w_stride + 4 * column + i];
        }
}
static inline void tilecore_store(int32_t *sum, ptrdiff_t sum_stride) {
  ptrdiff_t row;
  for (row = 0; row < tilecore_rows; ++row)
    memcpy((char *)sum + row * sum_stride, tilecore_sums[row],
           sizeof(tilecore_sums[row]));
}

#endif
