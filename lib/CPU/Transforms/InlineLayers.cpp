//===- InlineLayers.cpp - Take layers apart -------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Upstream's inliner would put the functions of accelerators into the network,
// too, which have to stay calls.
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

void cpu::inlineLayer(func::CallOp call, func::FuncOp function) {
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

namespace {
struct InlineLayersPass : cpu::impl::InlineLayersPassBase<InlineLayersPass> {
  using InlineLayersPassBase::InlineLayersPassBase;

  void runOnOperation() override {
    if (failed(inlineLayers()))
      signalPassFailure();
  }

private:
  LogicalResult inlineLayers();
};
} // namespace

LogicalResult InlineLayersPass::inlineLayers() {
  SymbolTable symbols(getOperation());
  SmallVector<func::FuncOp> primitives;
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    if (!function->hasAttr(kPrimitiveAttrName))
      continue;
    if (!function.isPrivate() || !function.getBody().hasOneBlock())
      return function.emitOpError("has ")
             << kPrimitiveAttrName
             << ", expected a private function with a body of one block";
    primitives.push_back(function);
  }
  SmallVector<std::pair<func::CallOp, func::FuncOp>> calls;
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    bool isPrimitive = function->hasAttr(kPrimitiveAttrName);
    for (auto call : function.getOps<func::CallOp>()) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!callee || !callee->hasAttr(kPrimitiveAttrName))
        continue;
      if (isPrimitive)
        return call.emitOpError("in '@")
               << function.getSymName() << "' calls '@" << callee.getSymName()
               << "', both of which have " << kPrimitiveAttrName
               << "; expected layers without layers in them";
      calls.emplace_back(call, callee);
    }
  }
  for (auto [call, callee] : calls) {
    inlineLayer(call, callee);
    ++numInlined;
  }
  SymbolTableCollection tables;
  SymbolUserMap users(tables, getOperation());
  for (func::FuncOp function : primitives)
    if (users.useEmpty(function))
      symbols.erase(function);
  return success();
}
