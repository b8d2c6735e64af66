//===- SamplingRules.cpp - GridSample, AffineGrid, RoiAlign ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "MovementRules.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

static LogicalResult importGridSample(Node &node) {
  Value data = node.getOperand(0);
  if (getShape(data).size() == 5)
    return node.notSupported("samples volumes, which is not supported; only "
                             "images, [N, C, H, W], are");
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

/// Imports AffineGrid: multiplies theta [N, 2, 3] with a constant matrix of the
/// grid's points.
static LogicalResult importAffineGrid(Node &node) {
  Value theta = node.getOperand(0);
  SmallVector<int64_t> size = *node.getInts(1);
  bool alignsCorners = node.getFlagAttr("align_corners");
  if (size.size() == 5)
    return node.notSupported("makes grids for volumes, which is not "
                             "supported; only those for images are");
  if (size.size() != 4 || llvm::any_of(size, [](int64_t s) { return s < 1; }))
    return node.badInput("input 'size' is " + formatShape(size) +
                         "; expected N, C, H, W");
  int64_t n = size[0], h = size[2], w = size[3];
  if (getShape(theta) != ArrayRef<int64_t>{n, 2, 3})
    return node.badInput("input 'theta' has the shape " +
                         formatShape(getShape(theta)) + "; expected " +
                         formatShape({n, 2, 3}));
  auto getCoordinate = [&](int64_t i, int64_t count) {
    if (alignsCorners)
      return count == 1 ? -1.0 : -1 + 2 * double(i) / double(count - 1);
    return -1 + (2 * double(i) + 1) / double(count);
  };
  HostTensor base(RankedTensorType::get({h * w, 3}, getElementType(theta)));
  for (int64_t i = 0; i < h * w; ++i) {
    base.setDouble(3 * i, getCoordinate(i % w, w));
    base.setDouble(3 * i + 1, getCoordinate(i / w, h));
    base.setDouble(3 * i + 2, 1);
  }
  Value points = node.create<graph::DenseOp>(
      {node.createReshape(theta, {n * 2, 3}), node.createConstant(base)});
  if (!points)
    return failure();
  points = node.createTranspose(node.createReshape(points, {n, 2, h * w}),
                                {0, 2, 1});
  return node.yield(node.createReshape(points, {n, h, w, 2}));
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
