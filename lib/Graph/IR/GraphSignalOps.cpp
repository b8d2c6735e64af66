//===- GraphSignalOps.cpp - Signal processing -----------------------------===//
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

FailureOr<RankedTensorType> DFTOp::inferType(EmitErrorFn emitError,
                                             Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data) || failed(checkFloat(emitError, "data", *data)))
    return failure();
  int64_t rank = data->getRank();
  if (rank < 2 ||
      (data->getShape().back() != 1 && data->getShape().back() != 2))
    return emitError() << "data has shape " << formatShape(data->getShape())
                       << ", expected rank 2 or more and a last dimension of 1 "
                          "(real) or 2 (complex)";
  auto axis =
      normalizeAxis(emitError, static_cast<int64_t>(adaptor.getAxis()), rank);
  if (failed(axis))
    return failure();
  if (*axis == rank - 1)
    return emitError() << "axis is " << static_cast<int64_t>(adaptor.getAxis())
                       << ", the dimension of real and imaginary parts; "
                          "expected one before it";
  auto twiddle = getTensorOfRank(emitError, adaptor.getTwiddle(), "twiddle", 2,
                                 "length, 2");
  if (failed(twiddle) ||
      failed(checkElementType(emitError, "twiddle", *twiddle, "data",
                              data->getElementType())))
    return failure();
  if (twiddle->getDimSize(0) < 1 || twiddle->getDimSize(1) != 2)
    return emitError() << "twiddle has shape "
                       << formatShape(twiddle->getShape())
                       << ", expected a length of at least 1 and 2 parts";
  SmallVector<int64_t> shape(data->getShape());
  int64_t length = twiddle->getDimSize(0);
  shape[*axis] = adaptor.getOnesided() ? length / 2 + 1 : length;
  shape.back() = 2;
  return makeResult(emitError, shape, data->getElementType());
}
