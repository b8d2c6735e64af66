//===- Window.cpp - The geometry of sliding windows -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Verifiers call these functions with unchecked numbers, so sums and products
// saturate at the largest int64_t instead of overflowing.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/IR/Window.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace uma::graph;

static constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

/// Returns lhs + rhs for lhs, rhs >= 0, saturated.
static int64_t saturatingAdd(int64_t lhs, int64_t rhs) {
  int64_t sum;
  return llvm::AddOverflow(lhs, rhs, sum) ? kMax : sum;
}

/// Returns lhs * rhs for lhs, rhs >= 0, saturated.
static int64_t saturatingMultiply(int64_t lhs, int64_t rhs) {
  int64_t product;
  return llvm::MulOverflow(lhs, rhs, product) ? kMax : product;
}

std::optional<WindowLayout> WindowLayout::parse(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<WindowLayout>>(name)
      .Case("NCHW", WindowLayout{/*n=*/0, /*c=*/1, {2, 3}})
      .Case("NHWC", WindowLayout{/*n=*/0, /*c=*/3, {1, 2}})
      .Case("NCDHW", WindowLayout{/*n=*/0, /*c=*/1, {2, 3, 4}})
      .Case("NDHWC", WindowLayout{/*n=*/0, /*c=*/4, {1, 2, 3}})
      .Default(std::nullopt);
}

std::optional<KernelLayout> KernelLayout::parse(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<KernelLayout>>(name)
      .Case("OIHW", KernelLayout{/*o=*/0, /*i=*/1, {2, 3}})
      .Case("OHWI", KernelLayout{/*o=*/0, /*i=*/3, {1, 2}})
      .Case("HWIO", KernelLayout{/*o=*/3, /*i=*/2, {0, 1}})
      .Case("OIDHW", KernelLayout{/*o=*/0, /*i=*/1, {2, 3, 4}})
      .Case("ODHWI", KernelLayout{/*o=*/0, /*i=*/4, {1, 2, 3}})
      .Case("DHWIO", KernelLayout{/*o=*/4, /*i=*/3, {0, 1, 2}})
      .Default(std::nullopt);
}

int64_t Window::getExtent(int64_t dim) const {
  if (kernel[dim] <= 0)
    return 0;
  return saturatingAdd(saturatingMultiply(kernel[dim] - 1, dilations[dim]), 1);
}

int64_t Window::getOutput(int64_t dim) const {
  int64_t stride = strides[dim], extent = getExtent(dim);
  if (stride <= 0 || extent <= 0)
    return 0;
  int64_t dataEnd = saturatingAdd(padBegin[dim], input[dim]);
  // Distance that the first window can move; negative if it does not fit.
  int64_t slack = saturatingAdd(dataEnd, padEnd[dim]) - extent;
  if (!ceilMode)
    return slack < 0 ? 0 : slack / stride + 1;
  if (slack < 0) {
    // Rounding up adds a window that exceeds the data by less than a stride.
    return slack > -stride && dataEnd > 0 ? 1 : 0;
  }
  int64_t output = slack / stride + 1 + (slack % stride != 0);
  // ONNX and PyTorch omit a last window that starts behind the data.
  if (saturatingMultiply(output - 1, stride) >= dataEnd)
    --output;
  return output;
}

llvm::SmallVector<int64_t, 6> Window::getSamePadding(bool upper) const {
  int64_t rank = getRank();
  llvm::SmallVector<int64_t, 6> padding(2 * rank, 0);
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (strides[dim] <= 0 || input[dim] <= 0)
      continue;
    int64_t output = (input[dim] - 1) / strides[dim] + 1;
    // (output - 1) * stride < input, so the product is exact.
    int64_t covered =
        saturatingAdd((output - 1) * strides[dim], getExtent(dim));
    int64_t total = std::max<int64_t>(covered - input[dim], 0);
    int64_t less = total / 2, more = total - less;
    padding[dim] = upper ? less : more;
    padding[dim + rank] = upper ? more : less;
  }
  return padding;
}

bool Window::isSamePadding() const {
  llvm::SmallVector<int64_t, 6> padding(padBegin.begin(), padBegin.end());
  padding.append(padEnd);
  return getSamePadding() == padding;
}
