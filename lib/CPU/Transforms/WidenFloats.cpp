//===- WidenFloats.cpp - Layers of f16 and bf16 in f32 --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Processors convert vectors of f16 but rarely compute with them, and all
// kernels compute in f32. Tensors stay in f32 between layers: a conversion in
// each layer would take longer than the saved memory traffic without F16C, and
// layouts, tiles and fusion of layers in f32 apply as they are. Constants are
// converted here, at compile time, since a kernel that converts packed weights
// would take as many instructions for that as for its products.
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/Layer.h"
#include "uma/CPU/Transforms/Passes.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/HostTensor.h"
#include "uma/Support/LayerName.h"
#include "uma/Support/ReservedNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace uma;

namespace uma::cpu {
#define GEN_PASS_DEF_WIDENFLOATSPASS
#include "uma/CPU/Transforms/Passes.h.inc"
} // namespace uma::cpu

static bool isNarrow(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor &&
         (tensor.getElementType().isF16() || tensor.getElementType().isBF16());
}

static RankedTensorType toF32(Type type) {
  return cast<RankedTensorType>(type).clone(
      Float32Type::get(type.getContext()));
}

/// Returns whether an operator copies elements without computing with them.
static bool isMove(Operation *op) {
  return graph::getFusionKind(op) == graph::FusionKind::Injective ||
         isa<graph::BroadcastToOp>(op);
}

namespace {
struct WidenFloatsPass : uma::cpu::impl::WidenFloatsPassBase<WidenFloatsPass> {
  void runOnOperation() override {
    for (func::FuncOp function : cpu::getEntryFunctions(getOperation())) {
      wide.clear();
      SmallVector<Operation *> old;
      for (Operation &op :
           llvm::make_early_inc_range(function.front().without_terminator()))
        if (isWanted(&op)) {
          widen(&op);
          old.push_back(&op);
        }
      narrowForOthers(old);
      for (Operation *op : llvm::reverse(old))
        op->erase();
      for (auto constant : llvm::make_early_inc_range(
               function.front().getOps<graph::ConstantOp>()))
        if (constant->use_empty() && isNarrow(constant.getType()))
          constant.erase();
    }
  }

private:
  bool isWanted(Operation *op) const;
  /// Returns the elements of `value` in f32, for operators behind `op`.
  Value getWide(Value value, Operation *op);
  /// Creates a copy of `op` that computes in f32.
  void widen(Operation *op);
  /// Rounds what operators other than those of `old` read.
  void narrowForOthers(ArrayRef<Operation *> old);

  /// The tensors in f32 by the narrow tensors that they replace.
  DenseMap<Value, Value> wide;
};
} // namespace

bool WidenFloatsPass::isWanted(Operation *op) const {
  // A cast of the model rounds, and layers on words take bf16 as it is.
  if (!isInFamily<GraphFamily>(op) || op->getNumRegions() != 0 ||
      isa<graph::ConstantOp, graph::BitcastOp>(op) || getWordSize(op) != 1)
    return false;
  auto isComputed = [&](Value operand) { return wide.contains(operand); };
  if (isa<graph::CastOp>(op))
    return isNarrow(op->getOperand(0).getType()) &&
           isComputed(op->getOperand(0)) &&
           !isNarrow(op->getResult(0).getType());
  if (isMove(op))
    return isNarrow(op->getResult(0).getType()) &&
           llvm::any_of(op->getOperands(), isComputed);
  return llvm::any_of(op->getResultTypes(), isNarrow) ||
         llvm::any_of(op->getOperandTypes(), isNarrow);
}

Value WidenFloatsPass::getWide(Value value, Operation *op) {
  Value &known = wide[value];
  if (known)
    return known;
  OpBuilder builder(op);
  builder.setInsertionPointAfterValue(value);
  if (auto constant = value.getDefiningOp<graph::ConstantOp>()) {
    FailureOr<HostTensor> from = HostTensor::fromAttribute(constant.getValue());
    if (succeeded(from)) {
      HostTensor to(toF32(value.getType()));
      for (int64_t i = 0, e = to.getNumElements(); i < e; ++i)
        to.setDouble(i, from->getDouble(i));
      std::string name = toCIdentifier(getLayerName(constant)) + "_f32";
      return known =
                 graph::ConstantOp::create(builder, constant.getLoc(),
                                           to.getType(), to.toAttribute(name));
    }
  }
  return known = graph::CastOp::create(builder, op->getLoc(), value,
                                       builder.getF32Type());
}

void WidenFloatsPass::widen(Operation *op) {
  OpBuilder builder(op);
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (isNarrow(operand.getType()))
      mapping.map(operand, getWide(operand, op));
  ++numWidened;
  if (isa<graph::CastOp>(op)) {
    Value from = mapping.lookup(op->getOperand(0));
    Value result = op->getResult(0);
    if (from.getType() == result.getType())
      result.replaceAllUsesWith(from);
    else
      result.replaceAllUsesWith(builder.clone(*op, mapping)->getResult(0));
    return;
  }
  Operation *copy = builder.clone(*op, mapping);
  for (auto [from, to] : llvm::zip_equal(op->getResults(), copy->getResults()))
    if (isNarrow(from.getType())) {
      to.setType(toF32(from.getType()));
      wide[from] = to;
    } else {
      from.replaceAllUsesWith(to);
    }
  // Attributes that name the type of the result.
  for (NamedAttribute attribute : llvm::to_vector(copy->getAttrs()))
    if (auto type = dyn_cast<TypeAttr>(attribute.getValue());
        type && (type.getValue().isF16() || type.getValue().isBF16()))
      copy->setAttr(attribute.getName(), TypeAttr::get(builder.getF32Type()));
}

void WidenFloatsPass::narrowForOthers(ArrayRef<Operation *> old) {
  llvm::DenseSet<Operation *> members(old.begin(), old.end());
  for (Operation *op : old)
    for (Value result : op->getResults()) {
      auto isOther = [&](OpOperand &use) {
        return !members.contains(use.getOwner());
      };
      if (!isNarrow(result.getType()) ||
          llvm::none_of(result.getUses(), isOther))
        continue;
      Value number = wide.lookup(result);
      OpBuilder builder(op);
      builder.setInsertionPointAfterValue(number);
      Value rounded = graph::CastOp::create(
          builder, op->getLoc(), number,
          cast<RankedTensorType>(result.getType()).getElementType());
      result.replaceUsesWithIf(rounded, isOther);
    }
}
