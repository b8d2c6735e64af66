//===- ConvOps.cpp - Evaluates convolutions -------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "WindowTaps.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::kernels;

//===----------------------------------------------------------------------===//
// Conv2dOp, Conv3dOp
//===----------------------------------------------------------------------===//

template <typename ConvOp>
static Result runConv(ConvOp op, Operands operands) {
  RankedTensorType type = getResultType(op);
  ConvDims dims = op.getDims();
  const Window &window = dims.window;
  WindowLayout layout = *WindowLayout::parse(op.getDataLayout());
  KernelLayout kernelLayout = *KernelLayout::parse(op.getKernelLayout());
  SmallVector<int64_t> in = getStrides(operands[0].getShape());
  SmallVector<int64_t> kernel = getStrides(operands[1].getShape());
  int64_t groupIn = dims.inChannels / dims.groups;
  int64_t groupOut = dims.outChannels / dims.groups;

  return withComputeType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> data = loadFactors<T>(operands[0]);
    std::vector<T> weight = loadFactors<T>(operands[1]);
    std::vector<T> result;
    result.reserve(type.getNumElements());
    forEachIndex(type.getShape(), [&](ArrayRef<int64_t> at) {
      T sum = 0;
      int64_t o = at[layout.c], firstIn = o / groupOut * groupIn;
      int64_t dataBegin = at[layout.n] * in[layout.n] + firstIn * in[layout.c];
      forEachTap(
          window, getSizes(at, layout.spatial),
          [&](ArrayRef<int64_t> position, ArrayRef<int64_t> tap) {
            int64_t d = dataBegin + getOffset(in, layout.spatial, position);
            int64_t k = o * kernel[kernelLayout.o] +
                        getOffset(kernel, kernelLayout.spatial, tap);
            for (int64_t i = 0; i < groupIn; ++i)
              sum = add(sum, multiply(data[d + i * in[layout.c]],
                                      weight[k + i * kernel[kernelLayout.i]]));
          });
      result.push_back(sum);
    });
    return store(type, result);
  });
}

Result kernels::run(Conv2dOp op, Operands operands, EmitErrorFn emitError) {
  return runConv(op, operands);
}
Result kernels::run(Conv3dOp op, Operands operands, EmitErrorFn emitError) {
  return runConv(op, operands);
}

//===----------------------------------------------------------------------===//
// Transposed convolutions, Col2ImOp
//===----------------------------------------------------------------------===//

/// Computes a transposed convolution as a scatter: every element of the data
/// adds a multiple of the kernel to the result.
template <typename ConvOp>
static Result runConvTranspose(ConvOp op, Operands operands) {
  RankedTensorType type = getResultType(op);
  Window window = op.getResultWindow();
  ArrayRef<int64_t> shape = operands[0].getShape();
  SpatialVector spatial = getSpatialDims(shape);
  SmallVector<int64_t> out = getStrides(type.getShape());
  SmallVector<int64_t> kernel = getStrides(operands[1].getShape());
  int64_t groups = op.getGroups();
  int64_t groupIn = shape[1] / groups, groupOut = type.getDimSize(1) / groups;
  std::vector<double> data = load<double>(operands[0]);
  std::vector<double> weight = load<double>(operands[1]);
  std::vector<double> result(type.getNumElements());
  size_t next = 0;
  forEachIndex(shape, [&](ArrayRef<int64_t> at) {
    double value = data[next++];
    int64_t firstOut = at[1] / groupIn * groupOut;
    forEachTap(window, at.drop_front(2),
               [&](ArrayRef<int64_t> position, ArrayRef<int64_t> tap) {
                 int64_t r = at[0] * out[0] + firstOut * out[1] +
                             getOffset(out, spatial, position);
                 int64_t k =
                     at[1] * kernel[0] + getOffset(kernel, spatial, tap);
                 for (int64_t o = 0; o < groupOut; ++o)
                   result[r + o * out[1]] += value * weight[k + o * kernel[1]];
               });
  });
  return store(type, result);
}

Result kernels::run(Conv2dTransposeOp op, Operands operands,
                    EmitErrorFn emitError) {
  return runConvTranspose(op, operands);
}
Result kernels::run(Conv3dTransposeOp op, Operands operands,
                    EmitErrorFn emitError) {
  return runConvTranspose(op, operands);
}

Result kernels::run(Col2ImOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  Window window = op.getResultWindow();
  SmallVector<int64_t> out = getStrides(type.getShape());
  SpatialVector spatial = getSpatialDims(type.getShape());
  SmallVector<int64_t> block = getStrides(op.getBlockShape());
  SpatialVector counts;
  int64_t taps = 1, windows = 1;
  for (int64_t dim = 0; dim < window.getRank(); ++dim) {
    counts.push_back(window.getOutput(dim));
    windows *= counts.back();
    taps *= window.kernel[dim];
  }
  SpatialVector blockDims =
      llvm::to_vector_of<int64_t, 3>(llvm::seq<int64_t>(0, window.getRank()));
  return withComputeType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> data = load<T>(operands[0]);
    std::vector<T> result(type.getNumElements());
    int64_t channels = type.getDimSize(1);
    for (int64_t row = 0; row < type.getDimSize(0) * channels; ++row) {
      int64_t index = 0;
      forEachIndex(counts, [&](ArrayRef<int64_t> at) {
        forEachTap(
            window, at, [&](ArrayRef<int64_t> position, ArrayRef<int64_t> tap) {
              int64_t d =
                  (row * taps + getOffset(block, blockDims, tap)) * windows +
                  index;
              T &sum = result[row * out[1] + getOffset(out, spatial, position)];
              sum = add(sum, data[d]);
            });
        ++index;
      });
    }
    return store(type, result);
  });
}

//===----------------------------------------------------------------------===//
// DeformableConv2dOp
//===----------------------------------------------------------------------===//

/// Returns the bilinear sample of a plane at a fractional position; 0 outside.
static double sample(const double *plane, int64_t height, int64_t width,
                     double y, double x) {
  // NaN counts as outside.
  bool isInside = y > -1 && y < height && x > -1 && x < width;
  if (!isInside)
    return 0;
  double top = std::floor(y), left = std::floor(x), sum = 0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      int64_t row = int64_t(top) + i, column = int64_t(left) + j;
      if (row < 0 || row >= height || column < 0 || column >= width)
        continue;
      double weight =
          (i ? y - top : 1 - (y - top)) * (j ? x - left : 1 - (x - left));
      sum += weight * plane[row * width + column];
    }
  return sum;
}

Result kernels::run(DeformableConv2dOp op, Operands operands,
                    EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  Window window = op.getWindow();
  ArrayRef<int64_t> in = operands[0].getShape();
  int64_t groupIn = in[1] / op.getGroups();
  int64_t groupOut = type.getDimSize(1) / int64_t(op.getGroups());
  int64_t channelsPerOffset = in[1] / op.getOffsetGroups();
  int64_t height = window.kernel[0], width = window.kernel[1];
  std::vector<double> data = load<double>(operands[0]);
  std::vector<double> offset = load<double>(operands[1]);
  std::vector<double> weight = load<double>(operands[2]);
  std::vector<double> mask;
  if (op.getMask())
    mask = load<double>(operands[3]);
  int64_t plane = type.getDimSize(2) * type.getDimSize(3);
  int64_t taps = int64_t(op.getOffsetGroups()) * height * width;
  std::vector<double> result;
  forEachIndex(type.getShape(), [&](ArrayRef<int64_t> at) {
    double sum = 0;
    int64_t pixel = at[2] * type.getDimSize(3) + at[3];
    for (int64_t i = 0; i < groupIn; ++i) {
      int64_t channel = at[1] / groupOut * groupIn + i;
      for (int64_t kh = 0; kh < height; ++kh)
        for (int64_t kw = 0; kw < width; ++kw) {
          int64_t tap =
              (channel / channelsPerOffset * height + kh) * width + kw;
          const double *moved = &offset[(at[0] * taps + tap) * 2 * plane];
          double y = double(at[2] * window.strides[0] - window.padBegin[0] +
                            kh * window.dilations[0]) +
                     moved[pixel];
          double x = double(at[3] * window.strides[1] - window.padBegin[1] +
                            kw * window.dilations[1]) +
                     moved[plane + pixel];
          double value =
              sample(&data[(at[0] * in[1] + channel) * in[2] * in[3]], in[2],
                     in[3], y, x);
          if (!mask.empty())
            value *= mask[(at[0] * taps + tap) * plane + pixel];
          sum += value *
                 weight[((at[1] * groupIn + i) * height + kh) * width + kw];
        }
    }
    result.push_back(sum);
  });
  return store(type, result);
}
