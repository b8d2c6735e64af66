//===- Verify.cpp - Check that a stage of TIR is complete -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// If a pass leaves an operation behind, later passes fail with unrelated
// errors; this pass reports it at the end of the stage.
//
//===----------------------------------------------------------------------===//

#include "uma/Support/DidYouMean.h"
#include "uma/TIR/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_VERIFYPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

namespace {
struct VerifyPass : uma::tir::impl::VerifyPassBase<VerifyPass> {
  using VerifyPassBase::VerifyPassBase;

  LogicalResult checkSchedulable(Operation *op);
  LogicalResult checkPlain(Operation *op);
  LogicalResult checkPlainType(Operation *op, Type type);

  InFlightDiagnostic emitStageError(Operation *op) {
    return op->emitOpError() << "is not allowed in " << stage << " TIR: ";
  }

  void runOnOperation() override;
};
} // namespace

/// Returns the types of an operation's operands, results and block arguments.
static SmallVector<Type> getTypes(Operation *op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(types, block.getArgumentTypes());
  return types;
}

LogicalResult VerifyPass::checkSchedulable(Operation *op) {
  if (isInFamily<GraphFamily>(op))
    return emitStageError(op) << "convert-uma-graph-to-uma-tir left it";
  if (isa<func::FuncOp>(op))
    return emitStageError(op) << "expected a uma.tir.func";
  for (Type type : getTypes(op))
    if (isa<TensorType>(type))
      return emitStageError(op)
             << "it has type " << type << ", expected buffers (memref)";
  return success();
}

static bool isPlainOperation(Operation *op) {
  if (isa<memref::LoadOp, memref::StoreOp, memref::GetGlobalOp, scf::IfOp,
          vector::BroadcastOp, vector::ExtractOp, vector::LoadOp,
          vector::ReductionOp, vector::ShuffleOp, vector::StoreOp>(op))
    return true;
  if (isa<scf::YieldOp>(op))
    return isa<scf::IfOp>(op->getParentOp());
  return isInFamily<TIRFamily>(op) ||
         isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
             op->getDialect());
}

LogicalResult VerifyPass::checkPlainType(Operation *op, Type type) {
  if (!isa<BaseMemRefType>(type))
    return success();
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer || buffer.getRank() > 1)
    return emitStageError(op)
           << "it has type " << type
           << ", expected at most one dimension; run uma-tir-storage-flatten";
  if (!buffer.hasStaticShape() || !buffer.getLayout().isIdentity())
    return emitStageError(op)
           << "it has type " << type
           << ", expected a static shape and the identity layout";
  return success();
}

LogicalResult VerifyPass::checkPlain(Operation *op) {
  if (failed(checkSchedulable(op)))
    return failure();
  if (isa<BlockOp>(op))
    return emitStageError(op) << "run uma-tir-lower-block";
  if (!op->getParentOfType<FuncOp>() && !isa<FuncOp>(op)) {
    auto global = dyn_cast<memref::GlobalOp>(op);
    return global ? checkPlainType(op, global.getType()) : success();
  }
  if (!isa<FuncOp>(op) && !isPlainOperation(op))
    return emitStageError(op)
           << "expected arith, math, scf.if, memref.load, memref.store, "
              "memref.get_global, vector.broadcast, vector.load, "
              "vector.reduction, vector.store or uma.tir";
  for (Type type : getTypes(op))
    if (failed(checkPlainType(op, type)))
      return failure();
  auto alloc = dyn_cast<AllocOp>(op);
  if (alloc && alloc.getScope() == Scope::Workspace && !alloc.getOffset())
    return emitStageError(op)
           << "it has no place in the workspace; run uma-tir-plan-memory";
  return success();
}

void VerifyPass::runOnOperation() {
  if (stage != "schedulable" && stage != "plain") {
    emitError(getOperation().getLoc())
        << "unknown stage '" << stage << "' of uma-tir-verify"
        << didYouMean(stage, {"schedulable", "plain"})
        << ", expected schedulable or plain";
    return signalPassFailure();
  }
  bool isPlain = stage == "plain";
  // Each function reports its first error; descriptions of accelerators are not
  // part of the program.
  bool hasErrors = false;
  for (Operation &top : getOperation().getOps()) {
    if (isInFamily<AccelFamily>(&top))
      continue;
    WalkResult result = top.walk<WalkOrder::PreOrder>([&](Operation *op) {
      LogicalResult checked = isPlain ? checkPlain(op) : checkSchedulable(op);
      return failed(checked) ? WalkResult::interrupt() : WalkResult::advance();
    });
    hasErrors |= result.wasInterrupted();
  }
  if (hasErrors)
    signalPassFailure();
}
