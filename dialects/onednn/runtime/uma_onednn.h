/*===- uma_onednn.h - Layers that oneDNN computes -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*/

#ifndef UMA_ONEDNN_H
#define UMA_ONEDNN_H

#ifdef __cplusplus
extern "C" {
#endif

/* All tensors are float32, dense and row-major. Every function returns 0, or
 * the dnnl_status_t of what failed. There is no state but oneDNN's own. */

/* Convolution with ic channels in groups of ic / groups:
 *   x [n][ic][ih][iw], w [oc][ic / groups][kh][kw], y [n][oc][oh][ow]
 * Padding of zeros at the top, left, bottom and right. A dilation of 1 is a
 * dense kernel. */
int uma_onednn_conv2d(const float *x, const float *w, float *y, int n, int ic,
                      int ih, int iw, int oc, int kh, int kw, int stride_h,
                      int stride_w, int top, int left, int bottom, int right,
                      int dilation_h, int dilation_w, int groups);

/* The same, plus bias [oc], then the larger of that and 0 where relu is not
 * 0. */
int uma_onednn_conv2d_bias(const float *x, const float *w, const float *bias,
                           float *y, int n, int ic, int ih, int iw, int oc,
                           int kh, int kw, int stride_h, int stride_w, int top,
                           int left, int bottom, int right, int dilation_h,
                           int dilation_w, int groups, int relu);

/* y[i][o] = sum over k of x[i][k] * w[o][k]: x [m][k], w [n][k], y [m][n]. */
int uma_onednn_dense(const float *x, const float *w, float *y, int m, int k,
                     int n);

/* The same, plus bias [n], then the larger of that and 0 where relu is not
 * 0. */
int uma_onednn_dense_bias(const float *x, const float *w, const float *bias,
                          float *y, int m, int k, int n, int relu);

#ifdef __cplusplus
}
#endif

#endif /* UMA_ONEDNN_H */
