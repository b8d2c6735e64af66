//===- ApplyScript.cpp - Apply a script of a description ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Upstream's transform-interpreter expects one entry point in the module or in
// a library loaded once per context. Descriptions have several scripts, each
// with its own entry point.
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/IR/AccelOps.h"
#include "uma/Accel/Partition/Passes.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace uma::accel {
#define GEN_PASS_DEF_APPLYSCRIPTPASS
#include "uma/Accel/Partition/Passes.h.inc"
} // namespace uma::accel

namespace {
struct ApplyScriptPass
    : uma::accel::impl::ApplyScriptPassBase<ApplyScriptPass> {
  using ApplyScriptPassBase::ApplyScriptPassBase;

  /// Returns the script that the options select. Emits an error and returns
  /// null if it does not exist.
  ScriptOp findScript() {
    int64_t count = 0;
    for (auto op : getOperation().getOps<AcceleratorOp>())
      if (op.getSymName() == accelerator)
        for (auto script : op.getOps<ScriptOp>())
          if (count++ == index)
            return script;
    getOperation().emitError()
        << "uma-accel-apply-script: accelerator '" << accelerator << "' has "
        << count << " scripts, but number " << index.getValue()
        << " is wanted, counted from 0";
    return nullptr;
  }

  LogicalResult apply() {
    ScriptOp script = findScript();
    if (!script)
      return failure();
    if (script.getBody().getOps().empty())
      return mlir::emitError(script.getLoc())
             << "the script was not read; uma-accel-load does that";
    // Clone the script, which is part of the module that it transforms.
    OwningOpRef<ModuleOp> library(
        cast<ModuleOp>((*script.getBody().getOps().begin()).clone()));
    auto entry = library->lookupSymbol<transform::NamedSequenceOp>(
        transform::TransformDialect::kTransformEntryPointSymbolName);
    if (!entry)
      return mlir::emitError(script.getLoc())
             << "a script holds transform.named_sequence @"
             << transform::TransformDialect::kTransformEntryPointSymbolName;
    transform::TransformOptions options;
    if (succeeded(transform::applyTransformNamedSequence(
            getOperation(), entry, *library,
            options.enableExpensiveChecks(false))))
      return success();
    return mlir::emitError(script.getLoc())
           << "the script of " << script.getPhase() << " of accelerator '"
           << accelerator << "' failed";
  }

  void runOnOperation() override {
    if (failed(apply()))
      signalPassFailure();
  }
};
} // namespace
