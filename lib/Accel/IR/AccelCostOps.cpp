//===- AccelCostOps.cpp - Costs of running on a device --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

/// Checks that `op` is the only operation of its kind in its parent.
template <typename OpT>
static LogicalResult verifyOnce(OpT op, StringRef what) {
  auto first = *op->getBlock()->template getOps<OpT>().begin();
  if (first == op)
    return success();
  InFlightDiagnostic diagnostic = report(op) << what;
  diagnostic.attachNote(first.getLoc()) << "the other one is here";
  return diagnostic;
}

/// Checks a body: `numArguments` integers, arith operations and a yield.
static LogicalResult verifyBody(Operation *op, Block &body,
                                unsigned numArguments) {
  if (body.getNumArguments() != numArguments ||
      !llvm::all_of(body.getArgumentTypes(),
                    [](Type type) { return type.isIndex(); }))
    return report(op) << "the body takes "
                      << (numArguments ? "one index, the bytes" : "nothing");
  if (!isa<YieldOp>(body.back()))
    return report(op) << "the body must end with uma.accel.yield";
  for (Operation &inner : body.without_terminator())
    if (!isa<TargetAttributeOp, AttributeIsOp>(inner) &&
        !isa_and_present<arith::ArithDialect>(inner.getDialect()))
      return report(&inner) << "'" << inner.getName()
                            << "' cannot stand here: the body holds arith "
                               "operations and uma.accel.yield";
  return success();
}

LogicalResult CostOp::verify() {
  return verifyOnce(*this, "a pattern has one cost");
}

LogicalResult TransferOp::verifyRegions() {
  if (failed(verifyOnce(*this, "an accelerator has one transfer")))
    return failure();
  return verifyBody(*this, getBody().front(), /*numArguments=*/1);
}

LogicalResult RegionOp::verifyRegions() {
  if (failed(verifyOnce(*this, "an accelerator has one region")))
    return failure();
  if (getMinOperators() < 1)
    return report(*this) << "min_operators is " << getMinOperators()
                         << ", expected 1 or more";
  return verifyBody(*this, getBody().front(), /*numArguments=*/0);
}
