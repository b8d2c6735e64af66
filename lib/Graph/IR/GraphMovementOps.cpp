//===- GraphMovementOps.cpp - Slices, repetitions, triangles --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Inference.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::detail;

//===----------------------------------------------------------------------===//
// StridedSliceOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> StridedSliceOp::inferType(EmitErrorFn emitError,
                                                      Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data", Elements::Moved);
  if (failed(data))
    return failure();
  ArrayRef<int64_t> begin = adaptor.getBegin(), size = adaptor.getSize();
  ArrayRef<int64_t> strides = adaptor.getStrides();
  int64_t rank = data->getRank();
  if (failed(
          checkSizes(emitError, "begin", begin, rank, 0, "the rank of data")) ||
      failed(
          checkSizes(emitError, "size", size, rank, 0, "the rank of data")) ||
      failed(checkSizes(emitError, "strides", strides, rank,
                        std::numeric_limits<int64_t>::min(),
                        "the rank of data")))
    return failure();
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (size[dim] == 0)
      continue;
    int64_t last;
    if (llvm::MulOverflow(size[dim] - 1, strides[dim], last) ||
        llvm::AddOverflow(last, begin[dim], last) || last < 0 ||
        std::max(begin[dim], last) >= data->getDimSize(dim))
      return emitError() << "dimension " << dim << " of data has size "
                         << data->getDimSize(dim)
                         << ", expected it to hold the " << size[dim]
                         << " elements from " << begin[dim] << " with stride "
                         << strides[dim];
  }
  return makeResult(emitError, size, data->getElementType());
}

OpFoldResult StridedSliceOp::fold(FoldAdaptor) {
  // With the size of the data, the slice holds all elements, in order or
  // backwards.
  bool isForward =
      llvm::all_of(llvm::zip(getSize(), getStrides()), [](auto entry) {
        return std::get<0>(entry) <= 1 || std::get<1>(entry) > 0;
      });
  if (getData().getType() == getType() && isForward)
    return getData();
  return {};
}

//===----------------------------------------------------------------------===//
// BroadcastToOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> BroadcastToOp::inferType(EmitErrorFn emitError,
                                                     Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data))
    return failure();
  ArrayRef<int64_t> from = data->getShape(), to = adaptor.getShape();
  if (!checkedProduct(to))
    return emitError() << "shape has a negative size or 2^63 or more elements";
  bool fits = from.size() <= to.size();
  for (size_t dim = 0; fits && dim < from.size(); ++dim)
    fits = from[dim] == 1 || from[dim] == to[to.size() - from.size() + dim];
  if (!fits)
    return emitError()
           << "data has shape " << formatShape(from)
           << ", which does not broadcast to " << formatShape(to)
           << ": counted from the end, its sizes must be equal or 1";
  return makeResult(emitError, to, data->getElementType());
}

OpFoldResult BroadcastToOp::fold(FoldAdaptor) {
  if (getData().getType() == getType())
    return getData();
  return {};
}

//===----------------------------------------------------------------------===//
// TriluOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> TriluOp::inferType(EmitErrorFn emitError,
                                               Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data))
    return failure();
  if (data->getRank() < 2)
    return emitError() << "data has shape " << formatShape(data->getShape())
                       << ", expected matrices: rank 2 or more";
  return makeResult(emitError, data->getShape(), data->getElementType());
}

//===----------------------------------------------------------------------===//
// ReverseSequenceOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> ReverseSequenceOp::inferType(EmitErrorFn emitError,
                                                         Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data))
    return failure();
  auto lengths = getTensorOfRank(emitError, adaptor.getSeqLengths(),
                                 "seq_lengths", 1, "batch");
  if (failed(lengths) ||
      failed(checkIndices(emitError, "seq_lengths", *lengths)))
    return failure();
  auto seqAxis =
      normalizeAxis(emitError, static_cast<int64_t>(adaptor.getSeqAxis()),
                    data->getRank(), "seq_axis");
  if (failed(seqAxis))
    return failure();
  auto batchAxis =
      normalizeAxis(emitError, static_cast<int64_t>(adaptor.getBatchAxis()),
                    data->getRank(), "batch_axis");
  if (failed(batchAxis))
    return failure();
  if (*seqAxis == *batchAxis)
    return emitError() << "seq_axis and batch_axis are both " << *seqAxis
                       << ", expected two different axes";
  if (lengths->getDimSize(0) != data->getDimSize(*batchAxis))
    return emitError() << "seq_lengths has size " << lengths->getDimSize(0)
                       << ", expected " << data->getDimSize(*batchAxis)
                       << ", the size of data along batch_axis " << *batchAxis;
  return makeResult(emitError, data->getShape(), data->getElementType());
}
