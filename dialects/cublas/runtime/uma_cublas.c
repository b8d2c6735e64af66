/*===- uma_cublas.c - Layers computed by cuBLAS -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Each call copies its tensors to the GPU and the result back, and creates its
 * own handle, so no state is kept between calls.
 *
 *===----------------------------------------------------------------------===*/

#include "uma_cublas.h"

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <stddef.h>

enum { FIRST_CUBLAS_STATUS = 1000 };

/* Allocates GPU memory and copies `count` floats at `from` to it. */
static cudaError_t upload(float **to, const float *from, size_t count) {
  cudaError_t error = cudaMalloc((void **)to, count * sizeof(float));
  if (error == cudaSuccess)
    error =
        cudaMemcpy(*to, from, count * sizeof(float), cudaMemcpyHostToDevice);
  return error;
}

/* Computes result += x * transpose(w) on the GPU. */
static cublasStatus_t add_product(const float *x, const float *w, float *result,
                                  int m, int k, int n) {
  const float one = 1.0f;
  cublasHandle_t handle = NULL;
  cublasStatus_t status = cublasCreate(&handle);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  /* cuBLAS is column-major and sees a row-major matrix as transposed. */
  status = cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, m, k, &one, w, k, x,
                       k, &one, result, n);
  (void)cublasDestroy(handle);
  return status;
}

int uma_cublas_dense_bias(const float *x, const float *w, const float *bias,
                          float *y, int m, int k, int n, int relu) {
  float *device_x = NULL, *device_w = NULL, *device_y = NULL;
  const size_t count = (size_t)m * (size_t)n;
  size_t i;
  int unit;
  cudaError_t error;
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  if (x == NULL || w == NULL || y == NULL || m <= 0 || k <= 0 || n <= 0)
    return cudaErrorInvalidValue;
  for (i = 0; i < (size_t)m; ++i)
    for (unit = 0; unit < n; ++unit)
      y[i * (size_t)n + (size_t)unit] = bias == NULL ? 0.0f : bias[unit];

  error = upload(&device_x, x, (size_t)m * (size_t)k);
  if (error == cudaSuccess)
    error = upload(&device_w, w, (size_t)n * (size_t)k);
  if (error == cudaSuccess)
    error = upload(&device_y, y, count);
  if (error == cudaSuccess) {
    status = add_product(device_x, device_w, device_y, m, k, n);
    /* Waits for the product. */
    error =
        cudaMemcpy(y, device_y, count * sizeof(float), cudaMemcpyDeviceToHost);
  }
  (void)cudaFree(device_x);
  (void)cudaFree(device_w);
  (void)cudaFree(device_y);
  if (status != CUBLAS_STATUS_SUCCESS)
    return FIRST_CUBLAS_STATUS + (int)status;
  if (error != cudaSuccess)
    return (int)error;
  for (i = 0; relu && i < count; ++i)
    y[i] = y[i] < 0.0f ? 0.0f : y[i];
  return 0;
}

int uma_cublas_dense(const float *x, const float *w, float *y, int m, int k,
                     int n) {
  return uma_cublas_dense_bias(x, w, NULL, y, m, k, n, 0);
}
