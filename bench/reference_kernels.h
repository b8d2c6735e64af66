//===- reference_kernels.h - Layers by TFLite Micro's kernels -*- C++ -*---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Calls the reference kernels of TensorFlow Lite Micro as its interpreter does,
// with parameters that bench/reference-kernels.py computes as the interpreter's
// preparation does. The kernels come from a checkout of TensorFlow Lite Micro.
//
// No kernel sees constant shapes: an interpreter reads them from a model.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_BENCH_REFERENCE_KERNELS_H
#define UMA_BENCH_REFERENCE_KERNELS_H

#include "tensorflow/lite/kernels/internal/reference/integer_ops/add.h"
#include "tensorflow/lite/kernels/internal/reference/integer_ops/conv.h"
#include "tensorflow/lite/kernels/internal/reference/integer_ops/depthwise_conv.h"
#include "tensorflow/lite/kernels/internal/reference/integer_ops/fully_connected.h"
#include "tensorflow/lite/kernels/internal/reference/integer_ops/pooling.h"
#include "tensorflow/lite/kernels/internal/reference/softmax.h"

/// A tensor in row-major order. `data` is null for a bias that is left out.
struct Tensor {
  void *data;
  int rank;
  int32_t dims[4];
};

/// An operator. Members that it does not have are 0.
struct Layer {
  const Tensor *input;
  /// The second input of an addition.
  const Tensor *filter;
  const Tensor *bias;
  const Tensor *output;
  /// Per channel of a convolution; of inputs and output of an addition.
  const int32_t *multipliers, *shifts;
  int32_t inputZero, filterZero, outputZero;
  /// Range of results, which the fused activation narrows.
  int32_t minimum, maximum;
  int16_t strideW, strideH, dilationW, dilationH, padW, padH, filterW, filterH;
  int16_t depthMultiplier;
  int32_t minimumDifference;
};

#define UMA_KERNEL extern "C" __attribute__((noipa)) void

static inline tflite::RuntimeShape getShape(const Tensor *tensor) {
  return tensor ? tflite::RuntimeShape(tensor->rank, tensor->dims)
                : tflite::RuntimeShape();
}

template <typename T>
static inline T *getData(const Tensor *tensor) {
  return tensor ? static_cast<T *>(tensor->data) : nullptr;
}

template <typename Params>
static inline Params getWindow(const Layer &layer) {
  Params params = {};
  params.padding_values.width = layer.padW;
  params.padding_values.height = layer.padH;
  params.stride_width = layer.strideW;
  params.stride_height = layer.strideH;
  params.quantized_activation_min = layer.minimum;
  params.quantized_activation_max = layer.maximum;
  return params;
}

template <typename Params>
static inline Params getConvolution(const Layer &layer) {
  auto params = getWindow<Params>(layer);
  params.dilation_width_factor = layer.dilationW;
  params.dilation_height_factor = layer.dilationH;
  params.input_offset = -layer.inputZero;
  params.weights_offset = -layer.filterZero;
  params.output_offset = layer.outputZero;
  return params;
}

UMA_KERNEL runConv2D(const Layer &layer) {
  tflite::reference_integer_ops::ConvPerChannel(
      getConvolution<tflite::ConvParams>(layer), layer.multipliers,
      layer.shifts, getShape(layer.input), getData<int8_t>(layer.input),
      getShape(layer.filter), getData<int8_t>(layer.filter),
      getShape(layer.bias), getData<int32_t>(layer.bias),
      getShape(layer.output), getData<int8_t>(layer.output));
}

UMA_KERNEL runDepthwiseConv2D(const Layer &layer) {
  auto params = getConvolution<tflite::DepthwiseParams>(layer);
  params.depth_multiplier = layer.depthMultiplier;
  tflite::reference_integer_ops::DepthwiseConvPerChannel(
      params, layer.multipliers, layer.shifts, getShape(layer.input),
      getData<int8_t>(layer.input), getShape(layer.filter),
      getData<int8_t>(layer.filter), getShape(layer.bias),
      getData<int32_t>(layer.bias), getShape(layer.output),
      getData<int8_t>(layer.output));
}

UMA_KERNEL runFullyConnected(const Layer &layer) {
  tflite::FullyConnectedParams params = {};
  params.input_offset = -layer.inputZero;
  params.weights_offset = -layer.filterZero;
  params.output_offset = layer.outputZero;
  params.output_multiplier = layer.multipliers[0];
  params.output_shift = layer.shifts[0];
  params.quantized_activation_min = layer.minimum;
  params.quantized_activation_max = layer.maximum;
  tflite::reference_integer_ops::FullyConnected(
      params, getShape(layer.input), getData<const int8_t>(layer.input),
      getShape(layer.filter), getData<const int8_t>(layer.filter),
      getShape(layer.bias), getData<const int32_t>(layer.bias),
      getShape(layer.output), getData<int8_t>(layer.output));
}

UMA_KERNEL runAveragePool2D(const Layer &layer) {
  auto params = getWindow<tflite::PoolParams>(layer);
  params.filter_width = layer.filterW;
  params.filter_height = layer.filterH;
  tflite::reference_integer_ops::AveragePool(
      params, getShape(layer.input), getData<int8_t>(layer.input),
      getShape(layer.output), getData<int8_t>(layer.output));
}

UMA_KERNEL runAdd(const Layer &layer) {
  tflite::ArithmeticParams params = {};
  params.left_shift = 20;
  params.input1_offset = -layer.inputZero;
  params.input2_offset = -layer.filterZero;
  params.output_offset = layer.outputZero;
  params.input1_multiplier = layer.multipliers[0];
  params.input2_multiplier = layer.multipliers[1];
  params.output_multiplier = layer.multipliers[2];
  params.input1_shift = layer.shifts[0];
  params.input2_shift = layer.shifts[1];
  params.output_shift = layer.shifts[2];
  params.quantized_activation_min = layer.minimum;
  params.quantized_activation_max = layer.maximum;
  tflite::reference_integer_ops::Add(
      params, getShape(layer.input), getData<int8_t>(layer.input),
      getShape(layer.filter), getData<int8_t>(layer.filter),
      getShape(layer.output), getData<int8_t>(layer.output));
}

UMA_KERNEL runSoftmax(const Layer &layer) {
  tflite::SoftmaxParams params = {};
  params.input_multiplier = layer.multipliers[0];
  params.input_left_shift = layer.shifts[0];
  params.diff_min = layer.minimumDifference;
  tflite::reference_ops::Softmax(
      params, getShape(layer.input), getData<int8_t>(layer.input),
      getShape(layer.output), getData<int8_t>(layer.output));
}

#endif // UMA_BENCH_REFERENCE_KERNELS_H
