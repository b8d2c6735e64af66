/*===- uma_cublas.h - Layers that cuBLAS computes -*- C -*-===*
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

/* All tensors are float32, dense and row-major, in the memory of the host.
 * Every function returns 0, the cudaError_t, or 1000 plus the cublasStatus_t of
 * what failed. */

/* y[i][o] = sum over k of x[i][k] * w[o][k]: x [m][k], w [n][k], y [m][n]. */
int uma_cublas_dense(const float *x, const float *w, float *y, int m, int k,
                     int n);

/* The same, plus bias [n], then the larger of that and 0 where relu is not
 * 0. */
int uma_cublas_dense_bias(const float *x, const float *w, const float *bias,
                          float *y, int m, int k, int n, int relu);

#ifdef __cplusplus
}
#endif

#endif /* UMA_CUBLAS_H */
