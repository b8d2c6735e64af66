//===- SamplingRules.cpp - GridSample, AffineGrid, RoiAlign ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "MovementRules.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

namespace {
/// Samples volumes [N, C, D, H, W] at positions [N, D', H', W', 3]: gathers the
/// neighbours of each position and adds them with weights.
class VolumeSampler {
public:
  explicit VolumeSampler(Node &node) : node(node) {}
  LogicalResult run();

private:
  /// Neighbours along one dimension: indices (i64) and weights [N, P].
  struct Neighbour {
    Value index, weight;
  };
  LogicalResult readAttributes();
  /// Returns the coordinates in the grid along a dimension of `size` elements
  /// as positions in the data, within its border.
  Value getPosition(int64_t coordinate, int64_t size);
  Value reflect(Value position, int64_t size);
  SmallVector<Neighbour> getNeighbours(Value position, int64_t size);

  Node &node;
  StringRef mode, padding;
  bool alignsCorners = false;
  Value grid; ///< [N, P, 3] of f32
};
} // namespace

LogicalResult VolumeSampler::readAttributes() {
  mode = node.getStringAttr("mode", "linear");
  padding = node.getStringAttr("padding_mode", "zeros");
  alignsCorners = node.getFlagAttr("align_corners");
  if (mode != "linear" && mode != "bilinear" && mode != "nearest")
    return node.badInput("attribute 'mode' is " + quote(mode) +
                         "; expected linear or nearest for volumes");
  if (!llvm::is_contained({"zeros", "border", "reflection"}, padding))
    return node.badInput("attribute 'padding_mode' is " + quote(padding) +
                         "; expected zeros, border or reflection");
  return success();
}

Value VolumeSampler::reflect(Value position, int64_t size) {
  // Mirrors at the centres or at the borders of the outermost elements.
  double first = alignsCorners ? 0 : -0.5;
  double span = double(alignsCorners ? size - 1 : size);
  if (span == 0)
    return createWith<graph::MultiplyOp>(node, position, 0);
  Value distance = node.create<graph::AbsOp>(
      {createWith<graph::SubtractOp>(node, position, first)});
  Value rest = createWith<graph::FloorModOp>(node, distance, 2 * span);
  // span - |rest - span|
  Value back = node.create<graph::AbsOp>(
      {createWith<graph::SubtractOp>(node, rest, span)});
  return createWith<graph::AddOp>(node, node.create<graph::NegativeOp>({back}),
                                  span + first);
}

Value VolumeSampler::getPosition(int64_t coordinate, int64_t size) {
  ArrayRef<int64_t> shape = getShape(grid);
  Value value =
      node.createReshape(createSlice(node, grid, {0, 0, coordinate},
                                     {shape[0], shape[1], 1}, {1, 1, 1}),
                         {shape[0], shape[1]});
  double scale = double(alignsCorners ? size - 1 : size) / 2;
  value = createWith<graph::MultiplyOp>(node, value, scale);
  value = createWith<graph::AddOp>(node, value, double(size - 1) / 2);
  if (padding == "reflection")
    value = reflect(value, size);
  if (padding != "zeros") {
    value = createWith<graph::MaximumOp>(node, value, 0);
    value = createWith<graph::MinimumOp>(node, value, double(size - 1));
  }
  return value;
}

SmallVector<VolumeSampler::Neighbour>
VolumeSampler::getNeighbours(Value position, int64_t size) {
  Value one = node.createScalar(node.getBuilder().getF32Type(), 1);
  auto makeNeighbour = [&](Value place, Value weight) -> Neighbour {
    Value zero = node.createScalar(node.getBuilder().getF32Type(), 0);
    Value inside = node.create<graph::LogicalAndOp>(
        {createWith<graph::GreaterEqualOp>(node, place, 0),
         createWith<graph::LessEqualOp>(node, place, double(size - 1))});
    weight = node.create<graph::WhereOp>({inside, weight, zero});
    place = node.create<graph::WhereOp>({inside, place, zero});
    return {node.createCast(place, node.getBuilder().getI64Type()), weight};
  };
  if (mode == "nearest")
    return {makeNeighbour(node.create<graph::RoundOp>({position}), one)};
  Value low = node.create<graph::FloorOp>({position});
  Value fraction = node.create<graph::SubtractOp>({position, low});
  return {makeNeighbour(low, node.create<graph::SubtractOp>({one, fraction})),
          makeNeighbour(createWith<graph::AddOp>(node, low, 1), fraction)};
}

LogicalResult VolumeSampler::run() {
  Value data = node.getOperand(0);
  SmallVector<int64_t> shape(getShape(data)), to(getShape(node.getOperand(1)));
  if (failed(readAttributes()))
    return failure();
  if (to.size() != 5 || to[4] != 3 || to[0] != shape[0])
    return node.badInput("input 'grid' has the shape " + formatShape(to) +
                         "; expected " + Twine(shape[0]) + "xDxHxWx3");
  Type type = getElementType(data), wide = getWideType(type);
  int64_t points = to[1] * to[2] * to[3],
          volume = shape[2] * shape[3] * shape[4];
  grid = node.createReshape(
      node.createCast(node.getOperand(1), node.getBuilder().getF32Type()),
      {to[0], points, 3});
  data = node.createTranspose(
      node.createReshape(data, {shape[0], shape[1], volume}), {0, 2, 1});
  // Coordinates are x, y, z.
  SmallVector<Neighbour> all = {{Value(), Value()}};
  for (int64_t coordinate : {2, 1, 0}) {
    int64_t size = shape[4 - coordinate];
    SmallVector<Neighbour> next;
    SmallVector<Neighbour> along =
        getNeighbours(getPosition(coordinate, size), size);
    for (const Neighbour &outer : all)
      for (const Neighbour &inner : along) {
        if (!outer.index) {
          next.push_back(inner);
          continue;
        }
        Value row =
            createWith<graph::MultiplyOp>(node, outer.index, double(size));
        next.push_back(
            {node.create<graph::AddOp>({row, inner.index}),
             node.create<graph::MultiplyOp>({outer.weight, inner.weight})});
      }
    all = std::move(next);
  }
  graph::GatherNDOp::Properties properties;
  properties.batch_dims = node.getBuilder().getI64IntegerAttr(1);
  Value sum;
  for (const Neighbour &neighbour : all) {
    Value values = node.create<graph::GatherNDOp>(
        {data, node.createReshape(neighbour.index, {to[0], points, 1})},
        properties);
    Value weight = node.createReshape(neighbour.weight, {to[0], points, 1});
    values = node.create<graph::MultiplyOp>(
        {node.createCast(values, wide), node.createCast(weight, wide)});
    sum = sum ? node.create<graph::AddOp>({sum, values}) : values;
  }
  sum = node.createTranspose(node.createCast(sum, type), {0, 2, 1});
  return node.yield(
      node.createReshape(sum, {shape[0], shape[1], to[1], to[2], to[3]}));
}

static LogicalResult importGridSample(Node &node) {
  if (getShape(node.getOperand(0)).size() == 5)
    return VolumeSampler(node).run();
  // Opset 20 renamed the modes to include volumes.
  StringRef mode =
      node.getStringAttr("mode", node.getOpset() < 20 ? "bilinear" : "linear");
  if (mode == "linear")
    mode = "bilinear";
  else if (mode == "cubic")
    mode = "bicubic";
  Builder &builder = node.getBuilder();
  graph::GridSampleOp::Properties properties;
  properties.method = builder.getStringAttr(mode);
  properties.padding_mode =
      builder.getStringAttr(node.getStringAttr("padding_mode", "zeros"));
  properties.align_corners =
      builder.getBoolAttr(node.getFlagAttr("align_corners"));
  return node.yield(
      node.create<graph::GridSampleOp>(node.getOperands(), properties));
}

/// Imports AffineGrid: multiplies theta, [N, R, R + 1], with a constant matrix
/// of the grid's points in R = 2 or 3 dimensions.
static LogicalResult importAffineGrid(Node &node) {
  Value theta = node.getOperand(0);
  SmallVector<int64_t> size = *node.getInts(1);
  bool alignsCorners = node.getFlagAttr("align_corners");
  int64_t rank = int64_t(size.size()) - 2;
  if (rank < 2 || rank > 3 ||
      llvm::any_of(size, [](int64_t s) { return s < 1; }))
    return node.badInput("input 'size' is " + formatShape(size) +
                         "; expected N, C, H, W or N, C, D, H, W");
  int64_t n = size[0];
  ArrayRef<int64_t> spatial = ArrayRef(size).drop_front(2);
  if (getShape(theta) != ArrayRef<int64_t>{n, rank, rank + 1})
    return node.badInput("input 'theta' has the shape " +
                         formatShape(getShape(theta)) + "; expected " +
                         formatShape({n, rank, rank + 1}));
  auto getCoordinate = [&](int64_t i, int64_t count) {
    if (alignsCorners)
      return count == 1 ? -1.0 : -1 + 2 * double(i) / double(count - 1);
    return -1 + (2 * double(i) + 1) / double(count);
  };
  int64_t points = llvm::product_of(spatial);
  auto type = RankedTensorType::get({points, rank + 1}, getElementType(theta));
  if (failed(node.checkComputedSize(type)))
    return failure();
  // The coordinate of the last dimension comes first.
  HostTensor base(type);
  for (int64_t point = 0; point < points; ++point) {
    int64_t rest = point;
    for (int64_t i = 0; i < rank; ++i) {
      int64_t count = spatial[rank - 1 - i];
      base.setDouble(point * (rank + 1) + i,
                     getCoordinate(rest % count, count));
      rest /= count;
    }
    base.setDouble(point * (rank + 1) + rank, 1);
  }
  Value product = node.create<graph::DenseOp>(
      {node.createReshape(theta, {n * rank, rank + 1}),
       node.createConstant(base)});
  if (!product)
    return failure();
  product = node.createTranspose(node.createReshape(product, {n, rank, points}),
                                 {0, 2, 1});
  SmallVector<int64_t> shape{n};
  llvm::append_range(shape, spatial);
  shape.push_back(rank);
  return node.yield(node.createReshape(product, shape));
}

static LogicalResult importRoiAlign(Node &node) {
  Builder &builder = node.getBuilder();
  int64_t ratio = node.getIntAttr("sampling_ratio", 0);
  if (ratio < 1)
    return node.notSupported("attribute 'sampling_ratio' is 0, with which the "
                             "number of samples depends on the data; only "
                             "fixed ratios are supported");
  // Until opset 15, positions are not shifted by half an element.
  StringRef coordinates =
      node.getOpset() < 16
          ? "output_half_pixel"
          : node.getStringAttr("coordinate_transformation_mode", "half_pixel");
  if (coordinates != "half_pixel" && coordinates != "output_half_pixel")
    return node.badInput("attribute 'coordinate_transformation_mode' is " +
                         quote(coordinates) +
                         "; expected half_pixel or output_half_pixel");
  graph::RoiAlignOp::Properties properties;
  properties.pooled_size =
      builder.getDenseI64ArrayAttr({node.getIntAttr("output_height", 1),
                                    node.getIntAttr("output_width", 1)});
  properties.spatial_scale =
      builder.getF64FloatAttr(node.getFloatAttr("spatial_scale", 1));
  properties.sample_ratio = builder.getI64IntegerAttr(ratio);
  properties.mode = builder.getStringAttr(node.getStringAttr("mode", "avg"));
  properties.aligned = builder.getBoolAttr(coordinates == "half_pixel");
  return node.yield(
      node.create<graph::RoiAlignOp>(node.getOperands(), properties));
}

ArrayRef<Rule> importer::getSamplingRules() {
  static constexpr Rule rules[] = {
      {"AffineGrid", 20, "theta size=", importAffineGrid},
      {"GridSample", 16, "X grid", importGridSample},
      {"RoiAlign", 10, "X rois batch_indices", importRoiAlign},
  };
  return rules;
}
