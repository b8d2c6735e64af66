//===- ReshapingRules.cpp - Operators that keep the order of elements -----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "llvm/Support/MathExtras.h"

#include <functional>
#include <numeric>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

/// Returns the number of elements. Cannot overflow, since tensors are limited.
static int64_t product(ArrayRef<int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                         std::multiplies<>());
}

//===----------------------------------------------------------------------===//
// Flatten, Reshape
//===----------------------------------------------------------------------===//

static LogicalResult importFlatten(Node &node) {
  Value data = node.getOperand(0);
  ArrayRef<int64_t> shape = getShape(data);
  // The axis may be one past the last dimension.
  int64_t rank = shape.size(), written = node.getIntAttr("axis", 1);
  std::optional<int64_t> axis =
      written == rank ? rank : normalizeAxis(node, written, rank);
  if (!axis)
    return failure();
  if (*axis == 1 && shape.size() > 1)
    return node.yield(node.create<graph::BatchFlattenOp>({data}));
  return node.yield(
      node.createReshape(data, {product(shape.take_front(*axis)),
                                product(shape.drop_front(*axis))}));
}

static LogicalResult importReshape(Node &node) {
  Value data = node.getOperand(0);
  ArrayRef<int64_t> from = getShape(data);
  auto shape =
      node.getOpset() < 5 ? node.getIntsAttr("shape") : node.getInts(1);
  if (!shape)
    return node.badInput("needs the attribute 'shape'");
  SmallVector<int64_t> to = *shape;
  std::string written = formatShape(to);
  bool allowZero = node.getOpset() >= 14 && node.getFlagAttr("allowzero");
  int64_t known = 1, unknownDim = -1, count = product(from);
  for (auto [dim, size] : llvm::enumerate(to)) {
    if (size == 0 && !allowZero) {
      if (dim >= from.size())
        return node.badInput("the new shape " + written + " keeps dimension " +
                             Twine(dim) + ", which the data, " +
                             formatShape(from) + ", do not have");
      size = from[dim];
    }
    if (size < -1 || (size == -1 && unknownDim != -1))
      return node.badInput("the new shape " + written +
                           " is invalid; at most one size may be -1");
    if (size == -1)
      unknownDim = dim;
    else if (llvm::MulOverflow(known, size, known))
      known = 0; // cannot be the number of elements
  }
  if (unknownDim != -1 && known > 0) {
    to[unknownDim] = count / known;
    known *= to[unknownDim];
  }
  if (known != count)
    return node.badInput(
        "the data have the shape " + formatShape(from) + ", " + Twine(count) +
        " elements, which does not fit the new shape " + written);
  return node.yield(node.createReshape(data, to));
}

//===----------------------------------------------------------------------===//
// Squeeze, Unsqueeze
//===----------------------------------------------------------------------===//

/// Returns the axes of Squeeze or Unsqueeze as a mask over `rank` dimensions.
static std::optional<SmallVector<bool>>
readAxesMask(Node &node, ArrayRef<int64_t> axes, int64_t rank) {
  SmallVector<bool> mask(rank, false);
  for (int64_t written : axes) {
    auto axis = normalizeAxis(node, written, rank);
    if (!axis)
      return std::nullopt;
    if (mask[*axis]) {
      (void)node.badInput("axis " + Twine(written) + " is given twice");
      return std::nullopt;
    }
    mask[*axis] = true;
  }
  return mask;
}

/// Returns the axes: an attribute until opset 12, later an input.
static std::optional<SmallVector<int64_t>> readAxesList(Node &node) {
  return node.getOpset() < 13 ? node.getIntsAttr("axes") : node.getInts(1);
}

static LogicalResult importSqueeze(Node &node) {
  Value data = node.getOperand(0);
  ArrayRef<int64_t> shape = getShape(data);
  auto axes = readAxesList(node);
  auto mask =
      readAxesMask(node, axes.value_or(SmallVector<int64_t>()), shape.size());
  if (!mask)
    return failure();
  SmallVector<int64_t> result;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if ((*mask)[dim] && size != 1)
      return node.badInput("dimension " + Twine(dim) + " of the data, " +
                           formatShape(shape) + ", is not 1");
    if (axes ? !(*mask)[dim] : size != 1)
      result.push_back(size);
  }
  return node.yield(node.createReshape(data, result));
}

static LogicalResult importUnsqueeze(Node &node) {
  Value data = node.getOperand(0);
  ArrayRef<int64_t> shape = getShape(data);
  auto axes = readAxesList(node);
  if (!axes)
    return node.badInput("needs the attribute 'axes'");
  auto mask = readAxesMask(node, *axes, shape.size() + axes->size());
  if (!mask)
    return failure();
  SmallVector<int64_t> result;
  for (bool isNew : *mask) {
    result.push_back(isNew ? 1 : shape.front());
    if (!isNew)
      shape = shape.drop_front();
  }
  return node.yield(node.createReshape(data, result));
}

ArrayRef<Rule> importer::getReshapingRules() {
  static constexpr Rule rules[] = {
      {"Flatten", 1, "input~", importFlatten},
      {"Reshape", 1, "data~", importReshape},
      {"Reshape", 5, "data~ shape=", importReshape},
      {"Squeeze", 1, "data~", importSqueeze},
      {"Squeeze", 13, "data~ axes=?", importSqueeze},
      {"Unsqueeze", 1, "data~", importUnsqueeze},
      {"Unsqueeze", 13, "data~ axes=", importUnsqueeze},
  };
  return rules;
}
