//===- InlineLayers.cpp - Inline layers into the network ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Upstream's inliner would also inline functions of accelerators, which must
// stay calls.
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace uma;
using namespace uma::cpu;

namespace uma::cpu {
#define GEN_PASS_DEF_INLINELAYERSPASS
#include "uma/CPU/Transforms/Passes.h.inc"
} // namespace uma::cpu

/// Replaces `call` by a copy of the operators of `function`.
static void inlineCall(func::CallOp call, func::FuncOp function) {
  IRMapping mapping;
  mapping.map(function.getArguments(), call.getOperands());
  OpBuilder builder(call);
  Block &body = function.getBody().front();
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
}

size_t cpu::inlineLayers(ModuleOp module, SymbolTable &symbols,
                         function_ref<bool(func::FuncOp)> isInlined) {
  size_t numInlined = 0;
  for (func::FuncOp entry : getEntryFunctions(module))
    for (auto call : llvm::make_early_inc_range(entry.getOps<func::CallOp>())) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!callee || !callee->hasAttr(kPrimitiveAttrName) || !isInlined(callee))
        continue;
      inlineCall(call, callee);
      ++numInlined;
    }
  return numInlined;
}

namespace {
struct InlineLayersPass : cpu::impl::InlineLayersPassBase<InlineLayersPass> {
  using InlineLayersPassBase::InlineLayersPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(verifyLayers(module, Decision::Layers)))
      return signalPassFailure();
    SymbolTable symbols(module);
    numInlined +=
        inlineLayers(module, symbols, [](func::FuncOp) { return true; });
    SymbolTableCollection tables;
    SymbolUserMap users(tables, module);
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (function->hasAttr(kPrimitiveAttrName) && users.useEmpty(function))
        symbols.erase(function);
  }
};
} // namespace
