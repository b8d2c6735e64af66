//===- InlineLowered.cpp - Return lowered matches to the CPU --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A pattern with `lower` lowers its operators to loops in the device's
// function, for the strategies, passes and scripts of the device. If the device
// has none of these, the loops would run unoptimized on the CPU. The CPU's own
// kernels are many times faster.
//
//===----------------------------------------------------------------------===//

#include "InlineRegions.h"

#include "uma/Accel/IR/Backend.h"
#include "uma/Accel/Partition/Assignment.h"
#include "uma/Accel/Partition/Passes.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace uma::accel {
#define GEN_PASS_DEF_INLINELOWEREDPASS
#include "uma/Accel/Partition/Passes.h.inc"
} // namespace uma::accel

/// Returns whether the device has strategies for operators, or passes or
/// scripts that transform loops.
static bool hasLoopTools(AcceleratorOp accelerator) {
  auto isTIRPhase = [](auto hook) {
    return hook.getPhase().starts_with("TIR_PHASE");
  };
  return BackendRegistry::get(accelerator.getContext())
             .lookup(accelerator.getSymName()) ||
         !accelerator.getOps<StrategyOp>().empty() ||
         llvm::any_of(accelerator.getOps<PipelineOp>(), isTIRPhase) ||
         llvm::any_of(accelerator.getOps<ScriptOp>(), isTIRPhase);
}

/// Returns whether the CPU's kernels should compute `composite`: its pattern is
/// lowered, and the device has no strategies, passes or scripts for loops.
static bool isForCPU(graph::CompositeOp composite) {
  auto pattern = SymbolTable::lookupNearestSymbolFrom<PatternOp>(
      composite, composite.getPattern());
  return pattern && pattern.isLowered() &&
         pattern.getBody().getOps<PlaceOp>().empty() &&
         pattern.getBody().getOps<ScratchOp>().empty() &&
         !hasLoopTools(pattern->getParentOfType<AcceleratorOp>());
}

static bool holdsWorkOfCPU(func::FuncOp function) {
  return function->hasAttr(kTargetAttrName) && !function.isExternal() &&
         llvm::any_of(function.getOps<graph::CompositeOp>(), isForCPU);
}

bool uma::accel::hasMatchesForCPU(ModuleOp module) {
  return llvm::any_of(module.getOps<func::FuncOp>(), holdsWorkOfCPU);
}

/// Replaces `composite` by its operators.
static void inlineComposite(graph::CompositeOp composite) {
  Block &body = composite.getBody().front();
  for (auto [argument, operand] :
       llvm::zip_equal(body.getArguments(), composite.getOperands()))
    argument.replaceAllUsesWith(operand);
  Operation *yield = body.getTerminator();
  composite->replaceAllUsesWith(yield->getOperands());
  yield->erase();
  composite->getBlock()->getOperations().splice(Block::iterator(composite),
                                                body.getOperations());
  composite.erase();
}

namespace {
struct InlineLoweredPass
    : uma::accel::impl::InlineLoweredPassBase<InlineLoweredPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> inlined(
        llvm::make_filter_range(module.getOps<func::FuncOp>(), holdsWorkOfCPU));
    for (func::FuncOp function : inlined)
      for (graph::CompositeOp composite : function.getOps<graph::CompositeOp>())
        numMatches += isForCPU(composite);
    inlineRegions(module, inlined, [](graph::CompositeOp composite) {
      if (isForCPU(composite))
        inlineComposite(composite);
    });
  }
};
} // namespace
