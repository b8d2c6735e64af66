//===- Verify.cpp - Check the result of the graph stage -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Checks the contract between the graph stage and later stages. If a user's own
// pass leaves unsupported operations in the graph stage, the error names them.
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

/// Emits an error and fails unless `type` is a tensor of static shape. `what`
/// names its value in errors.
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

/// Returns whether `op` contains an operator of the graph family.
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
  // Results of the function are arguments or results of operations and need no
  // separate check. The walk includes bodies of composites.
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
    // Do not check functions outside the graph, for example one that calls the
    // network and prints. If no function holds operators, the graph itself was
    // not converted.
    auto functions = getOperation().getOps<func::FuncOp>();
    bool hasGraph = llvm::any_of(functions, hasOperators);
    for (Operation &op : *getOperation().getBody()) {
      if (auto func = dyn_cast<func::FuncOp>(op)) {
        if (hasGraph && !hasOperators(func))
          continue;
        ok &= succeeded(verifyFunction(func));
      } else if (!isInFamily<AccelFamily>(&op) &&
                 // Scripts of planned layers; lowering to loops erases them.
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
