/*===- vanilla_int8.h - Interface of the Vanilla int8 accelerator -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Layers on int8 tensors, dense and row-major, with sums in int32. A sum
 * becomes a result by one multiplication in float, rounded half to even:
 *
 *   y = min(max(round(sum * factor[channel]) + y_zero, low), high)
 *
 * Each function returns 0, or a status that stops the run. */

#ifndef VANILLA_INT8_H
#define VANILLA_INT8_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Convolves one image x[ic][ih][iw] with w[oc][ic][kh][kw] to y[oc][oh][ow]:
 * sum = bias[o] + sum of (x - x_zero) * w. The image has `top` rows of zeros
 * above it and `left` columns of zeros beside it, and as many below and on the
 * right as the result needs. bias is NULL if there is none. */
int vanilla_int8_conv2d(const int8_t *x, const int8_t *w, const int32_t *bias,
                        int8_t *y, int ic, int ih, int iw, int oc, int oh,
                        int ow, int kh, int kw, int stride, int top, int left,
                        int x_zero, const float *factor, int y_zero, int low,
                        int high);

/* Multiplies x[n][k] by the transposed w[m][k] to y[n][m]:
 * sum = bias[j] + sum of (x - x_zero) * w. bias is NULL if there is none. */
int vanilla_int8_dense(const int8_t *x, const int8_t *w, const int32_t *bias,
                       int8_t *y, int n, int k, int m, int x_zero,
                       const float *factor, int y_zero, int low, int high);

#ifdef __cplusplus
}
#endif

#endif /* VANILLA_INT8_H */
