//===- CanonicalizeOps.cpp - One form for per-channel additions -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// This is a separate pass instead of canonicalization patterns because merging
// computes on weights, and because other users of the canonicalizer may not
// want additions rewritten to bias_add.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_CANONICALIZEOPSPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

/// Returns the operand of `op` with the channels of its result, if `op` is an
/// activation or arithmetic with constants. Returns null for other operations.
static Value getChannelSource(Operation *op) {
  Value source =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case<BiasAddOp, BatchNormOp>([](auto op) { return op.getData(); })
          .Case<AddOp, SubtractOp, MultiplyOp, DivideOp>([](auto op) {
            bool isLhsConstant =
                op.getLhs().template getDefiningOp<ConstantOp>() != nullptr;
            return isLhsConstant ? op.getRhs() : op.getLhs();
          })
          .Default([](Operation *op) {
            bool isUnary =
                op->hasTrait<Elementwise>() && op->getNumOperands() == 1;
            return isUnary ? op->getOperand(0) : Value();
          });
  auto shapeOf = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getShape();
  };
  // Broadcasting to a higher rank would move the channels.
  if (source && shapeOf(source) == shapeOf(op->getResult(0)))
    return source;
  return Value();
}

/// Returns the channel dimension of `value`, as defined by the layer that it
/// originates from, or std::nullopt if there is no such layer.
static std::optional<int64_t> findChannelAxis(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (std::optional<int64_t> axis = getChannelAxis(op))
      return axis;
    value = getChannelSource(op);
    if (!value)
      return std::nullopt;
  }
  return std::nullopt;
}

/// Rewrites `add` to a bias_add if operand `biasIndex` is a per-channel
/// constant. Returns the new operator, or null otherwise.
static BiasAddOp rewriteAdd(AddOp add, unsigned biasIndex) {
  Value data = add->getOperand(1 - biasIndex);
  auto type = cast<RankedTensorType>(data.getType());
  if (add.getResult().getType() != type ||
      !add->getOperand(biasIndex).getDefiningOp<ConstantOp>())
    return nullptr;
  std::optional<int64_t> axis = findChannelAxis(data);
  std::optional<HostTensor> bias = getConstant(add->getOperand(biasIndex));
  if (!axis || !bias)
    return nullptr;
  int64_t channels = type.getDimSize(*axis);
  // A single value for all channels stays a scalar.
  if (bias->getNumElements() != channels ||
      !getValuesAlongAxis(*bias, type, *axis))
    return nullptr;
  OpBuilder builder(add);
  Value vector =
      createConstant(builder, add, "bias", bias->reshaped({channels}));
  auto biasAdd = BiasAddOp::create(builder, add.getLoc(), type, data, vector,
                                   uint64_t(*axis));
  add.getResult().replaceAllUsesWith(biasAdd.getResult());
  add.erase();
  return biasAdd;
}

/// Merges `outer` into the bias_add that defines its data, which keeps its
/// location. Returns false if the constants cannot be merged.
static bool mergeBias(BiasAddOp outer) {
  auto inner = outer.getData().getDefiningOp<BiasAddOp>();
  if (!inner || !inner.getResult().hasOneUse())
    return false;
  int64_t rank = cast<RankedTensorType>(inner.getResult().getType()).getRank();
  if (getPositiveAxis(inner.getAxis(), rank) !=
      getPositiveAxis(outer.getAxis(), rank))
    return false;
  std::optional<HostTensor> first = getConstant(inner.getBias());
  std::optional<HostTensor> second = getConstant(outer.getBias());
  if (!first || !second || first->getType() != second->getType())
    return false;
  HostTensor sum(first->getType());
  for (int64_t i = 0, e = sum.getNumElements(); i != e; ++i) {
    if (sum.isFloat())
      sum.setDouble(i, first->getDouble(i) + second->getDouble(i));
    else // Integers wrap; C++ defines this for unsigned types only.
      sum.setInt(i, uint64_t(first->getInt(i)) + uint64_t(second->getInt(i)));
  }
  OpBuilder builder(inner);
  inner.getBiasMutable().set(createConstant(builder, inner, "bias", sum));
  outer.getResult().replaceAllUsesWith(inner.getResult());
  outer.erase();
  return true;
}

namespace {
struct CanonicalizeOpsPass
    : uma::graph::impl::CanonicalizeOpsPassBase<CanonicalizeOpsPass> {
  using CanonicalizeOpsPassBase::CanonicalizeOpsPassBase;

  void runOnOperation() override {
    for (Operation *op : getGraphOps(getOperation())) {
      auto biasAdd = dyn_cast<BiasAddOp>(op);
      if (auto add = dyn_cast<AddOp>(op)) {
        biasAdd = rewriteAdd(add, 1);
        if (!biasAdd)
          biasAdd = rewriteAdd(add, 0);
        numBiasAdds += biasAdd ? 1 : 0;
      }
      if (biasAdd && mergeBias(biasAdd))
        ++numMerged;
    }
    eraseUnusedConstants(getOperation());
  }
};
} // namespace
