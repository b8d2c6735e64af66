//===- GraphReduceOps.cpp - Reductions and scans --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Inference.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::detail;

SmallVector<bool> graph::getReducedDims(ArrayRef<int64_t> axis, int64_t rank) {
  SmallVector<bool> isReduced(rank, axis.empty());
  for (int64_t dim : axis)
    isReduced[dim < 0 ? dim + rank : dim] = true;
  return isReduced;
}

/// Checks that the elements are numbers, not truth values.
static LogicalResult checkNumbers(EmitErrorFn emitError,
                                  RankedTensorType data) {
  if (!data.getElementType().isInteger(1))
    return success();
  return emitError() << "data has element type i1, expected numbers; cast it "
                        "first";
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

template <typename AdaptorT>
static FailureOr<RankedTensorType>
inferReductionType(EmitErrorFn emitError, AdaptorT adaptor, bool needsNumbers) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data) || (needsNumbers && failed(checkNumbers(emitError, *data))))
    return failure();
  int64_t rank = data->getRank();
  SmallVector<bool> isReduced(rank, adaptor.getAxis().empty());
  for (auto [index, written] : llvm::enumerate(adaptor.getAxis())) {
    std::string name = "axis[" + std::to_string(index) + "]";
    auto axis = normalizeAxis(emitError, written, rank, name);
    if (failed(axis))
      return failure();
    if (isReduced[*axis])
      return emitError() << name << " is " << written
                         << ", expected every axis once";
    isReduced[*axis] = true;
  }
  SmallVector<int64_t> shape;
  for (auto [size, reduced] : llvm::zip_equal(data->getShape(), isReduced))
    if (!reduced)
      shape.push_back(size);
    else if (adaptor.getKeepdims())
      shape.push_back(1);
  return makeResult(emitError, shape, data->getElementType());
}

FailureOr<RankedTensorType> SumOp::inferType(EmitErrorFn emitError,
                                             Adaptor adaptor) {
  return inferReductionType(emitError, adaptor, /*needsNumbers=*/true);
}
FailureOr<RankedTensorType> MeanOp::inferType(EmitErrorFn emitError,
                                              Adaptor adaptor) {
  return inferReductionType(emitError, adaptor, /*needsNumbers=*/true);
}
FailureOr<RankedTensorType> ProdOp::inferType(EmitErrorFn emitError,
                                              Adaptor adaptor) {
  return inferReductionType(emitError, adaptor, /*needsNumbers=*/true);
}
FailureOr<RankedTensorType> MaxOp::inferType(EmitErrorFn emitError,
                                             Adaptor adaptor) {
  return inferReductionType(emitError, adaptor, /*needsNumbers=*/false);
}
FailureOr<RankedTensorType> MinOp::inferType(EmitErrorFn emitError,
                                             Adaptor adaptor) {
  return inferReductionType(emitError, adaptor, /*needsNumbers=*/false);
}

template <typename AdaptorT>
static FailureOr<RankedTensorType> inferArgReductionType(EmitErrorFn emitError,
                                                         AdaptorT adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data))
    return failure();
  auto axis = normalizeAxis(emitError, static_cast<int64_t>(adaptor.getAxis()),
                            data->getRank());
  if (failed(axis))
    return failure();
  if (data->getDimSize(*axis) == 0)
    return emitError() << "data has shape " << formatShape(data->getShape())
                       << ", expected at least one element along axis "
                       << *axis;
  SmallVector<int64_t> shape(data->getShape());
  if (adaptor.getKeepdims())
    shape[*axis] = 1;
  else
    shape.erase(shape.begin() + *axis);
  return makeResult(emitError, shape, IntegerType::get(data->getContext(), 64));
}

FailureOr<RankedTensorType> ArgMaxOp::inferType(EmitErrorFn emitError,
                                                Adaptor adaptor) {
  return inferArgReductionType(emitError, adaptor);
}
FailureOr<RankedTensorType> ArgMinOp::inferType(EmitErrorFn emitError,
                                                Adaptor adaptor) {
  return inferArgReductionType(emitError, adaptor);
}

//===----------------------------------------------------------------------===//
// Sorting and scans
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> TopKOp::inferType(EmitErrorFn emitError,
                                              Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data))
    return failure();
  auto axis = normalizeAxis(emitError, static_cast<int64_t>(adaptor.getAxis()),
                            data->getRank());
  if (failed(axis))
    return failure();
  SmallVector<int64_t> shape(data->getShape());
  auto k = static_cast<int64_t>(adaptor.getK());
  if (k < 0 || k > shape[*axis])
    return emitError() << "k is " << k << ", expected 0 to " << shape[*axis]
                       << ", the size of data along axis " << *axis;
  shape[*axis] = k;
  return makeResult(emitError, shape, IntegerType::get(data->getContext(), 64));
}

FailureOr<RankedTensorType> CumsumOp::inferType(EmitErrorFn emitError,
                                                Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data) || failed(checkNumbers(emitError, *data)) ||
      failed(normalizeAxis(emitError, static_cast<int64_t>(adaptor.getAxis()),
                           data->getRank())))
    return failure();
  return makeResult(emitError, data->getShape(), data->getElementType());
}
