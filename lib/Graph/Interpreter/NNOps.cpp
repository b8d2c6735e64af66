//===- NNOps.cpp - Evaluates neural network operators -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::kernels;

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

namespace {
/// Elements between neighbours of a four-dimensional data tensor, by name.
struct DataStrides {
  int64_t n, c, h, w;

  DataStrides(ArrayRef<int64_t> shape, DataLayout2D layout) {
    SmallVector<int64_t> strides = getStrides(shape);
    n = strides[layout.n];
    c = strides[layout.c];
    h = strides[layout.h];
    w = strides[layout.w];
  }
};
} // namespace

namespace {
/// The taps of one window along one dimension that read data, not padding:
/// tap `first + i` reads position `position + i * dilation`, for `i < count`.
/// Computed, not searched, so that a window much larger than the data costs
/// nothing.
struct Taps {
  int64_t first, count, position, dilation;

  Taps(const Window2D &window, int dim, int64_t o)
      : dilation(window.dilations[dim]) {
    int64_t start = o * window.strides[dim] - window.padBegin[dim];
    first =
        start < 0 ? llvm::divideCeil(uint64_t(-start), uint64_t(dilation)) : 0;
    position = start + first * dilation;
    int64_t readable = position < window.input[dim]
                           ? (window.input[dim] - 1 - position) / dilation + 1
                           : 0;
    count =
        std::max<int64_t>(0, std::min(window.kernel[dim] - first, readable));
  }
};
} // namespace

Result kernels::run(Conv2dOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  Conv2DDims dims = op.getDims();
  const Window2D &window = dims.window;
  DataLayout2D layout = *DataLayout2D::parse(op.getDataLayout());
  KernelLayout2D kernelLayout = *KernelLayout2D::parse(op.getKernelLayout());
  DataStrides in(operands[0].getShape(), layout);
  DataStrides out(type.getShape(), layout);
  SmallVector<int64_t> kernel = getStrides(operands[1].getShape());
  int64_t kernelO = kernel[kernelLayout.o], kernelI = kernel[kernelLayout.i];
  int64_t kernelH = kernel[kernelLayout.h], kernelW = kernel[kernelLayout.w];
  int64_t outH = type.getDimSize(layout.h), outW = type.getDimSize(layout.w);
  int64_t groupIn = dims.inChannels / dims.groups;
  int64_t groupOut = dims.outChannels / dims.groups;

  return withComputeType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> data = load<T>(operands[0]), weight = load<T>(operands[1]);
    std::vector<T> result(type.getNumElements());
    /// One output element: channel `o` at (`y`, `x`) of image `n`.
    auto convolve = [&](int64_t n, int64_t o, int64_t y, int64_t x) {
      T sum = 0;
      int64_t firstIn = o / groupOut * groupIn;
      Taps rows(window, 0, y), columns(window, 1, x);
      for (int64_t r = 0; r < rows.count; ++r)
        for (int64_t c = 0; c < columns.count; ++c) {
          int64_t h = rows.position + r * rows.dilation;
          int64_t w = columns.position + c * columns.dilation;
          int64_t d = n * in.n + firstIn * in.c + h * in.h + w * in.w;
          int64_t k = o * kernelO + (rows.first + r) * kernelH +
                      (columns.first + c) * kernelW;
          for (int64_t i = 0; i < groupIn; ++i, d += in.c, k += kernelI)
            sum = add(sum, multiply(data[d], weight[k]));
        }
      return sum;
    };
    for (int64_t n = 0; n < dims.batch; ++n)
      for (int64_t o = 0; o < dims.outChannels; ++o)
        for (int64_t y = 0; y < outH; ++y)
          for (int64_t x = 0; x < outW; ++x)
            result[n * out.n + o * out.c + y * out.h + x * out.w] =
                convolve(n, o, y, x);
    return store(type, result);
  });
}

Result kernels::run(DenseOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  int64_t units = operands[1].getShape()[0], in = operands[1].getShape()[1];
  return withComputeType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> data = load<T>(operands[0]), weight = load<T>(operands[1]);
    std::vector<T> result(type.getNumElements());
    for (int64_t r = 0, e = result.size(); r != e; ++r) {
      int64_t row = r / units, unit = r % units;
      T sum = 0;
      for (int64_t i = 0; i < in; ++i)
        sum = add(sum, multiply(data[row * in + i], weight[unit * in + i]));
      result[r] = sum;
    }
    return store(type, result);
  });
}

//===----------------------------------------------------------------------===//
// Operators along one axis
//===----------------------------------------------------------------------===//

Result kernels::run(BiasAddOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  AxisView view(type.getShape(), op.getAxis());
  return withComputeType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> values = load<T>(operands[0]), bias = load<T>(operands[1]);
    for (size_t i = 0, e = values.size(); i != e; ++i)
      values[i] = add(values[i], bias[i / view.inner % view.size]);
    return store(type, values);
  });
}

/// For operators that integers have no meaning for.
static LogicalResult requireFloat(RankedTensorType type,
                                  EmitErrorFn emitError) {
  if (isa<FloatType>(type.getElementType()))
    return success();
  return emitError() << "is defined for floats, not for " << type;
}

Result kernels::run(BatchNormOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  if (failed(requireFloat(type, emitError)))
    return failure();
  AxisView view(type.getShape(), op.getAxis());
  double epsilon = op.getEpsilon().convertToDouble();
  std::vector<double> values = load<double>(operands[0]);
  std::vector<double> gamma = load<double>(operands[1]);
  std::vector<double> beta = load<double>(operands[2]);
  std::vector<double> mean = load<double>(operands[3]);
  std::vector<double> variance = load<double>(operands[4]);
  for (size_t i = 0, e = values.size(); i != e; ++i) {
    size_t c = i / view.inner % view.size;
    values[i] =
        (values[i] - mean[c]) / std::sqrt(variance[c] + epsilon) * gamma[c] +
        beta[c];
  }
  return store(type, values);
}

Result kernels::run(SoftmaxOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  if (failed(requireFloat(type, emitError)))
    return failure();
  AxisView view(type.getShape(), op.getAxis());
  std::vector<double> values = load<double>(operands[0]);
  for (int64_t block = 0; block < view.outer; ++block)
    for (int64_t lane = 0; lane < view.inner; ++lane) {
      auto at = [&](int64_t i) -> double & {
        return values[(block * view.size + i) * view.inner + lane];
      };
      double largest = -std::numeric_limits<double>::infinity();
      for (int64_t i = 0; i < view.size; ++i)
        largest = std::max(largest, at(i));
      double sum = 0;
      for (int64_t i = 0; i < view.size; ++i)
        sum += at(i) = std::exp(at(i) - largest);
      for (int64_t i = 0; i < view.size; ++i)
        at(i) /= sum;
    }
  return store(type, values);
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

/// Computes every output element of a pool by `reduce(taps, y, x)`, where
/// `taps` are the elements of the window at (y, x) that lie inside the data.
template <typename OpT, typename ReduceFn>
static HostTensor runPool(OpT op, const HostTensor &tensor, ReduceFn reduce) {
  RankedTensorType type = getResultType(op);
  Window2D window = op.getWindow();
  DataLayout2D layout = *DataLayout2D::parse(op.getDataLayout());
  DataStrides in(tensor.getShape(), layout), out(type.getShape(), layout);
  return withComputeType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> data = load<T>(tensor);
    std::vector<T> result(type.getNumElements());
    std::vector<T> taps;
    for (int64_t n = 0; n < type.getDimSize(layout.n); ++n)
      for (int64_t c = 0; c < type.getDimSize(layout.c); ++c)
        for (int64_t y = 0; y < type.getDimSize(layout.h); ++y)
          for (int64_t x = 0; x < type.getDimSize(layout.w); ++x) {
            taps.clear();
            Taps rows(window, 0, y), columns(window, 1, x);
            for (int64_t i = 0; i < rows.count; ++i)
              for (int64_t j = 0; j < columns.count; ++j) {
                int64_t h = rows.position + i * rows.dilation;
                int64_t w = columns.position + j * columns.dilation;
                taps.push_back(data[n * in.n + c * in.c + h * in.h + w * in.w]);
              }
            result[n * out.n + c * out.c + y * out.h + x * out.w] =
                reduce(taps, y, x);
          }
    return store(type, result);
  });
}

/// The value that loses against every element of type `type`.
template <typename T>
static T getLowest(Type type) {
  if constexpr (std::is_same_v<T, double>)
    return -std::numeric_limits<double>::infinity();
  HostTensor lowest(RankedTensorType::get({}, type));
  lowest.setDouble(0, -std::numeric_limits<double>::infinity()); // Saturates.
  return static_cast<T>(lowest.getInt(0));
}

Result kernels::run(MaxPool2dOp op, Operands operands, EmitErrorFn emitError) {
  Type elementType = getResultType(op).getElementType();
  return runPool(op, operands[0], [&](const auto &taps, int64_t, int64_t) {
    using T = typename std::decay_t<decltype(taps)>::value_type;
    T result = getLowest<T>(elementType);
    for (T value : taps)
      // The second condition, true for NaN only, lets NaN through.
      if (value > result || value != value)
        result = value;
    return result;
  });
}

/// How many taps of window `o` along `dim` are data or explicit padding. With
/// ceil_mode, a window may hang over the padded data; what hangs over is no
/// part of the mean (ONNX AveragePool-19).
static int64_t countPadded(const Window2D &window, int dim, int64_t o) {
  int64_t start = o * window.strides[dim] - window.padBegin[dim];
  int64_t end = window.input[dim] + window.padEnd[dim];
  return std::min(window.kernel[dim],
                  (end - 1 - start) / window.dilations[dim] + 1);
}

Result kernels::run(AvgPool2dOp op, Operands operands, EmitErrorFn emitError) {
  Window2D window = op.getWindow();
  bool includePad = op.getCountIncludePad();
  return runPool(op, operands[0], [&](const auto &taps, int64_t y, int64_t x) {
    using T = typename std::decay_t<decltype(taps)>::value_type;
    T sum = 0;
    for (T value : taps)
      sum = add(sum, value);
    int64_t count = includePad
                        ? countPadded(window, 0, y) * countPadded(window, 1, x)
                        : int64_t(taps.size());
    // A window that sees padding only has the mean of the padding's zeros.
    return count ? divide(sum, T(count)) : T(0);
  });
}

Result kernels::run(GlobalAvgPool2dOp op, Operands operands,
                    EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  DataLayout2D layout = *DataLayout2D::parse(op.getDataLayout());
  ArrayRef<int64_t> shape = operands[0].getShape();
  DataStrides in(shape, layout), out(type.getShape(), layout);
  return withComputeType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> data = load<T>(operands[0]);
    std::vector<T> result(type.getNumElements());
    int64_t count = shape[layout.h] * shape[layout.w];
    for (int64_t n = 0; n < shape[layout.n]; ++n)
      for (int64_t c = 0; c < shape[layout.c]; ++c) {
        T sum = 0;
        for (int64_t h = 0; h < shape[layout.h]; ++h)
          for (int64_t w = 0; w < shape[layout.w]; ++w)
            sum = add(sum, data[n * in.n + c * in.c + h * in.h + w * in.w]);
        result[n * out.n + c * out.c] = count ? divide(sum, T(count)) : T(0);
      }
    return store(type, result);
  });
}
