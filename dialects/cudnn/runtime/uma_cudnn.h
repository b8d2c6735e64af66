/*===- uma_cudnn.h - Layers computed by cuDNN -*- C -*-===*
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

/* All tensors are float32, dense and row-major, in host memory. Every function
 * returns 0 on success, a cudaError_t, or 1000 plus a cudnnStatus_t. */

/* Computes a convolution with ic channels in groups of ic / groups:
 *   x [n][ic][ih][iw], w [oc][ic / groups][kh][kw], y [n][oc][oh][ow]
 * Pads with pad_h zeros above and below and pad_w zeros left and right. A
 * dilation of 1 is a dense kernel. */
int uma_cudnn_conv2d(const float *x, const float *w, float *y, int n, int ic,
                     int ih, int iw, int oc, int kh, int kw, int stride_h,
                     int stride_w, int pad_h, int pad_w, int dilation_h,
                     int dilation_w, int groups);

/* Like uma_cudnn_conv2d, then adds bias [oc] and, if `relu` is not 0, takes the
 * maximum with 0. */
int uma_cudnn_conv2d_bias(const float *x, const float *w, const float *bias,
                          float *y, int n, int ic, int ih, int iw, int oc,
                          int kh, int kw, int stride_h, int stride_w, int pad_h,
                          int pad_w, int dilation_h, int dilation_w, int groups,
                          int relu);

#ifdef __cplusplus
}
#endif

#endif /* UMA_CUDNN_H */
