//===- ConvertTosaToGraph.cpp - Convert TOSA to operators of the graph ----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Each operation is replaced in place by one rule; the rules are grouped in the
// files beside this one. This is not a dialect conversion, since types are
// unchanged and all operations without an equivalent are reported at once.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "uma/Conversion/Passes.h"
#include "uma/IR/UMADialect.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace uma;

namespace uma {
#define GEN_PASS_DEF_CONVERTTOSATOGRAPHPASS
#include "uma/Conversion/Passes.h.inc"
} // namespace uma

/// Emits an error and fails unless all shapes are static.
static LogicalResult checkShapes(Operation *op) {
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes())) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (shaped && !shaped.hasStaticShape())
      return op->emitOpError("cannot be converted to uma.graph: its type ")
             << type
             << " has sizes that are not known; give the function's arguments "
                "static shapes and run 'tosa-infer-shapes' first";
  }
  return success();
}

namespace {
struct ConvertTosaToGraphPass
    : uma::impl::ConvertTosaToGraphPassBase<ConvertTosaToGraphPass> {
  LogicalResult initialize(MLIRContext *) override {
    populateTosaDataRules(rules);
    populateTosaElementwiseRules(rules);
    populateTosaMovementRules(rules);
    populateTosaWindowRules(rules);
    return success();
  }

  void runOnOperation() override {
    // Nested operations are converted with their parent.
    SmallVector<Operation *> ops;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa_and_nonnull<tosa::TosaDialect>(op->getDialect()))
        return WalkResult::advance();
      ops.push_back(op);
      return WalkResult::skip();
    });
    bool hasFailed = false;
    for (Operation *op : ops)
      hasFailed |= failed(convert(op));
    if (hasFailed)
      return signalPassFailure();
    for (Operation *op : llvm::reverse(ops))
      op->erase();
  }

  /// Replaces `op` by the result of its rule.
  LogicalResult convert(Operation *op) {
    if (isa<tosa::ConstShapeOp>(op))
      return success(); // read by its users
    const TosaRules::Fn *rule = rules.lookup(op);
    if (!rule)
      return op->emitOpError(
          "cannot be converted to uma.graph: it has no equivalent operator");
    if (failed(checkShapes(op)))
      return failure();
    OpBuilder builder(op);
    TosaRewriter rewriter(builder, op);
    Value result = (*rule)(rewriter, op);
    if (!result || rewriter.hasFailed())
      return failure();
    if (result.getType() != op->getResult(0).getType())
      return op->emitOpError("cannot be converted to uma.graph: its result is ")
             << op->getResult(0).getType() << ", but the operator computes "
             << result.getType();
    op->getResult(0).replaceAllUsesWith(result);
    return success();
  }

  TosaRules rules;
};
} // namespace
