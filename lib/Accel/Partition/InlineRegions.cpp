//===- InlineRegions.cpp - Undo the outlining of regions ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Passes that change what a region holds inline it first, change composites,
// and leave it to `uma-accel-merge-compiler-regions` and
// `uma-accel-partition-graph` to outline what remains.
//
//===----------------------------------------------------------------------===//

#include "InlineRegions.h"

#include "uma/IR/DeviceAttributes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace uma;

/// Inlines `callee` at `call`. Returns its composites.
static SmallVector<graph::CompositeOp> inlineCall(func::CallOp call,
                                                  func::FuncOp callee) {
  OpBuilder builder(call);
  IRMapping mapping;
  Block &body = callee.getBody().front();
  mapping.map(body.getArguments(), call.getOperands());
  SmallVector<graph::CompositeOp> composites;
  for (Operation &op : body.without_terminator()) {
    Operation *clone = builder.clone(op, mapping);
    auto composite = dyn_cast<graph::CompositeOp>(clone);
    if (!composite)
      continue;
    composites.push_back(composite);
    composite->setAttr(kTargetAttrName, callee->getAttr(kTargetAttrName));
  }
  call->replaceAllUsesWith(llvm::map_to_vector(
      body.getTerminator()->getOperands(),
      [&](Value returned) { return mapping.lookupOrDefault(returned); }));
  call.erase();
  return composites;
}

void uma::accel::inlineRegions(ModuleOp module, ArrayRef<func::FuncOp> regions,
                               function_ref<void(graph::CompositeOp)> visit) {
  SymbolTable symbols(module);
  module.walk([&](func::CallOp call) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (callee && llvm::is_contained(regions, callee))
      llvm::for_each(inlineCall(call, callee), visit);
  });
  for (func::FuncOp function : regions)
    symbols.erase(function);
}
