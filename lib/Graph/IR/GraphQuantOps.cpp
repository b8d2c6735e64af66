//===- GraphQuantOps.cpp - Between real numbers and integers --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Inference.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::detail;

/// Checks that operand or result `name` of `op` is quantized, for real numbers
/// of type f32.
static FailureOr<RankedTensorType> checkQuantized(EmitErrorFn emitError,
                                                  Value value, StringRef name) {
  FailureOr<RankedTensorType> type =
      getTensor(emitError, value, name, Elements::WithQuantized);
  if (failed(type))
    return failure();
  if (!isQuantized(type->getElementType()))
    return emitError() << name << " has element type " << type->getElementType()
                       << ", expected a quantized type such as "
                          "!quant.uniform<i8:f32, 0.05:3>";
  return *type;
}

static LogicalResult checkSameShape(Operation *op) {
  auto data = cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  if (data.getShape() == result.getShape())
    return success();
  return op->emitOpError() << "result has shape "
                           << formatShape(result.getShape()) << ", expected "
                           << formatShape(data.getShape()) << " as data";
}

//===----------------------------------------------------------------------===//
// QuantizeOp, DequantizeOp, RequantizeOp
//===----------------------------------------------------------------------===//

/// Checks the attribute `rounding`.
static LogicalResult checkRounding(EmitErrorFn emitError, StringRef rounding) {
  if (rounding == kFloatRounding || rounding == kTFLiteRounding)
    return success();
  return emitError() << "rounding is '" << rounding
                     << "', expected 'float' or 'tflite'";
}

LogicalResult QuantizeOp::verify() {
  auto emitError = [&] { return emitOpError(); };
  if (failed(checkRounding(emitError, getRounding())))
    return failure();
  auto data = getTensor(emitError, getData(), "data");
  if (failed(data) || failed(checkQuantized(emitError, getResult(), "result")))
    return failure();
  if (!data->getElementType().isF32())
    return emitOpError() << "data has element type " << data->getElementType()
                         << ", expected f32; cast it first";
  return checkSameShape(*this);
}

FailureOr<RankedTensorType> DequantizeOp::inferType(EmitErrorFn emitError,
                                                    Adaptor adaptor) {
  auto data = checkQuantized(emitError, adaptor.getData(), "data");
  if (failed(data))
    return failure();
  auto type = cast<quant::QuantizedType>(data->getElementType());
  return makeResult(emitError, data->getShape(), type.getExpressedType());
}

LogicalResult RequantizeOp::verify() {
  auto emitError = [&] { return emitOpError(); };
  auto data = checkQuantized(emitError, getData(), "data");
  auto result = checkQuantized(emitError, getResult(), "result");
  if (failed(data) || failed(result) ||
      failed(checkRounding(emitError, getRounding())))
    return failure();
  if (Quantization::of(result->getElementType()).axis)
    return emitOpError() << "result has one scale per index of an axis, "
                            "expected one for the tensor";
  if (std::optional<ArrayRef<int64_t>> clamp = getClamp()) {
    Quantization range = Quantization::of(result->getElementType());
    if (clamp->size() != 2 || (*clamp)[0] > (*clamp)[1] ||
        (*clamp)[0] < range.min || (*clamp)[1] > range.max)
      return emitOpError() << "clamp is [" << *clamp
                           << "], expected a lower and an upper bound from "
                           << range.min << " to " << range.max
                           << ", the stored integers of the result";
  }
  return checkSameShape(*this);
}

std::pair<int64_t, int64_t> RequantizeOp::getBounds() {
  if (std::optional<ArrayRef<int64_t>> clamp = getClamp())
    return {(*clamp)[0], (*clamp)[1]};
  Quantization range =
      Quantization::of(cast<RankedTensorType>(getType()).getElementType());
  return {range.min, range.max};
}

bool RequantizeOp::isExact() {
  Type data = getElementTypeOrSelf(getData());
  Quantization from = Quantization::of(data);
  Quantization to = Quantization::of(getElementTypeOrSelf(getResult()));
  // Steps of up to 16 bits are exact in both formulas.
  if (from.axis || from.scales != to.scales ||
      getStorageElementType(data).getIntOrFloatBitWidth() > 16)
    return false;
  auto [low, high] = getBounds();
  int64_t distance = to.zeroPoints.front() - from.zeroPoints.front();
  return from.min + distance >= low && from.max + distance <= high;
}

//===----------------------------------------------------------------------===//
// QuantizedAddOp
//===----------------------------------------------------------------------===//

LogicalResult QuantizedAddOp::verify() {
  auto emitError = [&] { return emitOpError(); };
  if (failed(checkRounding(emitError, getRounding())))
    return failure();
  for (auto [name, value] : {std::pair("lhs", getLhs()),
                             {"rhs", getRhs()},
                             {"result", getResult()}}) {
    auto type = checkQuantized(emitError, value, name);
    if (failed(type))
      return failure();
    Type element = type->getElementType();
    if (Quantization::of(element).axis)
      return emitOpError() << name
                           << " has one scale per index of an axis, expected "
                              "one for the tensor";
    if (getStorageElementType(element).getIntOrFloatBitWidth() > 8)
      return emitOpError() << name << " has element type " << element
                           << ", expected a storage type of at most 8 bits";
  }
  return success();
}

QuantizedAddOp::Factors QuantizedAddOp::getFactors() {
  return getFactors(getElementTypeOrSelf(getLhs()),
                    getElementTypeOrSelf(getRhs()),
                    getElementTypeOrSelf(getResult()));
}

QuantizedAddOp::Factors QuantizedAddOp::getFactors(Type lhsType, Type rhsType,
                                                   Type resultType) {
  Quantization lhs = Quantization::of(lhsType), rhs = Quantization::of(rhsType);
  Quantization result = Quantization::of(resultType);
  auto scale = float(result.scales.front());
  Factors factors;
  factors.lhs = float(lhs.scales.front()) / scale;
  factors.rhs = float(rhs.scales.front()) / scale;
  volatile float product = factors.rhs * float(rhs.zeroPoints.front());
  factors.constant =
      float(result.zeroPoints.front()) -
      std::fma(factors.lhs, float(lhs.zeroPoints.front()), product);
  return factors;
}

QuantizedAddOp::FixedPointScales QuantizedAddOp::getFixedPointScales() {
  auto getShifted = [](double scale) {
    Quantization type;
    type.scales = {std::ldexp(scale, -kLeftShift)};
    type.zeroPoints = {0};
    return type;
  };
  double lhs = Quantization::of(getElementTypeOrSelf(getLhs())).scales.front();
  double rhs = Quantization::of(getElementTypeOrSelf(getRhs())).scales.front();
  return {getShifted(lhs), getShifted(rhs), getShifted(2 * std::max(lhs, rhs))};
}

//===----------------------------------------------------------------------===//
// FixedPointMultiplyOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType>
FixedPointMultiplyOp::inferType(EmitErrorFn emitError, Adaptor adaptor) {
  SmallVector<int64_t> shape;
  for (auto [name, value] : {std::pair("data", adaptor.getData()),
                             {"multiplier", adaptor.getMultiplier()},
                             {"shift", adaptor.getShift()}}) {
    auto type = getTensor(emitError, value, name);
    if (failed(type))
      return failure();
    if (!type->getElementType().isSignlessInteger(32))
      return emitError() << name << " has element type "
                         << type->getElementType() << ", expected i32";
    auto broadcast =
        broadcastShapes(emitError, shape, type->getShape(), "data", name);
    if (failed(broadcast))
      return failure();
    shape = *broadcast;
  }
  return makeResult(emitError, shape,
                    IntegerType::get(adaptor.getData().getContext(), 32));
}

//===----------------------------------------------------------------------===//
// StorageCastOp
//===----------------------------------------------------------------------===//

LogicalResult StorageCastOp::verify() {
  auto emitError = [&] { return emitOpError(); };
  auto data = getTensor(emitError, getData(), "data", Elements::WithQuantized);
  auto result =
      getTensor(emitError, getResult(), "result", Elements::WithQuantized);
  if (failed(data) || failed(result) || failed(checkSameShape(*this)))
    return failure();
  Type from = data->getElementType(), to = result->getElementType();
  if (isQuantized(from) == isQuantized(to))
    return emitOpError() << "converts " << from << " to " << to
                         << ", expected a quantized type on one side and its "
                            "storage type on the other";
  Type stored = getStorageElementType(isQuantized(from) ? from : to);
  Type plain = isQuantized(from) ? to : from;
  if (stored != plain)
    return emitOpError() << "converts " << from << " to " << to
                         << ", expected the storage type " << stored;
  return success();
}

OpFoldResult StorageCastOp::fold(FoldAdaptor) {
  auto inner = getData().getDefiningOp<StorageCastOp>();
  if (inner && inner.getData().getType() == getType())
    return inner.getData();
  return {};
}
