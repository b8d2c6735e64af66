//===- ConvGeometry.cpp - Geometry of a convolution -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/ConvGeometry.h"

#include "uma/CPU/Model/Layer.h"
#include "uma/Graph/IR/GraphOps.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace uma;

static ConvAxis getConvAxis(const graph::Window &window, int64_t dim) {
  return {window.getOutput(dim),
          1,
          0,
          window.kernel[dim],
          0,
          1,
          window.strides[dim],
          window.dilations[dim],
          -window.padBegin[dim]};
}

/// Drops outer taps of `axis` that only read padding, as in windows with large
/// dilation, but keeps at least one tap.
static void dropPadding(ConvAxis &axis, int64_t input) {
  int64_t last = (axis.results - 1) * axis.dataStride + axis.dataOffset;
  int64_t taps = axis.taps;
  while (taps > 1 && (taps - 1) * axis.dataStep + axis.dataOffset >= input)
    --taps;
  int64_t first = 0;
  while (first + 1 < taps && first * axis.dataStep + last < 0)
    ++first;
  axis.firstTap += first * axis.tapStep;
  axis.dataOffset += first * axis.dataStep;
  axis.taps = taps - first;
}

/// Returns the results `phase`, `phase + stride`, ... of a transposed
/// convolution whose window slides over the result; std::nullopt if no tap
/// reaches them.
static std::optional<ConvAxis> getPhase(const graph::Window &window,
                                        int64_t dim, int64_t phase) {
  int64_t stride = window.strides[dim], dilation = window.dilations[dim];
  ConvAxis axis{};
  axis.results = llvm::divideCeil(window.input[dim] - phase, stride);
  axis.resultStride = stride;
  axis.resultOffset = phase;
  // Tap k adds data i to result r if r = i * stride + k * dilation - pad.
  axis.tapStep = stride / std::gcd(stride, dilation);
  int64_t position = phase + window.padBegin[dim];
  while (axis.firstTap < std::min(axis.tapStep, window.kernel[dim]) &&
         (position - axis.firstTap * dilation) % stride != 0)
    ++axis.firstTap;
  if (axis.firstTap == std::min(axis.tapStep, window.kernel[dim]))
    return std::nullopt;
  axis.taps =
      llvm::divideCeil(window.kernel[dim] - axis.firstTap, axis.tapStep);
  axis.dataStride = 1;
  axis.dataStep = -(axis.tapStep * dilation / stride);
  axis.dataOffset = (position - axis.firstTap * dilation) / stride;
  return axis;
}

std::optional<ConvGeometry> ConvGeometry::of(Operation *op) {
  ConvGeometry result;
  if (auto conv = dyn_cast<graph::Conv2dOp>(op)) {
    graph::ConvDims dims = conv.getDims();
    result.hasWords = getWordSize(op) != 1;
    result.batch = dims.batch;
    result.inChannels = dims.inChannels;
    result.outChannels = dims.outChannels;
    result.groups = dims.groups;
    result.names = *graph::WindowLayout::parse(conv.getDataLayout());
    result.kernel = *graph::KernelLayout::parse(conv.getKernelLayout());
    result.input = {dims.window.input[0], dims.window.input[1]};
    auto &part = result.parts.emplace_back(std::array<ConvAxis, 2>{
        getConvAxis(dims.window, 0), getConvAxis(dims.window, 1)});
    // The kernel of depthwise convolutions expects whole windows.
    if (!result.isDepthwise())
      for (auto [axis, input] : llvm::zip_equal(part, result.input))
        dropPadding(axis, input);
    return result;
  }
  auto conv = dyn_cast<graph::Conv2dTransposeOp>(op);
  if (!conv)
    return std::nullopt;
  ArrayRef<int64_t> data = conv.getData().getType().getShape();
  graph::Window window = conv.getResultWindow();
  result.batch = data[0];
  result.inChannels = data[1];
  result.outChannels = conv.getType().getDimSize(1);
  result.groups = static_cast<int64_t>(conv.getGroups());
  result.names = *graph::WindowLayout::parse("NCHW");
  result.kernel = {1, 0, {2, 3}};
  result.isTransposed = true;
  result.input = {data[2], data[3]};
  // Limit the number of parts, each of which is separate code.
  constexpr int64_t most = 16;
  int64_t rows = std::min(window.strides[0], window.input[0]);
  int64_t columns = std::min(window.strides[1], window.input[1]);
  if (rows > most || columns > most || rows * columns > most)
    return std::nullopt;
  for (int64_t y = 0; y < rows; ++y)
    for (int64_t x = 0; x < columns; ++x) {
      std::optional<ConvAxis> vertical = getPhase(window, 0, y);
      std::optional<ConvAxis> horizontal = getPhase(window, 1, x);
      if (!vertical || !horizontal)
        return std::nullopt;
      result.parts.push_back({*vertical, *horizontal});
    }
  return result;
}

bool ConvGeometry::fitsPlanes() const {
  return groups == 1 && names.c == 1 && !hasWords &&
         llvm::all_of(parts, [](const std::array<ConvAxis, 2> &part) {
           return part[1].dataStride == 1 && part[1].results >= 4;
         });
}

bool ConvGeometry::isPlanar() const {
  // From 4 channels on, vectors of channels are partly used, without a copy to
  // planes.
  int64_t taps = parts[0][0].taps * parts[0][1].taps;
  bool isFew = outChannels < 4 || (outChannels < 8 && taps >= 9);
  return isFew && fitsPlanes();
}

bool ConvGeometry::skipsPadding() const {
  constexpr int64_t mostResults = 28, mostTaps = 3;
  auto isSmall = [](const auto &dim) {
    const auto &[axis, extent] = dim;
    // Each window reads some data.
    bool seesData = axis.dataOffset > -axis.taps &&
                    axis.dataOffset + axis.results - 1 < extent;
    return seesData && axis.results <= mostResults && axis.taps <= mostTaps &&
           axis.dataStride == 1 && axis.dataStep == 1;
  };
  return !isTransposed &&
         llvm::all_of(llvm::zip_equal(parts.front(), input), isSmall);
}

void ConvGeometry::requireHalo(BufferLayout &layout) const {
  for (const std::array<ConvAxis, 2> &part : parts)
    for (auto [dim, axis] : llvm::enumerate(part)) {
      int64_t reach = (axis.taps - 1) * axis.dataStep;
      int64_t first = axis.dataOffset + std::min<int64_t>(0, reach);
      int64_t last = axis.dataOffset + std::max<int64_t>(0, reach) +
                     (axis.results - 1) * axis.dataStride;
      layout.padBegin[dim] = std::max(layout.padBegin[dim], -first);
      layout.padEnd[dim] = std::max(layout.padEnd[dim], last + 1 - input[dim]);
    }
}
