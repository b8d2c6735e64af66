//===- CanonicalizeOps.cpp - One form for per-channel additions -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A pass of its own and no canonicalization pattern: merging computes on
// weights, and which additions are a layer's bias is a convention of ours that
// other users of the canonicalizer need not share.
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

/// Returns the operand that carries the channels of `op`'s result through: that
/// of activations and of arithmetic with constants. Nothing for other
/// operations.
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
  // Broadcasting to a higher rank moves the channels.
  if (source && shapeOf(source) == shapeOf(op->getResult(0)))
    return source;
  return Value();
}

/// Returns the dimension of `value` that holds the channels of the layer it
/// comes from.
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

/// Rewrites `add`, whose operand number `biasIndex` may be a per-channel
/// constant. Returns the new operator or nothing.
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
  // One value for all channels is no bias; it stays a scalar.
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

/// Merges `outer` into the bias_add before it, whose location names the layer.
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
    else // Wraps, which C++ defines for unsigned types only.
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
