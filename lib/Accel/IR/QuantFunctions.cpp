//===- QuantFunctions.cpp - Numbers of quantized tensors ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A tensor that is not quantized has the scale 1 and the zero point 0.
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/IR/QuantFunctions.h"

#include "Verify.h"

#include "uma/Accel/IR/NumberFunctionOpInterface.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::accel;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Quantization getQuantization(Type element) {
  if (isQuantized(element))
    return Quantization::of(element);
  Quantization plain;
  plain.scales = {1.0};
  plain.zeroPoints = {0};
  return plain;
}

FixedPoint uma::accel::toFixedPoint(double factor) {
  FixedPointFactor fixed = FixedPointFactor::of(factor);
  FixedPoint result;
  result.multiplier = fixed.multiplier;
  result.shift = fixed.shift;
  return result;
}

SmallVector<double>
uma::accel::getChannelValues(StringRef function, Value tensor,
                             function_ref<Type(Value)> getElement) {
  Type element = getElement(tensor);
  if (!element)
    return {0.0};
  Quantization quantization = getQuantization(element);
  if (function == "scale")
    return quantization.scales;
  if (function == "zero_point")
    return SmallVector<double>(quantization.zeroPoints.begin(),
                               quantization.zeroPoints.end());
  auto requantize = tensor.getDefiningOp<OperatorOp>();
  Type data = getElement(requantize.getOperands_().front());
  if (!data)
    return {0.0};
  return llvm::map_to_vector(
      getQuantization(data).scales, [&](double from) -> double {
        double to = quantization.scales.front();
        // As uma.graph.requantize and the fixed point of TFLite.
        if (function == "factor")
          return float(from) / float(to);
        FixedPoint fixed = toFixedPoint(from / to);
        return double(function == "multiplier" ? fixed.multiplier
                                               : fixed.shift);
      });
}

Type uma::accel::getUnitQuantizedType(Type storage) {
  auto integer = dyn_cast<IntegerType>(storage);
  if (!integer || integer.getWidth() < 8 || integer.getWidth() > 32)
    return {};
  return makeQuantizedType(storage.getContext(), integer.getWidth(),
                           !integer.isUnsigned(), {1.0}, {0}, std::nullopt);
}

/// Returns the value that all channels have, or null.
template <typename OpT>
static TypedAttr getSingleValue(OpT op, const MatchView &match) {
  SmallVector<double> values = getChannelValues(
      op->getName().stripDialect().rsplit('.').second, op.getTensor(),
      [&](Value tensor) { return match.getElementType(tensor); });
  if (!llvm::all_equal(values))
    return {};
  Builder builder(op.getContext());
  if (OpT::isFloat())
    return builder.getF64FloatAttr(values.front());
  return builder.getIndexAttr(int64_t(values.front()));
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

bool ScaleOp::isFloat() { return true; }
Type ScaleOp::getArrayElementType(MLIRContext *context) {
  return Float32Type::get(context);
}
TypedAttr ScaleOp::evaluateNumber(const MatchView &match) {
  return getSingleValue(*this, match);
}
std::pair<int64_t, int64_t> ScaleOp::getNumberRange() {
  return {INT64_MIN, INT64_MAX};
}

bool ZeroPointOp::isFloat() { return false; }
Type ZeroPointOp::getArrayElementType(MLIRContext *context) {
  return IntegerType::get(context, 32);
}
TypedAttr ZeroPointOp::evaluateNumber(const MatchView &match) {
  return getSingleValue(*this, match);
}
std::pair<int64_t, int64_t> ZeroPointOp::getNumberRange() {
  return {INT32_MIN, UINT32_MAX};
}

bool FactorOp::isFloat() { return true; }
Type FactorOp::getArrayElementType(MLIRContext *context) {
  return Float32Type::get(context);
}
TypedAttr FactorOp::evaluateNumber(const MatchView &match) {
  return getSingleValue(*this, match);
}
std::pair<int64_t, int64_t> FactorOp::getNumberRange() {
  return {INT64_MIN, INT64_MAX};
}

bool MultiplierOp::isFloat() { return false; }
Type MultiplierOp::getArrayElementType(MLIRContext *context) {
  return IntegerType::get(context, 32);
}
TypedAttr MultiplierOp::evaluateNumber(const MatchView &match) {
  return getSingleValue(*this, match);
}
std::pair<int64_t, int64_t> MultiplierOp::getNumberRange() {
  return {0, INT32_MAX};
}

/// Bound of the exponents of quotients of two numbers of f32.
static constexpr int64_t kMaxShift = 300;

bool ShiftOp::isFloat() { return false; }
Type ShiftOp::getArrayElementType(MLIRContext *context) {
  return IntegerType::get(context, 32);
}
TypedAttr ShiftOp::evaluateNumber(const MatchView &match) {
  return getSingleValue(*this, match);
}
std::pair<int64_t, int64_t> ShiftOp::getNumberRange() {
  return {-kMaxShift, kMaxShift};
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Verifies that `tensor` can be the argument of a function.
static LogicalResult verifyTensor(Operation *op, StringRef function,
                                  Value tensor) {
  Operation *maker = tensor.getDefiningOp();
  if (!isa_and_nonnull<InputOp, OperatorOp, ChoiceOp>(maker))
    return report(op) << "'" << function
                      << "' takes a tensor of the graph, found '"
                      << getTensorName(tensor) << "'";
  if (function == "scale" || function == "zero_point")
    return success();
  auto operation = dyn_cast<OperatorOp>(maker);
  if (operation && operation.getKind() == "requantize" &&
      operation.getOperands_().size() == 1)
    return success();
  return report(op) << "'" << function
                    << "' takes the result of a requantize, but '"
                    << getTensorName(tensor) << "' is "
                    << (operation
                            ? "the result of a " + operation.getKind().str()
                        : isa<InputOp>(maker) ? "an input"
                                              : "one of several tensors");
}

LogicalResult ScaleOp::verify() {
  return verifyTensor(*this, "scale", getTensor());
}
LogicalResult ZeroPointOp::verify() {
  return verifyTensor(*this, "zero_point", getTensor());
}
LogicalResult FactorOp::verify() {
  return verifyTensor(*this, "factor", getTensor());
}
LogicalResult MultiplierOp::verify() {
  return verifyTensor(*this, "multiplier", getTensor());
}
LogicalResult ShiftOp::verify() {
  return verifyTensor(*this, "shift", getTensor());
}

Type ArrayOp::getElementType() {
  auto *info = lookupNumberFunction(getContext(), getFunction());
  return info ? info->getArrayElementType(getContext()) : Type();
}

void ArrayOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getFunction());
}

LogicalResult ArrayOp::verify() {
  if (!getElementType())
    return report(*this) << "'" << getFunction()
                         << "' is no function whose values are an array";
  for (Operation *user : (*this)->getUsers())
    if (!isa<CallOp>(user))
      return report(user) << "takes an array of numbers, which only calls take";
  return verifyTensor(*this, getFunction(), getTensor());
}

bool uma::accel::mayDifferByOne(PatternOp pattern, ArrayRef<Operation *> ops) {
  auto isFixedPoint = [](Operation *op) {
    auto rounding = op->getAttrOfType<StringAttr>("rounding");
    return rounding && rounding.getValue() == "tflite";
  };
  return llvm::none_of(ops, isFixedPoint) &&
         llvm::any_of(pattern.getBody().front(), [](Operation &op) {
           auto array = dyn_cast<ArrayOp>(op);
           return isa<MultiplierOp>(op) ||
                  (array && array.getFunction() == "multiplier");
         });
}

/// Returns whether the pattern reads the scale of a tensor.
static bool readsScale(Value tensor) {
  return llvm::any_of(tensor.getUsers(), [](Operation *user) {
    auto array = dyn_cast<ArrayOp>(user);
    return isa<ScaleOp>(user) || (array && array.getFunction() == "scale");
  });
}

/// Verifies that the pattern reads the scales by which an operator converts
/// between real numbers and integers.
static LogicalResult verifyScales(OperatorOp op) {
  SmallVector<Value> tensors;
  if (op.getKind() == "dequantize" || op.getKind() == "quantized_add")
    llvm::append_range(tensors, op.getOperands_());
  if (op.getKind() == "quantize" || op.getKind() == "quantized_add")
    tensors.push_back(op.getResult());
  for (Value tensor : tensors)
    if (!readsScale(tensor)) {
      std::string name = getTensorName(tensor);
      return report(op) << "nothing tells the device the scale of '" << name
                        << "': pass scale(" << name << ") to the call";
    }
  return success();
}

LogicalResult uma::accel::verifyQuantization(PatternOp pattern) {
  // Zero points may be 0, but every requantize has a factor.
  for (OperatorOp op : pattern.getBody().getOps<OperatorOp>()) {
    if (pattern.isLowered() || isa<StrategyOp>(pattern->getParentOp()))
      continue;
    if (failed(verifyScales(op)))
      return failure();
    if (op.getKind() != "requantize")
      continue;
    bool isRead = llvm::any_of(op->getUsers(), [](Operation *user) {
      auto array = dyn_cast<ArrayOp>(user);
      return isa<ScaleOp, FactorOp, MultiplierOp, ShiftOp>(user) ||
             (array && array.getFunction() != "zero_point");
    });
    if (isRead)
      continue;
    std::string name = getTensorName(op.getResult());
    return report(op) << "nothing tells the device by what '" << name
                      << "' is rescaled: pass factor(" << name
                      << "), or multiplier(" << name << ") and shift(" << name
                      << "), to the call; factor(" << name
                      << ", n) is an array for n channels";
  }
  return success();
}
