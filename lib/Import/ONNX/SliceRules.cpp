//===- SliceRules.cpp - Slices, repetitions and rearrangements ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "MovementRules.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

HostTensor importer::makeInts(Node &node, ArrayRef<int64_t> shape,
                              ArrayRef<int64_t> elements) {
  HostTensor tensor(
      RankedTensorType::get(shape, node.getBuilder().getI64Type()));
  for (auto [index, element] : llvm::enumerate(elements))
    tensor.setInt(index, element);
  return tensor;
}

Value importer::createSlice(Node &node, Value data, ArrayRef<int64_t> begin,
                            ArrayRef<int64_t> size, ArrayRef<int64_t> strides) {
  if (!data)
    return {};
  bool isForward = llvm::all_of(llvm::zip(size, strides), [](auto entry) {
    return std::get<0>(entry) <= 1 || std::get<1>(entry) > 0;
  });
  if (getShape(data) == size && isForward)
    return data;
  graph::StridedSliceOp::Properties properties;
  properties.begin = node.getBuilder().getDenseI64ArrayAttr(begin);
  properties.size = node.getBuilder().getDenseI64ArrayAttr(size);
  properties.strides = node.getBuilder().getDenseI64ArrayAttr(strides);
  return node.create<graph::StridedSliceOp>({data}, properties);
}

Value importer::createBroadcast(Node &node, Value data,
                                ArrayRef<int64_t> shape) {
  if (!data || getShape(data) == shape)
    return data;
  graph::BroadcastToOp::Properties properties;
  properties.shape = node.getBuilder().getDenseI64ArrayAttr(shape);
  return node.create<graph::BroadcastToOp>({data}, properties);
}

std::optional<SmallVector<int64_t>>
importer::readAxes(Node &node, std::optional<SmallVector<int64_t>> written,
                   int64_t rank) {
  if (!written)
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
  SmallVector<int64_t> axes;
  for (int64_t value : *written) {
    auto axis = normalizeAxis(node, value, rank);
    if (!axis)
      return std::nullopt;
    if (llvm::is_contained(axes, *axis)) {
      (void)node.badInput("axis " + Twine(value) + " is given twice");
      return std::nullopt;
    }
    axes.push_back(*axis);
  }
  return axes;
}

/// Bounds of a slice, initially of the whole tensor.
namespace {
struct SliceBounds {
  SmallVector<int64_t> begin, size, strides;

  explicit SliceBounds(Value data)
      : begin(getShape(data).size(), 0), size(getShape(data)),
        strides(begin.size(), 1) {}

  Value create(Node &node, Value data) const {
    return createSlice(node, data, begin, size, strides);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------===//

using Ints = std::optional<SmallVector<int64_t>>;

static LogicalResult createSlice(Node &node, const Ints &starts,
                                 const Ints &ends, const Ints &writtenAxes,
                                 const Ints &steps) {
  Value data = node.getOperand(0);
  if (!starts || !ends)
    return node.badInput("needs the attributes 'starts' and 'ends'");
  int64_t rank = getShape(data).size();
  Ints allAxes = llvm::to_vector(llvm::seq<int64_t>(0, starts->size()));
  auto axes = readAxes(node, writtenAxes ? writtenAxes : allAxes, rank);
  if (!axes)
    return failure();
  size_t count = axes->size();
  if (starts->size() != count || ends->size() != count ||
      (steps && steps->size() != count))
    return node.badInput("has " + Twine(starts->size()) + " starts, " +
                         Twine(ends->size()) + " ends and " +
                         Twine(steps ? steps->size() : count) + " steps for " +
                         Twine(count) + " axes");
  SliceBounds bounds(data);
  for (auto [i, axis] : llvm::enumerate(*axes)) {
    int64_t extent = getShape(data)[axis], step = steps ? (*steps)[i] : 1;
    if (step == 0)
      return node.badInput("has a step of 0");
    // Backward slices range from the last element to before the first.
    int64_t last = step > 0 ? extent : extent - 1, first = step > 0 ? 0 : -1;
    auto clampPosition = [&](int64_t position, int64_t lowest) {
      return std::clamp(position < 0 ? position + extent : position, lowest,
                        std::max(last, lowest));
    };
    int64_t start = clampPosition((*starts)[i], 0);
    int64_t end = clampPosition((*ends)[i], first);
    int64_t distance = step > 0 ? end - start : start - end;
    bounds.size[axis] = distance > 0 && extent > 0
                            ? llvm::divideCeil(distance, std::abs(step))
                            : 0;
    bounds.begin[axis] = bounds.size[axis] ? start : 0;
    bounds.strides[axis] = step;
  }
  return node.yield(bounds.create(node, data));
}

static LogicalResult importSliceAttributes(Node &node) {
  return createSlice(node, node.getIntsAttr("starts", /*saturates=*/true),
                     node.getIntsAttr("ends", /*saturates=*/true),
                     node.getIntsAttr("axes"), std::nullopt);
}

static LogicalResult importSliceInputs(Node &node) {
  return createSlice(node, node.getInts(1, /*saturates=*/true),
                     node.getInts(2, /*saturates=*/true), node.getInts(3),
                     node.getInts(4, /*saturates=*/true));
}

//===----------------------------------------------------------------------===//
// Split
//===----------------------------------------------------------------------===//

static LogicalResult importSplit(Node &node) {
  Value data = node.getOperand(0);
  ArrayRef<int64_t> shape = getShape(data);
  auto axis = normalizeAxis(node, node.getIntAttr("axis", 0), shape.size());
  if (!axis)
    return failure();
  int64_t extent = shape[*axis], count = node.getNumWrittenOutputs();
  Ints sizes = node.getOpset() < 13 ? node.getIntsAttr("split") : Ints();
  if (!sizes && node.getNumOperands() > 1)
    sizes = node.getInts(1);
  if (node.getOpset() >= 18 && node.getIntAttr("num_outputs", count) != count)
    return node.badInput("attribute 'num_outputs' is " +
                         Twine(node.getIntAttr("num_outputs", count)) +
                         ", but the node has " + Twine(count) + " outputs");
  if (!sizes) {
    int64_t chunk = llvm::divideCeil(extent, count);
    if (node.getOpset() < 18 && extent % count != 0)
      return node.badInput("splits a dimension of size " + Twine(extent) +
                           " into " + Twine(count) +
                           " parts, which cannot be equal");
    sizes.emplace();
    for (int64_t i = 0, left = extent; i < count; ++i, left -= sizes->back())
      sizes->push_back(std::min(chunk, left));
  }
  int64_t total = 0;
  for (int64_t size : *sizes)
    total += size;
  if (int64_t(sizes->size()) != count || total != extent ||
      llvm::any_of(*sizes, [](int64_t size) { return size < 0; }))
    return node.badInput("splits a dimension of size " + Twine(extent) +
                         " into " + Twine(count) + " outputs of the sizes " +
                         formatShape(*sizes) + ", which do not fit");
  SliceBounds bounds(data);
  for (auto [output, size] : llvm::enumerate(*sizes)) {
    bounds.size[*axis] = size;
    if (node.hasOutput(output) &&
        failed(node.yield(bounds.create(node, data), output)))
      return failure();
    // An empty part must also begin inside the data.
    bounds.begin[*axis] += size;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Expand, Tile
//===----------------------------------------------------------------------===//

static LogicalResult importExpand(Node &node) {
  Value data = node.getOperand(0);
  // Shapes broadcast both ways: a 1 keeps the size of the data.
  SmallVector<int64_t> shape = *node.getInts(1);
  ArrayRef<int64_t> from = getShape(data);
  if (shape.size() < from.size())
    shape.insert(shape.begin(), from.size() - shape.size(), 1);
  size_t added = shape.size() - from.size();
  for (auto [dim, size] : llvm::enumerate(from))
    if (shape[added + dim] == 1)
      shape[added + dim] = size;
  return node.yield(createBroadcast(node, data, shape));
}

/// Tiles by repeating a new dimension in front of each tiled one.
static LogicalResult createTile(Node &node, ArrayRef<int64_t> repeats) {
  Value data = node.getOperand(0);
  ArrayRef<int64_t> shape = getShape(data);
  if (repeats.size() != shape.size())
    return node.badInput("has " + Twine(repeats.size()) +
                         " repeats; expected " + Twine(shape.size()) +
                         ", one for each dimension of the data");
  SmallVector<int64_t> split, repeated, result;
  for (auto [size, times] : llvm::zip_equal(shape, repeats)) {
    if (times < 0)
      return node.badInput("has the negative repeat " + Twine(times));
    if (times != 1) {
      split.push_back(1);
      repeated.push_back(times);
    }
    split.push_back(size);
    repeated.push_back(size);
    int64_t total;
    if (llvm::MulOverflow(size, times, total))
      return node.badInput("the result is too large");
    result.push_back(total);
  }
  Value parts =
      createBroadcast(node, node.createReshape(data, split), repeated);
  return node.yield(node.createReshape(parts, result));
}

static LogicalResult importTile(Node &node) {
  return createTile(node, *node.getInts(1));
}

/// Imports Tile of opset 5 and older, which tiles one axis.
static LogicalResult importTileAxis(Node &node) {
  int64_t rank = getShape(node.getOperand(0)).size();
  auto times = node.getScalar(1), written = node.getScalar(2);
  if (!times || !written)
    return failure();
  auto axis = normalizeAxis(node, int64_t(*written), rank);
  if (!axis)
    return failure();
  SmallVector<int64_t> repeats(rank, 1);
  repeats[*axis] = int64_t(*times);
  return createTile(node, repeats);
}

//===----------------------------------------------------------------------===//
// DepthToSpace, SpaceToDepth
//===----------------------------------------------------------------------===//

/// Returns the block size of data [N, C, H, W]; std::nullopt after an error.
static std::optional<int64_t> readBlockSize(Node &node, Value data) {
  int64_t block = node.getRequiredIntAttr("blocksize");
  if (failed(node.checkRank(data, 4, "the data")))
    return std::nullopt;
  if (block > 0)
    return block;
  (void)node.badInput("attribute 'blocksize' is " + Twine(block) +
                      "; expected at least 1");
  return std::nullopt;
}

static LogicalResult importDepthToSpace(Node &node) {
  Value data = node.getOperand(0);
  auto block = readBlockSize(node, data);
  if (!block)
    return failure();
  StringRef mode =
      node.getOpset() < 11 ? "DCR" : node.getStringAttr("mode", "DCR");
  if (mode != "DCR" && mode != "CRD")
    return node.badInput("attribute 'mode' is " + quote(mode) +
                         "; expected 'DCR' or 'CRD'");
  ArrayRef<int64_t> shape = getShape(data);
  int64_t b = *block, n = shape[0], c = shape[1], h = shape[2], w = shape[3];
  if (c % (b * b) != 0)
    return node.badInput("the data have " + Twine(c) +
                         " channels, no multiple of the square of the block "
                         "size " +
                         Twine(b));
  int64_t depth = c / (b * b);
  // The block is the slowest (DCR) or the fastest (CRD) part of the channels.
  Value blocks = mode == "DCR"
                     ? node.createTranspose(
                           node.createReshape(data, {n, b, b, depth, h, w}),
                           {0, 3, 4, 1, 5, 2})
                     : node.createTranspose(
                           node.createReshape(data, {n, depth, b, b, h, w}),
                           {0, 1, 4, 2, 5, 3});
  return node.yield(node.createReshape(blocks, {n, depth, h * b, w * b}));
}

static LogicalResult importSpaceToDepth(Node &node) {
  Value data = node.getOperand(0);
  auto block = readBlockSize(node, data);
  if (!block)
    return failure();
  ArrayRef<int64_t> shape = getShape(data);
  int64_t b = *block, n = shape[0], c = shape[1], h = shape[2], w = shape[3];
  if (h % b != 0 || w % b != 0)
    return node.badInput("the data have the shape " + formatShape(shape) +
                         ", whose height and width are no multiples of the "
                         "block size " +
                         Twine(b));
  Value blocks = node.createTranspose(
      node.createReshape(data, {n, c, h / b, b, w / b, b}), {0, 3, 5, 1, 2, 4});
  return node.yield(node.createReshape(blocks, {n, c * b * b, h / b, w / b}));
}

//===----------------------------------------------------------------------===//
// CenterCropPad, Trilu, ReverseSequence
//===----------------------------------------------------------------------===//

static LogicalResult importCenterCropPad(Node &node) {
  Value data = node.getOperand(0);
  SmallVector<int64_t> target = *node.getInts(1);
  auto axes = readAxes(node, node.getIntsAttr("axes"), getShape(data).size());
  if (!axes)
    return failure();
  if (target.size() != axes->size())
    return node.badInput("input 'shape' has " + Twine(target.size()) +
                         " sizes for " + Twine(axes->size()) + " axes");
  SliceBounds bounds(data);
  SmallVector<int64_t> before(bounds.begin), after(bounds.begin);
  for (auto [axis, size] : llvm::zip_equal(*axes, target)) {
    if (size < 1)
      return node.badInput("input 'shape' has the size " + Twine(size) +
                           "; expected at least 1");
    int64_t extent = getShape(data)[axis];
    if (size <= extent) {
      bounds.begin[axis] = (extent - size) / 2;
      bounds.size[axis] = size;
    } else {
      before[axis] = (size - extent) / 2;
      after[axis] = size - extent - before[axis];
    }
  }
  return node.yield(
      createConstantPad(node, bounds.create(node, data), before, after, 0));
}

static LogicalResult importTrilu(Node &node) {
  graph::TriluOp::Properties properties;
  Builder &builder = node.getBuilder();
  Ints k = node.getConstant(1) ? Ints(SmallVector<int64_t>()) : Ints();
  if (k) {
    auto scalar = node.getScalar(1);
    if (!scalar)
      return failure();
    k->push_back(int64_t(*scalar));
  }
  properties.k = builder.getI64IntegerAttr(k ? k->front() : 0);
  properties.upper = builder.getBoolAttr(node.getIntAttr("upper", 1) != 0);
  return node.yield(
      node.create<graph::TriluOp>({node.getOperand(0)}, properties));
}

static LogicalResult importReverseSequence(Node &node) {
  graph::ReverseSequenceOp::Properties properties;
  Builder &builder = node.getBuilder();
  properties.seq_axis =
      builder.getI64IntegerAttr(node.getIntAttr("time_axis", 0));
  properties.batch_axis =
      builder.getI64IntegerAttr(node.getIntAttr("batch_axis", 1));
  return node.yield(
      node.create<graph::ReverseSequenceOp>(node.getOperands(), properties));
}

ArrayRef<Rule> importer::getSliceRules() {
  static constexpr Rule rules[] = {
      {"CenterCropPad", 18, "input_data shape=", importCenterCropPad},
      {"DepthToSpace", 1, "input", importDepthToSpace},
      {"Expand", 8, "input shape=", importExpand},
      {"ReverseSequence", 10, "input sequence_lens", importReverseSequence},
      {"Slice", 1, "data~", importSliceAttributes},
      {"Slice", 10, "data~ starts= ends= axes=? steps=?", importSliceInputs},
      {"SpaceToDepth", 1, "input", importSpaceToDepth},
      {"Split", 1, "input~ split=?", importSplit},
      {"Split", 2, "input~", importSplit},
      {"Split", 13, "input~ split=?", importSplit},
      {"Tile", 1, "input tiles= axis=", importTileAxis},
      {"Tile", 6, "input repeats=", importTile},
      {"Trilu", 14, "input k=?", importTrilu},
  };
  return rules;
}
