/*===- uma_openblas.c - Layers computed by OpenBLAS -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * A convolution is a matrix product: the weights, with one row per channel of
 * the result, times the windows of the data, with one column per element of the
 * result (im2col). The im2col matrix is as large as the input times the kernel.
 * Therefore only tiles of it are built, on the stack, and sgemm adds the
 * product of each tile to the result.
 *
 *===----------------------------------------------------------------------===*/

#include "uma_openblas.h"

#include <cblas.h>
#include <limits.h>
#include <stddef.h>

/* Rows and columns of a tile of 64 KiB, which fits into the second-level
 * cache. */
enum { TILE_ROWS = 128, TILE_COLUMNS = 128 };

typedef struct window {
  int ih, iw, kh, kw, stride_h, stride_w, top, left, dilation_h, dilation_w;
  int oh, ow;
} window;

/* Copies a tile of the im2col matrix: `rows` rows from `row` on and `columns`
 * columns from `column` on. Row (c, i, j) holds the data read by element i, j
 * of the kernel of channel c; columns are elements of the result. */
static void copy_tile(const window *s, const float *x, int row, int rows,
                      int column, int columns, float *tile) {
  int r, p;
  for (r = row; r < row + rows; ++r) {
    const int j = r % s->kw, i = r / s->kw % s->kh, c = r / s->kw / s->kh;
    const float *channel = x + (size_t)c * (size_t)s->ih * (size_t)s->iw;
    for (p = column; p < column + columns; ++p) {
      const int h = p / s->ow * s->stride_h - s->top + i * s->dilation_h;
      const int w = p % s->ow * s->stride_w - s->left + j * s->dilation_w;
      const int inside = h >= 0 && h < s->ih && w >= 0 && w < s->iw;
      *tile++ = inside ? channel[(size_t)h * (size_t)s->iw + (size_t)w] : 0.0f;
    }
  }
}

/* Adds the product for one group of one image: y [oc][oh * ow] +=
 * w [oc][rows] * im2col(x). */
static void convolve(const window *s, const float *x, const float *w, float *y,
                     int oc, int rows) {
  float tile[TILE_ROWS * TILE_COLUMNS];
  const int columns = s->oh * s->ow;
  int row, column;
  /* The im2col matrix of a pointwise convolution with stride 1 is the
   * image. */
  if (s->kh == 1 && s->kw == 1 && s->oh == s->ih && s->ow == s->iw &&
      s->stride_h == 1 && s->stride_w == 1 && s->top == 0 && s->left == 0) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, oc, columns, rows,
                1.0f, w, rows, x, columns, 1.0f, y, columns);
    return;
  }
  for (column = 0; column < columns; column += TILE_COLUMNS) {
    const int width =
        columns - column < TILE_COLUMNS ? columns - column : TILE_COLUMNS;
    for (row = 0; row < rows; row += TILE_ROWS) {
      const int height = rows - row < TILE_ROWS ? rows - row : TILE_ROWS;
      copy_tile(s, x, row, height, column, width, tile);
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, oc, width, height,
                  1.0f, w + row, rows, tile, width, 1.0f, y + column, columns);
    }
  }
}

static void clamp(float *y, size_t count) {
  size_t i;
  for (i = 0; i < count; ++i)
    /* Keeps NaN. */
    y[i] = y[i] < 0.0f ? 0.0f : y[i];
}

/* Returns the product of two sizes, or 0 if it is not a positive int. */
static int multiply(int a, int b) {
  return a > 0 && b > 0 && a <= INT_MAX / b ? a * b : 0;
}

int uma_openblas_conv2d_bias(const float *x, const float *w, const float *bias,
                             float *y, int n, int ic, int ih, int iw, int oc,
                             int kh, int kw, int stride_h, int stride_w,
                             int top, int left, int bottom, int right,
                             int dilation_h, int dilation_w, int groups,
                             int relu) {
  window s;
  int image, group, channel, rows;
  size_t pixels, plane, i;
  if (x == NULL || w == NULL || y == NULL)
    return UMA_OPENBLAS_NULL_POINTER;
  if (n <= 0 || groups <= 0 || ic % groups != 0 || oc % groups != 0 ||
      stride_h <= 0 || stride_w <= 0 || dilation_h <= 0 || dilation_w <= 0)
    return UMA_OPENBLAS_BAD_SIZE;
  s.ih = ih, s.iw = iw, s.kh = kh, s.kw = kw;
  s.stride_h = stride_h, s.stride_w = stride_w, s.top = top, s.left = left;
  s.dilation_h = dilation_h, s.dilation_w = dilation_w;
  s.oh = (ih + top + bottom - dilation_h * (kh - 1) - 1) / stride_h + 1;
  s.ow = (iw + left + right - dilation_w * (kw - 1) - 1) / stride_w + 1;
  rows = multiply(ic / groups, multiply(kh, kw));
  if (rows == 0 || multiply(oc, multiply(s.oh, s.ow)) == 0 ||
      multiply(ic, multiply(ih, iw)) == 0)
    return UMA_OPENBLAS_BAD_SIZE;

  pixels = (size_t)s.oh * (size_t)s.ow;
  plane = (size_t)oc / (size_t)groups * pixels;
  for (image = 0; image < n; ++image) {
    for (channel = 0; channel < oc; ++channel)
      for (i = 0; i < pixels; ++i)
        y[(size_t)channel * pixels + i] = bias == NULL ? 0.0f : bias[channel];
    for (group = 0; group < groups; ++group)
      convolve(&s,
               x + (size_t)group * (size_t)(ic / groups) * (size_t)ih *
                       (size_t)iw,
               w + (size_t)group * (size_t)(oc / groups) * (size_t)rows,
               y + (size_t)group * plane, oc / groups, rows);
    if (relu)
      clamp(y, (size_t)groups * plane);
    x += (size_t)ic * (size_t)ih * (size_t)iw;
    y += (size_t)groups * plane;
  }
  return UMA_OPENBLAS_OK;
}

int uma_openblas_conv2d(const float *x, const float *w, float *y, int n, int ic,
                        int ih, int iw, int oc, int kh, int kw, int stride_h,
                        int stride_w, int top, int left, int bottom, int right,
                        int dilation_h, int dilation_w, int groups) {
  return uma_openblas_conv2d_bias(x, w, NULL, y, n, ic, ih, iw, oc, kh, kw,
                                  stride_h, stride_w, top, left, bottom, right,
                                  dilation_h, dilation_w, groups, 0);
}

int uma_openblas_dense_bias(const float *x, const float *w, const float *bias,
                            float *y, int m, int k, int n, int relu) {
  size_t i;
  int unit;
  if (x == NULL || w == NULL || y == NULL)
    return UMA_OPENBLAS_NULL_POINTER;
  if (multiply(m, k) == 0 || multiply(n, k) == 0 || multiply(m, n) == 0)
    return UMA_OPENBLAS_BAD_SIZE;
  for (i = 0; i < (size_t)m; ++i)
    for (unit = 0; unit < n; ++unit)
      y[i * (size_t)n + (size_t)unit] = bias == NULL ? 0.0f : bias[unit];
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1.0f, x, k, w,
              k, 1.0f, y, n);
  if (relu)
    clamp(y, (size_t)m * (size_t)n);
  return UMA_OPENBLAS_OK;
}

int uma_openblas_dense(const float *x, const float *w, float *y, int m, int k,
                       int n) {
  return uma_openblas_dense_bias(x, w, NULL, y, m, k, n, 0);
}
