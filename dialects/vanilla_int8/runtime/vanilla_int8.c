/*===- vanilla_int8.c - Model of the Vanilla int8 accelerator -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Simulates the device on the host, in plain C99.
 *
 *===----------------------------------------------------------------------===*/

#include "vanilla_int8.h"

#include <math.h>
#include <stddef.h>

/* Rescales a sum. Bounds without the zero point come first, so that the
 * conversion to int cannot overflow. */
static int8_t requantize(int32_t sum, float factor, int zero, int low,
                         int high) {
  float steps = nearbyintf((float)sum * factor);
  if (steps < (float)(low - zero))
    steps = (float)(low - zero);
  if (steps > (float)(high - zero))
    steps = (float)(high - zero);
  return (int8_t)((int)steps + zero);
}

/* Returns the sum for the channel with the weights w, whose kernel begins at
 * row y and column x of the image. Skips zeros outside of the image. */
static int32_t convolve(const int8_t *image, const int8_t *w, int ic, int ih,
                        int iw, int kh, int kw, int y, int x, int zero) {
  int32_t sum = 0;
  for (int c = 0; c < ic; ++c)
    for (int i = 0; i < kh; ++i)
      for (int j = 0; j < kw; ++j) {
        const int row = y + i;
        const int column = x + j;
        if (row < 0 || row >= ih || column < 0 || column >= iw)
          continue;
        sum += (image[((size_t)c * (size_t)ih + (size_t)row) * (size_t)iw +
                      (size_t)column] -
                zero) *
               w[((size_t)c * (size_t)kh + (size_t)i) * (size_t)kw + (size_t)j];
      }
  return sum;
}

int vanilla_int8_conv2d(const int8_t *x, const int8_t *w, const int32_t *bias,
                        int8_t *y, int ic, int ih, int iw, int oc, int oh,
                        int ow, int kh, int kw, int stride, int top, int left,
                        int x_zero, const float *factor, int y_zero, int low,
                        int high) {
  const size_t size = (size_t)ic * (size_t)kh * (size_t)kw;
  if (stride <= 0)
    return 1;
  for (int o = 0; o < oc; ++o)
    for (int i = 0; i < oh; ++i)
      for (int j = 0; j < ow; ++j)
        *y++ = requantize((bias ? bias[o] : 0) +
                              convolve(x, w + (size_t)o * size, ic, ih, iw, kh,
                                       kw, i * stride - top, j * stride - left,
                                       x_zero),
                          factor[o], y_zero, low, high);
  return 0;
}

int vanilla_int8_dense(const int8_t *x, const int8_t *w, const int32_t *bias,
                       int8_t *y, int n, int k, int m, int x_zero,
                       const float *factor, int y_zero, int low, int high) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      int32_t sum = bias ? bias[j] : 0;
      for (int c = 0; c < k; ++c)
        sum += (x[(size_t)i * (size_t)k + (size_t)c] - x_zero) *
               w[(size_t)j * (size_t)k + (size_t)c];
      *y++ = requantize(sum, factor[j], y_zero, low, high);
    }
  return 0;
}
