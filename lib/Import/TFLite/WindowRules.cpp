//===- WindowRules.cpp - Windows of convolutions and pools ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "WindowRules.h"

using namespace mlir;
using namespace uma;
using namespace uma::tflite;

LogicalResult tflite::setPadding(Node &node, schema::Padding padding,
                                 graph::Window &window) {
  for (int64_t dim = 0, rank = window.getRank(); dim < rank; ++dim) {
    if (window.strides[dim] < 1 || window.dilations[dim] < 1)
      return node.badInput("has the stride " + Twine(window.strides[dim]) +
                           " and the dilation " + Twine(window.dilations[dim]) +
                           "; expected 1 or more");
    if (window.kernel[dim] < 1)
      return node.badInput("has a window of size " + Twine(window.kernel[dim]) +
                           "; expected 1 or more");
  }
  window.padBegin.assign(window.getRank(), 0);
  window.padEnd.assign(window.getRank(), 0);
  switch (padding) {
  case schema::Padding::VALID:
    return success();
  case schema::Padding::SAME: {
    SmallVector<int64_t, 6> pads = window.getSamePadding();
    ArrayRef<int64_t> all = pads;
    window.padBegin.assign(all.take_front(window.getRank()));
    window.padEnd.assign(all.drop_front(window.getRank()));
    return success();
  }
  }
  return node.badInput("has the padding number " + Twine(int(padding)) +
                       "; expected 0 (SAME) or 1 (VALID)");
}

SmallVector<int64_t> tflite::getPads(const graph::Window &window) {
  SmallVector<int64_t> pads(window.padBegin.begin(), window.padBegin.end());
  pads.append(window.padEnd.begin(), window.padEnd.end());
  return pads;
}
