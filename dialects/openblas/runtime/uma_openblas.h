/*===- uma_openblas.h - Layers computed by OpenBLAS -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*/

#ifndef UMA_OPENBLAS_H
#define UMA_OPENBLAS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Return values of the functions. */
enum uma_openblas_status {
  UMA_OPENBLAS_OK = 0,
  UMA_OPENBLAS_NULL_POINTER = 1, /* a tensor is null */
  UMA_OPENBLAS_BAD_SIZE = 2      /* a size is not positive, or does not fit */
};

/* All tensors are float32, dense and row-major. A call needs 64 KiB of stack.
 * The functions keep no state except OpenBLAS's. */

/* Computes a convolution with ic channels in groups of ic / groups:
 *   x [n][ic][ih][iw], w [oc][ic / groups][kh][kw], y [n][oc][oh][ow]
 * Pads with zeros at the top, left, bottom and right. A dilation of 1 is a
 * dense kernel. */
int uma_openblas_conv2d(const float *x, const float *w, float *y, int n, int ic,
                        int ih, int iw, int oc, int kh, int kw, int stride_h,
                        int stride_w, int top, int left, int bottom, int right,
                        int dilation_h, int dilation_w, int groups);

/* Like uma_openblas_conv2d, then adds bias [oc] and, if `relu` is not 0, takes
 * the maximum with 0. */
int uma_openblas_conv2d_bias(const float *x, const float *w, const float *bias,
                             float *y, int n, int ic, int ih, int iw, int oc,
                             int kh, int kw, int stride_h, int stride_w,
                             int top, int left, int bottom, int right,
                             int dilation_h, int dilation_w, int groups,
                             int relu);

/* Computes y[i][o] = sum over k of x[i][k] * w[o][k], where x is [m][k], w is
 * [n][k] and y is [m][n]. */
int uma_openblas_dense(const float *x, const float *w, float *y, int m, int k,
                       int n);

/* Like uma_openblas_dense, then adds bias [n] and, if `relu` is not 0, takes
 * the maximum with 0. */
int uma_openblas_dense_bias(const float *x, const float *w, const float *bias,
                            float *y, int m, int k, int n, int relu);

#ifdef __cplusplus
}
#endif

#endif /* UMA_OPENBLAS_H */
