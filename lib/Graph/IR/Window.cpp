//===- Window.cpp - The geometry of sliding windows -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Verifiers call this before they know that the numbers are sane, so nothing
// here may overflow: sums and products that do saturate at the largest int64_t.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/IR/Window.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace uma::graph;

static constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

/// lhs + rhs for lhs, rhs >= 0.
static int64_t saturatingAdd(int64_t lhs, int64_t rhs) {
  int64_t sum;
  return llvm::AddOverflow(lhs, rhs, sum) ? kMax : sum;
}

/// lhs * rhs for lhs, rhs >= 0.
static int64_t saturatingMultiply(int64_t lhs, int64_t rhs) {
  int64_t product;
  return llvm::MulOverflow(lhs, rhs, product) ? kMax : product;
}

std::optional<DataLayout2D> DataLayout2D::parse(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<DataLayout2D>>(name)
      .Case("NCHW", DataLayout2D{/*n=*/0, /*c=*/1, /*h=*/2, /*w=*/3})
      .Case("NHWC", DataLayout2D{/*n=*/0, /*c=*/3, /*h=*/1, /*w=*/2})
      .Default(std::nullopt);
}

std::optional<KernelLayout2D> KernelLayout2D::parse(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<KernelLayout2D>>(name)
      .Case("OIHW", KernelLayout2D{/*o=*/0, /*i=*/1, /*h=*/2, /*w=*/3})
      .Case("OHWI", KernelLayout2D{/*o=*/0, /*i=*/3, /*h=*/1, /*w=*/2})
      .Case("HWIO", KernelLayout2D{/*o=*/3, /*i=*/2, /*h=*/0, /*w=*/1})
      .Default(std::nullopt);
}

int64_t Window2D::getExtent(int dim) const {
  if (kernel[dim] <= 0)
    return 0;
  return saturatingAdd(saturatingMultiply(kernel[dim] - 1, dilations[dim]), 1);
}

int64_t Window2D::getOutput(int dim) const {
  int64_t stride = strides[dim], extent = getExtent(dim);
  if (stride <= 0 || extent <= 0)
    return 0;
  int64_t dataEnd = saturatingAdd(padBegin[dim], input[dim]);
  // How far the first window can move; negative when it does not fit.
  int64_t slack = saturatingAdd(dataEnd, padEnd[dim]) - extent;
  if (!ceilMode)
    return slack < 0 ? 0 : slack / stride + 1;
  if (slack < 0) {
    // A window that hangs out by less than a stride is rounded up into being.
    return slack > -stride && dataEnd > 0 ? 1 : 0;
  }
  int64_t output = slack / stride + 1 + (slack % stride != 0);
  // ONNX and PyTorch leave out a last window that starts behind the data.
  if (saturatingMultiply(output - 1, stride) >= dataEnd)
    --output;
  return output;
}

std::array<int64_t, 4> Window2D::getSamePadding(bool upper) const {
  std::array<int64_t, 4> padding = {0, 0, 0, 0};
  for (int dim : {0, 1}) {
    if (strides[dim] <= 0 || input[dim] <= 0)
      continue;
    int64_t output = (input[dim] - 1) / strides[dim] + 1;
    // (output - 1) * stride < input, so the product is exact.
    int64_t covered =
        saturatingAdd((output - 1) * strides[dim], getExtent(dim));
    int64_t total = std::max<int64_t>(covered - input[dim], 0);
    int64_t less = total / 2, more = total - less;
    padding[dim] = upper ? less : more;
    padding[dim + 2] = upper ? more : less;
  }
  return padding;
}

bool Window2D::isSamePadding() const {
  return getSamePadding() ==
         std::array<int64_t, 4>{padBegin[0], padBegin[1], padEnd[0], padEnd[1]};
}
