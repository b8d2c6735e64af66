//===- ConvRules.cpp - Convolutions ---------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "QuantizedParameters.h"
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

/// Creates the convolution of `data` with `weight` and the node's attributes,
/// plus `bias`.
static Value createConv(Node &node, Value data, Value weight, Value bias,
                        TypeAttr outDtype) {
  if (!data || !weight)
    return {};
  auto kernel = readKernel(node, data, weight, /*most=*/3);
  std::optional<int64_t> groups = readGroups(node);
  if (!kernel || !groups)
    return {};
  std::optional<graph::Window> window =
      readWindow(node, getShape(data).drop_front(2), *kernel);
  if (!window)
    return {};
  auto create = [&](auto properties, const graph::Window &window) {
    setWindow(node, window, properties);
    properties.groups = node.getBuilder().getI64IntegerAttr(*groups);
    properties.out_dtype = outDtype;
    return properties;
  };
  if (kernel->size() == 3)
    return addBias(
        node,
        node.create<graph::Conv3dOp>(
            {data, weight}, create(graph::Conv3dOp::Properties(), *window)),
        bias);
  if (kernel->size() == 2)
    return addBias(
        node,
        node.create<graph::Conv2dOp>(
            {data, weight}, create(graph::Conv2dOp::Properties(), *window)),
        bias);
  Value result = node.create<graph::Conv2dOp>(
      {addHeight(node, data), addHeight(node, weight)},
      create(graph::Conv2dOp::Properties(), addHeight(*window)));
  return dropHeight(node, addBias(node, result, bias));
}

static LogicalResult importConv(Node &node) {
  return node.yield(createConv(node, node.getOperand(0), node.getOperand(1),
                               node.getOperand(2), /*outDtype=*/{}));
}

//===----------------------------------------------------------------------===//
// Quantized convolutions
//===----------------------------------------------------------------------===//

/// Subtracts the zero point, which has one element or one for each index of the
/// first dimension. Returns `value` if there is no zero point or if it is known
/// to be 0.
static Value subtractZeroPoint(Node &node, Value value, unsigned index,
                               StringRef name) {
  Value zeroPoint = node.getOperand(index);
  if (!zeroPoint)
    return value;
  if (std::optional<HostTensor> elements = node.findConstant(index)) {
    bool isZero = true;
    for (int64_t i = 0, e = elements->getNumElements(); i < e; ++i)
      isZero &= elements->getInt(i) == 0;
    if (isZero)
      return value;
  }
  ArrayRef<int64_t> shape = getShape(zeroPoint);
  int64_t count = cast<RankedTensorType>(zeroPoint.getType()).getNumElements();
  if (shape.size() > 1 || (count != 1 && count != getShape(value)[0])) {
    (void)node.badInput("input '" + name + "' has the shape " +
                        formatShape(shape) + "; expected one element, or " +
                        Twine(getShape(value)[0]));
    return {};
  }
  // 16 bits hold every difference of two 8-bit numbers.
  Type wide = node.getBuilder().getIntegerType(16);
  SmallVector<int64_t> aligned(getShape(value).size(), 1);
  aligned[0] = count;
  return node.create<graph::SubtractOp>(
      {node.createCast(value, wide),
       node.createReshape(node.createCast(zeroPoint, wide), aligned)});
}

/// Creates a convolution of integers with an i32 result. The padding is the
/// zero point, which is 0 after the subtraction. If only one operand is
/// widened, the other keeps its type: products of 16 by 8 bits fit i32.
static Value createConvInteger(Node &node, Value data, Value weight,
                               unsigned dataZero, unsigned weightZero,
                               Value bias) {
  for (auto [value, name] : {std::pair(data, "x"), std::pair(weight, "w")})
    if (!getElementType(value).isInteger(8)) {
      (void)node.badInput("input '" + Twine(name) +
                          "' does not hold 8-bit integers");
      return {};
    }
  return createConv(node,
                    subtractZeroPoint(node, data, dataZero, "x_zero_point"),
                    subtractZeroPoint(node, weight, weightZero, "w_zero_point"),
                    bias, TypeAttr::get(node.getBuilder().getI32Type()));
}

static LogicalResult importConvInteger(Node &node) {
  return node.yield(createConvInteger(node, node.getOperand(0),
                                      node.getOperand(1), 2, 3, /*bias=*/{}));
}

/// Creates QLinearConv on quantized tensors. Returns null if the parameters are
/// no constants, the convolution is not one of two dimensions, or after an
/// error.
static Value createQuantizedConv(Node &node) {
  Value bias = node.getOperand(8);
  for (unsigned index : {0, 3, 7})
    if (!getElementType(node.getOperand(index)).isInteger(8))
      return {};
  if (getShape(node.getOperand(0)).size() != 4 ||
      getShape(node.getOperand(3)).size() != 4 ||
      (bias && (!node.findConstant(8) || getShape(bias).size() != 1 ||
                !getElementType(bias).isSignlessInteger(32))))
    return {};
  Value data = getQuantized(node, 0);
  Value weight = data ? getQuantized(node, 3, /*axis=*/0) : Value();
  Type result =
      weight ? getQuantizedType(node, 6, 7, getElementType(node.getOperand(7)),
                                /*axis=*/std::nullopt)
             : Type();
  if (!result)
    return {};
  Value sums = createConv(node, data, weight, /*bias=*/{}, /*outDtype=*/{});
  return createRequantize(node, sums, bias, result);
}

/// Computes y = saturate(round(acc * (x_scale * w_scale / y_scale)) +
/// y_zero_point).
static LogicalResult importQLinearConv(Node &node) {
  if (Value result = createQuantizedConv(node))
    return node.yield(result);
  Value sum = createConvInteger(node, node.getOperand(0), node.getOperand(3), 2,
                                5, node.getOperand(8));
  if (!sum)
    return failure();
  Type number = node.getBuilder().getF32Type();
  /// Reshapes a parameter so that it broadcasts over channels.
  auto align = [&](unsigned index, StringRef name) -> Value {
    Value value = node.getOperand(index);
    int64_t count = cast<RankedTensorType>(value.getType()).getNumElements();
    if (getShape(value).size() > 1 ||
        (count != 1 && count != getShape(sum)[1])) {
      (void)node.badInput(
          "input '" + name + "' has the shape " + formatShape(getShape(value)) +
          "; expected one element, or " + Twine(getShape(sum)[1]));
      return {};
    }
    SmallVector<int64_t> shape(getShape(sum).size() - 1, 1);
    shape[0] = count;
    return node.createCast(node.createReshape(value, shape), number);
  };
  Value factor = node.create<graph::DivideOp>(
      {node.create<graph::MultiplyOp>(
           {align(1, "x_scale"), align(4, "w_scale")}),
       align(6, "y_scale")});
  Value result = node.create<graph::RoundOp>(
      {node.create<graph::MultiplyOp>({node.createCast(sum, number), factor})});
  result = node.create<graph::AddOp>({result, align(7, "y_zero_point")});
  return node.yield(
      node.createCast(result, getElementType(node.getOperand(7))));
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
      {"ConvInteger", 10, "x w x_zero_point? w_zero_point?", importConvInteger},
      {"ConvTranspose", 1, "X W B?", importConvTranspose},
      {"DeformConv", 19, "X W offset B? mask?", importDeformConv},
      {"QLinearConv", 10,
       "x x_scale x_zero_point w w_scale w_zero_point y_scale y_zero_point B?",
       importQLinearConv},
  };
  return rules;
}
