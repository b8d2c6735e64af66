//===- MathOps.cpp - Evaluates elementwise operators ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "uma/Support/QuantizedTypes.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::kernels;

/// Returns the elements of `tensor` broadcast to `shape` by NumPy's rules.
template <typename T>
static std::vector<T> loadBroadcast(const HostTensor &tensor,
                                    ArrayRef<int64_t> shape) {
  std::vector<T> values = load<T>(tensor);
  if (tensor.getShape() == shape)
    return values;
  // Dimensions align at the end; a dimension of size 1 gets stride 0.
  SmallVector<int64_t> own = getStrides(tensor.getShape());
  SmallVector<int64_t> strides(shape.size(), 0);
  size_t added = shape.size() - own.size();
  for (size_t d = 0; d < own.size(); ++d)
    if (tensor.getShape()[d] != 1)
      strides[added + d] = own[d];
  std::vector<T> result;
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    int64_t offset = 0;
    for (auto [position, stride] : llvm::zip_equal(index, strides))
      offset += position * stride;
    result.push_back(values[offset]);
  });
  return result;
}

/// Applies `fn(x)` or `fn(lhs, rhs)` to all elements, computed in type T. `fn`
/// of a predicate returns bool.
template <typename T, typename Fn>
static HostTensor apply(RankedTensorType type, Operands operands, Fn fn) {
  ArrayRef<int64_t> shape = type.getShape();
  std::vector<T> lhs = loadBroadcast<T>(operands[0], shape);
  std::vector<T> rhs;
  if (operands.size() > 1)
    rhs = loadBroadcast<T>(operands[1], shape);
  auto call = [&](size_t i) {
    if constexpr (std::is_invocable_v<Fn, T>)
      return fn(lhs[i]);
    else
      return fn(lhs[i], rhs[i]);
  };
  if constexpr (std::is_same_v<decltype(call(0)), bool>) {
    HostTensor result(type);
    for (size_t i = 0, e = lhs.size(); i != e; ++i)
      result.setInt(i, call(i));
    return result;
  } else {
    for (size_t i = 0, e = lhs.size(); i != e; ++i)
      lhs[i] = call(i);
    return store(type, lhs);
  }
}

/// Returns lhs - trunc(lhs / rhs) * rhs. An integer `rhs` must not be 0.
template <typename T>
static T truncatedRemainder(T lhs, T rhs) {
  if constexpr (std::is_same_v<T, double>) {
    return std::fmod(lhs, rhs);
  } else {
    if (std::is_signed_v<T> && rhs == T(-1))
      return 0; // The quotient of INT64_MIN would overflow.
    return lhs % rhs;
  }
}

/// Returns lhs - floor(lhs / rhs) * rhs. An integer `rhs` must not be 0.
template <typename T>
static T floorRemainder(T lhs, T rhs) {
  T result = truncatedRemainder(lhs, rhs);
  bool differ = (result < T(0)) != (rhs < T(0));
  return result != T(0) && differ ? add(result, rhs) : result;
}

template <typename T>
static T power(T base, T exponent) {
  if constexpr (std::is_same_v<T, double>) {
    return std::pow(base, exponent);
  } else {
    if (exponent < T(0)) {
      if (base == T(1) || (base == T(-1) && exponent % T(2) == T(0)))
        return 1;
      return base == T(-1) ? base : T(0);
    }
    T result = 1;
    for (; exponent != T(0); exponent = exponent / 2) {
      if (exponent % T(2) != T(0))
        result = multiply(result, base);
      base = multiply(base, base);
    }
    return result;
  }
}

// Both functions return NaN if an operand is NaN.
template <typename T>
static T maximum(T lhs, T rhs) {
  return lhs > rhs || lhs != lhs ? lhs : rhs;
}
template <typename T>
static T minimum(T lhs, T rhs) {
  return lhs < rhs || lhs != lhs ? lhs : rhs;
}

/// Shifts `value` left. Returns 0 if `amount`, read as unsigned, is 64 or more.
/// For narrower types, storing the result drops the upper bits.
template <typename T>
static T shiftLeft(T value, T amount) {
  uint64_t bits = uint64_t(amount);
  return bits < 64 ? T(uint64_t(value) << bits) : T(0);
}
template <typename T>
static T shiftRight(T value, T amount) {
  uint64_t bits = uint64_t(amount);
  if (bits < 64)
    return value >> bits;
  return value < T(0) ? T(-1) : T(0);
}

static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

static double softplus(double x) {
  return maximum(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
}

static double gelu(double x, bool approximate) {
  double inner =
      approximate ? std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))
                  : std::erf(x / std::sqrt(2.0));
  return x * (1 + inner) / 2;
}

/// Emits an error and fails if an integer is divided by 0.
static LogicalResult checkDivisor(RankedTensorType type,
                                  const HostTensor &divisor,
                                  EmitErrorFn emitError) {
  // An empty result divides nothing, even if the divisor is 0.
  if (!divisor.isFloat() && type.getNumElements())
    for (int64_t i = 0, e = divisor.getNumElements(); i != e; ++i)
      if (divisor.getInt(i) == 0)
        return emitError() << "divides integers by zero: element " << i
                           << " of rhs is 0";
  return success();
}

static HostTensor runClip(ClipOp op, const HostTensor &data) {
  RankedTensorType type = getResultType(op);
  // Converting the bounds to the element type truncates and saturates integers.
  HostTensor bounds(RankedTensorType::get({2}, type.getElementType()));
  bounds.setDouble(0, op.getAMin().convertToDouble());
  bounds.setDouble(1, op.getAMax().convertToDouble());
  return withComputeType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> limits = load<T>(bounds);
    std::vector<T> values = load<T>(data);
    for (T &value : values) {
      value = value < limits[0] ? limits[0] : value;
      value = value > limits[1] ? limits[1] : value;
    }
    return store(type, values);
  });
}

static HostTensor runCast(CastOp op, const HostTensor &data) {
  RankedTensorType type = getResultType(op);
  HostTensor result(type);
  bool toBool = type.getElementType().isInteger(1);
  for (int64_t i = 0, e = data.getNumElements(); i != e; ++i) {
    if (toBool)
      result.setInt(i, data.isFloat() ? data.getDouble(i) != 0
                                      : data.getInt(i) != 0);
    else if (data.isFloat() ||
             (result.isFloat() && data.getElementType().isUnsignedInteger()))
      result.setDouble(i, data.getDouble(i));
    else
      result.setInt(i, data.getInt(i));
  }
  return result;
}

static HostTensor runWhere(WhereOp op, Operands operands) {
  RankedTensorType type = getResultType(op);
  std::vector<uint64_t> condition =
      loadBroadcast<uint64_t>(operands[0], type.getShape());
  return withComputeType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> x = loadBroadcast<T>(operands[1], type.getShape());
    std::vector<T> y = loadBroadcast<T>(operands[2], type.getShape());
    for (size_t i = 0, e = x.size(); i != e; ++i)
      x[i] = condition[i] ? x[i] : y[i];
    return store(type, x);
  });
}

static HostTensor runFixedPointMultiply(RankedTensorType type,
                                        Operands operands) {
  std::vector<int64_t> data, multipliers, shifts;
  for (auto [values, operand] :
       llvm::zip_equal(std::array{&data, &multipliers, &shifts}, operands))
    *values = loadBroadcast<int64_t>(operand, type.getShape());
  for (size_t i = 0, e = data.size(); i != e; ++i)
    data[i] = FixedPointFactor{multipliers[i], -shifts[i]}.apply(data[i]);
  return store(type, data);
}

Result kernels::runElementwise(Operation *op, Operands operands,
                               EmitErrorFn emitError) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  // Element types that an operator accepts; see ElementKind.
  auto floats = [&](auto fn) -> Result {
    return apply<double>(type, operands, fn);
  };
  auto integers = [&](auto fn) -> Result {
    if (operands[0].getElementType().isUnsignedInteger() ||
        operands[0].getElementType().isInteger(1))
      return apply<uint64_t>(type, operands, fn);
    return apply<int64_t>(type, operands, fn);
  };
  auto any = [&](auto fn) -> Result {
    return operands[0].isFloat() ? floats(fn) : integers(fn);
  };
  auto quotients = [&](auto fn) -> Result {
    if (failed(checkDivisor(type, operands[1], emitError)))
      return failure();
    return any(fn);
  };
  return llvm::TypeSwitch<Operation *, Result>(op)
      // clang-format off
      .Case([&](AddOp) { return any([](auto x, auto y) { return add(x, y); }); })
      .Case([&](SubtractOp) { return any([](auto x, auto y) { return subtract(x, y); }); })
      .Case([&](MultiplyOp) { return any([](auto x, auto y) { return multiply(x, y); }); })
      .Case([&](DivideOp) { return quotients([](auto x, auto y) { return divide(x, y); }); })
      .Case([&](ModOp) { return quotients([](auto x, auto y) { return truncatedRemainder(x, y); }); })
      .Case([&](FloorModOp) { return quotients([](auto x, auto y) { return floorRemainder(x, y); }); })
      .Case([&](PowerOp) { return any([](auto x, auto y) { return power(x, y); }); })
      .Case([&](MaximumOp) { return any([](auto x, auto y) { return maximum(x, y); }); })
      .Case([&](MinimumOp) { return any([](auto x, auto y) { return minimum(x, y); }); })
      .Case([&](AbsOp) { return any([](auto x) { return x < 0 ? subtract(decltype(x)(0), x) : x == 0 ? decltype(x)(0) : x; }); })
      .Case([&](NegativeOp) { return any([](auto x) { return subtract(-decltype(x)(0), x); }); })
      .Case([&](SignOp) { return any([](auto x) { return x > 0 ? decltype(x)(1) : x < 0 ? decltype(x)(-1) : x; }); })
      .Case([&](CeilOp) { return floats([](double x) { return std::ceil(x); }); })
      .Case([&](FloorOp) { return floats([](double x) { return std::floor(x); }); })
      .Case([&](RoundOp) { return floats([](double x) { return std::nearbyint(x); }); })
      .Case([&](ExpOp) { return floats([](double x) { return std::exp(x); }); })
      .Case([&](LogOp) { return floats([](double x) { return std::log(x); }); })
      .Case([&](SqrtOp) { return floats([](double x) { return std::sqrt(x); }); })
      .Case([&](ErfOp) { return floats([](double x) { return std::erf(x); }); })
      .Case([&](SinOp) { return floats([](double x) { return std::sin(x); }); })
      .Case([&](CosOp) { return floats([](double x) { return std::cos(x); }); })
      .Case([&](TanOp) { return floats([](double x) { return std::tan(x); }); })
      .Case([&](AsinOp) { return floats([](double x) { return std::asin(x); }); })
      .Case([&](AcosOp) { return floats([](double x) { return std::acos(x); }); })
      .Case([&](AtanOp) { return floats([](double x) { return std::atan(x); }); })
      .Case([&](SinhOp) { return floats([](double x) { return std::sinh(x); }); })
      .Case([&](CoshOp) { return floats([](double x) { return std::cosh(x); }); })
      .Case([&](TanhOp) { return floats([](double x) { return std::tanh(x); }); })
      .Case([&](AsinhOp) { return floats([](double x) { return std::asinh(x); }); })
      .Case([&](AcoshOp) { return floats([](double x) { return std::acosh(x); }); })
      .Case([&](AtanhOp) { return floats([](double x) { return std::atanh(x); }); })
      .Case([&](EqualOp) { return any([](auto x, auto y) { return x == y; }); })
      .Case([&](NotEqualOp) { return any([](auto x, auto y) { return x != y; }); })
      .Case([&](GreaterOp) { return any([](auto x, auto y) { return x > y; }); })
      .Case([&](GreaterEqualOp) { return any([](auto x, auto y) { return x >= y; }); })
      .Case([&](LessOp) { return any([](auto x, auto y) { return x < y; }); })
      .Case([&](LessEqualOp) { return any([](auto x, auto y) { return x <= y; }); })
      .Case([&](IsNaNOp) { return floats([](double x) { return bool(std::isnan(x)); }); })
      .Case([&](IsInfOp) { return floats([](double x) { return bool(std::isinf(x)); }); })
      .Case<LogicalAndOp, BitwiseAndOp>([&](auto) { return integers([](auto x, auto y) { return x & y; }); })
      .Case<LogicalOrOp, BitwiseOrOp>([&](auto) { return integers([](auto x, auto y) { return x | y; }); })
      .Case<LogicalXorOp, BitwiseXorOp>([&](auto) { return integers([](auto x, auto y) { return x ^ y; }); })
      .Case<LogicalNotOp, BitwiseNotOp>([&](auto) { return integers([](auto x) { return ~x; }); })
      .Case([&](LeftShiftOp) { return integers([](auto x, auto y) { return shiftLeft(x, y); }); })
      .Case([&](RightShiftOp) { return integers([](auto x, auto y) { return shiftRight(x, y); }); })
      // Written so that NaN stays NaN, as in NumPy and ONNX Runtime.
      .Case([&](ReluOp) { return any([](auto x) { return x < 0 ? decltype(x)(0) : x; }); })
      .Case([&](SigmoidOp) { return floats(sigmoid); })
      .Case([&](SoftplusOp) { return floats(softplus); })
      .Case([&](SiluOp) { return floats([](double x) { return x * sigmoid(x); }); })
      .Case([&](HardSwishOp) { return floats([](double x) { return x * std::clamp(x / 6 + 0.5, 0.0, 1.0); }); })
      .Case([&](GeluOp gelu) { return floats([&](double x) { return ::gelu(x, gelu.getApproximate()); }); })
      .Case([&](LeakyReluOp relu) { double alpha = relu.getAlpha().convertToDouble(); return floats([=](double x) { return x < 0 ? alpha * x : x; }); })
      .Case([&](PReluOp) { return any([](auto x, auto slope) { return x < 0 ? multiply(x, slope) : x; }); })
      .Case([&](ClipOp clip) -> Result { return runClip(clip, operands[0]); })
      .Case([&](CastOp cast) -> Result { return runCast(cast, operands[0]); })
      .Case([&](WhereOp where) -> Result { return runWhere(where, operands); })
      .Case([&](FixedPointMultiplyOp) -> Result { return runFixedPointMultiply(type, operands); })
      // clang-format on
      .Default([&](Operation *) -> Result {
        return emitError() << "is an elementwise operator that the "
                              "interpreter has no function for";
      });
}
