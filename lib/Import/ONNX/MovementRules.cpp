//===- MovementRules.cpp - Concat, Pad, Transpose, Cast -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

static LogicalResult importConcat(Node &node) {
  graph::ConcatenateOp::Properties properties;
  properties.axis =
      node.getBuilder().getI64IntegerAttr(node.getRequiredIntAttr("axis"));
  return node.yield(
      node.create<graph::ConcatenateOp>(node.getOperands(), properties));
}

static LogicalResult importTranspose(Node &node) {
  Value data = node.getOperand(0);
  auto perm = node.getIntsAttr("perm");
  if (!perm)
    perm = llvm::to_vector(
        llvm::reverse(llvm::seq<int64_t>(0, getShape(data).size())));
  return node.yield(node.createTranspose(data, *perm));
}

//===----------------------------------------------------------------------===//
// Pad
//===----------------------------------------------------------------------===//

/// `pads` has all beginnings, then all ends, for the dimensions in `axes`.
static LogicalResult createPad(Node &node, ArrayRef<int64_t> pads,
                               ArrayRef<int64_t> axes, double value) {
  Value data = node.getOperand(0);
  int64_t rank = getShape(data).size();
  StringRef mode = node.getStringAttr("mode", "constant");
  if (mode != "constant")
    return node.notSupported("attribute 'mode' is " + quote(mode) +
                             "; only 'constant' is supported");
  if (pads.size() != 2 * axes.size())
    return node.badInput("has " + Twine(pads.size()) + " pads; expected " +
                         Twine(2 * axes.size()) + ", two for each dimension");
  SmallVector<int64_t> before(rank, 0), after(rank, 0);
  SmallVector<bool> isPadded(rank, false);
  for (auto [index, written] : llvm::enumerate(axes)) {
    auto axis = normalizeAxis(node, written, rank);
    if (!axis)
      return failure();
    if (isPadded[*axis])
      return node.badInput("axis " + Twine(written) + " is given twice");
    isPadded[*axis] = true;
    before[*axis] = pads[index];
    after[*axis] = pads[index + axes.size()];
    if (before[*axis] < 0 || after[*axis] < 0)
      return node.notSupported("has a negative pad, which crops dimension " +
                               Twine(*axis) + "; this is not supported");
  }
  graph::PadOp::Properties properties;
  properties.pad_before = node.getBuilder().getDenseI64ArrayAttr(before);
  properties.pad_after = node.getBuilder().getDenseI64ArrayAttr(after);
  properties.pad_value = node.getBuilder().getF64FloatAttr(value);
  return node.yield(node.create<graph::PadOp>({data}, properties));
}

/// One pad at both ends of every dimension, in order.
static SmallVector<int64_t> getAllAxes(Node &node) {
  return llvm::to_vector(
      llvm::seq<int64_t>(0, getShape(node.getOperand(0)).size()));
}

static LogicalResult importPadAttributes(Node &node) {
  auto pads = node.getIntsAttr("pads");
  if (!pads)
    return node.badInput("needs the attribute 'pads'");
  return createPad(node, *pads, getAllAxes(node),
                   node.getFloatAttr("value", 0.0));
}

static LogicalResult importPadInputs(Node &node) {
  auto axes = node.getInts(3);
  return createPad(node, *node.getInts(1), axes ? *axes : getAllAxes(node),
                   node.getScalar(2).value_or(0.0));
}

ArrayRef<Rule> importer::getMovementRules() {
  static constexpr Rule rules[] = {
      {"Concat", 4, "inputs*", importConcat},
      {"Pad", 2, "data", importPadAttributes},
      {"Pad", 11, "data pads= constant_value=?", importPadInputs},
      {"Pad", 18, "data pads= constant_value=? axes=?", importPadInputs},
      {"Transpose", 1, "data", importTranspose},
  };
  return rules;
}
