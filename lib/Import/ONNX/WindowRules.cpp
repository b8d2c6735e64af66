//===- WindowRules.cpp - What convolutions and pools share -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "WindowRules.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;
using graph::Window2D;

LogicalResult importer::checkTwoSpatialDims(Node &node, Value data) {
  int64_t spatial = int64_t(getShape(data).size()) - 2;
  if (spatial == 2)
    return success();
  std::string shape = formatShape(getShape(data));
  if (spatial < 1)
    return node.badInput("the data have the shape " + shape +
                         "; expected [N, C, H, W]");
  return node.notSupported("the data have the shape " + shape + ", which is " +
                           Twine(spatial) +
                           "-D; only 2-D, [N, C, H, W], is supported");
}

/// A list attribute with one entry for each of `count` sides; `low` is the
/// smallest entry that is right.
static std::optional<SmallVector<int64_t>> readList(Node &node, StringRef name,
                                                    size_t count, int64_t low,
                                                    int64_t defaultValue) {
  auto list = node.getIntsAttr(name);
  if (!list)
    return SmallVector<int64_t>(count, defaultValue);
  if (list->size() != count) {
    (void)node.badInput("attribute '" + name + "' has " + Twine(list->size()) +
                        " entries; expected " + Twine(count));
    return std::nullopt;
  }
  for (int64_t entry : *list)
    if (entry < low) {
      (void)node.badInput("attribute '" + name + "' has the entry " +
                          Twine(entry) + "; expected " + Twine(low) +
                          " or more");
      return std::nullopt;
    }
  return list;
}

std::optional<Window2D> importer::readWindow(Node &node, Value data,
                                             ArrayRef<int64_t> kernel,
                                             bool hasDilations) {
  auto strides = readList(node, "strides", 2, /*low=*/1, /*defaultValue=*/1);
  auto pads = readList(node, "pads", 4, /*low=*/0, /*defaultValue=*/0);
  std::optional<SmallVector<int64_t>> dilations = SmallVector<int64_t>{1, 1};
  if (hasDilations)
    dilations = readList(node, "dilations", 2, /*low=*/1, /*defaultValue=*/1);
  StringRef autoPad = node.getStringAttr("auto_pad", "NOTSET");
  if (!strides || !pads || !dilations)
    return std::nullopt;

  Window2D window;
  for (int dim : {0, 1}) {
    window.input[dim] = getShape(data)[2 + dim];
    window.kernel[dim] = kernel[dim];
    window.strides[dim] = (*strides)[dim];
    window.dilations[dim] = (*dilations)[dim];
    window.padBegin[dim] = (*pads)[dim];
    window.padEnd[dim] = (*pads)[dim + 2];
  }
  if (autoPad == "NOTSET" || autoPad.empty())
    return window;
  if (llvm::any_of(*pads, [](int64_t pad) { return pad != 0; })) {
    (void)node.badInput("has both 'pads' and the 'auto_pad' " + quote(autoPad));
    return std::nullopt;
  }
  if (autoPad == "VALID")
    return window;
  if (autoPad != "SAME_UPPER" && autoPad != "SAME_LOWER") {
    (void)node.badInput("attribute 'auto_pad' is " + quote(autoPad) +
                        "; expected NOTSET, SAME_UPPER, SAME_LOWER or VALID");
    return std::nullopt;
  }
  auto [top, left, bottom, right] =
      window.getSamePadding(/*upper=*/autoPad == "SAME_UPPER");
  window.padBegin = {top, left};
  window.padEnd = {bottom, right};
  return window;
}
