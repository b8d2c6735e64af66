//===- MovementRules.cpp - Concat, Pad, Transpose -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "MovementRules.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

static LogicalResult importConcat(Node &node) {
  graph::ConcatenateOp::Properties properties;
  int64_t axis = node.getOpset() < 4 ? node.getIntAttr("axis", 1)
                                     : node.getRequiredIntAttr("axis");
  properties.axis = node.getBuilder().getI64IntegerAttr(axis);
  // Drop parts without elements.
  SmallVector<Value> parts =
      llvm::filter_to_vector(node.getOperands(), [](Value part) {
        return !llvm::is_contained(getShape(part), 0);
      });
  return node.yield(node.create<graph::ConcatenateOp>(
      parts.empty() ? node.getOperands() : parts, properties));
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

static Value createPad(Node &node, Value data, ArrayRef<int64_t> before,
                       ArrayRef<int64_t> after, StringRef mode, double value) {
  bool isPadded = llvm::any_of(llvm::concat<const int64_t>(before, after),
                               [](int64_t pad) { return pad != 0; });
  if (!data || !isPadded)
    return data;
  graph::PadOp::Properties properties;
  properties.pad_before = node.getBuilder().getDenseI64ArrayAttr(before);
  properties.pad_after = node.getBuilder().getDenseI64ArrayAttr(after);
  properties.pad_value = node.getBuilder().getF64FloatAttr(value);
  properties.pad_mode = node.getBuilder().getStringAttr(mode);
  return node.create<graph::PadOp>({data}, properties);
}

Value importer::createConstantPad(Node &node, Value data,
                                  ArrayRef<int64_t> before,
                                  ArrayRef<int64_t> after, double value) {
  return createPad(node, data, before, after, "constant", value);
}

/// Imports a pad. `pads` holds all paddings before, then all paddings after,
/// the dimensions in `axes`. Negative ones crop. `value` is null for zeros.
static LogicalResult importPad(Node &node, ArrayRef<int64_t> pads,
                               ArrayRef<int64_t> axes,
                               const HostTensor *value) {
  Value data = node.getOperand(0);
  int64_t rank = getShape(data).size();
  StringRef mode = node.getStringAttr("mode", "constant");
  if (!llvm::is_contained({"constant", "edge", "reflect", "wrap"}, mode))
    return node.badInput("attribute 'mode' is " + quote(mode) +
                         "; expected 'constant', 'edge', 'reflect' or 'wrap'");
  if (pads.size() != 2 * axes.size())
    return node.badInput("has " + Twine(pads.size()) + " pads; expected " +
                         Twine(2 * axes.size()) + ", two for each dimension");
  auto normalized = readAxes(node, SmallVector<int64_t>(axes), rank);
  if (!normalized)
    return failure();
  SmallVector<int64_t> before(rank, 0), after(rank, 0);
  SmallVector<int64_t> begin(rank, 0), strides(rank, 1);
  SmallVector<int64_t> size(getShape(data));
  for (auto [index, axis] : llvm::enumerate(*normalized)) {
    int64_t first = pads[index], last = pads[index + axes.size()];
    before[axis] = std::max<int64_t>(first, 0);
    after[axis] = std::max<int64_t>(last, 0);
    begin[axis] = std::max<int64_t>(-first, 0);
    size[axis] -= begin[axis] + std::max<int64_t>(-last, 0);
    if (size[axis] < 0)
      return node.badInput("crops dimension " + Twine(axis) + " of size " +
                           Twine(getShape(data)[axis]) + " by " +
                           Twine(getShape(data)[axis] - size[axis]));
  }
  Value cropped = createSlice(node, data, begin, size, strides);
  if (!value || value->isExactDouble(0))
    return node.yield(createPad(node, cropped, before, after, mode,
                                value ? value->getDouble(0) : 0));
  // Sums of integers wrap: zeros are padded to the differences from the value.
  Value offset = node.createConstant(value->reshaped({}));
  Value padded =
      createPad(node, node.create<graph::SubtractOp>({cropped, offset}), before,
                after, mode, 0);
  return node.yield(node.create<graph::AddOp>({padded, offset}));
}

/// Returns all axes of the data in order.
static SmallVector<int64_t> getAllAxes(Node &node) {
  return llvm::to_vector(
      llvm::seq<int64_t>(0, getShape(node.getOperand(0)).size()));
}

static LogicalResult importPadAttributes(Node &node) {
  auto pads = node.getIntsAttr("pads");
  if (!pads)
    return node.badInput("needs the attribute 'pads'");
  HostTensor value(
      RankedTensorType::get({}, Float64Type::get(node.getContext())));
  value.setDouble(0, node.getFloatAttr("value", 0.0));
  return importPad(node, *pads, getAllAxes(node), &value);
}

static LogicalResult importPadInputs(Node &node) {
  auto axes = node.getInts(3);
  FailureOr<const HostTensor *> value = node.getElement(2);
  if (failed(value))
    return failure();
  return importPad(node, *node.getInts(1), axes ? *axes : getAllAxes(node),
                   *value);
}

ArrayRef<Rule> importer::getMovementRules() {
  static constexpr Rule rules[] = {
      {"Concat", 1, "inputs~*", importConcat},
      {"Pad", 2, "data", importPadAttributes},
      {"Pad", 11, "data pads= constant_value=?", importPadInputs},
      {"Pad", 18, "data pads= constant_value=? axes=?", importPadInputs},
      {"Transpose", 1, "data~", importTranspose},
  };
  return rules;
}
