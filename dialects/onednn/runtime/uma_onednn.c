/*===- uma_onednn.c - Layers computed by oneDNN -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Uses the C interface of oneDNN 2. Each call creates and destroys all its
 * objects. oneDNN caches compiled primitives, so later calls with the same
 * shapes do not compile again.
 *
 *===----------------------------------------------------------------------===*/

#include "uma_onednn.h"

#include <dnnl.h>
#include <stddef.h>

enum { SOURCE, WEIGHTS, BIAS, RESULT, NUM_TENSORS };

/* oneDNN's identifiers of the tensors. */
static const int arguments[NUM_TENSORS] = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS,
                                           DNNL_ARG_BIAS, DNNL_ARG_DST};

/* Adds a relu as a post-op. */
static dnnl_status_t set_relu(dnnl_primitive_attr_t attributes) {
  dnnl_post_ops_t operations = NULL;
  dnnl_status_t status = dnnl_post_ops_create(&operations);
  if (status != dnnl_success)
    return status;
  status = dnnl_post_ops_append_eltwise(operations, 1.0f, dnnl_eltwise_relu,
                                        0.0f, 0.0f);
  if (status == dnnl_success)
    status = dnnl_primitive_attr_set_post_ops(attributes, operations);
  (void)dnnl_post_ops_destroy(operations);
  return status;
}

/* Runs a primitive on tensors; null tensors are left out. */
static dnnl_status_t execute(dnnl_engine_t engine, dnnl_primitive_t primitive,
                             const dnnl_memory_desc_t *types,
                             void *const *tensors) {
  dnnl_stream_t stream = NULL;
  dnnl_exec_arg_t arg[NUM_TENSORS];
  int i, count = 0;
  dnnl_status_t status =
      dnnl_stream_create(&stream, engine, dnnl_stream_default_flags);
  for (i = 0; i < NUM_TENSORS && status == dnnl_success; ++i) {
    if (tensors[i] == NULL)
      continue;
    arg[count].arg = arguments[i];
    arg[count].memory = NULL;
    status =
        dnnl_memory_create(&arg[count].memory, &types[i], engine, tensors[i]);
    if (status == dnnl_success)
      ++count;
  }
  if (status == dnnl_success)
    status = dnnl_primitive_execute(primitive, stream, count, arg);
  if (status == dnnl_success)
    status = dnnl_stream_wait(stream);
  for (i = 0; i < count; ++i)
    (void)dnnl_memory_destroy(arg[i].memory);
  if (stream != NULL)
    (void)dnnl_stream_destroy(stream);
  return status;
}

/* Creates the primitive of `operation` and runs it. */
static dnnl_status_t run(const_dnnl_op_desc_t operation,
                         const dnnl_memory_desc_t *types, void *const *tensors,
                         int relu) {
  dnnl_engine_t engine = NULL;
  dnnl_primitive_attr_t attributes = NULL;
  dnnl_primitive_desc_t description = NULL;
  dnnl_primitive_t primitive = NULL;
  dnnl_status_t status = dnnl_engine_create(&engine, dnnl_cpu, 0);
  if (status == dnnl_success)
    status = dnnl_primitive_attr_create(&attributes);
  if (status == dnnl_success && relu)
    status = set_relu(attributes);
  if (status == dnnl_success)
    status = dnnl_primitive_desc_create(&description, operation, attributes,
                                        engine, NULL);
  if (status == dnnl_success)
    status = dnnl_primitive_create(&primitive, description);
  if (status == dnnl_success)
    status = execute(engine, primitive, types, tensors);
  if (primitive != NULL)
    (void)dnnl_primitive_destroy(primitive);
  if (description != NULL)
    (void)dnnl_primitive_desc_destroy(description);
  if (attributes != NULL)
    (void)dnnl_primitive_attr_destroy(attributes);
  if (engine != NULL)
    (void)dnnl_engine_destroy(engine);
  return status;
}

static dnnl_status_t init_type(dnnl_memory_desc_t *type, int rank,
                               const dnnl_dim_t *sizes,
                               dnnl_format_tag_t layout) {
  return dnnl_memory_desc_init_by_tag(type, rank, sizes, dnnl_f32, layout);
}

int uma_onednn_conv2d_bias(const float *x, const float *w, const float *bias,
                           float *y, int n, int ic, int ih, int iw, int oc,
                           int kh, int kw, int stride_h, int stride_w, int top,
                           int left, int bottom, int right, int dilation_h,
                           int dilation_w, int groups, int relu) {
  dnnl_memory_desc_t types[NUM_TENSORS];
  dnnl_convolution_desc_t convolution;
  dnnl_status_t status;
  /* oneDNN has no const memory, but only reads the first three tensors. */
  void *tensors[NUM_TENSORS];
  tensors[SOURCE] = (void *)x;
  tensors[WEIGHTS] = (void *)w;
  tensors[BIAS] = (void *)bias;
  tensors[RESULT] = y;
  if (x == NULL || w == NULL || y == NULL || groups <= 0 || stride_h <= 0 ||
      stride_w <= 0)
    return dnnl_invalid_arguments;
  {
    const dnnl_dim_t oh =
        (ih + top + bottom - dilation_h * (kh - 1) - 1) / stride_h + 1;
    const dnnl_dim_t ow =
        (iw + left + right - dilation_w * (kw - 1) - 1) / stride_w + 1;
    const dnnl_dims_t source = {n, ic, ih, iw};
    const dnnl_dims_t single = {oc, ic, kh, kw};
    const dnnl_dims_t grouped = {groups, oc / groups, ic / groups, kh, kw};
    const dnnl_dims_t result = {n, oc, oh, ow}, channels = {oc};
    const dnnl_dims_t strides = {stride_h, stride_w};
    /* oneDNN's dilation of a dense kernel is 0. */
    const dnnl_dims_t gaps = {dilation_h - 1, dilation_w - 1};
    const dnnl_dims_t before = {top, left}, after = {bottom, right};

    status = init_type(&types[SOURCE], 4, source, dnnl_nchw);
    if (status == dnnl_success)
      status = groups == 1 ? init_type(&types[WEIGHTS], 4, single, dnnl_oihw)
                           : init_type(&types[WEIGHTS], 5, grouped, dnnl_goihw);
    if (status == dnnl_success)
      status = init_type(&types[BIAS], 1, channels, dnnl_x);
    if (status == dnnl_success)
      status = init_type(&types[RESULT], 4, result, dnnl_nchw);
    if (status == dnnl_success)
      status = dnnl_dilated_convolution_forward_desc_init(
          &convolution, dnnl_forward_inference, dnnl_convolution_direct,
          &types[SOURCE], &types[WEIGHTS], bias == NULL ? NULL : &types[BIAS],
          &types[RESULT], strides, gaps, before, after);
  }
  if (status == dnnl_success)
    status = run(&convolution, types, tensors, relu);
  return (int)status;
}

int uma_onednn_conv2d(const float *x, const float *w, float *y, int n, int ic,
                      int ih, int iw, int oc, int kh, int kw, int stride_h,
                      int stride_w, int top, int left, int bottom, int right,
                      int dilation_h, int dilation_w, int groups) {
  return uma_onednn_conv2d_bias(x, w, NULL, y, n, ic, ih, iw, oc, kh, kw,
                                stride_h, stride_w, top, left, bottom, right,
                                dilation_h, dilation_w, groups, 0);
}

int uma_onednn_dense_bias(const float *x, const float *w, const float *bias,
                          float *y, int m, int k, int n, int relu) {
  dnnl_memory_desc_t types[NUM_TENSORS];
  dnnl_inner_product_desc_t product;
  const dnnl_dims_t source = {m, k}, weights = {n, k}, result = {m, n};
  const dnnl_dims_t units = {n};
  dnnl_status_t status;
  void *tensors[NUM_TENSORS];
  tensors[SOURCE] = (void *)x;
  tensors[WEIGHTS] = (void *)w;
  tensors[BIAS] = (void *)bias;
  tensors[RESULT] = y;
  if (x == NULL || w == NULL || y == NULL)
    return dnnl_invalid_arguments;
  status = init_type(&types[SOURCE], 2, source, dnnl_nc);
  if (status == dnnl_success)
    status = init_type(&types[WEIGHTS], 2, weights, dnnl_oi);
  if (status == dnnl_success)
    status = init_type(&types[BIAS], 1, units, dnnl_x);
  if (status == dnnl_success)
    status = init_type(&types[RESULT], 2, result, dnnl_nc);
  if (status == dnnl_success)
    status = dnnl_inner_product_forward_desc_init(
        &product, dnnl_forward_inference, &types[SOURCE], &types[WEIGHTS],
        bias == NULL ? NULL : &types[BIAS], &types[RESULT]);
  if (status == dnnl_success)
    status = run(&product, types, tensors, relu);
  return (int)status;
}

int uma_onednn_dense(const float *x, const float *w, float *y, int m, int k,
                     int n) {
  return uma_onednn_dense_bias(x, w, NULL, y, m, k, n, 0);
}
