//===- FixedPoint.cpp - TensorFlow Lite's integer kernels -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "FixedPoint.h"

#include "uma/Support/QuantizedTypes.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::tflite;
using schema::ActivationFunctionType;

/// Returns whether a type has `width` bits and one scale, with the zero point 0
/// if it has 16.
bool tflite::hasOneScale(Type elementType, unsigned width) {
  auto type = dyn_cast<quant::UniformQuantizedType>(elementType);
  return type && type.getStorageTypeIntegralWidth() == width &&
         (width == 8 || type.getZeroPoint() == 0);
}

bool tflite::isSimple(Node &node, unsigned index) {
  Value stored = node.getStored(index);
  return stored && hasOneScale(getElementType(stored), 8);
}

bool tflite::isWide(Type elementType) {
  return getStorageElementType(elementType).isSignlessInteger(16);
}

RankedTensorType tflite::getFixedPointType(Node &node, unsigned count,
                                           bool takesWide) {
  FailureOr<RankedTensorType> result = node.getStoredResultType();
  if (!node.roundsInFixedPoint() || failed(result))
    return {};
  unsigned width = takesWide && isWide(result->getElementType()) ? 16 : 8;
  bool isTaken = hasOneScale(result->getElementType(), width);
  for (unsigned i = 0; isTaken && i < count; ++i) {
    Value stored = node.getStored(i);
    isTaken = stored && hasOneScale(getElementType(stored), width);
  }
  return isTaken ? *result : RankedTensorType();
}

std::optional<std::pair<int64_t, int64_t>>
tflite::getBounds(const Quantization &type, ActivationFunctionType activation) {
  auto store = [&](double number) {
    float steps = std::round(float(number) / float(type.scales.front()));
    double stored = double(steps) + double(type.zeroPoints.front());
    return int64_t(std::clamp(stored, double(type.min), double(type.max)));
  };
  switch (activation) {
  case ActivationFunctionType::NONE:
    return std::pair(type.min, type.max);
  case ActivationFunctionType::RELU:
    return std::pair(store(0), type.max);
  case ActivationFunctionType::RELU6:
    return std::pair(store(0), store(6));
  case ActivationFunctionType::RELU_N1_TO_1:
    return std::pair(store(-1), store(1));
  default:
    return std::nullopt;
  }
}

Value tflite::castStorage(Node &node, Value data, Type elementType) {
  if (getElementType(data) == elementType)
    return data;
  return graph::StorageCastOp::create(
      node.getBuilder(), node.getLocation(),
      RankedTensorType::get(getShape(data), elementType), data);
}

/// Rounds sums to the type of the result, within bounds.
static Value requantize(Node &node, Value sums, Type elementType,
                        std::pair<int64_t, int64_t> bounds) {
  Quantization type = Quantization::of(elementType);
  DenseI64ArrayAttr clamp;
  if (bounds != std::pair(type.min, type.max))
    clamp =
        node.getBuilder().getDenseI64ArrayAttr({bounds.first, bounds.second});
  return graph::RequantizeOp::create(
      node.getBuilder(), node.getLocation(),
      RankedTensorType::get(getShape(sums), elementType), sums, clamp,
      graph::kTFLiteRounding);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// Returns weights with a scale for each output channel. The kernels of
/// convolutions on signed integers compute with one for each, even if all are
/// equal.
static Value splitScale(Node &node, Value weights, int64_t outAxis) {
  Quantization type = Quantization::of(getElementType(weights));
  size_t count = getShape(weights)[outAxis];
  SmallVector<double> scales(count, type.scales.front());
  SmallVector<int64_t> zeros(count, type.zeroPoints.front());
  Type perAxis = makeQuantizedType(node.getContext(), 8, /*isSigned=*/true,
                                   scales, zeros, outAxis);
  Value stored = castStorage(node, weights, node.getBuilder().getI8Type());
  return castStorage(node, stored, perAxis);
}

Value tflite::reshapeFilter(Node &node, Value filter, ArrayRef<int64_t> shape) {
  Type type = getElementType(filter);
  if (!isQuantized(type))
    return node.createReshape(filter, shape);
  if (auto perAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(type))
    type = withAxis(perAxis, int64_t(shape.size()) - 1);
  Value stored = castStorage(node, filter, getStorageElementType(type));
  return castStorage(node, node.createReshape(stored, shape), type);
}

/// Adds the bias, if there is one, to the sums of a layer. `type` is that of
/// its elements.
static Value addBias(Node &node, Value sums, unsigned index, Type type) {
  if (!sums || !node.getOperand(index))
    return sums;
  graph::BiasAddOp::Properties properties;
  properties.axis =
      node.getBuilder().getI64IntegerAttr(int64_t(getShape(sums).size()) - 1);
  return node.create<graph::BiasAddOp>(
      {sums, castStorage(node, node.getStored(index), type)}, properties);
}

/// Returns the type in which a layer on data of 16 bits sums: 64 bits with a
/// bias of 64 bits, and in depthwise convolutions without one, otherwise 32.
/// Returns null for other biases.
static Type getWideSums(Node &node, LayerKind kind, unsigned bias) {
  Type i64 = node.getBuilder().getI64Type();
  if (!node.getOperand(bias))
    return kind == LayerKind::Depthwise ? i64 : node.getBuilder().getI32Type();
  Type given = getElementType(node.getStored(bias));
  bool isTaken =
      (given == i64 || given.isSignlessInteger(32)) && node.findConstant(bias);
  return isTaken ? given : Type();
}

/// Creates a layer on data of 16 bits and weights of 8 bits, both symmetric.
static Value createWideLayer(Node &node, LayerKind kind, MakeLayerFn makeLayer,
                             std::pair<int64_t, int64_t> bounds,
                             LayerOperands operands, Type result) {
  Value data = node.getStored(operands.data);
  Value weights = node.getStored(operands.weights);
  Quantization scales = Quantization::of(getElementType(weights));
  Type sumType = getWideSums(node, kind, operands.bias);
  if (!sumType || !scales.isSymmetric())
    return {};
  Type i8 = node.getBuilder().getI8Type(), i16 = node.getBuilder().getI16Type();
  Value sums = makeLayer(castStorage(node, data, i16),
                         castStorage(node, weights, i8), sumType);
  sums = addBias(node, sums, operands.bias, sumType);
  double scale = getQuantization(data).scales.front();
  SmallVector<double> products;
  for (double factor : scales.scales)
    products.push_back(kind == LayerKind::FullyConnected && !scales.axis
                           ? double(float(scale * factor))
                           : scale * factor);
  if (!sums)
    return {};
  if (sumType.isSignlessInteger(64)) {
    SmallVector<FixedPointFactor> factors;
    for (double product : products)
      factors.push_back(FixedPointFactor::of(
          product / Quantization::of(result).scales.front()));
    return storeSteps(node, createWideMultiply(node, sums, factors), result,
                      bounds);
  }
  // Several scales are not rounded to f32.
  std::optional<int64_t> axis;
  if (kind != LayerKind::FullyConnected || scales.axis)
    axis = int64_t(getShape(sums).size()) - 1;
  if (axis)
    products.resize(getShape(sums)[*axis], products.front());
  SmallVector<int64_t> zeros(products.size(), 0);
  Type quantized = makeQuantizedType(node.getContext(), 32, /*isSigned=*/true,
                                     products, zeros, axis);
  return quantized ? requantize(node, castStorage(node, sums, quantized),
                                result, bounds)
                   : Value();
}

Value tflite::createFixedPointLayer(Node &node, int64_t outAxis, LayerKind kind,
                                    MakeLayerFn makeLayer,
                                    ActivationFunctionType activation,
                                    LayerOperands operands) {
  RankedTensorType type = getFixedPointType(node, 0, /*takesWide=*/true);
  if (!type)
    return {};
  Type elements = type.getElementType();
  if (!hasOneScale(getElementType(node.getStored(operands.data)),
                   isWide(elements) ? 16 : 8))
    return {};
  Value weights = node.getStored(operands.weights);
  if (!weights || !isQuantized(getElementType(weights)))
    return {};
  Type stored = getStorageElementType(getElementType(weights));
  Quantization scales = Quantization::of(getElementType(weights));
  auto bounds = getBounds(Quantization::of(elements), activation);
  if (stored.getIntOrFloatBitWidth() != 8 || !bounds ||
      scales.axis.value_or(outAxis) != outAxis)
    return {};
  if (isWide(elements))
    return createWideLayer(node, kind, makeLayer, *bounds, operands, elements);
  if (node.getOperand(operands.bias) &&
      (!getElementType(node.getStored(operands.bias)).isSignlessInteger(32) ||
       !node.findConstant(operands.bias)))
    return {};
  if (kind != LayerKind::FullyConnected && !scales.axis &&
      stored.isSignlessInteger(8))
    weights = splitScale(node, weights, outAxis);
  Value sums = makeLayer(node.getStored(operands.data), weights, {});
  if (!sums)
    return {};
  // The kernels take the integers of the bias as sums, whatever its scale.
  sums = addBias(node, sums, operands.bias, getBiasType(getElementType(sums)));
  return sums ? requantize(node, sums, elements, *bounds) : Value();
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Rescales the integers of an operand, shifted to the left, to `sums`, as i32.
static Value rescale(Node &node, Value stored, int leftShift, Type sums) {
  Quantization from = Quantization::of(getElementType(stored));
  Type i32 = node.getBuilder().getI32Type();
  Type shifted = makeQuantizedType(
      node.getContext(), 32, /*isSigned=*/true,
      {std::ldexp(from.scales.front(), -leftShift)}, {0}, std::nullopt);
  if (!shifted)
    return {};
  Value steps = node.createCast(
      castStorage(node, stored, getStorageElementType(getElementType(stored))),
      i32);
  if (int64_t zero = from.zeroPoints.front())
    steps = node.create<graph::SubtractOp>(
        {steps, node.createScalar(i32, double(zero))});
  steps = node.create<graph::MultiplyOp>(
      {steps, node.createScalar(i32, 1 << leftShift)});
  if (!steps)
    return {};
  Value scaled =
      graph::RequantizeOp::create(node.getBuilder(), node.getLocation(),
                                  RankedTensorType::get(getShape(steps), sums),
                                  castStorage(node, steps, shifted),
                                  DenseI64ArrayAttr(), graph::kTFLiteRounding);
  return castStorage(node, scaled, i32);
}

std::optional<int64_t> tflite::getExponent(float scale) {
  double exponent = std::log2(double(scale)), rounded = std::round(exponent);
  constexpr double kTolerance = 1e-3;
  return std::abs(exponent - rounded) < kTolerance
             ? std::optional(int64_t(rounded))
             : std::nullopt;
}

/// Returns the sum or difference of 16-bit operands, of which one has the scale
/// of the result and the other one a scale smaller by a power of two; null if
/// the scales are others.
static Value addPowers(Node &node, bool subtracts, Type elements,
                       std::pair<int64_t, int64_t> bounds) {
  SmallVector<Value, 2> operands;
  bool hasEqual = false;
  auto getPower = [](Type type) {
    return getExponent(float(Quantization::of(type).scales.front()));
  };
  std::optional<int64_t> to = getPower(elements);
  for (unsigned index : {0, 1}) {
    std::optional<int64_t> from =
        getPower(getElementType(node.getStored(index)));
    // The kernel divides 16 bits.
    if (!from || !to || *from > *to || *to - *from > 15)
      return {};
    hasEqual |= *from == *to;
    Value steps = getSteps(node, index);
    if (*from != *to) {
      // Doubled, and multiplied by 1/2, so that only the shift rounds.
      Type i32 = getElementType(steps);
      steps = createFixedPointMultiply(
          node,
          node.create<graph::MultiplyOp>({steps, node.createScalar(i32, 2)}),
          {/*multiplier=*/int64_t(1) << 30, /*shift=*/*from - *to});
    }
    operands.push_back(steps);
  }
  if (!hasEqual)
    return {};
  Value sum = subtracts ? node.create<graph::SubtractOp>(operands)
                        : node.create<graph::AddOp>(operands);
  return storeSteps(node, sum, elements, bounds);
}

Value tflite::createFixedPointSum(Node &node, bool subtracts, bool shiftsPowers,
                                  ActivationFunctionType activation) {
  RankedTensorType type = getFixedPointType(node, 2, /*takesWide=*/true);
  if (!type)
    return {};
  Value lhs = node.getStored(0), rhs = node.getStored(1);
  Type elements = type.getElementType();
  Quantization to = Quantization::of(elements);
  auto bounds = getBounds(to, activation);
  if (!bounds)
    return {};
  if (shiftsPowers && isWide(elements))
    if (Value sum = addPowers(node, subtracts, elements, *bounds))
      return sum;
  // One operation, which descriptions of accelerators can match.
  if (!isWide(elements) && !subtracts && getShape(lhs) == getShape(rhs) &&
      *bounds == std::pair(to.min, to.max))
    return graph::QuantizedAddOp::create(
        node.getBuilder(), node.getLocation(),
        RankedTensorType::get(getShape(lhs), elements), lhs, rhs,
        graph::kTFLiteRounding);
  double widest =
      2 * std::max(Quantization::of(getElementType(lhs)).scales.front(),
                   Quantization::of(getElementType(rhs)).scales.front());
  int leftShift = isWide(elements) ? 15 : graph::QuantizedAddOp::kLeftShift;
  Type sums =
      makeQuantizedType(node.getContext(), 32, /*isSigned=*/true,
                        {std::ldexp(widest, -leftShift)}, {0}, std::nullopt);
  if (!sums)
    return {};
  lhs = rescale(node, lhs, leftShift, sums);
  rhs = rescale(node, rhs, leftShift, sums);
  Value sum = subtracts ? node.create<graph::SubtractOp>({lhs, rhs})
                        : node.create<graph::AddOp>({lhs, rhs});
  if (!sum)
    return {};
  return requantize(node, castStorage(node, sum, sums), elements, *bounds);
}
