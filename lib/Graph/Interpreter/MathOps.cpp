//===- MathOps.cpp - Evaluates elementwise operators -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::kernels;

/// The elements of `tensor` repeated to fill `shape`, by NumPy's rules.
template <typename T>
static std::vector<T> loadBroadcast(const HostTensor &tensor,
                                    ArrayRef<int64_t> shape) {
  std::vector<T> values = load<T>(tensor);
  if (tensor.getShape() == shape)
    return values;
  // Dimensions align at the end; one of size 1 stands still.
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

/// Applies `fn(lhs, rhs)` to every pair of elements.
template <typename OpT, typename Fn>
static HostTensor runBinary(OpT op, Operands operands, Fn fn) {
  RankedTensorType type = getResultType(op);
  return withComputeType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> lhs = loadBroadcast<T>(operands[0], type.getShape());
    std::vector<T> rhs = loadBroadcast<T>(operands[1], type.getShape());
    for (size_t i = 0, e = lhs.size(); i != e; ++i)
      lhs[i] = fn(lhs[i], rhs[i]);
    return store(type, lhs);
  });
}

Result kernels::run(AddOp op, Operands operands, EmitErrorFn emitError) {
  return runBinary(op, operands,
                   [](auto lhs, auto rhs) { return add(lhs, rhs); });
}

Result kernels::run(SubtractOp op, Operands operands, EmitErrorFn emitError) {
  return runBinary(op, operands,
                   [](auto lhs, auto rhs) { return subtract(lhs, rhs); });
}

Result kernels::run(MultiplyOp op, Operands operands, EmitErrorFn emitError) {
  return runBinary(op, operands,
                   [](auto lhs, auto rhs) { return multiply(lhs, rhs); });
}

Result kernels::run(DivideOp op, Operands operands, EmitErrorFn emitError) {
  const HostTensor &divisor = operands[1];
  // A divisor may be broadcast to a result without elements.
  if (!divisor.isFloat() && getResultType(op).getNumElements())
    for (int64_t i = 0, e = divisor.getNumElements(); i != e; ++i)
      if (divisor.getInt(i) == 0)
        return emitError() << "divides integers by zero: element " << i
                           << " of rhs is 0";
  return runBinary(op, operands,
                   [](auto lhs, auto rhs) { return divide(lhs, rhs); });
}

/// Applies `fn` to every element.
template <typename OpT, typename Fn>
static HostTensor runUnary(OpT op, Operands operands, Fn fn) {
  RankedTensorType type = getResultType(op);
  return withComputeType(type.getElementType(), [&](auto zero) {
    auto values = load<decltype(zero)>(operands[0]);
    for (auto &value : values)
      value = fn(value);
    return store(type, values);
  });
}

Result kernels::run(ReluOp op, Operands operands, EmitErrorFn emitError) {
  // Written so that NaN stays NaN, as in NumPy and ONNX Runtime.
  return runUnary(op, operands, [](auto value) {
    return value < 0 ? decltype(value)(0) : value;
  });
}

Result kernels::run(ClipOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  // Bounds become elements first: integers truncate and saturate.
  HostTensor bounds(RankedTensorType::get({2}, type.getElementType()));
  bounds.setDouble(0, op.getAMin().convertToDouble());
  bounds.setDouble(1, op.getAMax().convertToDouble());
  return withComputeType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> limits = load<T>(bounds);
    std::vector<T> values = load<T>(operands[0]);
    for (T &value : values) {
      value = value < limits[0] ? limits[0] : value;
      value = value > limits[1] ? limits[1] : value;
    }
    return store(type, values);
  });
}

Result kernels::run(CastOp op, Operands operands, EmitErrorFn emitError) {
  const HostTensor &data = operands[0];
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
