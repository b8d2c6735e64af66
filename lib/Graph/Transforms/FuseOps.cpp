//===- FuseOps.cpp - Put operators that are computed together into one ----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A group becomes a function, as in Relay, and no region: calls of functions
// are what the interpreter and every pass on graphs already know, and what
// partitioning makes for accelerators.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/FusionGroups.h"
#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_FUSEOPSPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

/// `fused_conv2d_bias_add_relu`, as in TVM; of a long group the beginning.
static std::string getFunctionName(const FusionGroup &group) {
  constexpr size_t longest = 80;
  std::string name = "fused";
  for (Operation *op : group) {
    StringRef kind = op->getName().getStringRef().rsplit('.').second;
    if (name.size() + kind.size() > longest)
      break;
    name += ("_" + kind).str();
  }
  return name;
}

/// Moves `group` into a function of its own and calls that.
static void outline(const FusionGroup &group, SymbolTable &symbols) {
  Operation *last = group.back();
  llvm::SmallPtrSet<Operation *, 8> members(group.begin(), group.end());
  llvm::SetVector<Value> inputs;
  for (Operation *op : group)
    for (Value operand : op->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (!source || (!isa<ConstantOp>(source) && !members.contains(source)))
        inputs.insert(operand);
    }

  MLIRContext *context = last->getContext();
  auto types = FunctionType::get(context, TypeRange(inputs.getArrayRef()),
                                 last->getResultTypes());
  auto function =
      func::FuncOp::create(last->getLoc(), getFunctionName(group), types);
  function.setPrivate();
  function->setAttr(kPrimitiveAttrName, UnitAttr::get(context));
  symbols.insert(function);
  OpBuilder builder(last);
  auto call = func::CallOp::create(builder, last->getLoc(), function,
                                   inputs.getArrayRef());
  last->replaceAllUsesWith(call.getResults());

  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  DenseMap<Value, Value> inside;
  for (auto [input, argument] : llvm::zip(inputs, body->getArguments()))
    inside[input] = argument;
  for (Operation *op : group) {
    for (OpOperand &operand : op->getOpOperands()) {
      // Constants are the function's own; one that others use stays there, too.
      if (auto constant = operand.get().getDefiningOp<ConstantOp>()) {
        Value &copy = inside[constant];
        if (!copy)
          copy = cast<ConstantOp>(builder.clone(*constant));
      }
      if (Value value = inside.lookup(operand.get()))
        operand.set(value);
    }
    op->moveBefore(body, body->end());
    builder.setInsertionPointToEnd(body);
  }
  func::ReturnOp::create(builder, last->getLoc(), last->getResults());
}

namespace {
struct FuseOpsPass : uma::graph::impl::FuseOpsPassBase<FuseOpsPass> {
  using FuseOpsPassBase::FuseOpsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (maxDepth >= 1)
      return success();
    return emitError(UnknownLoc::get(context))
           << "uma-graph-fuse-ops: max-depth is " << maxDepth.getValue()
           << ", expected 1 or more";
  }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    // Copied: outlining adds functions.
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      if (function->hasAttr(kTargetAttrName) ||
          function->hasAttr(kPrimitiveAttrName) ||
          !function.getBody().hasOneBlock())
        continue;
      auto limit = static_cast<size_t>(maxDepth);
      for (const FusionGroup &group :
           findFusionGroups(function.getBody().front(), limit)) {
        outline(group, symbols);
        ++numGroups;
        numFused += group.size();
      }
    }
    eraseUnusedConstants(getOperation());
  }
};
} // namespace
