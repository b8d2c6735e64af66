//===- ReduceOps.cpp - Evaluates reductions and scans ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::kernels;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Reduces with `fn(accumulated, element)`, starting with `start`, and returns
/// `finish(accumulated, count)` for each element of the result.
template <typename OpT, typename StartFn, typename Fn, typename FinishFn>
static HostTensor runReduction(OpT op, Operands operands, StartFn start, Fn fn,
                               FinishFn finish) {
  RankedTensorType type = getResultType(op);
  ArrayRef<int64_t> shape = operands[0].getShape();
  SmallVector<bool> isReduced = getReducedDims(op.getAxis(), shape.size());
  // Stride in the result of every dimension of the data; 0 if reduced.
  SmallVector<int64_t> strides(shape.size(), 0);
  int64_t stride = 1, count = 1;
  for (int64_t d = int64_t(shape.size()) - 1; d >= 0; --d) {
    if (isReduced[d]) {
      count *= shape[d];
      continue;
    }
    strides[d] = stride;
    stride *= shape[d];
  }
  return withComputeType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> data = load<T>(operands[0]);
    std::vector<T> result(type.getNumElements(), start(zero));
    size_t next = 0;
    forEachIndex(shape, [&](ArrayRef<int64_t> index) {
      int64_t offset = 0;
      for (auto [position, step] : llvm::zip_equal(index, strides))
        offset += position * step;
      result[offset] = fn(result[offset], data[next++]);
    });
    for (T &value : result)
      value = finish(value, count);
    return store(type, result);
  });
}

/// Returns the lowest or the highest value of an element type.
template <typename T>
static T getLimit(Type type, bool highest) {
  double infinity = std::numeric_limits<double>::infinity();
  if constexpr (std::is_same_v<T, double>)
    return highest ? infinity : -infinity;
  HostTensor limit(RankedTensorType::get({}, type));
  if (type.isInteger(1))
    limit.setInt(0, highest);
  else
    limit.setDouble(0, highest ? infinity : -infinity); // Saturates.
  return static_cast<T>(limit.getInt(0));
}

static constexpr auto keep = [](auto value, int64_t) { return value; };

Result kernels::run(SumOp op, Operands operands, EmitErrorFn emitError) {
  return runReduction(
      op, operands, [](auto zero) { return zero; },
      [](auto lhs, auto rhs) { return add(lhs, rhs); }, keep);
}

Result kernels::run(MeanOp op, Operands operands, EmitErrorFn emitError) {
  return runReduction(
      op, operands, [](auto zero) { return zero; },
      [](auto lhs, auto rhs) { return add(lhs, rhs); },
      [](auto sum, int64_t count) {
        using T = decltype(sum);
        if constexpr (!std::is_same_v<T, double>)
          if (count == 0)
            return T(0);
        return divide(sum, T(count));
      });
}

Result kernels::run(ProdOp op, Operands operands, EmitErrorFn emitError) {
  return runReduction(
      op, operands, [](auto zero) { return zero + 1; },
      [](auto lhs, auto rhs) { return multiply(lhs, rhs); }, keep);
}

Result kernels::run(MaxOp op, Operands operands, EmitErrorFn emitError) {
  Type type = getResultType(op).getElementType();
  return runReduction(
      op, operands,
      [&](auto zero) { return getLimit<decltype(zero)>(type, false); },
      // The last condition is true for NaN only and propagates it.
      [](auto best, auto value) {
        return value > best || value != value ? value : best;
      },
      keep);
}

Result kernels::run(MinOp op, Operands operands, EmitErrorFn emitError) {
  Type type = getResultType(op).getElementType();
  return runReduction(
      op, operands,
      [&](auto zero) { return getLimit<decltype(zero)>(type, true); },
      [](auto best, auto value) {
        return value < best || value != value ? value : best;
      },
      keep);
}

//===----------------------------------------------------------------------===//
// Operators along one axis
//===----------------------------------------------------------------------===//

/// Calls `fn(at, position)` for every vector along `axis`. `at(i)` is the
/// offset of its element i and `position` the index of the vector.
template <typename Fn>
static void forEachVector(ArrayRef<int64_t> shape, int64_t axis, Fn fn) {
  AxisView view(shape, axis);
  for (int64_t block = 0; block < view.outer; ++block)
    for (int64_t lane = 0; lane < view.inner; ++lane)
      fn([&](int64_t i) { return (block * view.size + i) * view.inner + lane; },
         block * view.inner + lane);
}

/// Order of elements: numbers by value, NaN last.
template <typename T>
static bool isLess(T lhs, T rhs) {
  return lhs < rhs || (rhs != rhs && lhs == lhs);
}

template <typename OpT, typename Fn>
static HostTensor runArgReduction(OpT op, Operands operands, Fn isBetter) {
  const HostTensor &data = operands[0];
  HostTensor result(getResultType(op));
  withComputeType(data.getElementType(), [&](auto zero) {
    auto values = load<decltype(zero)>(data);
    AxisView view(data.getShape(), op.getAxis());
    forEachVector(data.getShape(), op.getAxis(), [&](auto at, int64_t number) {
      int64_t best = 0;
      for (int64_t i = 1; i < view.size; ++i)
        if (isBetter(values[at(i)], values[at(best)]) ||
            (op.getSelectLastIndex() &&
             !isBetter(values[at(best)], values[at(i)])))
          best = i;
      result.setInt(number, best);
    });
  });
  return result;
}

Result kernels::run(ArgMaxOp op, Operands operands, EmitErrorFn emitError) {
  return runArgReduction(op, operands, [](auto value, auto best) {
    return value > best || (value != value && best == best);
  });
}

Result kernels::run(ArgMinOp op, Operands operands, EmitErrorFn emitError) {
  return runArgReduction(op, operands, [](auto value, auto best) {
    return value < best || (value != value && best == best);
  });
}

Result kernels::run(TopKOp op, Operands operands, EmitErrorFn emitError) {
  const HostTensor &data = operands[0];
  HostTensor result(getResultType(op));
  int64_t axis = op.getAxis(), k = op.getK();
  AxisView view(data.getShape(), axis), out(result.getShape(), axis);
  withComputeType(data.getElementType(), [&](auto zero) {
    auto values = load<decltype(zero)>(data);
    forEachVector(data.getShape(), axis, [&](auto at, int64_t number) {
      std::vector<int64_t> order(view.size);
      std::iota(order.begin(), order.end(), 0);
      std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        auto lhs = values[at(a)], rhs = values[at(b)];
        if (isLess(lhs, rhs))
          return bool(op.getIsAscend());
        if (isLess(rhs, lhs))
          return !op.getIsAscend();
        return a < b;
      });
      int64_t block = number / view.inner, lane = number % view.inner;
      for (int64_t i = 0; i < k; ++i)
        result.setInt((block * k + i) * out.inner + lane, order[i]);
    });
  });
  return result;
}

Result kernels::run(CumsumOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  AxisView view(type.getShape(), op.getAxis());
  return withComputeType(type.getElementType(), [&](auto zero) {
    auto values = load<decltype(zero)>(operands[0]);
    forEachVector(type.getShape(), op.getAxis(), [&](auto at, int64_t) {
      auto sum = zero;
      for (int64_t i = 0; i < view.size; ++i) {
        auto &value = values[at(op.getReverse() ? view.size - 1 - i : i)];
        auto next = add(sum, value);
        value = op.getExclusive() ? sum : next;
        sum = next;
      }
    });
    return store(type, values);
  });
}
