//===- GraphPoolOps.cpp - Pools -------------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Inference.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::detail;

/// Infers the result type of a pool over data of type `data` with the spatial
/// dimensions `spatial`.
template <typename AdaptorT>
static FailureOr<RankedTensorType>
inferWindowType(EmitErrorFn emitError, AdaptorT adaptor, RankedTensorType data,
                ArrayRef<int64_t> spatial, bool needsData, Type elementType) {
  size_t rank = spatial.size();
  ArrayRef<int64_t> size = adaptor.getPoolSize();
  if (failed(checkSizes(emitError, "pool_size", size, rank, 1,
                        rank == 2   ? "height and width"
                        : rank == 3 ? "depth, height and width"
                                    : "one for each spatial dimension")))
    return failure();
  Window window;
  for (int64_t dim : spatial)
    window.input.push_back(data.getDimSize(dim));
  window.kernel = SpatialVector(size);
  window.ceilMode = adaptor.getCeilMode();
  if (failed(inferWindow(emitError, window, adaptor.getStrides(),
                         adaptor.getPadding(), adaptor.getDilations(),
                         needsData)))
    return failure();
  SmallVector<int64_t> shape(data.getShape());
  for (auto [index, dim] : llvm::enumerate(spatial))
    shape[dim] = window.getOutput(index);
  return makeResult(emitError, shape, elementType);
}

//===----------------------------------------------------------------------===//
// Pools with a layout
//===----------------------------------------------------------------------===//

template <typename AdaptorT>
static FailureOr<RankedTensorType> inferPoolType(EmitErrorFn emitError,
                                                 AdaptorT adaptor, int64_t rank,
                                                 bool needsFloat) {
  auto layout = checkDataLayout(emitError, adaptor.getDataLayout(), rank);
  if (failed(layout))
    return failure();
  auto data = getTensorOfRank(
      emitError, adaptor.getData(), "data", rank + 2, adaptor.getDataLayout(),
      needsFloat ? Elements::Plain : Elements::WithOneScale);
  if (failed(data) ||
      (needsFloat && failed(checkFloat(emitError, "data", *data))))
    return failure();
  return inferWindowType(emitError, adaptor, *data, layout->spatial,
                         /*needsData=*/true, data->getElementType());
}

template <typename PoolOp>
static Window getPoolWindow(PoolOp op, ArrayRef<int64_t> spatial) {
  SpatialVector input;
  for (int64_t dim : spatial)
    input.push_back(op.getData().getType().getDimSize(dim));
  return makeWindow(input, op.getPoolSize(), op.getStrides(), op.getPadding(),
                    op.getDilations(), op.getCeilMode());
}

template <typename PoolOp>
static Window getPoolWindow(PoolOp op) {
  return getPoolWindow(op, WindowLayout::parse(op.getDataLayout())->spatial);
}

/// Returns the padding of a maximum pool as a value: the lowest value of the
/// element type. Returns std::nullopt if an explicit pad cannot replace it.
template <typename PoolOp>
static std::optional<double> getMaxPadding(PoolOp op) {
  // With ceil_mode, the pool leaves out windows that start in the padding.
  if (op.getCeilMode())
    return std::nullopt;
  Type type = op.getData().getType().getElementType();
  if (auto integer = dyn_cast<IntegerType>(type)) {
    bool isSigned = !integer.isUnsigned() && integer.getWidth() > 1;
    return isSigned ? -std::ldexp(1.0, int(integer.getWidth()) - 1) : 0;
  }
  // Narrow floats may have no infinity.
  if (!type.isF16() && !type.isBF16() && !type.isF32() && !type.isF64())
    return std::nullopt;
  return -std::numeric_limits<double>::infinity();
}

/// Returns the padding of an average pool as a value: 0 if padding counts, or
/// std::nullopt otherwise.
template <typename PoolOp>
static std::optional<double> getAveragePadding(PoolOp op) {
  if (!op.getCountIncludePad() || op.getCeilMode())
    return std::nullopt;
  return 0;
}

FailureOr<RankedTensorType> MaxPool2dOp::inferType(EmitErrorFn emitError,
                                                   Adaptor adaptor) {
  return inferPoolType(emitError, adaptor, 2, /*needsFloat=*/false);
}
Window MaxPool2dOp::getWindow() { return getPoolWindow(*this); }
std::optional<double> MaxPool2dOp::getPaddingNumber() {
  return getMaxPadding(*this);
}
int64_t MaxPool2dOp::getMACs() { return 0; }

FailureOr<RankedTensorType> MaxPool3dOp::inferType(EmitErrorFn emitError,
                                                   Adaptor adaptor) {
  return inferPoolType(emitError, adaptor, 3, /*needsFloat=*/false);
}
Window MaxPool3dOp::getWindow() { return getPoolWindow(*this); }
std::optional<double> MaxPool3dOp::getPaddingNumber() {
  return getMaxPadding(*this);
}
int64_t MaxPool3dOp::getMACs() { return 0; }

FailureOr<RankedTensorType> AvgPool2dOp::inferType(EmitErrorFn emitError,
                                                   Adaptor adaptor) {
  return inferPoolType(emitError, adaptor, 2, /*needsFloat=*/true);
}
Window AvgPool2dOp::getWindow() { return getPoolWindow(*this); }
std::optional<double> AvgPool2dOp::getPaddingNumber() {
  return getAveragePadding(*this);
}
int64_t AvgPool2dOp::getMACs() { return 0; }

FailureOr<RankedTensorType> AvgPool3dOp::inferType(EmitErrorFn emitError,
                                                   Adaptor adaptor) {
  return inferPoolType(emitError, adaptor, 3, /*needsFloat=*/true);
}
Window AvgPool3dOp::getWindow() { return getPoolWindow(*this); }
std::optional<double> AvgPool3dOp::getPaddingNumber() {
  return getAveragePadding(*this);
}
int64_t AvgPool3dOp::getMACs() { return 0; }

//===----------------------------------------------------------------------===//
// Pools of any rank
//===----------------------------------------------------------------------===//

/// Returns the spatial dimensions of data [N, C, spatial...].
static SpatialVector getSpatialDims(RankedTensorType type) {
  return llvm::to_vector_of<int64_t, 3>(llvm::seq<int64_t>(2, type.getRank()));
}

template <typename AdaptorT>
static FailureOr<RankedTensorType>
inferAnyPoolType(EmitErrorFn emitError, AdaptorT adaptor, RankedTensorType data,
                 bool needsData, Type elementType) {
  if (data.getRank() < 3)
    return emitError() << "data has shape " << formatShape(data.getShape())
                       << " of rank " << data.getRank()
                       << ", expected rank 3 or more (NC and spatial "
                          "dimensions)";
  return inferWindowType(emitError, adaptor, data, getSpatialDims(data),
                         needsData, elementType);
}

FailureOr<RankedTensorType> MaxPoolIndicesOp::inferType(EmitErrorFn emitError,
                                                        Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data))
    return failure();
  return inferAnyPoolType(emitError, adaptor, *data, /*needsData=*/true,
                          IntegerType::get(data->getContext(), 64));
}
Window MaxPoolIndicesOp::getWindow() {
  return getPoolWindow(*this, getSpatialDims(getData().getType()));
}
int64_t MaxPoolIndicesOp::getMACs() { return 0; }

FailureOr<RankedTensorType> LpPoolOp::inferType(EmitErrorFn emitError,
                                                Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data) || failed(checkFloat(emitError, "data", *data)))
    return failure();
  if (static_cast<int64_t>(adaptor.getP()) < 1)
    return emitError() << "p is " << static_cast<int64_t>(adaptor.getP())
                       << ", expected at least 1";
  return inferAnyPoolType(emitError, adaptor, *data, /*needsData=*/false,
                          data->getElementType());
}
Window LpPoolOp::getWindow() {
  return getPoolWindow(*this, getSpatialDims(getData().getType()));
}
int64_t LpPoolOp::getMACs() { return 0; }

//===----------------------------------------------------------------------===//
// Global pools
//===----------------------------------------------------------------------===//

template <typename AdaptorT>
static FailureOr<RankedTensorType>
inferGlobalPoolType(EmitErrorFn emitError, AdaptorT adaptor, bool needsFloat) {
  auto layout = checkDataLayout(emitError, adaptor.getDataLayout(), 2);
  if (failed(layout))
    return failure();
  auto data = getTensorOfRank(
      emitError, adaptor.getData(), "data", 4, adaptor.getDataLayout(),
      needsFloat ? Elements::Plain : Elements::WithOneScale);
  if (failed(data) ||
      (needsFloat && failed(checkFloat(emitError, "data", *data))))
    return failure();
  SmallVector<int64_t> shape(data->getShape());
  for (int64_t dim : layout->spatial) {
    if (shape[dim] == 0)
      return emitError() << "data has shape " << formatShape(data->getShape())
                         << ", expected a height and width of at least 1";
    shape[dim] = 1;
  }
  return makeResult(emitError, shape, data->getElementType());
}

FailureOr<RankedTensorType> GlobalAvgPool2dOp::inferType(EmitErrorFn emitError,
                                                         Adaptor adaptor) {
  return inferGlobalPoolType(emitError, adaptor, /*needsFloat=*/true);
}

FailureOr<RankedTensorType> GlobalMaxPool2dOp::inferType(EmitErrorFn emitError,
                                                         Adaptor adaptor) {
  return inferGlobalPoolType(emitError, adaptor, /*needsFloat=*/false);
}
