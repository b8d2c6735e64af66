/*===- uma_cublas.h - Layers computed by cuBLAS -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*/

#ifndef UMA_CUBLAS_H
#define UMA_CUBLAS_H

#ifdef __cplusplus
extern "C" {
#endif

/* All tensors are float32, dense and row-major, in host memory. Every function
 * returns 0 on success, a cudaError_t, or 1000 plus a cublasStatus_t. */

/* Computes y[i][o] = sum over k of x[i][k] * w[o][k], where x is [m][k], w is
 * [n][k] and y is [m][n]. */
int uma_cublas_dense(const float *x, const float *w, float *y, int m, int k,
                     int n);

/* Like uma_cublas_dense, then adds bias [n] and, if `relu` is not 0, takes the
 * maximum with 0. */
int uma_cublas_dense_bias(const float *x, const float *w, const float *bias,
                          float *y, int m, int k, int n, int relu);

#ifdef __cplusplus
}
#endif

#endif /* UMA_CUBLAS_H */
