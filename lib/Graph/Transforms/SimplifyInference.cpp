//===- SimplifyInference.cpp - Simplify operators for inference -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// With known statistics, operators that remain from training are arithmetic
// with constants or identities. Rewritten as multiply and bias_add, they can be
// folded into the weights of the layer before them.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_SIMPLIFYINFERENCEPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

/// Returns whether `value` is a constant and all its elements are `expected`.
static bool isConstantOf(Value value, double expected) {
  std::optional<HostTensor> tensor = getConstant(value);
  if (!tensor)
    return false;
  for (int64_t i = 0, e = tensor->getNumElements(); i != e; ++i)
    if (tensor->getDouble(i) != expected)
      return false;
  return true;
}

/// Returns the operand that `op` returns unchanged, or null if `op` is no
/// identity.
static Value getIdentity(Operation *op) {
  auto isTrivialPool = [](auto pool) -> Value {
    auto isAll = [](ArrayRef<int64_t> values, int64_t expected) {
      return llvm::all_of(values, [&](int64_t v) { return v == expected; });
    };
    bool trivial = isAll(pool.getPoolSize(), 1) &&
                   isAll(pool.getStrides(), 1) && isAll(pool.getPadding(), 0);
    return trivial ? pool.getData() : Value();
  };
  auto isNeutral = [](auto binary, double neutral, bool commutes) -> Value {
    if (isConstantOf(binary.getRhs(), neutral))
      return binary.getLhs();
    if (commutes && isConstantOf(binary.getLhs(), neutral))
      return binary.getRhs();
    return Value();
  };
  Value data =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case<MaxPool2dOp, AvgPool2dOp>(isTrivialPool)
          .Case<AddOp>([&](AddOp op) { return isNeutral(op, 0, true); })
          .Case<SubtractOp>([&](auto op) { return isNeutral(op, 0, false); })
          .Case<MultiplyOp>([&](auto op) { return isNeutral(op, 1, true); })
          .Case<DivideOp>([&](auto op) { return isNeutral(op, 1, false); })
          .Case<ClipOp>([](ClipOp op) -> Value {
            bool unlimited =
                op.getAMin().isInfinity() && op.getAMin().isNegative() &&
                op.getAMax().isInfinity() && !op.getAMax().isNegative();
            return unlimited ? op.getData() : Value();
          })
          .Case<ReluOp>([](ReluOp op) -> Value {
            return op.getData().getDefiningOp<ReluOp>() ? op.getData()
                                                        : Value();
          })
          .Default([](Operation *) { return Value(); });
  // Broadcasting with a neutral constant may still change the shape.
  return data && data.getType() == op->getResult(0).getType() ? data : Value();
}

/// Replaces a batch_norm with constant parameters by multiply and bias_add.
/// Returns false if the parameters are not constant or the new constants are
/// not finite.
static bool replaceBatchNorm(BatchNormOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  auto gamma = getConstant(op.getGamma()), beta = getConstant(op.getBeta());
  auto mean = getConstant(op.getMean());
  auto variance = getConstant(op.getVariance());
  if (!gamma || !beta || !mean || !variance ||
      !isa<FloatType>(type.getElementType()))
    return false;
  int64_t axis = getPositiveAxis(op.getAxis(), type.getRank());
  int64_t channels = type.getDimSize(axis);
  double epsilon = op.getEpsilon().convertToDouble();

  // [C, 1, 1] for NCHW: multiply aligns dimensions at the end.
  SmallVector<int64_t> scaleShape(type.getRank() - axis, 1);
  scaleShape[0] = channels;
  HostTensor scale(RankedTensorType::get(scaleShape, type.getElementType()));
  HostTensor shift(RankedTensorType::get({channels}, type.getElementType()));
  for (int64_t c = 0; c < channels; ++c) {
    double factor =
        gamma->getDouble(c) / std::sqrt(variance->getDouble(c) + epsilon);
    scale.setDouble(c, factor);
    shift.setDouble(c, beta->getDouble(c) - mean->getDouble(c) * factor);
    // f16 may overflow here, but not if the mean is subtracted first.
    if (!std::isfinite(scale.getDouble(c)) ||
        !std::isfinite(shift.getDouble(c)))
      return false;
  }
  OpBuilder builder(op);
  Value scaleValue = createConstant(builder, op, "scale", scale);
  Value shiftValue = createConstant(builder, op, "shift", shift);
  Value product =
      MultiplyOp::create(builder, op.getLoc(), type, op.getData(), scaleValue);
  Value sum = BiasAddOp::create(builder, op.getLoc(), type, product, shiftValue,
                                uint64_t(axis));
  op.getResult().replaceAllUsesWith(sum);
  op.erase();
  return true;
}

namespace {
struct SimplifyInferencePass
    : uma::graph::impl::SimplifyInferencePassBase<SimplifyInferencePass> {
  using SimplifyInferencePassBase::SimplifyInferencePassBase;

  void runOnOperation() override {
    for (Operation *op : getGraphOps(getOperation())) {
      if (auto batchNorm = dyn_cast<BatchNormOp>(op)) {
        if (replaceBatchNorm(batchNorm))
          ++numBatchNorms;
      } else if (Value data = getIdentity(op)) {
        op->getResult(0).replaceAllUsesWith(data);
        op->erase();
        ++numIdentities;
      }
    }
    eraseUnusedConstants(getOperation());
  }
};
} // namespace
