//===- ConvertGraphToLinalg.cpp - Convert operators to linalg -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Converts the graph for use in other pipelines. Each operator is replaced in
// place by one rule, since types are unchanged; the rules are grouped in the
// files beside this one. No `uma` operations or attributes remain, so that
// tools without the dialect can process the module.
//
//===----------------------------------------------------------------------===//

#include "AcceleratorFunctions.h"
#include "LinalgBuilder.h"

#include "uma/Accel/IR/AccelOps.h"
#include "uma/Conversion/Passes.h"
#include "uma/Graph/Transforms/Passes.h"
#include "uma/IR/Family.h"
#include "uma/IR/UMADialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace uma;

namespace uma {
#define GEN_PASS_DEF_CONVERTGRAPHTOLINALGPASS
#include "uma/Conversion/Passes.h.inc"
} // namespace uma

/// Emits an error and fails if the operator has tensors that linalg cannot
/// hold.
static LogicalResult checkTypes(Operation *op) {
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes())) {
    auto tensor = cast<RankedTensorType>(type);
    if (!tensor.getElementType().isSignlessIntOrFloat())
      return op->emitOpError("cannot be converted to linalg: its type ")
             << type
             << " has integers with a sign; linalg computes signless ones";
    if (tensor.getNumElements() == 0)
      return op->emitOpError("cannot be converted to linalg: its type ")
             << type << " has no elements";
  }
  return success();
}

/// Removes `uma.*` attributes from a function, its arguments and results.
static void removeAttributes(func::FuncOp function) {
  auto isOurs = [](NamedAttribute attr) {
    return attr.getName().strref().starts_with("uma.");
  };
  for (NamedAttribute attr : llvm::to_vector(function->getDiscardableAttrs()))
    if (isOurs(attr))
      function->removeDiscardableAttr(attr.getName());
  auto filter = [&](DictionaryAttr attrs) {
    return llvm::to_vector(llvm::make_filter_range(
        attrs, [&](NamedAttribute attr) { return !isOurs(attr); }));
  };
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (DictionaryAttr attrs = function.getArgAttrDict(i))
      function.setArgAttrs(i, filter(attrs));
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (DictionaryAttr attrs = function.getResultAttrDict(i))
      function.setResultAttrs(i, filter(attrs));
}

namespace {
struct ConvertGraphToLinalgPass
    : uma::impl::ConvertGraphToLinalgPassBase<ConvertGraphToLinalgPass> {
  LogicalResult initialize(MLIRContext *) override {
    populateLinalgContractionRules(rules);
    populateLinalgConvRules(rules);
    populateLinalgElementwiseRules(rules);
    populateLinalgIndexRules(rules);
    populateLinalgMovementRules(rules);
    populateLinalgNormalizationRules(rules);
    populateLinalgPoolRules(rules);
    populateLinalgReduceRules(rules);
    return success();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    OpPassManager manager(ModuleOp::getOperationName());
    manager.addPass(graph::createDecomposeAttentionPass());
    if (failed(runPipeline(manager, module)))
      return signalPassFailure();
    SymbolTable symbols(module);
    // Skip bodies of composites: they are erased with the composite.
    SmallVector<Operation *> ops;
    module->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isInFamily<AccelFamily>(op))
        return WalkResult::skip();
      if (!isInFamily<GraphFamily>(op))
        return WalkResult::advance();
      ops.push_back(op);
      return WalkResult::skip();
    });
    bool hasFailed = false;
    // Lowered composites append their operators to `ops`.
    for (size_t i = 0; i < ops.size(); ++i)
      hasFailed |= failed(convert(ops[i], symbols, ops));
    if (hasFailed)
      return signalPassFailure();
    for (auto accelerator :
         llvm::make_early_inc_range(module.getOps<accel::AcceleratorOp>()))
      accelerator.erase();
    for (auto function : module.getOps<func::FuncOp>())
      removeAttributes(function);
  }

  LogicalResult convert(Operation *op, SymbolTable &symbols,
                        SmallVectorImpl<Operation *> &pending) {
    if (failed(checkTypes(op)))
      return failure();
    if (auto composite = dyn_cast<graph::CompositeOp>(op)) {
      if (!op->getParentOp()->hasAttr(kTargetAttrName))
        return op->emitOpError("is not outlined to its accelerator; run "
                               "'uma-accel-partition-graph' first");
      return convertComposite(composite, symbols, pending);
    }
    const LinalgRules::Fn *rule = rules.lookup(op);
    if (!rule)
      return op->emitOpError(
          "cannot be converted to linalg: there is no rule for this operator");
    OpBuilder builder(op);
    LinalgBuilder linalgBuilder(builder, op);
    Value result = (*rule)(linalgBuilder, op);
    if (!result)
      return failure();
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
    return success();
  }

  LinalgRules rules;
};
} // namespace
