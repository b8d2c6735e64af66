//===- GraphMathOps.cpp - Elementwise arithmetic with broadcasting --------===//
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

static FailureOr<RankedTensorType>
inferBinaryType(EmitErrorFn emitError, Value lhsValue, Value rhsValue) {
  FailureOr<RankedTensorType> lhs = getTensor(emitError, lhsValue, "lhs");
  if (failed(lhs))
    return failure();
  FailureOr<RankedTensorType> rhs = getTensor(emitError, rhsValue, "rhs");
  if (failed(rhs) || failed(checkElementType(emitError, "rhs", *rhs, "lhs",
                                             lhs->getElementType())))
    return failure();
  FailureOr<SmallVector<int64_t>> shape =
      broadcastShapes(emitError, lhs->getShape(), rhs->getShape());
  if (failed(shape))
    return failure();
  return makeResult(emitError, *shape, lhs->getElementType());
}

FailureOr<RankedTensorType> AddOp::inferType(EmitErrorFn emitError,
                                             Adaptor adaptor) {
  return inferBinaryType(emitError, adaptor.getLhs(), adaptor.getRhs());
}

FailureOr<RankedTensorType> SubtractOp::inferType(EmitErrorFn emitError,
                                                  Adaptor adaptor) {
  return inferBinaryType(emitError, adaptor.getLhs(), adaptor.getRhs());
}

FailureOr<RankedTensorType> MultiplyOp::inferType(EmitErrorFn emitError,
                                                  Adaptor adaptor) {
  return inferBinaryType(emitError, adaptor.getLhs(), adaptor.getRhs());
}

FailureOr<RankedTensorType> DivideOp::inferType(EmitErrorFn emitError,
                                                Adaptor adaptor) {
  return inferBinaryType(emitError, adaptor.getLhs(), adaptor.getRhs());
}
