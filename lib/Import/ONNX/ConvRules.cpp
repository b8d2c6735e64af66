//===- ConvRules.cpp - Convolutions ---------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "WindowRules.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

//===----------------------------------------------------------------------===//
// Helpers for convolutions
//===----------------------------------------------------------------------===//

/// Returns the spatial sizes of the weights, which must match the attribute
/// 'kernel_shape' if present. Returns std::nullopt after an error.
static std::optional<SmallVector<int64_t>>
readKernel(Node &node, Value data, Value weight, int64_t most) {
  std::optional<int64_t> rank = getSpatialRank(node, data, most);
  if (!rank || failed(node.checkRank(weight, *rank + 2, "input 'W'")))
    return std::nullopt;
  SmallVector<int64_t> kernel(getShape(weight).drop_front(2));
  auto kernelShape = node.getIntsAttr("kernel_shape");
  if (kernelShape && *kernelShape != kernel) {
    (void)node.badInput("attribute 'kernel_shape' is " +
                        formatShape(*kernelShape) + ", but the weights are " +
                        formatShape(getShape(weight)));
    return std::nullopt;
  }
  return kernel;
}

/// Returns the attribute 'group'; std::nullopt after an error.
static std::optional<int64_t> readGroups(Node &node, StringRef name = "group") {
  int64_t groups = node.getIntAttr(name, 1);
  if (groups >= 1)
    return groups;
  (void)node.badInput("attribute '" + name + "' is " + Twine(groups) +
                      "; expected 1 or more");
  return std::nullopt;
}

/// Adds the bias of each channel to `result`, if there is one.
static Value addBias(Node &node, Value result, Value bias) {
  return bias ? node.create<graph::BiasAddOp>({result, bias}) : result;
}

std::optional<ConvWindow> importer::readConvWindow(Node &node, Value data,
                                                   Value weight) {
  auto kernel = readKernel(node, data, weight, /*most=*/3);
  std::optional<int64_t> groups = readGroups(node);
  if (!kernel || !groups)
    return std::nullopt;
  std::optional<graph::Window> window =
      readWindow(node, getShape(data).drop_front(2), *kernel);
  if (!window)
    return std::nullopt;
  return ConvWindow{*window, *groups};
}

Value importer::createConv(Node &node, Value data, Value weight, Value bias,
                           const ConvWindow &how, TypeAttr outDtype) {
  if (!data || !weight)
    return {};
  auto create = [&](auto properties, const graph::Window &window) {
    setWindow(node, window, properties);
    properties.groups = node.getBuilder().getI64IntegerAttr(how.groups);
    properties.out_dtype = outDtype;
    return properties;
  };
  int64_t rank = how.window.getRank();
  if (rank == 3)
    return addBias(
        node,
        node.create<graph::Conv3dOp>(
            {data, weight}, create(graph::Conv3dOp::Properties(), how.window)),
        bias);
  if (rank == 2)
    return addBias(
        node,
        node.create<graph::Conv2dOp>(
            {data, weight}, create(graph::Conv2dOp::Properties(), how.window)),
        bias);
  Value result = node.create<graph::Conv2dOp>(
      {addHeight(node, data), addHeight(node, weight)},
      create(graph::Conv2dOp::Properties(), addHeight(how.window)));
  return dropHeight(node, addBias(node, result, bias));
}

Value importer::createConv(Node &node, Value data, Value weight, Value bias,
                           TypeAttr outDtype) {
  if (!data || !weight)
    return {};
  std::optional<ConvWindow> how = readConvWindow(node, data, weight);
  return how ? createConv(node, data, weight, bias, *how, outDtype) : Value();
}

static LogicalResult importConv(Node &node) {
  return node.yield(createConv(node, node.getOperand(0), node.getOperand(1),
                               node.getOperand(2), /*outDtype=*/{}));
}

//===----------------------------------------------------------------------===//
// Transposed convolutions
//===----------------------------------------------------------------------===//

namespace {
/// Attributes of a transposed convolution, with one entry per dimension.
struct TransposedWindow {
  graph::Window window; ///< its input is the spatial shape of the data
  SmallVector<int64_t> outputPadding;
};
} // namespace

/// Chooses the paddings for the output shape `output`. An output larger than
/// the area that the windows cover is padded with zeros at the end.
static void padToShape(TransposedWindow &result, ArrayRef<int64_t> output,
                       bool moreAtEnd) {
  graph::Window &window = result.window;
  for (int64_t dim = 0; dim < window.getRank(); ++dim) {
    int64_t covered = (window.input[dim] - 1) * window.strides[dim] +
                      window.getExtent(dim) + result.outputPadding[dim];
    int64_t total = covered - output[dim];
    if (total < 0) {
      result.outputPadding[dim] -= total;
      total = 0;
    }
    int64_t less = total / 2, more = total - less;
    window.padBegin[dim] = moreAtEnd ? less : more;
    window.padEnd[dim] = moreAtEnd ? more : less;
  }
}

static std::optional<TransposedWindow>
readTransposedWindow(Node &node, ArrayRef<int64_t> input,
                     ArrayRef<int64_t> kernel) {
  size_t rank = input.size();
  TransposedWindow result;
  graph::Window &window = result.window;
  auto strides = readListAttr(node, "strides", rank, 1, 1);
  auto dilations = readListAttr(node, "dilations", rank, 1, 1);
  auto pads = readListAttr(node, "pads", 2 * rank, 0, 0);
  auto outputPadding = readListAttr(node, "output_padding", rank, 0, 0);
  auto outputShape = node.getIntsAttr("output_shape");
  StringRef autoPad = node.getStringAttr("auto_pad", "NOTSET");
  if (!strides || !dilations || !pads || !outputPadding)
    return std::nullopt;
  window.input = graph::SpatialVector(input);
  window.kernel = graph::SpatialVector(kernel);
  window.strides = graph::SpatialVector(ArrayRef(*strides));
  window.dilations = graph::SpatialVector(ArrayRef(*dilations));
  window.padBegin = graph::SpatialVector(ArrayRef(*pads).take_front(rank));
  window.padEnd = graph::SpatialVector(ArrayRef(*pads).drop_front(rank));
  result.outputPadding = *outputPadding;

  if (!llvm::is_contained({"", "NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"},
                          autoPad)) {
    (void)node.badInput("attribute 'auto_pad' is " + quote(autoPad) +
                        "; expected NOTSET, SAME_UPPER, SAME_LOWER or VALID");
    return std::nullopt;
  }
  if (outputShape) {
    // Some exporters also write batch and channels.
    if (outputShape->size() == rank + 2)
      outputShape->erase(outputShape->begin(), outputShape->begin() + 2);
    if (outputShape->size() != rank ||
        llvm::any_of(*outputShape, [](int64_t size) { return size < 1; })) {
      (void)node.badInput("attribute 'output_shape' is " +
                          formatShape(*outputShape) + "; expected " +
                          Twine(rank) + " sizes of 1 or more");
      return std::nullopt;
    }
    padToShape(result, *outputShape, autoPad == "SAME_UPPER");
  } else if (autoPad.starts_with("SAME")) {
    SmallVector<int64_t> output;
    for (size_t dim = 0; dim < rank; ++dim)
      output.push_back(input[dim] * window.strides[dim]);
    padToShape(result, output, autoPad == "SAME_UPPER");
  }
  return result;
}

static LogicalResult importConvTranspose(Node &node) {
  Value data = node.getOperand(0), weight = node.getOperand(1);
  Value bias = node.getOperand(2);
  auto kernel = readKernel(node, data, weight, /*most=*/3);
  std::optional<int64_t> groups = readGroups(node);
  if (!kernel || !groups)
    return failure();
  auto read = readTransposedWindow(node, getShape(data).drop_front(2), *kernel);
  if (!read)
    return failure();
  auto set = [&](auto properties, const graph::Window &window,
                 ArrayRef<int64_t> outputPadding) {
    setWindow(node, window, properties);
    properties.output_padding =
        node.getBuilder().getDenseI64ArrayAttr(outputPadding);
    properties.groups = node.getBuilder().getI64IntegerAttr(*groups);
    return properties;
  };
  if (kernel->size() == 3)
    return node.yield(
        addBias(node,
                node.create<graph::Conv3dTransposeOp>(
                    {data, weight}, set(graph::Conv3dTransposeOp::Properties(),
                                        read->window, read->outputPadding)),
                bias));
  bool isFlat = kernel->size() == 1;
  if (isFlat) {
    data = addHeight(node, data);
    weight = addHeight(node, weight);
    read->window = addHeight(read->window);
    read->outputPadding.insert(read->outputPadding.begin(), 0);
  }
  Value result =
      addBias(node,
              node.create<graph::Conv2dTransposeOp>(
                  {data, weight}, set(graph::Conv2dTransposeOp::Properties(),
                                      read->window, read->outputPadding)),
              bias);
  return node.yield(isFlat ? dropHeight(node, result) : result);
}

//===----------------------------------------------------------------------===//
// DeformConv, Col2Im
//===----------------------------------------------------------------------===//

static LogicalResult importDeformConv(Node &node) {
  Value data = node.getOperand(0), weight = node.getOperand(1);
  if (getShape(data).size() != 4)
    return node.notSupported("the data have the shape " +
                             formatShape(getShape(data)) +
                             "; only 2-D, [N, C, H, W], is supported");
  auto kernel = readKernel(node, data, weight, /*most=*/2);
  std::optional<int64_t> groups = readGroups(node);
  std::optional<int64_t> offsetGroups = readGroups(node, "offset_group");
  auto strides = readListAttr(node, "strides", 2, 1, 1);
  auto dilations = readListAttr(node, "dilations", 2, 1, 1);
  auto pads = readListAttr(node, "pads", 4, 0, 0);
  if (!kernel || !groups || !offsetGroups || !strides || !dilations || !pads)
    return failure();
  OpBuilder &builder = node.getBuilder();
  graph::DeformableConv2dOp::Properties properties;
  properties.strides = builder.getDenseI64ArrayAttr(*strides);
  properties.dilations = builder.getDenseI64ArrayAttr(*dilations);
  properties.padding = builder.getDenseI64ArrayAttr(*pads);
  properties.groups = builder.getI64IntegerAttr(*groups);
  properties.offset_groups = builder.getI64IntegerAttr(*offsetGroups);
  SmallVector<Value> operands = {data, node.getOperand(2), weight};
  if (Value mask = node.getOperand(4))
    operands.push_back(mask);
  return node.yield(addBias(
      node, node.create<graph::DeformableConv2dOp>(operands, properties),
      node.getOperand(3)));
}

static LogicalResult importCol2Im(Node &node) {
  auto image = node.getInts(1), block = node.getInts(2);
  if (!image || !block)
    return failure();
  size_t rank = image->size();
  auto strides = readListAttr(node, "strides", rank, 1, 1);
  auto dilations = readListAttr(node, "dilations", rank, 1, 1);
  auto pads = readListAttr(node, "pads", 2 * rank, 0, 0);
  if (!strides || !dilations || !pads)
    return failure();
  OpBuilder &builder = node.getBuilder();
  graph::Col2ImOp::Properties properties;
  properties.image_shape = builder.getDenseI64ArrayAttr(*image);
  properties.block_shape = builder.getDenseI64ArrayAttr(*block);
  properties.strides = builder.getDenseI64ArrayAttr(*strides);
  properties.padding = builder.getDenseI64ArrayAttr(*pads);
  properties.dilations = builder.getDenseI64ArrayAttr(*dilations);
  return node.yield(
      node.create<graph::Col2ImOp>({node.getOperand(0)}, properties));
}

ArrayRef<Rule> importer::getConvRules() {
  static constexpr Rule rules[] = {
      {"Col2Im", 18, "input image_shape= block_shape=", importCol2Im},
      {"Conv", 1, "X W B?", importConv},
      {"ConvTranspose", 1, "X W B?", importConvTranspose},
      {"DeformConv", 19, "X W offset B? mask?", importDeformConv},
  };
  return rules;
}
