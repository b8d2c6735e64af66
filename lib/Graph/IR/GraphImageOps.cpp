//===- GraphImageOps.cpp - Operators that sample images -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Inference.h"

#include "uma/Support/DidYouMean.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::detail;

/// Checks that the attribute `name` has one of the `known` values.
static LogicalResult checkKeyword(EmitErrorFn emitError, StringRef name,
                                  StringRef value, ArrayRef<StringRef> known) {
  if (llvm::is_contained(known, value))
    return success();
  return emitError() << name << " is \"" << value << "\", expected \""
                     << llvm::join(known, "\" or \"") << "\""
                     << didYouMean(value, known);
}

/// Returns the type of `value`, which must be float images [N, C, H, W] with at
/// least one element.
static FailureOr<RankedTensorType> getImages(EmitErrorFn emitError,
                                             Value value) {
  auto data = getTensorOfRank(emitError, value, "data", 4,
                              "batch, channels, height, width");
  if (failed(data) || failed(checkFloat(emitError, "data", *data)))
    return failure();
  if (data->getDimSize(2) < 1 || data->getDimSize(3) < 1)
    return emitError() << "data has shape " << formatShape(data->getShape())
                       << ", expected images of at least one element";
  return data;
}

FailureOr<RankedTensorType> InterpolateOp::inferType(EmitErrorFn emitError,
                                                     Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data) || failed(checkFloat(emitError, "data", *data)))
    return failure();
  auto indices = getTensorOfRank(emitError, adaptor.getIndices(), "indices", 2,
                                 "elements, terms");
  if (failed(indices) || failed(checkIndices(emitError, "indices", *indices)))
    return failure();
  auto weights = getTensorOfRank(emitError, adaptor.getWeights(), "weights", 2,
                                 "elements, terms");
  if (failed(weights) || failed(checkFloat(emitError, "weights", *weights)))
    return failure();
  if (weights->getShape() != indices->getShape())
    return emitError() << "weights has shape "
                       << formatShape(weights->getShape()) << ", expected "
                       << formatShape(indices->getShape()) << " as indices";
  auto axis = normalizeAxis(emitError, static_cast<int64_t>(adaptor.getAxis()),
                            data->getRank());
  if (failed(axis))
    return failure();
  if (data->getDimSize(*axis) == 0)
    return emitError() << "data has no elements along axis " << *axis;
  SmallVector<int64_t> shape(data->getShape());
  shape[*axis] = indices->getDimSize(0);
  return makeResult(emitError, shape, data->getElementType());
}

FailureOr<RankedTensorType> GridSampleOp::inferType(EmitErrorFn emitError,
                                                    Adaptor adaptor) {
  auto data = getImages(emitError, adaptor.getData());
  if (failed(data))
    return failure();
  auto grid = getTensorOfRank(emitError, adaptor.getGrid(), "grid", 4,
                              "batch, height, width, 2");
  if (failed(grid) || failed(checkFloat(emitError, "grid", *grid)))
    return failure();
  if (grid->getDimSize(0) != data->getDimSize(0) || grid->getDimSize(3) != 2)
    return emitError() << "grid has shape " << formatShape(grid->getShape())
                       << ", expected a first size of " << data->getDimSize(0)
                       << " as data and a last one of 2";
  if (failed(checkKeyword(emitError, "method", adaptor.getMethod(),
                          {"nearest", "bilinear", "bicubic"})) ||
      failed(checkKeyword(emitError, "padding_mode", adaptor.getPaddingMode(),
                          {"zeros", "border", "reflection"})))
    return failure();
  return makeResult(emitError,
                    {data->getDimSize(0), data->getDimSize(1),
                     grid->getDimSize(1), grid->getDimSize(2)},
                    data->getElementType());
}

FailureOr<RankedTensorType> RoiAlignOp::inferType(EmitErrorFn emitError,
                                                  Adaptor adaptor) {
  auto data = getImages(emitError, adaptor.getData());
  if (failed(data))
    return failure();
  if (data->getDimSize(0) < 1)
    return emitError() << "data has no images, expected at least one";
  auto rois =
      getTensorOfRank(emitError, adaptor.getRois(), "rois", 2, "regions, 4");
  if (failed(rois) || failed(checkElementType(emitError, "rois", *rois, "data",
                                              data->getElementType())))
    return failure();
  if (rois->getDimSize(1) != 4)
    return emitError() << "rois has shape " << formatShape(rois->getShape())
                       << ", expected a last size of 4: x1, y1, x2, y2";
  auto batch = getTensorOfRank(emitError, adaptor.getBatchIndices(),
                               "batch_indices", 1, "regions");
  if (failed(batch) || failed(checkIndices(emitError, "batch_indices", *batch)))
    return failure();
  if (batch->getDimSize(0) != rois->getDimSize(0))
    return emitError() << "batch_indices has size " << batch->getDimSize(0)
                       << ", expected " << rois->getDimSize(0)
                       << ", the number of rois";
  ArrayRef<int64_t> pooled = adaptor.getPooledSize();
  int64_t ratio = static_cast<int64_t>(adaptor.getSampleRatio());
  double scale = adaptor.getSpatialScale().convertToDouble();
  if (failed(checkSizes(emitError, "pooled_size", pooled, 2, 1,
                        "height and width")) ||
      failed(
          checkKeyword(emitError, "mode", adaptor.getMode(), {"avg", "max"})))
    return failure();
  if (ratio < 1 || ratio > 1024)
    return emitError() << "sample_ratio is " << ratio << ", expected 1 to 1024";
  if (!std::isfinite(scale) || scale <= 0)
    return emitError() << "spatial_scale is " << formatNumber(scale)
                       << ", expected a number above 0";
  return makeResult(
      emitError,
      {rois->getDimSize(0), data->getDimSize(1), pooled[0], pooled[1]},
      data->getElementType());
}

FailureOr<RankedTensorType>
NonMaxSuppressionOp::inferType(EmitErrorFn emitError, Adaptor adaptor) {
  auto boxes =
      getTensorOfRank(emitError, adaptor.getBoxes(), "boxes", 2, "boxes, 4");
  if (failed(boxes))
    return failure();
  if (!isa<FloatType>(boxes->getElementType()))
    return emitError() << "boxes has elements of " << boxes->getElementType()
                       << ", expected floats";
  if (boxes->getDimSize(0) < 1 || boxes->getDimSize(1) != 4)
    return emitError() << "boxes has shape " << formatShape(boxes->getShape())
                       << ", expected at least one box of y1, x1, y2, x2";
  auto scores = getTensorOfRank(emitError, adaptor.getScores(), "scores", 2,
                                "classes, boxes");
  if (failed(scores) ||
      failed(checkElementType(emitError, "scores", *scores, "boxes",
                              boxes->getElementType())))
    return failure();
  if (scores->getDimSize(1) != boxes->getDimSize(0))
    return emitError() << "scores has shape " << formatShape(scores->getShape())
                       << ", expected a last size of " << boxes->getDimSize(0)
                       << ", the number of boxes";
  int64_t k = static_cast<int64_t>(adaptor.getK());
  if (k < 1 || k > boxes->getDimSize(0))
    return emitError() << "k is " << k << ", expected 1 to "
                       << boxes->getDimSize(0) << ", the number of boxes";
  double iou = adaptor.getIouThreshold().convertToDouble();
  bool isInRange = iou >= 0 && iou <= 1; // false for NaN
  if (!isInRange)
    return emitError() << "iou_threshold is " << formatNumber(iou)
                       << ", expected 0 to 1";
  if (std::isnan(adaptor.getScoreThreshold().convertToDouble()))
    return emitError() << "score_threshold is no number";
  return makeResult(emitError, {scores->getDimSize(0), k},
                    IntegerType::get(boxes->getContext(), 64));
}
