//===- VerifyPartition.cpp - Checks of a partitioned module ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Passes of an accelerator may run between partitioning and this pass. It
// reports invariants that they broke, before lowering fails.
//
//===----------------------------------------------------------------------===//

#include "AttributeText.h"

#include "uma/Accel/IR/AccelOps.h"
#include "uma/Accel/Partition/Passes.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/DidYouMean.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace uma;

namespace uma::accel {
#define GEN_PASS_DEF_VERIFYPARTITIONPASS
#include "uma/Accel/Partition/Passes.h.inc"
} // namespace uma::accel

/// Starts an error with the name of the stage.
static InFlightDiagnostic emitStageError(Operation *op) {
  return op->emitOpError() << "after partitioning: ";
}

namespace {
struct VerifyPartitionPass
    : uma::accel::impl::VerifyPartitionPassBase<VerifyPartitionPass> {
  void runOnOperation() override {
    for (auto accelerator : getOperation().getOps<accel::AcceleratorOp>())
      accelerators.push_back(accelerator.getSymName());
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(function->hasAttr(kTargetAttrName) ? verifyOutlined(function)
                                                    : verifyRest(function)))
        signalPassFailure();
    accelerators.clear();
  }

  /// Verifies a function that stays on the CPU.
  LogicalResult verifyRest(func::FuncOp function) {
    WalkResult result = function->walk([](Operation *op) {
      if (isa<graph::CompositeOp>(op)) {
        emitStageError(op) << "stands in a function without a uma.target; "
                              "uma-accel-partition-graph outlines composites";
        return WalkResult::interrupt();
      }
      if (op->hasAttr(kRegionAttrName)) {
        emitStageError(op) << "is in region "
                           << accel::getAttributeText(
                                  op->getAttr(kRegionAttrName))
                           << ", which is not outlined";
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// Verifies a function that runs on an accelerator.
  LogicalResult verifyOutlined(func::FuncOp function) {
    auto target = function->getAttrOfType<TargetAttr>(kTargetAttrName);
    if (!target)
      return emitStageError(function)
             << "has a uma.target that is not #uma.target<...>";
    StringRef name = target.getAccelerator().getValue();
    if (!llvm::is_contained(accelerators, name))
      return emitStageError(function)
             << "has the target '" << name
             << "', but the module describes no accelerator of that name"
             << didYouMean(name, accelerators);
    if (!function.getBody().hasOneBlock())
      return emitStageError(function) << "must have a body of one block";
    for (Operation &op : function.getBody().front()) {
      if (auto composite = dyn_cast<graph::CompositeOp>(op)) {
        if (failed(verifyComposite(composite, name)))
          return failure();
        continue;
      }
      if (!isa<func::ReturnOp>(op) && !isa<graph::StorageCastOp>(op) &&
          !op.hasTrait<OpTrait::ConstantLike>())
        return emitStageError(&op)
               << "stands in '" << function.getSymName() << "', which runs on '"
               << name
               << "' and holds only composites, constants and its return";
    }
    return success();
  }

  LogicalResult verifyComposite(graph::CompositeOp composite, StringRef name) {
    if (composite.getAccelerator() != name)
      return emitStageError(composite)
             << "is of accelerator '" << composite.getAccelerator().getValue()
             << "', but stands in a function that runs on '" << name << "'";
    if (!SymbolTable::lookupNearestSymbolFrom<accel::PatternOp>(
            composite, composite.getPatternAttr()))
      return emitStageError(composite)
             << "names the pattern " << composite.getPattern()
             << ", which the module does not describe";
    return success();
  }

  SmallVector<StringRef> accelerators;
};
} // namespace
