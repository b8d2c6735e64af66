//===- ApplyScripts.cpp - Apply transform scripts -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A script transforms the function of one layer: the loops of its operators,
// and buffers between them. Remaining buffers must be in the network's
// workspace, which only entry functions can allocate, so they become arguments.
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Transforms/Passes.h"
#include "uma/IR/UMADialect.h"
#include "uma/TIR/IR/TIROps.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace uma;

namespace uma::cpu {
#define GEN_PASS_DEF_APPLYSCRIPTSPASS
#include "uma/CPU/Transforms/Passes.h.inc"
} // namespace uma::cpu

/// Turns workspace buffers of `function` into arguments, and allocates them at
/// `calls`. Versions share buffers of the same label.
static void passBuffers(tir::FuncOp function, ArrayRef<tir::CallOp> calls) {
  SmallVector<tir::AllocOp> allocs;
  function.walk([&](tir::AllocOp alloc) {
    if (alloc.getScope() == tir::Scope::Workspace)
      allocs.push_back(alloc);
  });
  SmallVector<tir::AllocOp> passed;
  SmallVector<Value> arguments;
  for (tir::AllocOp alloc : allocs) {
    auto *same = llvm::find_if(passed, [&](tir::AllocOp other) {
      return other.getLabelAttr() == alloc.getLabelAttr() &&
             other->getResultTypes() == alloc->getResultTypes() &&
             other->getParentRegion() != alloc->getParentRegion();
    });
    size_t number = same - passed.begin();
    if (same == passed.end()) {
      unsigned index = function.getNumArguments();
      (void)function.insertArgument(index, alloc.getBuffer().getType(), {},
                                    alloc.getLoc());
      arguments.push_back(function.getArgument(index));
      passed.push_back(alloc);
    }
    alloc.getBuffer().replaceAllUsesWith(arguments[number]);
  }
  for (tir::CallOp call : calls) {
    OpBuilder builder(call);
    SmallVector<Value> operands(call.getOperands());
    for (tir::AllocOp alloc : passed)
      operands.push_back(builder.clone(*alloc)->getResult(0));
    call->setOperands(operands);
  }
  for (tir::AllocOp alloc : allocs)
    alloc.erase();
}

namespace {
struct ApplyScriptsPass : cpu::impl::ApplyScriptsPassBase<ApplyScriptsPass> {
  using ApplyScriptsPassBase::ApplyScriptsPassBase;

  /// Applies the script `name` to `function`. Emits an error if it fails.
  LogicalResult apply(tir::FuncOp function, Attribute name) {
    auto reference = dyn_cast<FlatSymbolRefAttr>(name);
    auto script =
        reference
            ? SymbolTable::lookupNearestSymbolFrom<transform::NamedSequenceOp>(
                  function, reference)
            : nullptr;
    if (!script)
      return function.emitOpError("has ")
             << kScriptAttrName << " = " << name
             << ", expected the name of a transform.named_sequence";
    transform::TransformOptions options;
    if (succeeded(transform::applyTransformNamedSequence(
            function, script, getOperation(),
            options.enableExpensiveChecks(false))))
      return mlir::verify(function);
    return mlir::emitError(script.getLoc())
           << "script " << reference << " failed for layer '"
           << function.getLayer().value_or(function.getSymName()) << "'";
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto function : module.getOps<tir::FuncOp>()) {
      Attribute name = function->removeAttr(kScriptAttrName);
      if (!name)
        continue;
      if (failed(apply(function, name)))
        return signalPassFailure();
      SmallVector<tir::CallOp> calls;
      module.walk([&](tir::CallOp call) {
        if (call.getCallee() == function.getSymName())
          calls.push_back(call);
      });
      passBuffers(function, calls);
      ++numScheduled;
    }
    // Scripts are not part of the network.
    for (auto script : llvm::make_early_inc_range(
             module.getOps<transform::NamedSequenceOp>()))
      script.erase();
    module->removeAttr(transform::TransformDialect::kWithNamedSequenceAttrName);
  }
};
} // namespace
