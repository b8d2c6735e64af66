/*===- uma_openblas.h - Layers that OpenBLAS computes -*- C -*-===*
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

/* What the functions return. */
enum uma_openblas_status {
  UMA_OPENBLAS_OK = 0,
  UMA_OPENBLAS_NULL_POINTER = 1, /* a tensor is null */
  UMA_OPENBLAS_BAD_SIZE = 2      /* a size is not positive, or does not fit */
};

/* All tensors are float32, dense and row-major. A call needs 64 KiB of stack;
 * there is no state but OpenBLAS's own. */

/* Convolution with ic channels in groups of ic / groups:
 *   x [n][ic][ih][iw], w [oc][ic / groups][kh][kw], y [n][oc][oh][ow]
 * Padding of zeros at the top, left, bottom and right. A dilation of 1 is a
 * dense kernel. */
int uma_openblas_conv2d(const float *x, const float *w, float *y, int n, int ic,
                        int ih, int iw, int oc, int kh, int kw, int stride_h,
                        int stride_w, int top, int left, int bottom, int right,
                        int dilation_h, int dilation_w, int groups);

/* The same, plus bias [oc], then the larger of that and 0 where relu is not
 * 0. */
int uma_openblas_conv2d_bias(const float *x, const float *w, const float *bias,
                             float *y, int n, int ic, int ih, int iw, int oc,
                             int kh, int kw, int stride_h, int stride_w,
                             int top, int left, int bottom, int right,
                             int dilation_h, int dilation_w, int groups,
                             int relu);

/* y[i][o] = sum over k of x[i][k] * w[o][k]: x [m][k], w [n][k], y [m][n]. */
int uma_openblas_dense(const float *x, const float *w, float *y, int m, int k,
                       int n);

/* The same, plus bias [n], then the larger of that and 0 where relu is not
 * 0. */
int uma_openblas_dense_bias(const float *x, const float *w, const float *bias,
                            float *y, int m, int k, int n, int relu);

#ifdef __cplusplus
}
#endif

#endif /* UMA_OPENBLAS_H */
