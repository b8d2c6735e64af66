//===- QuantizedConvRules.cpp - Convolutions of integers ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "QuantizedParameters.h"
#include "Rules.h"
#include "WindowRules.h"

#include "uma/Support/QuantizedTypes.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

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

namespace {
/// Constant weights of 8 bits and the zero points of their output channels, or
/// one for all.
struct ByteWeights {
  HostTensor elements;
  SmallVector<int64_t> zeros;

  /// Returns the sum of the weights of an output channel, without zero points.
  int64_t getTotal(int64_t channel) const {
    int64_t taps = elements.getNumElements() / elements.getShape()[0];
    int64_t total = -taps * zeros[zeros.size() == 1 ? 0 : channel];
    for (int64_t tap = 0; tap < taps; ++tap)
      total += elements.getInt(channel * taps + tap);
    return total;
  }
};
} // namespace

/// Returns std::nullopt for weights that are not constant or not of 8 bits.
/// Unsigned weights around 128 become signed bytes without a zero point.
static std::optional<ByteWeights> getByteWeights(Node &node, unsigned index,
                                                 unsigned zeroPoint) {
  Value weight = node.getOperand(index);
  std::optional<HostTensor> known = node.findConstant(index);
  if (!known || !getElementType(weight).isInteger(8) ||
      known->getNumElements() == 0)
    return std::nullopt;
  ByteWeights result{*known, {0}};
  if (node.getOperand(zeroPoint)) {
    std::optional<HostTensor> zeros = node.findConstant(zeroPoint);
    int64_t count = zeros ? zeros->getNumElements() : 0;
    if (!zeros || zeros->getShape().size() > 1 ||
        (count != 1 && count != getShape(weight)[0]))
      return std::nullopt;
    result.zeros.clear();
    for (int64_t i = 0; i < count; ++i)
      result.zeros.push_back(zeros->getInt(i));
    if (llvm::all_equal(result.zeros))
      result.zeros.resize(1);
  }
  constexpr int64_t middle = 128;
  if (!getElementType(weight).isUnsignedInteger() ||
      llvm::any_of(result.zeros, [](int64_t zero) { return zero != middle; }))
    return result;
  result.zeros = {0};
  result.elements = HostTensor(
      RankedTensorType::get(getShape(weight), node.getBuilder().getI8Type()));
  for (int64_t i = 0, e = known->getNumElements(); i < e; ++i)
    result.elements.setInt(i, known->getInt(i) - middle);
  return result;
}

/// Pads data with a zero point that may be computed when the model runs, and
/// removes the padding from the window.
static Value padWithZeroPoint(Node &node, Value data, Value zero,
                              graph::Window &window) {
  OpBuilder &builder = node.getBuilder();
  SmallVector<int64_t> before(2, 0), after(2, 0), shape(2, 1);
  llvm::append_range(before, window.padBegin);
  llvm::append_range(after, window.padEnd);
  if (llvm::all_of(before, [](int64_t pad) { return pad == 0; }) &&
      llvm::all_of(after, [](int64_t pad) { return pad == 0; }))
    return data;
  graph::PadOp::Properties properties;
  properties.pad_before = builder.getDenseI64ArrayAttr(before);
  properties.pad_after = builder.getDenseI64ArrayAttr(after);
  properties.pad_value = builder.getF64FloatAttr(0);
  properties.pad_mode = builder.getStringAttr("constant");
  Value padded = node.create<graph::PadOp>({data}, properties);
  int64_t rank = window.getRank();
  for (int64_t dim = 0; dim < rank; ++dim) {
    window.input[dim] += window.padBegin[dim] + window.padEnd[dim];
    shape.push_back(window.input[dim]);
  }
  HostTensor isInside(RankedTensorType::get(shape, builder.getI1Type()));
  for (int64_t i = 0, e = isInside.getNumElements(); i < e; ++i) {
    bool inside = true;
    for (int64_t dim = rank - 1, rest = i; dim >= 0; --dim) {
      int64_t at = rest % shape[2 + dim];
      rest /= shape[2 + dim];
      inside &= at >= window.padBegin[dim] &&
                at < window.input[dim] - window.padEnd[dim];
    }
    isInside.setInt(i, inside);
  }
  window.padBegin.assign(rank, 0);
  window.padEnd.assign(rank, 0);
  if (!padded || !zero)
    return padded;
  return node.create<graph::WhereOp>(
      {node.createConstant(isInside), padded, node.createReshape(zero, {})});
}

/// Creates ConvInteger by the kernels of quantized layers, which multiply bytes
/// whose zero point is the least number; what is missing then is the product of
/// the rest and the sum of each channel's weights. Weights whose steps exceed
/// signed bytes are multiplied in pairs of 16 bits. Returns null for other
/// operands, or after an error.
static Value createByteConv(Node &node) {
  Value data = node.getOperand(0), zero = node.getOperand(2);
  Type element = getElementType(data), i32 = node.getBuilder().getI32Type();
  std::optional<ByteWeights> weights = getByteWeights(node, 1, 3);
  if (!weights || !element.isInteger(8) || getShape(data).size() > 4 ||
      (zero && cast<RankedTensorType>(zero.getType()).getNumElements() != 1))
    return {};
  std::optional<ConvWindow> how =
      readConvWindow(node, data, node.getOperand(1));
  if (!how)
    return {};
  int64_t least = element.isUnsignedInteger() ? 0 : -128;
  bool hasRest = !isZeroPoint(node, 2, least);
  // The data get their own padding if that of the kernel is another number.
  if (hasRest)
    data = padWithZeroPoint(node, data, zero, how->window);
  Type dataType =
      makeQuantizedType(node.getContext(), 8, element.isSignlessInteger(),
                        {1.0}, {least}, std::nullopt);
  const HostTensor &elements = weights->elements;
  SmallVector<double> scales(weights->zeros.size(), 1.0);
  bool isPerChannel = scales.size() != 1;
  Type weightType = makeQuantizedType(
      node.getContext(), 8,
      !elements.getType().getElementType().isUnsignedInteger(), scales,
      weights->zeros, isPerChannel ? std::optional<int64_t>(0) : std::nullopt);
  if (!data)
    return {};
  auto castTo = [&](Value stored, Type type) {
    // A convolution along one axis is one of images of height 1.
    if (how->window.getRank() == 1)
      stored = addHeight(node, stored);
    return castStorage(node, stored, type);
  };
  ConvWindow image = *how;
  if (how->window.getRank() == 1)
    image.window = addHeight(how->window);
  Value sums = createConv(node, castTo(data, dataType),
                          castTo(node.createConstant(elements), weightType),
                          /*bias=*/Value(), image,
                          /*outDtype=*/{});
  if (!sums)
    return {};
  sums = castStorage(node, sums, i32);
  if (how->window.getRank() == 1)
    sums = dropHeight(node, sums);
  if (!hasRest)
    return sums;
  Value rest = zero ? node.createCast(node.createReshape(zero, {}), i32)
                    : node.createScalar(i32, 0);
  if (least != 0)
    rest = createWith<graph::SubtractOp>(node, rest, double(least));
  int64_t channels = elements.getShape()[0];
  SmallVector<int64_t> shape(getShape(sums).size() - 1, 1);
  shape[0] = channels;
  HostTensor totals(RankedTensorType::get(shape, i32));
  for (int64_t channel = 0; channel < channels; ++channel)
    totals.setInt(channel, int32_t(weights->getTotal(channel)));
  return node.create<graph::SubtractOp>(
      {sums,
       node.create<graph::MultiplyOp>({rest, node.createConstant(totals)})});
}

static LogicalResult importConvInteger(Node &node) {
  if (Value result = createByteConv(node))
    return node.yield(result);
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
  Value sums =
      createConv(node, data, weight, /*bias=*/Value(), /*outDtype=*/{});
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

ArrayRef<Rule> importer::getQuantizedConvRules() {
  static constexpr Rule rules[] = {
      {"ConvInteger", 10, "x w x_zero_point? w_zero_point?", importConvInteger},
      {"QLinearConv", 10,
       "x x_scale x_zero_point w w_scale w_zero_point y_scale y_zero_point B?",
       importQLinearConv},
  };
  return rules;
}
