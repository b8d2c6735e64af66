//===- GraphIndexOps.cpp - Gather, scatter and one-hot --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Inference.h"

#include "uma/Support/DidYouMean.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::detail;

/// Checks that dimension `dim` is not empty, so that it can be indexed.
static LogicalResult checkIndexed(EmitErrorFn emitError, RankedTensorType data,
                                  int64_t dim) {
  if (data.getDimSize(dim) != 0)
    return success();
  return emitError() << "dimension " << dim << " of data has no elements, "
                     << "expected at least one for the indices to choose";
}

/// Checks the indices and the axis of take, gather and scatter_elements.
/// Returns the axis counted from the start.
static FailureOr<int64_t> checkAlongAxis(EmitErrorFn emitError,
                                         RankedTensorType data, Value indices,
                                         uint64_t writtenAxis) {
  auto type = getTensor(emitError, indices, "indices");
  if (failed(type) || failed(checkIndices(emitError, "indices", *type)))
    return failure();
  auto axis = normalizeAxis(emitError, static_cast<int64_t>(writtenAxis),
                            data.getRank());
  if (failed(axis) || failed(checkIndexed(emitError, data, *axis)))
    return failure();
  return axis;
}

FailureOr<RankedTensorType> TakeOp::inferType(EmitErrorFn emitError,
                                              Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data))
    return failure();
  auto axis = normalizeAxis(emitError, static_cast<int64_t>(adaptor.getAxis()),
                            data->getRank());
  auto indices = dyn_cast<RankedTensorType>(adaptor.getIndices().getType());
  // Counted from the end or not, a byte means the same of 256 elements.
  constexpr int64_t numBytes = 256;
  bool isTable = succeeded(axis) && data->getDimSize(*axis) == numBytes &&
                 indices && indices.getElementType().isUnsignedInteger(8);
  if (!isTable)
    axis = checkAlongAxis(emitError, *data, adaptor.getIndices(),
                          adaptor.getAxis());
  if (failed(axis))
    return failure();
  indices = cast<RankedTensorType>(adaptor.getIndices().getType());
  SmallVector<int64_t> shape(data->getShape().take_front(*axis));
  llvm::append_range(shape, indices.getShape());
  llvm::append_range(shape, data->getShape().drop_front(*axis + 1));
  return makeResult(emitError, shape, data->getElementType());
}

/// Checks that `indices` has the rank of `data` and, except along `axis`, no
/// larger sizes.
static LogicalResult checkElementIndices(EmitErrorFn emitError,
                                         RankedTensorType data,
                                         RankedTensorType indices,
                                         int64_t axis) {
  bool fits = indices.getRank() == data.getRank();
  for (int64_t dim = 0; fits && dim < data.getRank(); ++dim)
    fits = dim == axis || indices.getDimSize(dim) <= data.getDimSize(dim);
  if (fits)
    return success();
  return emitError() << "indices has shape " << formatShape(indices.getShape())
                     << ", expected the rank of data and, but for axis " << axis
                     << ", no larger sizes; data has shape "
                     << formatShape(data.getShape());
}

FailureOr<RankedTensorType> GatherOp::inferType(EmitErrorFn emitError,
                                                Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data))
    return failure();
  auto axis =
      checkAlongAxis(emitError, *data, adaptor.getIndices(), adaptor.getAxis());
  if (failed(axis))
    return failure();
  auto indices = cast<RankedTensorType>(adaptor.getIndices().getType());
  if (failed(checkElementIndices(emitError, *data, indices, *axis)))
    return failure();
  return makeResult(emitError, indices.getShape(), data->getElementType());
}

/// Checks `indices`, whose last dimension holds positions in `data` behind its
/// first `batchDims` dimensions. Returns the length of a position.
static FailureOr<int64_t> checkPositions(EmitErrorFn emitError,
                                         RankedTensorType data,
                                         RankedTensorType indices,
                                         int64_t batchDims) {
  if (failed(checkIndices(emitError, "indices", indices)))
    return failure();
  if (indices.getRank() == 0)
    return emitError() << "indices is a scalar, expected rank 1 or more: the "
                          "last dimension holds positions";
  int64_t length = indices.getShape().back();
  if (length < 1 || length > data.getRank() - batchDims)
    return emitError() << "indices has shape "
                       << formatShape(indices.getShape())
                       << ", expected a last dimension of 1 to "
                       << data.getRank() - batchDims << ", a position in data "
                       << "of shape " << formatShape(data.getShape());
  for (int64_t dim = batchDims; dim < batchDims + length; ++dim)
    if (failed(checkIndexed(emitError, data, dim)))
      return failure();
  return length;
}

FailureOr<RankedTensorType> GatherNDOp::inferType(EmitErrorFn emitError,
                                                  Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data))
    return failure();
  auto indices = getTensor(emitError, adaptor.getIndices(), "indices");
  if (failed(indices))
    return failure();
  int64_t batchDims = static_cast<int64_t>(adaptor.getBatchDims());
  int64_t smaller = std::min(data->getRank(), indices->getRank());
  if (batchDims < 0 || batchDims >= std::max<int64_t>(smaller, 1))
    return emitError() << "batch_dims is " << batchDims << ", expected 0 to "
                       << std::max<int64_t>(smaller - 1, 0)
                       << ", fewer than the dimensions of data and indices";
  auto length = checkPositions(emitError, *data, *indices, batchDims);
  if (failed(length))
    return failure();
  if (data->getShape().take_front(batchDims) !=
      indices->getShape().take_front(batchDims))
    return emitError() << "indices has shape "
                       << formatShape(indices->getShape())
                       << ", expected its first " << batchDims
                       << " sizes as those of data, "
                       << formatShape(data->getShape());
  SmallVector<int64_t> shape(indices->getShape().drop_back());
  llvm::append_range(shape, data->getShape().drop_front(batchDims + *length));
  return makeResult(emitError, shape, data->getElementType());
}

/// Checks the type of the updates and the reduction.
static LogicalResult checkUpdates(EmitErrorFn emitError, RankedTensorType data,
                                  Value updates, ArrayRef<int64_t> shape,
                                  StringRef reduction) {
  auto type = getTensor(emitError, updates, "updates");
  if (failed(type) || failed(checkElementType(emitError, "updates", *type,
                                              "data", data.getElementType())))
    return failure();
  if (type->getShape() != shape)
    return emitError() << "updates has shape " << formatShape(type->getShape())
                       << ", expected " << formatShape(shape)
                       << " from data and indices";
  if (llvm::is_contained({"none", "add", "mul", "min", "max"}, reduction))
    return success();
  return emitError()
         << "reduction is \"" << reduction
         << "\", expected \"none\", \"add\", \"mul\", \"min\" or \"max\""
         << didYouMean(reduction, {"none", "add", "mul", "min", "max"});
}

FailureOr<RankedTensorType> ScatterElementsOp::inferType(EmitErrorFn emitError,
                                                         Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data))
    return failure();
  auto axis =
      checkAlongAxis(emitError, *data, adaptor.getIndices(), adaptor.getAxis());
  if (failed(axis))
    return failure();
  auto indices = cast<RankedTensorType>(adaptor.getIndices().getType());
  if (failed(checkElementIndices(emitError, *data, indices, *axis)) ||
      failed(checkUpdates(emitError, *data, adaptor.getUpdates(),
                          indices.getShape(), adaptor.getReduction())))
    return failure();
  return makeResult(emitError, data->getShape(), data->getElementType());
}

FailureOr<RankedTensorType> ScatterNDOp::inferType(EmitErrorFn emitError,
                                                   Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data))
    return failure();
  auto indices = getTensor(emitError, adaptor.getIndices(), "indices");
  if (failed(indices))
    return failure();
  auto length = checkPositions(emitError, *data, *indices, 0);
  if (failed(length))
    return failure();
  SmallVector<int64_t> shape(indices->getShape().drop_back());
  llvm::append_range(shape, data->getShape().drop_front(*length));
  if (failed(checkUpdates(emitError, *data, adaptor.getUpdates(), shape,
                          adaptor.getReduction())))
    return failure();
  return makeResult(emitError, data->getShape(), data->getElementType());
}

FailureOr<RankedTensorType> OneHotOp::inferType(EmitErrorFn emitError,
                                                Adaptor adaptor) {
  auto indices = getTensor(emitError, adaptor.getIndices(), "indices");
  if (failed(indices) || failed(checkIndices(emitError, "indices", *indices)))
    return failure();
  auto on =
      getTensorOfRank(emitError, adaptor.getOnValue(), "on_value", 0, "scalar");
  if (failed(on))
    return failure();
  auto off = getTensorOfRank(emitError, adaptor.getOffValue(), "off_value", 0,
                             "scalar");
  if (failed(off) || failed(checkElementType(emitError, "off_value", *off,
                                             "on_value", on->getElementType())))
    return failure();
  int64_t depth = static_cast<int64_t>(adaptor.getDepth());
  if (depth < 1)
    return emitError() << "depth is " << depth << ", expected at least 1";
  // The new dimension may be the last one.
  auto axis = normalizeAxis(emitError, static_cast<int64_t>(adaptor.getAxis()),
                            indices->getRank() + 1);
  if (failed(axis))
    return failure();
  SmallVector<int64_t> shape(indices->getShape());
  shape.insert(shape.begin() + *axis, depth);
  return makeResult(emitError, shape, on->getElementType());
}
