//===- Verify.cpp - Check that the graph stage has done its work ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The contract between the graph stage and what follows, as a pass: whoever
// brings passes of their own to the graph stage learns here, by the name of the
// operation, what they left over.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace uma;

namespace uma::graph {
#define GEN_PASS_DEF_VERIFYPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

/// Fails unless `type`, of what `what` says, is a tensor of static shape.
static LogicalResult verifyType(Operation *op, Type type, const Twine &what) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && tensor.hasStaticShape())
    return success();
  return op->emitError() << "the graph stage ends with " << what << " of type "
                         << type << "; expected a tensor of static shape";
}

/// Checks one operation in the body of a function.
static LogicalResult verifyOperation(Operation *op) {
  if (!isInFamily<GraphFamily>(op) && !isa<func::ReturnOp, func::CallOp>(op))
    return op->emitError()
           << "the graph stage ends with '" << op->getName()
           << "'; functions may hold only uma.graph operators, func.call and "
              "func.return";
  for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(verifyType(op, type, "result #" + Twine(index))))
      return failure();
  return success();
}

/// Returns whether an operator of the graph stands in `op`.
static bool hasOperators(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isInFamily<GraphFamily>(inner) ? WalkResult::interrupt()
                                              : WalkResult::advance();
      })
      .wasInterrupted();
}

static LogicalResult verifyFunction(func::FuncOp func) {
  if (func.isExternal())
    return success();
  if (!func.getBody().hasOneBlock())
    return func.emitError()
           << "the graph stage ends with a function of "
           << func.getBody().getBlocks().size()
           << " blocks; a graph has no control flow, expected one block";
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes()))
    if (failed(verifyType(func, type, "argument #" + Twine(index))))
      return failure();
  // Results need no check of their own: each is an argument's or an
  // operation's. Bodies of composites are part of the walk.
  LogicalResult result = success();
  func.getBody().walk([&](Operation *op) {
    if (failed(verifyOperation(op)))
      result = failure();
  });
  return result;
}

namespace {
struct VerifyPass : uma::graph::impl::VerifyPassBase<VerifyPass> {
  using VerifyPassBase::VerifyPassBase;

  void runOnOperation() override {
    bool ok = true;
    // Functions beside the graphs, for example one that calls the network and
    // prints, are their owner's. Where no function holds operators, those
    // meant to be graphs were not converted.
    auto functions = getOperation().getOps<func::FuncOp>();
    bool hasGraph = llvm::any_of(functions, hasOperators);
    for (Operation &op : *getOperation().getBody()) {
      if (auto func = dyn_cast<func::FuncOp>(op)) {
        if (hasGraph && !hasOperators(func))
          continue;
        ok &= succeeded(verifyFunction(func));
      } else if (!isInFamily<AccelFamily>(&op) &&
                 // Scripts of planned layers are gone when loops are.
                 op.getName().getStringRef() != "transform.named_sequence") {
        op.emitError() << "the graph stage ends with '" << op.getName()
                       << "' beside the functions; a module may hold only "
                          "func.func and descriptions of accelerators";
        ok = false;
      }
    }
    if (!ok)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
