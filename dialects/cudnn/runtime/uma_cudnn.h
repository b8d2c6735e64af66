/*===- uma_cudnn.h - Layers that cuDNN computes -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*/

#ifndef UMA_CUDNN_H
#define UMA_CUDNN_H

#ifdef __cplusplus
extern "C" {
#endif

/* All tensors are float32, dense and row-major, in the memory of the host.
 * Every function returns 0, the cudaError_t, or 1000 plus the cudnnStatus_t of
 * what failed. */

/* Convolution with ic channels in groups of ic / groups:
 *   x [n][ic][ih][iw], w [oc][ic / groups][kh][kw], y [n][oc][oh][ow]
 * pad_h zeros above and below, pad_w to the left and to the right. A dilation
 * of 1 is a dense kernel. */
int uma_cudnn_conv2d(const float *x, const float *w, float *y, int n, int ic,
                     int ih, int iw, int oc, int kh, int kw, int stride_h,
                     int stride_w, int pad_h, int pad_w, int dilation_h,
                     int dilation_w, int groups);

/* The same, plus bias [oc], then the larger of that and 0 where relu is not
 * 0. */
int uma_cudnn_conv2d_bias(const float *x, const float *w, const float *bias,
                          float *y, int n, int ic, int ih, int iw, int oc,
                          int kh, int kw, int stride_h, int stride_w, int pad_h,
                          int pad_w, int dilation_h, int dilation_w, int groups,
                          int relu);

#ifdef __cplusplus
}
#endif

#endif /* UMA_CUDNN_H */
