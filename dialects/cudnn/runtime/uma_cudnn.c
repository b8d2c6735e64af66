/*===- uma_cudnn.c - Layers computed by cuDNN -*- C -*-===*
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

#include "uma_cudnn.h"

#include <cuda_runtime_api.h>
#include <cudnn.h>
#include <stddef.h>

enum { FIRST_CUDNN_STATUS = 1000 };

/* Descriptors and memory of a convolution, which are destroyed together. */
typedef struct convolution {
  cudnnHandle_t handle;
  cudnnTensorDescriptor_t x, bias, y;
  cudnnFilterDescriptor_t w;
  cudnnConvolutionDescriptor_t window;
  cudnnActivationDescriptor_t relu;
  float *device_x, *device_w, *device_bias, *device_y;
  void *workspace;
} convolution;

/* Converts the status of a call to CUDA or cuDNN; 0 is success. */
static int from_cuda(cudaError_t error) { return (int)error; }
static int from_cudnn(cudnnStatus_t status) {
  return status == CUDNN_STATUS_SUCCESS ? 0 : FIRST_CUDNN_STATUS + (int)status;
}

/* Allocates GPU memory and copies `count` floats at `from` to it. */
static int upload(float **to, const float *from, size_t count) {
  int status = from_cuda(cudaMalloc((void **)to, count * sizeof(float)));
  if (status == 0)
    status = from_cuda(
        cudaMemcpy(*to, from, count * sizeof(float), cudaMemcpyHostToDevice));
  return status;
}

static int create(convolution *c) {
  int status = from_cudnn(cudnnCreate(&c->handle));
  if (status == 0)
    status = from_cudnn(cudnnCreateTensorDescriptor(&c->x));
  if (status == 0)
    status = from_cudnn(cudnnCreateTensorDescriptor(&c->bias));
  if (status == 0)
    status = from_cudnn(cudnnCreateTensorDescriptor(&c->y));
  if (status == 0)
    status = from_cudnn(cudnnCreateFilterDescriptor(&c->w));
  if (status == 0)
    status = from_cudnn(cudnnCreateConvolutionDescriptor(&c->window));
  if (status == 0)
    status = from_cudnn(cudnnCreateActivationDescriptor(&c->relu));
  if (status == 0)
    status = from_cudnn(cudnnSetActivationDescriptor(
        c->relu, CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0.0));
  return status;
}

static void destroy(convolution *c) {
  (void)cudaFree(c->workspace);
  (void)cudaFree(c->device_x);
  (void)cudaFree(c->device_w);
  (void)cudaFree(c->device_bias);
  (void)cudaFree(c->device_y);
  if (c->relu != NULL)
    (void)cudnnDestroyActivationDescriptor(c->relu);
  if (c->window != NULL)
    (void)cudnnDestroyConvolutionDescriptor(c->window);
  if (c->w != NULL)
    (void)cudnnDestroyFilterDescriptor(c->w);
  if (c->y != NULL)
    (void)cudnnDestroyTensorDescriptor(c->y);
  if (c->bias != NULL)
    (void)cudnnDestroyTensorDescriptor(c->bias);
  if (c->x != NULL)
    (void)cudnnDestroyTensorDescriptor(c->x);
  if (c->handle != NULL)
    (void)cudnnDestroy(c->handle);
}

/* Computes on the GPU with the algorithm that supports every convolution. */
static int compute(convolution *c, int has_bias, int relu) {
  const float one = 1.0f, zero = 0.0f;
  const cudnnConvolutionFwdAlgo_t algorithm =
      CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
  size_t bytes = 0;
  int status = from_cudnn(cudnnGetConvolutionForwardWorkspaceSize(
      c->handle, c->x, c->w, c->window, c->y, algorithm, &bytes));
  if (status == 0 && bytes > 0)
    status = from_cuda(cudaMalloc(&c->workspace, bytes));
  if (status == 0)
    status = from_cudnn(cudnnConvolutionForward(
        c->handle, &one, c->x, c->device_x, c->w, c->device_w, c->window,
        algorithm, c->workspace, bytes, &zero, c->y, c->device_y));
  if (status == 0 && has_bias)
    status = from_cudnn(cudnnAddTensor(c->handle, &one, c->bias, c->device_bias,
                                       &one, c->y, c->device_y));
  if (status == 0 && relu)
    status = from_cudnn(cudnnActivationForward(
        c->handle, c->relu, &one, c->y, c->device_y, &zero, c->y, c->device_y));
  return status;
}

int uma_cudnn_conv2d_bias(const float *x, const float *w, const float *bias,
                          float *y, int n, int ic, int ih, int iw, int oc,
                          int kh, int kw, int stride_h, int stride_w, int pad_h,
                          int pad_w, int dilation_h, int dilation_w, int groups,
                          int relu) {
  convolution c = {0};
  int oh, ow, status;
  size_t count;
  if (x == NULL || w == NULL || y == NULL || n <= 0 || ic <= 0 || ih <= 0 ||
      iw <= 0 || oc <= 0 || kh <= 0 || kw <= 0 || groups <= 0 ||
      stride_h <= 0 || stride_w <= 0)
    return (int)cudaErrorInvalidValue;
  oh = (ih + 2 * pad_h - dilation_h * (kh - 1) - 1) / stride_h + 1;
  ow = (iw + 2 * pad_w - dilation_w * (kw - 1) - 1) / stride_w + 1;
  if (oh <= 0 || ow <= 0)
    return (int)cudaErrorInvalidValue;
  count = (size_t)n * (size_t)oc * (size_t)oh * (size_t)ow;

  status = create(&c);
  if (status == 0)
    status = from_cudnn(cudnnSetTensor4dDescriptor(
        c.x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, ic, ih, iw));
  if (status == 0)
    status = from_cudnn(cudnnSetTensor4dDescriptor(
        c.bias, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, oc, 1, 1));
  if (status == 0)
    status = from_cudnn(cudnnSetTensor4dDescriptor(
        c.y, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, oc, oh, ow));
  if (status == 0)
    status = from_cudnn(cudnnSetFilter4dDescriptor(
        c.w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, oc, ic / groups, kh, kw));
  if (status == 0)
    status = from_cudnn(cudnnSetConvolution2dDescriptor(
        c.window, pad_h, pad_w, stride_h, stride_w, dilation_h, dilation_w,
        CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
  if (status == 0)
    status = from_cudnn(cudnnSetConvolutionGroupCount(c.window, groups));
  /* Computes in float32, not TF32, like all other code. */
  if (status == 0)
    status = from_cudnn(cudnnSetConvolutionMathType(c.window, CUDNN_FMA_MATH));

  if (status == 0)
    status = upload(&c.device_x, x,
                    (size_t)n * (size_t)ic * (size_t)ih * (size_t)iw);
  if (status == 0)
    status =
        upload(&c.device_w, w,
               (size_t)oc * (size_t)(ic / groups) * (size_t)kh * (size_t)kw);
  if (status == 0 && bias != NULL)
    status = upload(&c.device_bias, bias, (size_t)oc);
  if (status == 0)
    status = from_cuda(cudaMalloc((void **)&c.device_y, count * sizeof(float)));
  if (status == 0)
    status = compute(&c, bias != NULL, relu);
  /* Waits for the result. */
  if (status == 0)
    status = from_cuda(cudaMemcpy(y, c.device_y, count * sizeof(float),
                                  cudaMemcpyDeviceToHost));
  destroy(&c);
  return status;
}

int uma_cudnn_conv2d(const float *x, const float *w, float *y, int n, int ic,
                     int ih, int iw, int oc, int kh, int kw, int stride_h,
                     int stride_w, int pad_h, int pad_w, int dilation_h,
                     int dilation_w, int groups) {
  return uma_cudnn_conv2d_bias(x, w, NULL, y, n, ic, ih, iw, oc, kh, kw,
                               stride_h, stride_w, pad_h, pad_w, dilation_h,
                               dilation_w, groups, 0);
}
