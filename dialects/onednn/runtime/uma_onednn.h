/*===- uma_onednn.h - Layers computed by oneDNN -*- C -*-===*
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

/* All tensors are float32, dense and row-major. Every function returns 0 on
 * success, or a dnnl_status_t. The functions keep no state except oneDNN's. */

/* Computes a convolution with ic channels in groups of ic / groups:
 *   x [n][ic][ih][iw], w [oc][ic / groups][kh][kw], y [n][oc][oh][ow]
 * Pads with zeros at the top, left, bottom and right. A dilation of 1 is a
 * dense kernel. */
int uma_onednn_conv2d(const float *x, const float *w, float *y, int n, int ic,
                      int ih, int iw, int oc, int kh, int kw, int stride_h,
                      int stride_w, int top, int left, int bottom, int right,
                      int dilation_h, int dilation_w, int groups);

/* Like uma_onednn_conv2d, then adds bias [oc] and, if `relu` is not 0, takes
 * the maximum with 0. */
int uma_onednn_conv2d_bias(const float *x, const float *w, const float *bias,
                           float *y, int n, int ic, int ih, int iw, int oc,
                           int kh, int kw, int stride_h, int stride_w, int top,
                           int left, int bottom, int right, int dilation_h,
                           int dilation_w, int groups, int relu);

/* Computes y[i][o] = sum over k of x[i][k] * w[o][k], where x is [m][k], w is
 * [n][k] and y is [m][n]. */
int uma_onednn_dense(const float *x, const float *w, float *y, int m, int k,
                     int n);

/* Like uma_onednn_dense, then adds bias [n] and, if `relu` is not 0, takes the
 * maximum with 0. */
int uma_onednn_dense_bias(const float *x, const float *w, const float *bias,
                          float *y, int m, int k, int n, int relu);

#ifdef __cplusplus
}
#endif

#endif /* UMA_ONEDNN_H */
