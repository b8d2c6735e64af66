//===- MovementRules.cpp - Rules that join, part and pad tensors ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "FixedPoint.h"
#include "Rules.h"

using namespace mlir;
using namespace uma;
using namespace uma::tflite;
using schema::BuiltinOperator;

/// Joins tensors of 16 bits. The kernel copies their integers, whatever their
/// scales. Returns null for others.
static Value createWideConcat(Node &node,
                              const schema::ConcatenationOptions &options) {
  unsigned count = node.getOperands().size();
  RankedTensorType type = getFixedPointType(node, count, /*takesWide=*/true);
  if (!type || !isWide(type.getElementType()) ||
      getActivation(&options) != schema::ActivationFunctionType::NONE)
    return {};
  SmallVector<Value> parts;
  for (unsigned i = 0; i < count; ++i)
    if (Value part = node.getStored(i); !llvm::is_contained(getShape(part), 0))
      parts.push_back(castStorage(node, part, node.getBuilder().getI16Type()));
  Value result =
      parts.empty() ? Value() : node.createConcat(parts, options.axis());
  return result ? castStorage(node, result, type.getElementType()) : Value();
}

static LogicalResult importConcatenation(Node &node) {
  const auto *options = node.getOptions<schema::ConcatenationOptions>();
  if (!options)
    return failure();
  if (Value result = createWideConcat(node, *options))
    return node.yield(result);
  // Parts without elements are dropped.
  SmallVector<Value> parts =
      llvm::filter_to_vector(node.getOperands(), [](Value part) {
        return !llvm::is_contained(getShape(part), 0);
      });
  Value result = node.createConcat(parts.empty() ? node.getOperands() : parts,
                                   options->axis());
  if (!result)
    return failure();
  return node.yield(node.createActivation(result, getActivation(options)));
}

/// Imports PACK, which joins tensors along a new axis.
static LogicalResult importPack(Node &node) {
  const auto *options = node.getOptions<schema::PackOptions>();
  if (!options)
    return failure();
  SmallVector<int64_t> shape(getShape(node.getOperand(0)));
  std::optional<int64_t> axis =
      node.normalizeAxis(options->axis(), shape.size() + 1);
  if (!axis)
    return failure();
  SmallVector<Value> parts;
  for (Value part : node.getOperands()) {
    if (getShape(part) != getShape(node.getOperand(0)))
      return node.badInput("packs tensors of the shapes " +
                           formatShape(getShape(node.getOperand(0))) + " and " +
                           formatShape(getShape(part)) +
                           "; expected equal shapes");
    SmallVector<int64_t> unsqueezed(shape);
    unsqueezed.insert(unsqueezed.begin() + *axis, 1);
    parts.push_back(node.createReshape(part, unsqueezed));
  }
  return node.yield(node.createConcat(parts, *axis));
}

/// Yields parts of these sizes along an axis.
static LogicalResult yieldParts(Node &node, Value data, int64_t axis,
                                ArrayRef<int64_t> sizes, bool dropsAxis) {
  SmallVector<int64_t> begin(getShape(data).size(), 0);
  SmallVector<int64_t> strides(begin.size(), 1);
  for (auto [index, size] : llvm::enumerate(sizes)) {
    SmallVector<int64_t> shape(getShape(data));
    shape[axis] = size;
    Value part = node.createSlice(data, begin, shape, strides);
    if (dropsAxis) {
      shape.erase(shape.begin() + axis);
      part = node.createReshape(part, shape);
    }
    if (failed(node.yield(part, index)))
      return failure();
    begin[axis] += size;
  }
  return success();
}

static LogicalResult importUnpack(Node &node) {
  const auto *options = node.getOptions<schema::UnpackOptions>();
  if (!options)
    return failure();
  Value data = node.getOperand(0);
  std::optional<int64_t> axis =
      node.normalizeAxis(options->axis(), getShape(data).size());
  if (!axis)
    return failure();
  if (getShape(data)[*axis] != int64_t(node.getNumResults()))
    return node.badInput("has " + Twine(node.getNumResults()) +
                         " results; expected " + Twine(getShape(data)[*axis]) +
                         ", the size of dimension " + Twine(*axis));
  SmallVector<int64_t> sizes(node.getNumResults(), 1);
  return yieldParts(node, data, *axis, sizes, /*dropsAxis=*/true);
}

/// Imports SPLIT, into as many equal parts as there are results.
static LogicalResult importSplit(Node &node) {
  std::optional<int64_t> given = node.getInt(0);
  if (!given)
    return failure();
  Value data = node.getOperand(1);
  std::optional<int64_t> axis =
      node.normalizeAxis(*given, getShape(data).size());
  if (!axis)
    return failure();
  int64_t count = node.getNumResults(), size = getShape(data)[*axis];
  if (size % count != 0)
    return node.badInput("has " + Twine(count) +
                         " results, which do not divide dimension " +
                         Twine(*axis) + " of " + formatShape(getShape(data)));
  SmallVector<int64_t> sizes(count, size / count);
  return yieldParts(node, data, *axis, sizes, /*dropsAxis=*/false);
}

/// Imports SPLIT_V, into parts of given sizes; -1 stands for the rest.
static LogicalResult importSplitV(Node &node) {
  Value data = node.getOperand(0);
  SmallVector<int64_t> sizes = node.getInts(1);
  std::optional<int64_t> given = node.getInt(2);
  if (!given)
    return failure();
  std::optional<int64_t> axis =
      node.normalizeAxis(*given, getShape(data).size());
  if (!axis)
    return failure();
  int64_t rest = getShape(data)[*axis];
  int64_t *open = nullptr;
  for (int64_t &size : sizes) {
    if (size == -1 && !open)
      open = &size;
    else if (size >= 0)
      rest -= size;
    else
      return node.badInput("a part has the size " + Twine(size));
  }
  if (open)
    *open = rest;
  if (sizes.size() != node.getNumResults() || (open ? rest < 0 : rest != 0))
    return node.badInput("has " + Twine(node.getNumResults()) +
                         " results and " + Twine(sizes.size()) +
                         " sizes, which do not make up dimension " +
                         Twine(*axis) + " of " + formatShape(getShape(data)));
  return yieldParts(node, data, *axis, sizes, /*dropsAxis=*/false);
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

namespace {
struct Padding {
  SmallVector<int64_t> before, after;
};
} // namespace

/// Reads a list of pairs, one for each dimension of the data. Reports wrong
/// ones.
static FailureOr<Padding> readPadding(Node &node) {
  ArrayRef<int64_t> shape = getShape(node.getOperand(0));
  SmallVector<int64_t> pairs = node.getInts(1, /*maxRank=*/2);
  if (pairs.size() != 2 * shape.size())
    return node.badInput("has " + Twine(pairs.size()) +
                         " paddings; expected two for each dimension of " +
                         formatShape(shape));
  Padding padding;
  for (auto [index, pad] : llvm::enumerate(pairs)) {
    if (pad < 0)
      return node.badInput("has the negative padding " + Twine(pad));
    (index % 2 ? padding.after : padding.before).push_back(pad);
  }
  return padding;
}

static LogicalResult importPad(Node &node) {
  FailureOr<Padding> padding = readPadding(node);
  if (failed(padding))
    return failure();
  double value = 0;
  if (node.getOperand(2)) {
    std::optional<double> given = node.getScalar(2);
    if (!given)
      return failure();
    value = *given;
  }
  return node.yield(node.createPad(node.getOperand(0), padding->before,
                                   padding->after, value));
}

/// Imports MIRROR_PAD. SYMMETRIC repeats the elements at the borders, for which
/// each axis is gathered.
static LogicalResult importMirrorPad(Node &node) {
  const auto *options = node.getOptions<schema::MirrorPadOptions>();
  FailureOr<Padding> padding = readPadding(node);
  if (!options || failed(padding))
    return failure();
  Value data = node.getOperand(0);
  bool isSymmetric = options->mode() == schema::MirrorPadMode::SYMMETRIC;
  if (!isSymmetric && options->mode() != schema::MirrorPadMode::REFLECT)
    return node.badInput("has the mode number " + Twine(int(options->mode())) +
                         "; expected 0 (REFLECT) or 1 (SYMMETRIC)");
  SmallVector<int64_t> shape(getShape(data));
  for (auto [axis, size] : llvm::enumerate(shape)) {
    int64_t before = padding->before[axis], after = padding->after[axis];
    int64_t most = isSymmetric ? size : size - 1;
    if (before > most || after > most)
      return node.badInput("pads dimension " + Twine(axis) + " of " +
                           formatShape(shape) + " by " + Twine(before) +
                           " and " + Twine(after) +
                           " elements, more than there are to mirror");
  }
  if (!isSymmetric)
    return node.yield(
        node.createPad(data, padding->before, padding->after, 0, "reflect"));
  for (auto [axis, size] : llvm::enumerate(shape)) {
    int64_t before = padding->before[axis], after = padding->after[axis];
    if (before + after == 0)
      continue;
    if (failed(node.checkComputedSize(RankedTensorType::get(
            {before + size + after}, node.getBuilder().getI64Type()))))
      return failure();
    SmallVector<int64_t> indices;
    for (int64_t i = -before; i < size + after; ++i)
      indices.push_back(i < 0 ? -1 - i : i < size ? i : 2 * size - 1 - i);
    data = node.createTake(data, indices, axis);
  }
  return node.yield(data);
}

//===----------------------------------------------------------------------===//
// Repetition
//===----------------------------------------------------------------------===//

static LogicalResult importBroadcastTo(Node &node) {
  return node.yield(node.createBroadcast(node.getOperand(0), node.getInts(1)));
}

/// Imports TILE: repeats a new dimension in front of each one.
static LogicalResult importTile(Node &node) {
  Value data = node.getOperand(0);
  ArrayRef<int64_t> shape = getShape(data);
  SmallVector<int64_t> multiples = node.getInts(1);
  if (multiples.size() != shape.size() ||
      llvm::any_of(multiples, [](int64_t count) { return count < 0; }))
    return node.badInput("has " + Twine(multiples.size()) +
                         " multiples, or negative ones; expected one for each "
                         "dimension of " +
                         formatShape(shape));
  SmallVector<int64_t> split, repeated, joined;
  for (auto [size, count] : llvm::zip_equal(shape, multiples)) {
    split.append({1, size});
    repeated.append({count, size});
    joined.push_back(count * size);
  }
  if (failed(node.checkResultSize(joined, getElementType(data))))
    return failure();
  data = node.createBroadcast(node.createReshape(data, split), repeated);
  return node.yield(node.createReshape(data, joined));
}

static LogicalResult importReverse(Node &node) {
  Value data = node.getOperand(0);
  ArrayRef<int64_t> shape = getShape(data);
  SmallVector<int64_t> begin(shape.size(), 0), strides(shape.size(), 1);
  for (int64_t axis : node.getInts(1)) {
    std::optional<int64_t> normal = node.normalizeAxis(axis, shape.size());
    if (!normal)
      return failure();
    if (shape[*normal] == 0)
      continue;
    begin[*normal] = shape[*normal] - 1;
    strides[*normal] = -1;
  }
  return node.yield(node.createSlice(data, begin, shape, strides));
}

ArrayRef<Rule> tflite::getMovementRules() {
  static constexpr Rule rules[] = {
      {BuiltinOperator::BROADCAST_TO, "input shape=", importBroadcastTo},
      {BuiltinOperator::CONCATENATION, "values*", importConcatenation},
      {BuiltinOperator::MIRROR_PAD, "input paddings=", importMirrorPad},
      {BuiltinOperator::PACK, "values*", importPack},
      {BuiltinOperator::PAD, "input paddings=", importPad},
      {BuiltinOperator::PADV2, "input paddings= constant_values=", importPad},
      {BuiltinOperator::REVERSE_V2, "input axis=", importReverse},
      {BuiltinOperator::SPLIT, "axis= input", importSplit},
      {BuiltinOperator::SPLIT_V, "input size_splits= axis=", importSplitV},
      {BuiltinOperator::TILE, "input multiples=", importTile},
      {BuiltinOperator::UNPACK, "input", importUnpack},
  };
  return rules;
}
