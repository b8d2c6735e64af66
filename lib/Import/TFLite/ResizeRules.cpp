//===- ResizeRules.cpp - Rules that resize images -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "FixedPoint.h"
#include "Rules.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::tflite;
using schema::BuiltinOperator;

namespace {
/// How the positions of a resized axis follow from those of the result.
struct Resize {
  bool alignsCorners = false, hasHalfPixels = false;

  /// Returns the step from one position to the next, in f32 as in TensorFlow
  /// Lite's kernels.
  float getScale(int64_t from, int64_t to) const {
    return alignsCorners && to > 1 ? float(from - 1) / float(to - 1)
                                   : float(from) / float(to);
  }
};
} // namespace

/// Resizes an axis to the nearest elements.
static Value takeNearest(Node &node, Value data, int64_t axis, int64_t to,
                         const Resize &how) {
  int64_t from = getShape(data)[axis];
  float scale = how.getScale(from, to), offset = how.hasHalfPixels ? 0.5f : 0;
  SmallVector<int64_t> indices;
  for (int64_t i = 0; i < to; ++i) {
    float position = (float(i) + offset) * scale;
    position = how.alignsCorners ? std::round(position) : std::floor(position);
    indices.push_back(std::clamp<int64_t>(int64_t(position), 0, from - 1));
  }
  return node.createTake(data, indices, axis);
}

/// Resizes an axis by linear interpolation between two elements.
static Value interpolate(Node &node, Value data, int64_t axis, int64_t to,
                         const Resize &how) {
  int64_t from = getShape(data)[axis];
  OpBuilder &builder = node.getBuilder();
  HostTensor indices(RankedTensorType::get({to, 2}, builder.getI64Type()));
  HostTensor weights(RankedTensorType::get({to, 2}, builder.getF32Type()));
  float scale = how.getScale(from, to);
  for (int64_t i = 0; i < to; ++i) {
    float position =
        how.hasHalfPixels ? (float(i) + 0.5f) * scale - 0.5f : float(i) * scale;
    position = std::clamp(position, 0.0f, float(from - 1));
    auto lower = int64_t(position);
    float fraction = position - float(lower);
    indices.setInt(2 * i, lower);
    indices.setInt(2 * i + 1, std::min(lower + 1, from - 1));
    weights.setDouble(2 * i, 1 - fraction);
    weights.setDouble(2 * i + 1, fraction);
  }
  graph::InterpolateOp::Properties properties;
  properties.axis = builder.getI64IntegerAttr(axis);
  return node.create<graph::InterpolateOp>(
      {data, node.createConstant(indices), node.createConstant(weights)},
      properties);
}

/// Imports a resize of [N, H, W, C] data.
static LogicalResult importResize(
    Node &node, const Resize &how,
    function_ref<Value(Node &, Value, int64_t, int64_t, const Resize &)>
        resizeAxis) {
  SmallVector<int64_t> sizes = node.getInts(1);
  if (failed(node.checkRank(0, 4)))
    return failure();
  Value data = node.getOperand(0);
  if (sizes.size() != 2 || sizes[0] < 1 || sizes[1] < 1)
    return node.badInput("input 'size' does not hold two sizes of 1 or more");
  for (int64_t i : {0, 1}) {
    int64_t from = getShape(data)[1 + i];
    if (from < 1)
      return node.badInput("resizes data without elements");
    if (from == sizes[i])
      continue;
    // Size of the tables.
    if (failed(node.checkComputedSize(RankedTensorType::get(
            {sizes[i], 2}, node.getBuilder().getI64Type()))))
      return failure();
    data = resizeAxis(node, data, 1 + i, sizes[i], how);
    if (!data)
      return failure();
  }
  return node.yield(data);
}

static LogicalResult importResizeBilinear(Node &node) {
  Resize how;
  if (const auto *options = node.findOptions<schema::ResizeBilinearOptions>())
    how = {options->align_corners(), options->half_pixel_centers()};
  SmallVector<int64_t> sizes = node.getInts(1);
  if (sizes.size() == 2 && sizes[0] > 0 && sizes[1] > 0 &&
      getShape(node.getOperand(0)).size() == 4)
    if (Value result = createFixedPointResize(node, sizes, how.alignsCorners,
                                              how.hasHalfPixels))
      return node.yield(result);
  return importResize(node, how, interpolate);
}

static LogicalResult importResizeNearest(Node &node) {
  Resize how;
  if (const auto *options =
          node.findOptions<schema::ResizeNearestNeighborOptions>())
    how = {options->align_corners(), options->half_pixel_centers()};
  return importResize(node, how, takeNearest);
}

ArrayRef<Rule> tflite::getResizeRules() {
  static constexpr Rule rules[] = {
      {BuiltinOperator::RESIZE_BILINEAR, "images! size=", importResizeBilinear},
      {BuiltinOperator::RESIZE_NEAREST_NEIGHBOR,
       "images size=", importResizeNearest},
  };
  return rules;
}
