//===- EmitC.cpp - Turn plain TIR into EmitC ------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Conversion/Passes.h"
#include "uma/Pipelines/Passes.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace uma;

namespace uma {
#define GEN_PASS_DEF_EMITCPASS
#include "uma/Pipelines/Passes.h.inc"
} // namespace uma

namespace {
struct EmitCPass : uma::impl::EmitCPassBase<EmitCPass> {
  void runOnOperation() override {
    OpPassManager manager(ModuleOp::getOperationName());
    manager.addPass(createConvertTIRToEmitCPass());
    if (failed(runPipeline(manager, getOperation())))
      signalPassFailure();
  }
};
} // namespace
