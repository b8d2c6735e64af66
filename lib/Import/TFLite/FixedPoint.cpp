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

/// Returns whether a type has 8 bits and one scale.
static bool hasOneScale(Type elementType) {
  return isa<quant::UniformQuantizedType>(elementType) &&
         getStorageElementType(elementType).getIntOrFloatBitWidth() == 8;
}

bool tflite::isSimple(Node &node, unsigned index) {
  Value stored = node.getStored(index);
  return stored && hasOneScale(getElementType(stored));
}

RankedTensorType tflite::getFixedPointType(Node &node, unsigned count) {
  FailureOr<RankedTensorType> result = node.getStoredResultType();
  if (!node.roundsInFixedPoint() || failed(result) ||
      !hasOneScale(result->getElementType()))
    return {};
  for (unsigned i = 0; i < count; ++i)
    if (!isSimple(node, i))
      return {};
  return *result;
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

Value tflite::createFixedPointLayer(Node &node, int64_t outAxis, bool isConv,
                                    function_ref<Value(Value, Value)> makeLayer,
                                    ActivationFunctionType activation,
                                    LayerOperands operands) {
  RankedTensorType type = getFixedPointType(node, 0);
  if (!type || !isSimple(node, operands.data))
    return {};
  Value weights = node.getStored(operands.weights);
  if (!weights || !isQuantized(getElementType(weights)))
    return {};
  Type stored = getStorageElementType(getElementType(weights));
  Quantization scales = Quantization::of(getElementType(weights));
  auto bounds = getBounds(Quantization::of(type.getElementType()), activation);
  bool hasBias = node.getOperand(operands.bias) != nullptr;
  if (stored.getIntOrFloatBitWidth() != 8 || !bounds ||
      scales.axis.value_or(outAxis) != outAxis ||
      (hasBias &&
       (!getElementType(node.getStored(operands.bias)).isSignlessInteger(32) ||
        !node.findConstant(operands.bias))))
    return {};
  if (isConv && !scales.axis && stored.isSignlessInteger(8))
    weights = splitScale(node, weights, outAxis);
  Value sums = makeLayer(node.getStored(operands.data), weights);
  if (!sums)
    return {};
  if (hasBias) {
    // The kernels take the integers of the bias as sums, whatever its scale.
    Type biasType = getBiasType(getElementType(sums));
    graph::BiasAddOp::Properties properties;
    properties.axis =
        node.getBuilder().getI64IntegerAttr(int64_t(getShape(sums).size()) - 1);
    sums = node.create<graph::BiasAddOp>(
        {sums, castStorage(node, node.getStored(operands.bias), biasType)},
        properties);
  }
  return sums ? requantize(node, sums, type.getElementType(), *bounds)
              : Value();
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Number of bits by which the kernels shift operands to the left.
static constexpr int kLeftShift = 20;

/// Rescales the integers of an operand to `sums`, as i32.
static Value rescale(Node &node, Value stored, Type sums) {
  Quantization from = Quantization::of(getElementType(stored));
  Type i32 = node.getBuilder().getI32Type();
  Type shifted = makeQuantizedType(
      node.getContext(), 32, /*isSigned=*/true,
      {std::ldexp(from.scales.front(), -kLeftShift)}, {0}, std::nullopt);
  if (!shifted)
    return {};
  Value steps = node.createCast(
      castStorage(node, stored, getStorageElementType(getElementType(stored))),
      i32);
  if (int64_t zero = from.zeroPoints.front())
    steps = node.create<graph::SubtractOp>(
        {steps, node.createScalar(i32, double(zero))});
  steps = node.create<graph::MultiplyOp>(
      {steps, node.createScalar(i32, 1 << kLeftShift)});
  if (!steps)
    return {};
  Value scaled =
      graph::RequantizeOp::create(node.getBuilder(), node.getLocation(),
                                  RankedTensorType::get(getShape(steps), sums),
                                  castStorage(node, steps, shifted),
                                  DenseI64ArrayAttr(), graph::kTFLiteRounding);
  return castStorage(node, scaled, i32);
}

Value tflite::createFixedPointSum(Node &node, bool subtracts,
                                  ActivationFunctionType activation) {
  RankedTensorType type = getFixedPointType(node, 2);
  if (!type)
    return {};
  Value lhs = node.getStored(0), rhs = node.getStored(1);
  Type elements = type.getElementType();
  Quantization to = Quantization::of(elements);
  auto bounds = getBounds(to, activation);
  if (!bounds)
    return {};
  // One operation, which descriptions of accelerators can match.
  if (!subtracts && getShape(lhs) == getShape(rhs) &&
      *bounds == std::pair(to.min, to.max))
    return graph::QuantizedAddOp::create(
        node.getBuilder(), node.getLocation(),
        RankedTensorType::get(getShape(lhs), elements), lhs, rhs,
        graph::kTFLiteRounding);
  double widest =
      2 * std::max(Quantization::of(getElementType(lhs)).scales.front(),
                   Quantization::of(getElementType(rhs)).scales.front());
  Type sums =
      makeQuantizedType(node.getContext(), 32, /*isSigned=*/true,
                        {std::ldexp(widest, -kLeftShift)}, {0}, std::nullopt);
  if (!sums)
    return {};
  lhs = rescale(node, lhs, sums);
  rhs = rescale(node, rhs, sums);
  Value sum = subtracts ? node.create<graph::SubtractOp>({lhs, rhs})
                        : node.create<graph::AddOp>({lhs, rhs});
  if (!sum)
    return {};
  return requantize(node, castStorage(node, sum, sums), elements, *bounds);
}
