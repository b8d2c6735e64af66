//===- TensorText.cpp - Types of tensors for people -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/TensorText.h"

#include "llvm/Support/Format.h"

using namespace mlir;
using namespace uma;

std::string uma::getQuantizationText(Type element) {
  Quantization type = Quantization::of(element);
  std::string text;
  llvm::raw_string_ostream os(text);
  auto [low, high] =
      std::minmax_element(type.scales.begin(), type.scales.end());
  if (*low == *high)
    os << llvm::format("scale %g", *low);
  else
    os << llvm::format("scales %g to %g", *low, *high);
  auto [first, last] =
      std::minmax_element(type.zeroPoints.begin(), type.zeroPoints.end());
  if (*first == *last)
    os << ", zero point " << *first;
  else
    os << ", zero points " << *first << " to " << *last;
  return text;
}
