//===- ReshapingRules.cpp - Rules that change shapes ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace uma;
using namespace uma::tflite;
using schema::BuiltinOperator;

/// Imports RESHAPE. Old files have the shape in the options only, and
/// TensorFlow Lite reads the options if the operand is no vector.
static LogicalResult importReshape(Node &node) {
  SmallVector<int64_t> shape;
  const HostTensor *operand = node.getConstant(1);
  if (operand && operand->getShape().size() <= 1) {
    shape = node.getInts(1);
  } else {
    const auto *options = node.getOptions<schema::ReshapeOptions>();
    if (!options)
      return failure();
    shape.assign(getArray(options->new_shape()));
  }
  Value data = node.getOperand(0);
  // Another way of old files to write a scalar.
  if (shape == SmallVector<int64_t>{0} &&
      cast<RankedTensorType>(data.getType()).getNumElements() == 1)
    shape.clear();
  return node.yield(node.createReshape(data, shape));
}

static LogicalResult importSqueeze(Node &node) {
  const auto *options = node.findOptions<schema::SqueezeOptions>();
  Value data = node.getOperand(0);
  ArrayRef<int64_t> sizes = getShape(data);
  SmallVector<bool> isDropped(sizes.size(), false);
  ArrayRef<int32_t> axes =
      getArray(options ? options->squeeze_dims() : nullptr);
  for (int32_t axis : axes) {
    std::optional<int64_t> normal = node.normalizeAxis(axis, sizes.size());
    if (!normal)
      return failure();
    if (sizes[*normal] != 1)
      return node.badInput("drops dimension " + Twine(axis) + " of " +
                           formatShape(sizes) + ", which is not 1");
    isDropped[*normal] = true;
  }
  SmallVector<int64_t> shape;
  for (auto [size, dropped] : llvm::zip_equal(sizes, isDropped))
    if (axes.empty() ? size != 1 : !dropped)
      shape.push_back(size);
  return node.yield(node.createReshape(data, shape));
}

static LogicalResult importExpandDims(Node &node) {
  Value data = node.getOperand(0);
  std::optional<int64_t> axis = node.getInt(1);
  SmallVector<int64_t> shape(getShape(data));
  if (!axis)
    return failure();
  std::optional<int64_t> normal = node.normalizeAxis(*axis, shape.size() + 1);
  if (!normal)
    return failure();
  shape.insert(shape.begin() + *normal, 1);
  return node.yield(node.createReshape(data, shape));
}

static LogicalResult importTranspose(Node &node) {
  return node.yield(node.createTranspose(node.getOperand(0), node.getInts(1)));
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Imports DEPTH_TO_SPACE: the channels of an element become a square of them.
static LogicalResult importDepthToSpace(Node &node) {
  const auto *options = node.getOptions<schema::DepthToSpaceOptions>();
  if (!options || failed(node.checkRank(0, 4)))
    return failure();
  Value data = node.getOperand(0);
  int64_t block = options->block_size();
  ArrayRef<int64_t> shape = getShape(data);
  if (block < 1 || shape[3] % (block * block) != 0)
    return node.badInput("blocks of size " + Twine(block) +
                         " do not fit data of the shape " + formatShape(shape));
  int64_t n = shape[0], h = shape[1], w = shape[2];
  int64_t c = shape[3] / (block * block);
  data = node.createReshape(data, {n, h, w, block, block, c});
  data = node.createTranspose(data, {0, 1, 3, 2, 4, 5});
  return node.yield(node.createReshape(data, {n, h * block, w * block, c}));
}

/// Imports SPACE_TO_DEPTH: each square of elements becomes the channels of one.
static LogicalResult importSpaceToDepth(Node &node) {
  const auto *options = node.getOptions<schema::SpaceToDepthOptions>();
  if (!options || failed(node.checkRank(0, 4)))
    return failure();
  Value data = node.getOperand(0);
  int64_t block = options->block_size();
  ArrayRef<int64_t> shape = getShape(data);
  if (block < 1 || shape[1] % block != 0 || shape[2] % block != 0)
    return node.badInput("blocks of size " + Twine(block) +
                         " do not fit data of the shape " + formatShape(shape));
  int64_t n = shape[0], h = shape[1] / block, w = shape[2] / block;
  int64_t c = shape[3];
  data = node.createReshape(data, {n, h, block, w, block, c});
  data = node.createTranspose(data, {0, 1, 3, 2, 4, 5});
  return node.yield(node.createReshape(data, {n, h, w, block * block * c}));
}

namespace {
/// Operands of SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND.
struct Blocks {
  SmallVector<int64_t> sizes;
  /// Padding or crop in front of and behind each blocked dimension.
  SmallVector<int64_t> before, after;
  int64_t product = 1;
};
} // namespace

/// Reads block sizes and the pairs that pad or crop. Reports wrong ones.
static FailureOr<Blocks> readBlocks(Node &node) {
  Blocks blocks;
  blocks.sizes = node.getInts(1);
  SmallVector<int64_t> pairs = node.getInts(2, /*maxRank=*/2);
  int64_t rank = getShape(node.getOperand(0)).size();
  int64_t count = blocks.sizes.size();
  if (count == 0 || count >= rank || int64_t(pairs.size()) != 2 * count)
    return node.badInput(
        "has " + Twine(count) + " block sizes and " + Twine(pairs.size()) +
        " paddings for data of the shape " +
        formatShape(getShape(node.getOperand(0))) +
        "; expected a size and two paddings for each blocked dimension");
  for (int64_t i = 0; i < count; ++i) {
    if (blocks.sizes[i] < 1 || pairs[2 * i] < 0 || pairs[2 * i + 1] < 0 ||
        blocks.product > importer::kMaxTensorBytes / blocks.sizes[i])
      return node.badInput("has the block size " + Twine(blocks.sizes[i]) +
                           " with the paddings " + Twine(pairs[2 * i]) +
                           " and " + Twine(pairs[2 * i + 1]) +
                           ", which are out of range");
    blocks.before.push_back(pairs[2 * i]);
    blocks.after.push_back(pairs[2 * i + 1]);
    blocks.product *= blocks.sizes[i];
  }
  return blocks;
}

static LogicalResult importSpaceToBatch(Node &node) {
  FailureOr<Blocks> blocks = readBlocks(node);
  if (failed(blocks))
    return failure();
  Value data = node.getOperand(0);
  int64_t rank = getShape(data).size(), count = blocks->sizes.size();
  SmallVector<int64_t> before(rank, 0), after(rank, 0);
  llvm::copy(blocks->before, before.begin() + 1);
  llvm::copy(blocks->after, after.begin() + 1);
  data = node.createPad(data, before, after, 0);
  if (!data)
    return failure();
  // [N, s / b, b, ..., rest] becomes [b, ..., N, s / b, ..., rest].
  SmallVector<int64_t> shape(getShape(data)), split{shape[0]};
  SmallVector<int64_t> axes, outer{0};
  for (int64_t i = 0; i < count; ++i) {
    int64_t size = shape[1 + i], block = blocks->sizes[i];
    if (size % block != 0)
      return node.badInput("blocks of size " + Twine(block) +
                           " do not divide the padded size " + Twine(size) +
                           " of dimension " + Twine(1 + i));
    split.append({size / block, block});
    outer.push_back(1 + 2 * i);
    axes.push_back(2 + 2 * i);
    shape[1 + i] = size / block;
  }
  axes.append(outer);
  for (int64_t i = 1 + count; i < rank; ++i) {
    split.push_back(shape[i]);
    axes.push_back(i + count);
  }
  shape[0] *= blocks->product;
  data = node.createTranspose(node.createReshape(data, split), axes);
  return node.yield(node.createReshape(data, shape));
}

static LogicalResult importBatchToSpace(Node &node) {
  FailureOr<Blocks> blocks = readBlocks(node);
  if (failed(blocks))
    return failure();
  Value data = node.getOperand(0);
  SmallVector<int64_t> shape(getShape(data));
  int64_t rank = shape.size(), count = blocks->sizes.size();
  if (shape[0] % blocks->product != 0)
    return node.badInput("blocks of " + Twine(blocks->product) +
                         " elements do not divide the batch " +
                         Twine(shape[0]));
  // [b, ..., N, s, ..., rest] becomes [N, s, b, ..., rest].
  SmallVector<int64_t> split(blocks->sizes), axes{count};
  shape[0] /= blocks->product;
  split.append(shape);
  SmallVector<int64_t> begin(rank, 0), strides(rank, 1);
  for (int64_t i = 0; i < count; ++i) {
    axes.append({count + 1 + i, i});
    shape[1 + i] *= blocks->sizes[i];
  }
  for (int64_t i = 1 + count; i < rank; ++i)
    axes.push_back(i + count);
  data = node.createTranspose(node.createReshape(data, split), axes);
  data = node.createReshape(data, shape);
  for (int64_t i = 0; i < count; ++i) {
    begin[1 + i] = blocks->before[i];
    shape[1 + i] -= blocks->before[i] + blocks->after[i];
    if (shape[1 + i] < 0)
      return node.badInput("crops more than dimension " + Twine(1 + i) +
                           " has");
  }
  return node.yield(node.createSlice(data, begin, shape, strides));
}

ArrayRef<Rule> tflite::getReshapingRules() {
  static constexpr Rule rules[] = {
      {BuiltinOperator::BATCH_TO_SPACE_ND,
       "input block_shape= crops=", importBatchToSpace},
      {BuiltinOperator::DEPTH_TO_SPACE, "input", importDepthToSpace},
      {BuiltinOperator::EXPAND_DIMS, "input axis=", importExpandDims},
      {BuiltinOperator::RESHAPE, "input shape=?", importReshape},
      {BuiltinOperator::SPACE_TO_BATCH_ND,
       "input block_shape= paddings=", importSpaceToBatch},
      {BuiltinOperator::SPACE_TO_DEPTH, "input", importSpaceToDepth},
      {BuiltinOperator::SQUEEZE, "input", importSqueeze},
      {BuiltinOperator::TRANSPOSE, "input perm=", importTranspose},
  };
  return rules;
}
