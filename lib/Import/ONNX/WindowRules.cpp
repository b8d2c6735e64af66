//===- WindowRules.cpp - Helpers for convolutions and pools ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "WindowRules.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;
using graph::Window;

std::optional<int64_t> importer::getSpatialRank(Node &node, Value data,
                                                int64_t most) {
  int64_t spatial = int64_t(getShape(data).size()) - 2;
  if (spatial >= 1 && spatial <= most)
    return spatial;
  std::string shape = formatShape(getShape(data));
  if (spatial < 1)
    (void)node.badInput("the data have the shape " + shape +
                        "; expected [N, C, H, W] or other spatial dimensions "
                        "than H and W");
  else
    (void)node.notSupported("the data have the shape " + shape + ", which is " +
                            Twine(spatial) + "-D; only 1-D to " + Twine(most) +
                            "-D are supported");
  return std::nullopt;
}

std::optional<SmallVector<int64_t>>
importer::readListAttr(Node &node, StringRef name, size_t count, int64_t low,
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

std::optional<Window> importer::readWindow(Node &node, ArrayRef<int64_t> input,
                                           ArrayRef<int64_t> kernel,
                                           bool hasDilations) {
  size_t rank = input.size();
  auto strides = readListAttr(node, "strides", rank, /*low=*/1,
                              /*defaultValue=*/1);
  auto pads = readListAttr(node, "pads", 2 * rank, /*low=*/0,
                           /*defaultValue=*/0);
  std::optional<SmallVector<int64_t>> dilations = SmallVector<int64_t>(rank, 1);
  if (hasDilations)
    dilations = readListAttr(node, "dilations", rank, /*low=*/1,
                             /*defaultValue=*/1);
  StringRef autoPad = node.getStringAttr("auto_pad", "NOTSET");
  if (!strides || !pads || !dilations)
    return std::nullopt;

  Window window;
  window.input = graph::SpatialVector(input);
  window.kernel = graph::SpatialVector(kernel);
  window.strides = graph::SpatialVector(ArrayRef(*strides));
  window.dilations = graph::SpatialVector(ArrayRef(*dilations));
  auto setPadding = [&](ArrayRef<int64_t> padding) {
    window.padBegin = graph::SpatialVector(padding.take_front(rank));
    window.padEnd = graph::SpatialVector(padding.drop_front(rank));
  };
  setPadding(*pads);
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
  setPadding(window.getSamePadding(/*upper=*/autoPad == "SAME_UPPER"));
  return window;
}

Window importer::addHeight(const Window &window) {
  Window result = window;
  result.input.insert(result.input.begin(), 1);
  result.kernel.insert(result.kernel.begin(), 1);
  result.strides.insert(result.strides.begin(), 1);
  result.dilations.insert(result.dilations.begin(), 1);
  result.padBegin.insert(result.padBegin.begin(), 0);
  result.padEnd.insert(result.padEnd.begin(), 0);
  return result;
}

Value importer::addHeight(Node &node, Value value) {
  ArrayRef<int64_t> shape = getShape(value);
  return node.createReshape(value, {shape[0], shape[1], 1, shape[2]});
}

Value importer::dropHeight(Node &node, Value value) {
  if (!value)
    return {};
  ArrayRef<int64_t> shape = getShape(value);
  return node.createReshape(value, {shape[0], shape[1], shape[3]});
}
