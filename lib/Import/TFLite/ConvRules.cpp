//===- ConvRules.cpp - Rules for convolutions -----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "FixedPoint.h"
#include "Rules.h"
#include "WindowRules.h"

#include <cstring>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::tflite;
using schema::BuiltinOperator;

/// Adds the bias, if there is one, to the channels and applies the activation.
static LogicalResult finishLayer(Node &node, Value layer, Value bias,
                                 schema::ActivationFunctionType activation) {
  if (layer && bias) {
    graph::BiasAddOp::Properties properties;
    properties.axis = node.getBuilder().getI64IntegerAttr(
        int64_t(getShape(layer).size()) - 1);
    layer = node.create<graph::BiasAddOp>({layer, bias}, properties);
  }
  if (!layer)
    return failure();
  return node.yield(node.createActivation(layer, activation));
}

/// Imports a convolution that `makeLayer` creates from data and filter, on
/// integers or on floats.
static LogicalResult importLayer(Node &node, int64_t outAxis, LayerKind kind,
                                 MakeLayerFn makeLayer,
                                 schema::ActivationFunctionType activation) {
  if (Value result =
          createFixedPointLayer(node, outAxis, kind, makeLayer, activation))
    return node.yield(result);
  return finishLayer(node,
                     makeLayer(node.getOperand(0), node.getOperand(1), {}),
                     node.getOperand(2), activation);
}

/// Creates a convolution with `ConvOp::Properties` of these attributes. `sums`
/// is the type of its result if data and filter are plain integers.
template <typename ConvOp>
static Value createConv(Node &node, Value data, Value filter,
                        const graph::Window &window, int64_t groups,
                        StringRef dataLayout, StringRef kernelLayout,
                        Type sums = {}) {
  OpBuilder &builder = node.getBuilder();
  typename ConvOp::Properties properties;
  properties.strides = builder.getDenseI64ArrayAttr(window.strides);
  properties.padding = builder.getDenseI64ArrayAttr(getPads(window));
  properties.dilations = builder.getDenseI64ArrayAttr(window.dilations);
  properties.groups = builder.getI64IntegerAttr(groups);
  properties.data_layout = builder.getStringAttr(dataLayout);
  properties.kernel_layout = builder.getStringAttr(kernelLayout);
  if (sums)
    properties.out_dtype = TypeAttr::get(sums);
  return node.create<ConvOp>({data, filter}, properties);
}

/// Returns the window of a convolution of an image by [O, H, W, I] or
/// [1, H, W, C], without padding.
template <typename OptionsT>
static graph::Window getWindow(const OptionsT &options, ArrayRef<int64_t> image,
                               ArrayRef<int64_t> kernel) {
  graph::Window window;
  window.input = {image[1], image[2]};
  window.kernel = {kernel[1], kernel[2]};
  window.strides = {options.stride_h(), options.stride_w()};
  window.dilations = {options.dilation_h_factor(), options.dilation_w_factor()};
  return window;
}

static LogicalResult importConv2D(Node &node) {
  const auto *options = node.getOptions<schema::Conv2DOptions>();
  if (!options || failed(node.checkRank(0, 4)) || failed(node.checkRank(1, 4)))
    return failure();
  Value data = node.getOperand(0), filter = node.getOperand(1);
  ArrayRef<int64_t> image = getShape(data), kernel = getShape(filter);
  if (kernel[3] < 1 || image[3] % kernel[3] != 0)
    return node.badInput("a filter for " + Twine(kernel[3]) +
                         " channels does not fit data of " + Twine(image[3]) +
                         " channels");
  graph::Window window = getWindow(*options, image, kernel);
  if (failed(setPadding(node, options->padding(), window)))
    return failure();
  return importLayer(
      node, /*outAxis=*/0, LayerKind::Convolution,
      [&](Value data, Value filter, Type sums) {
        return createConv<graph::Conv2dOp>(node, data, filter, window,
                                           image[3] / kernel[3], "NHWC", "OHWI",
                                           sums);
      },
      getActivation(options));
}

/// Imports DEPTHWISE_CONV_2D, whose filter is [1, H, W, channels].
static LogicalResult importDepthwiseConv2D(Node &node) {
  const auto *options = node.getOptions<schema::DepthwiseConv2DOptions>();
  if (!options || failed(node.checkRank(0, 4)) || failed(node.checkRank(1, 4)))
    return failure();
  Value data = node.getOperand(0), filter = node.getOperand(1);
  ArrayRef<int64_t> image = getShape(data), kernel = getShape(filter);
  if (kernel[0] != 1 || image[3] < 1 || kernel[3] % image[3] != 0)
    return node.badInput("a filter of the shape " + formatShape(kernel) +
                         " does not fit data of " + Twine(image[3]) +
                         " channels");
  graph::Window window = getWindow(*options, image, kernel);
  if (failed(setPadding(node, options->padding(), window)))
    return failure();
  return importLayer(
      node, /*outAxis=*/3, LayerKind::Depthwise,
      [&](Value data, Value filter, Type sums) {
        filter =
            reshapeFilter(node, filter, {kernel[1], kernel[2], 1, kernel[3]});
        return createConv<graph::Conv2dOp>(node, data, filter, window, image[3],
                                           "NHWC", "HWIO", sums);
      },
      getActivation(options));
}

static LogicalResult importConv3D(Node &node) {
  const auto *options = node.getOptions<schema::Conv3DOptions>();
  if (!options || failed(node.checkRank(0, 5)) || failed(node.checkRank(1, 5)))
    return failure();
  Value data = node.getOperand(0), filter = node.getOperand(1);
  ArrayRef<int64_t> image = getShape(data), kernel = getShape(filter);
  if (kernel[3] < 1 || image[4] % kernel[3] != 0)
    return node.badInput("a filter for " + Twine(kernel[3]) +
                         " channels does not fit data of " + Twine(image[4]) +
                         " channels");
  graph::Window window;
  window.input = {image[1], image[2], image[3]};
  window.kernel = {kernel[0], kernel[1], kernel[2]};
  window.strides = {options->stride_d(), options->stride_h(),
                    options->stride_w()};
  window.dilations = {options->dilation_d_factor(),
                      options->dilation_h_factor(),
                      options->dilation_w_factor()};
  if (failed(setPadding(node, options->padding(), window)))
    return failure();
  Value conv = createConv<graph::Conv3dOp>(
      node, data, filter, window, image[4] / kernel[3], "NDHWC", "DHWIO");
  return finishLayer(node, conv, node.getOperand(2), getActivation(options));
}

/// Imports TRANSPOSE_CONV, whose result has a given shape and whose filter is
/// [O, H, W, I].
/// Creates a transposed convolution of [N, H, W, C] by [O, H, W, I].
/// `window` slides over the result.
static Value createTransposeConv(Node &node, Value data, Value filter,
                                 const graph::Window &window,
                                 ArrayRef<int64_t> outputPadding) {
  OpBuilder &builder = node.getBuilder();
  graph::Conv2dTransposeOp::Properties properties;
  properties.strides = builder.getDenseI64ArrayAttr(window.strides);
  properties.padding = builder.getDenseI64ArrayAttr(getPads(window));
  properties.output_padding = builder.getDenseI64ArrayAttr(outputPadding);
  properties.dilations = builder.getDenseI64ArrayAttr(window.dilations);
  properties.groups = builder.getI64IntegerAttr(1);
  Value conv = node.create<graph::Conv2dTransposeOp>(
      {node.createTranspose(data, {0, 3, 1, 2}),
       node.createTranspose(filter, {3, 0, 1, 2})},
      properties);
  return node.createTranspose(conv, {0, 2, 3, 1});
}

/// Creates the transposed convolution of quantized data as a convolution with
/// the mirrored filter, of stride 1, on data with zeros between the elements.
/// `size` is that of the result. Returns null if the padding is too large.
static Value createQuantizedTransposeConv(Node &node, Value data, Value filter,
                                          const graph::Window &window,
                                          ArrayRef<int64_t> size, Type sums) {
  Type type = getElementType(data), filterType = getElementType(filter);
  SmallVector<int64_t> image(getShape(data)), kernel(getShape(filter));
  graph::Window mirrored = window;
  mirrored.strides = {1, 1};
  for (int64_t dim : {0, 1}) {
    int64_t dense = (image[1 + dim] - 1) * window.strides[dim] + 1;
    mirrored.input[dim] = dense;
    mirrored.padBegin[dim] = kernel[1 + dim] - 1 - window.padBegin[dim];
    mirrored.padEnd[dim] =
        size[dim] + kernel[1 + dim] - 1 - dense - mirrored.padBegin[dim];
    if (mirrored.padBegin[dim] < 0 || mirrored.padEnd[dim] < 0)
      return {};
  }
  data = castStorage(node, data, getStorageElementType(type));
  data =
      node.createReshape(data, {image[0], image[1], 1, image[2], 1, image[3]});
  data = node.createPad(
      data, {0, 0, 0, 0, 0, 0},
      {0, 0, window.strides[0] - 1, 0, window.strides[1] - 1, 0},
      isQuantized(type) ? double(Quantization::of(type).zeroPoints.front())
                        : 0);
  data =
      data ? node.createReshape(data, {image[0], image[1] * window.strides[0],
                                       image[2] * window.strides[1], image[3]})
           : data;
  data = data ? node.createSlice(
                    data, {0, 0, 0, 0},
                    {image[0], mirrored.input[0], mirrored.input[1], image[3]},
                    {1, 1, 1, 1})
              : data;
  filter = castStorage(node, filter, getStorageElementType(filterType));
  for (int64_t dim : {1, 2}) {
    SmallVector<int64_t> backwards;
    for (int64_t i = kernel[dim]; i > 0; --i)
      backwards.push_back(i - 1);
    filter = filter ? node.createTake(filter, backwards, dim) : filter;
  }
  if (!data || !filter)
    return {};
  return createConv<graph::Conv2dOp>(node, castStorage(node, data, type),
                                     castStorage(node, filter, filterType),
                                     mirrored, /*groups=*/1, "NHWC", "OHWI",
                                     sums);
}

/// Returns the shape of the result of TRANSPOSE_CONV: the elements of
/// `output_shape`, the declared shape if they are known only when the model
/// runs, or the smallest shape for the data if that is open.
static FailureOr<SmallVector<int64_t>>
getResultShape(Node &node, const schema::TransposeConvOptions &options) {
  SmallVector<int64_t> shape;
  if (std::optional<HostTensor> elements = node.findConstant(0)) {
    for (int64_t i = 0, e = std::min<int64_t>(elements->getNumElements(), 5);
         i < e && !elements->isFloat(); ++i)
      shape.push_back(elements->getInt(i));
  } else if (!node.hasOpenResult()) {
    FailureOr<RankedTensorType> type = node.getResultType();
    if (failed(type))
      return failure();
    shape.assign(type->getShape().begin(), type->getShape().end());
  } else {
    ArrayRef<int64_t> image = getShape(node.getOperand(2));
    ArrayRef<int64_t> kernel = getShape(node.getOperand(1));
    bool isSame = options.padding() == schema::Padding::SAME;
    auto getSize = [&](int64_t dim, int64_t stride) {
      return isSame ? image[dim] * stride
                    : (image[dim] - 1) * stride + kernel[dim];
    };
    shape = {image[0], getSize(1, options.stride_h()),
             getSize(2, options.stride_w()), kernel[0]};
  }
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  if (shape.size() == 4 && llvm::all_of(shape, [&](int64_t size) {
        return size >= 1 && size <= kMax;
      }))
    return shape;
  return node.badInput("input 'output_shape' does not hold four sizes of 1 or "
                       "more");
}

static LogicalResult importTransposeConv(Node &node) {
  const auto *options = node.getOptions<schema::TransposeConvOptions>();
  if (!options || failed(node.checkRank(1, 4)) || failed(node.checkRank(2, 4)))
    return failure();
  Value filter = node.getOperand(1), data = node.getOperand(2);
  ArrayRef<int64_t> image = getShape(data), kernel = getShape(filter);
  FailureOr<SmallVector<int64_t>> given = getResultShape(node, *options);
  if (failed(given))
    return failure();
  ArrayRef<int64_t> shape = *given;
  // The window slides over the result; each position is an element of the data.
  graph::Window window;
  window.input = {shape[1], shape[2]};
  window.kernel = {kernel[1], kernel[2]};
  window.strides = {options->stride_h(), options->stride_w()};
  window.dilations = {1, 1};
  if (failed(setPadding(node, options->padding(), window)))
    return failure();
  SmallVector<int64_t> outputPadding;
  for (int64_t dim : {0, 1}) {
    // Without padding behind, elements that no window reaches are left.
    int64_t size = (image[1 + dim] - 1) * window.strides[dim] +
                   window.kernel[dim] - window.padBegin[dim] -
                   window.padEnd[dim];
    int64_t rest = shape[1 + dim] - size;
    if (window.getOutput(dim) != image[1 + dim] || rest < 0)
      return node.badInput("a result of the size " + Twine(shape[1 + dim]) +
                           " does not fit data of the size " +
                           Twine(image[1 + dim]) + " in dimension " +
                           Twine(1 + dim));
    outputPadding.push_back(rest);
  }
  if (Value result = createFixedPointLayer(
          node, /*outAxis=*/0, LayerKind::Convolution,
          [&](Value data, Value filter, Type sums) {
            return createQuantizedTransposeConv(node, data, filter, window,
                                                {shape[1], shape[2]}, sums);
          },
          getActivation(options), {/*data=*/2, /*weights=*/1, /*bias=*/3}))
    return node.yield(result);
  return finishLayer(
      node, createTransposeConv(node, data, filter, window, outputPadding),
      node.getOperand(3), getActivation(options));
}

/// Imports MediaPipe's transposed convolution with a bias
/// (mediapipe/util/tflite/operations/transpose_conv_bias.cc). Its options are
/// the bytes of a struct: padding, then the strides of width and height. It
/// derives its size from the data, and its padding by another formula than
/// TRANSPOSE_CONV.
static LogicalResult importTransposeConvBias(Node &node) {
  if (failed(node.checkRank(0, 4)) || failed(node.checkRank(1, 4)))
    return failure();
  Value data = node.getOperand(0), filter = node.getOperand(1);
  ArrayRef<int64_t> image = getShape(data), kernel = getShape(filter);
  enum { kSame = 1, kValid = 2 };
  int32_t options[3];
  ArrayRef<uint8_t> bytes = node.getCustomOptions();
  if (bytes.size() < sizeof options)
    return node.badInput("has " + Twine(bytes.size()) +
                         " bytes of options; expected at least " +
                         Twine(sizeof options));
  std::memcpy(options, bytes.data(), sizeof options);
  if (options[0] != kSame && options[0] != kValid)
    return node.badInput("has the padding " + Twine(options[0]) +
                         "; expected 1 (same) or 2 (valid)");
  graph::Window window;
  window.kernel = {kernel[1], kernel[2]};
  window.strides = {options[2], options[1]};
  window.dilations = {1, 1};
  for (int64_t dim : {0, 1}) {
    int64_t stride = window.strides[dim];
    if (stride < 1)
      return node.badInput("has the stride " + Twine(stride) +
                           "; expected 1 or more");
    int64_t last = image[1 + dim] - 1;
    int64_t total =
        options[0] == kValid
            ? 0
            : std::max<int64_t>(0, kernel[1 + dim] - last % stride - 1);
    window.padBegin.push_back(total / 2);
    window.padEnd.push_back(total - total / 2);
  }
  return finishLayer(node,
                     createTransposeConv(node, data, filter, window, {0, 0}),
                     node.getOperand(2), schema::ActivationFunctionType::NONE);
}

ArrayRef<Rule> tflite::getConvRules() {
  static constexpr Rule rules[] = {
      {BuiltinOperator::CONV_2D, "input! filter! bias!?", importConv2D},
      {BuiltinOperator::CONV_3D, "input! filter! bias!?", importConv3D},
      {BuiltinOperator::DEPTHWISE_CONV_2D, "input! filter! bias!?",
       importDepthwiseConv2D},
      {BuiltinOperator::TRANSPOSE_CONV, "output_shape filter! input! bias!?",
       importTransposeConv},
      {BuiltinOperator::CUSTOM, "input! filter! bias!", importTransposeConvBias,
       "Convolution2DTransposeBias"},
  };
  return rules;
}
