//===- PoolOps.cpp - Evaluates pools --------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "WindowTaps.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::kernels;

/// Computes every element of the result by `reduce(taps, output)`. `taps` holds
/// the offsets of the elements of window `output` that lie inside the data.
template <typename T, typename ReduceFn>
static HostTensor runPool(RankedTensorType type, const Window &window,
                          ArrayRef<int64_t> spatial,
                          ArrayRef<int64_t> dataShape, ReduceFn reduce) {
  SmallVector<int64_t> in = getStrides(dataShape);
  std::vector<T> result;
  result.reserve(type.getNumElements());
  std::vector<int64_t> taps;
  forEachIndex(type.getShape(), [&](ArrayRef<int64_t> at) {
    SpatialVector output = getSizes(at, spatial);
    SmallVector<int64_t> base(at);
    for (int64_t dim : spatial)
      base[dim] = 0;
    int64_t begin = 0;
    for (auto [index, stride] : llvm::zip_equal(base, in))
      begin += index * stride;
    taps.clear();
    forEachTap(window, output,
               [&](ArrayRef<int64_t> position, ArrayRef<int64_t>) {
                 taps.push_back(begin + getOffset(in, spatial, position));
               });
    result.push_back(reduce(taps, output));
  });
  return store(type, result);
}

//===----------------------------------------------------------------------===//
// Maximum
//===----------------------------------------------------------------------===//

/// Returns the lowest value of type `type`, the neutral element of max.
template <typename T>
static T getLowest(Type type) {
  if constexpr (std::is_same_v<T, double>)
    return -std::numeric_limits<double>::infinity();
  HostTensor lowest(RankedTensorType::get({}, type));
  lowest.setDouble(0, -std::numeric_limits<double>::infinity()); // Saturates.
  return static_cast<T>(lowest.getInt(0));
}

/// Returns whether `value` replaces the current maximum. The second condition
/// is true for NaN only and propagates it.
template <typename T>
static bool wins(T value, T maximum) {
  return value > maximum || value != value;
}

template <typename PoolOp>
static Result runMaxPool(PoolOp op, Operands operands) {
  RankedTensorType type = getResultType(op);
  WindowLayout layout = *WindowLayout::parse(op.getDataLayout());
  return withComputeType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> data = load<T>(operands[0]);
    T lowest = getLowest<T>(type.getElementType());
    return runPool<T>(type, op.getWindow(), layout.spatial,
                      operands[0].getShape(),
                      [&](ArrayRef<int64_t> taps, ArrayRef<int64_t>) {
                        T result = lowest;
                        for (int64_t tap : taps)
                          if (wins(data[tap], result))
                            result = data[tap];
                        return result;
                      });
  });
}

Result kernels::run(MaxPool2dOp op, Operands operands, EmitErrorFn emitError) {
  return runMaxPool(op, operands);
}
Result kernels::run(MaxPool3dOp op, Operands operands, EmitErrorFn emitError) {
  return runMaxPool(op, operands);
}

/// Converts the row-major position `offset` in `shape` to the order in which
/// the first spatial dimension varies fastest.
static int64_t toColumnMajor(int64_t offset, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> index(shape.size());
  for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
    index[dim] = offset % shape[dim];
    offset /= shape[dim];
  }
  int64_t position = index[0] * shape[1] + index[1];
  for (int64_t dim = shape.size() - 1; dim >= 2; --dim)
    position = position * shape[dim] + index[dim];
  return position;
}

Result kernels::run(MaxPoolIndicesOp op, Operands operands,
                    EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  ArrayRef<int64_t> shape = operands[0].getShape();
  return withComputeType(operands[0].getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> data = load<T>(operands[0]);
    return runPool<int64_t>(
        type, op.getWindow(), getSpatialDims(shape), shape,
        [&](ArrayRef<int64_t> taps, ArrayRef<int64_t>) -> int64_t {
          std::optional<int64_t> best;
          for (int64_t tap : taps)
            // NaN is unordered and never the maximum.
            if (data[tap] == data[tap] && (!best || data[tap] > data[*best]))
              best = tap;
          if (!best)
            return 0;
          return op.getColumnMajor() ? toColumnMajor(*best, shape) : *best;
        });
  });
}

//===----------------------------------------------------------------------===//
// Average, norm
//===----------------------------------------------------------------------===//

/// Returns the number of taps of window `o` along `dim` in data or explicit
/// padding. With ceil_mode, a window may exceed the padded data; the taps
/// beyond it do not count in the mean (ONNX AveragePool-19).
static int64_t countPadded(const Window &window, int64_t dim, int64_t o) {
  int64_t start = o * window.strides[dim] - window.padBegin[dim];
  int64_t end = window.input[dim] + window.padEnd[dim];
  return std::min(window.kernel[dim],
                  (end - 1 - start) / window.dilations[dim] + 1);
}

template <typename PoolOp>
static Result runAvgPool(PoolOp op, Operands operands) {
  Window window = op.getWindow();
  WindowLayout layout = *WindowLayout::parse(op.getDataLayout());
  bool includePad = op.getCountIncludePad();
  std::vector<double> data = load<double>(operands[0]);
  return runPool<double>(
      getResultType(op), window, layout.spatial, operands[0].getShape(),
      [&](ArrayRef<int64_t> taps, ArrayRef<int64_t> output) {
        double sum = 0;
        for (int64_t tap : taps)
          sum += data[tap];
        int64_t count = includePad ? 1 : int64_t(taps.size());
        if (includePad)
          for (auto [dim, o] : llvm::enumerate(output))
            count *= countPadded(window, dim, o);
        // The mean of a window with only padding is 0.
        return count ? sum / double(count) : 0.0;
      });
}

Result kernels::run(AvgPool2dOp op, Operands operands, EmitErrorFn emitError) {
  return runAvgPool(op, operands);
}
Result kernels::run(AvgPool3dOp op, Operands operands, EmitErrorFn emitError) {
  return runAvgPool(op, operands);
}

Result kernels::run(LpPoolOp op, Operands operands, EmitErrorFn emitError) {
  double p = op.getP();
  ArrayRef<int64_t> shape = operands[0].getShape();
  std::vector<double> data = load<double>(operands[0]);
  return runPool<double>(getResultType(op), op.getWindow(),
                         getSpatialDims(shape), shape,
                         [&](ArrayRef<int64_t> taps, ArrayRef<int64_t>) {
                           double sum = 0;
                           for (int64_t tap : taps)
                             sum += std::pow(std::fabs(data[tap]), p);
                           return std::pow(sum, 1 / p);
                         });
}

//===----------------------------------------------------------------------===//
// Global pools
//===----------------------------------------------------------------------===//

/// Returns a window over all of the data.
static Window getWholeWindow(ArrayRef<int64_t> shape,
                             ArrayRef<int64_t> spatial) {
  SpatialVector sizes = getSizes(shape, spatial);
  SpatialVector ones(sizes.size(), 1), zeros(sizes.size(), 0);
  return {sizes, sizes, ones, ones, zeros, zeros};
}

Result kernels::run(GlobalAvgPool2dOp op, Operands operands,
                    EmitErrorFn emitError) {
  WindowLayout layout = *WindowLayout::parse(op.getDataLayout());
  ArrayRef<int64_t> shape = operands[0].getShape();
  std::vector<double> data = load<double>(operands[0]);
  return runPool<double>(getResultType(op),
                         getWholeWindow(shape, layout.spatial), layout.spatial,
                         shape, [&](ArrayRef<int64_t> taps, ArrayRef<int64_t>) {
                           double sum = 0;
                           for (int64_t tap : taps)
                             sum += data[tap];
                           return sum / double(taps.size());
                         });
}

Result kernels::run(GlobalMaxPool2dOp op, Operands operands,
                    EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  WindowLayout layout = *WindowLayout::parse(op.getDataLayout());
  ArrayRef<int64_t> shape = operands[0].getShape();
  return withComputeType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> data = load<T>(operands[0]);
    T lowest = getLowest<T>(type.getElementType());
    return runPool<T>(type, getWholeWindow(shape, layout.spatial),
                      layout.spatial, shape,
                      [&](ArrayRef<int64_t> taps, ArrayRef<int64_t>) {
                        T result = lowest;
                        for (int64_t tap : taps)
                          if (wins(data[tap], result))
                            result = data[tap];
                        return result;
                      });
  });
}
