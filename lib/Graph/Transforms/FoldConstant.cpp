//===- FoldConstant.cpp - Evaluate operators of constants -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Exporters leave arithmetic on weights in the graph, and our own passes add
// more. The interpreter evaluates it at compile time. MLIR's folding is not
// used because it expands and uniques every value as an attribute; here,
// weights stay resources.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"

#include "uma/Graph/Interpreter/Interpreter.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_FOLDCONSTANTPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

namespace {
struct FoldConstantPass
    : uma::graph::impl::FoldConstantPassBase<FoldConstantPass> {
  using FoldConstantPassBase::FoldConstantPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (maxBytes >= 0)
      return success();
    return emitError(UnknownLoc::get(context))
           << "uma-graph-fold-constant: max-bytes is " << maxBytes.getValue()
           << ", expected 0 or more";
  }

  void runOnOperation() override {
    // In program order, so that results fold into their users.
    for (Operation *op : getGraphOps(getOperation()))
      foldOperation(op);
    eraseUnusedConstants(getOperation());
  }

private:
  void foldOperation(Operation *op);
  /// Returns whether the results of `op` are larger than its operands by more
  /// than `maxBytes` and are not the weights of layers.
  bool isTooLarge(Operation *op);
};
} // namespace

/// Returns the size of a tensor in bytes; 0 for a type without storage, which
/// fails to evaluate.
static int64_t getBytes(Type type) {
  return HostTensor::getByteSize(cast<RankedTensorType>(type));
}

/// Returns whether layers multiply by `value`, whose kernels need constants,
/// and nothing else uses it. Moves between the two fold as well.
static bool isWeight(Value value) {
  return !value.use_empty() &&
         llvm::all_of(value.getUses(), [](OpOperand &use) {
           Operation *user = use.getOwner();
           if (isa<ReshapeOp, TransposeOp>(user))
             return isWeight(user->getResult(0));
           return use.getOperandNumber() == 1 &&
                  isa<Conv2dOp, Conv2dTransposeOp, Conv3dOp, DenseOp,
                      BatchMatmulOp>(user);
         });
}

bool FoldConstantPass::isTooLarge(Operation *op) {
  int64_t growth = 0;
  for (Type type : op->getResultTypes())
    growth += getBytes(type);
  for (Type type : op->getOperandTypes())
    growth -= getBytes(type);
  return growth > maxBytes && !llvm::all_of(op->getResults(), isWeight);
}

void FoldConstantPass::foldOperation(Operation *op) {
  if (!isPure(op) || op->hasTrait<OpTrait::ConstantLike>() ||
      op->getNumRegions() || op->getNumResults() == 0 ||
      op->getNumOperands() == 0)
    return;
  // Checked before the operands are read, which copies them.
  for (Value operand : op->getOperands())
    if (!isConstant(operand))
      return;
  // An attribute cannot hold quantized elements.
  for (Value result : op->getResults())
    if (isQuantized(getElements(result)))
      return;
  if (isTooLarge(op)) {
    ++numTooLarge;
    return;
  }
  SmallVector<HostTensor> operands;
  for (Value operand : op->getOperands()) {
    std::optional<HostTensor> tensor = getConstant(operand);
    if (!tensor)
      return;
    operands.push_back(std::move(*tensor));
  }
  // An operator that fails to evaluate may never be executed, so this is not an
  // error. Drop the message and keep the operator.
  auto dropError = [&] {
    InFlightDiagnostic diag = op->emitError();
    diag.abandon();
    return diag;
  };
  FailureOr<SmallVector<HostTensor>> results =
      evaluate(op, operands, dropError);
  if (failed(results))
    return;
  OpBuilder builder(op);
  for (auto [index, result, tensor] :
       llvm::enumerate(op->getResults(), *results)) {
    std::string suffix = index ? std::to_string(index) : "";
    result.replaceAllUsesWith(createConstant(builder, op, suffix, tensor));
  }
  op->erase();
  ++numFolded;
}
