//===- ShiftZeroPoints.cpp - Data without negative steps ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Instructions for words of four bytes multiply unsigned by signed integers:
// steps of data must not be negative. Another zero point moves all steps by the
// same distance and each sum by this distance times the sum of its weights,
// which the bias makes up for. Where there is padding, its number would move,
// too.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"
#include "DotPlan.h"
#include "QuantizedSums.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_SHIFTZEROPOINTSPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

static bool hasPadding(Operation *op) {
  auto conv = dyn_cast<Conv2dOp>(op);
  return conv && llvm::any_of(conv.getPadding(),
                              [](int64_t size) { return size != 0; });
}

namespace {
/// A layer with sums of products of constant weights.
struct Layer {
  Operation *op;
  HostTensor weights; ///< steps, as f32
  std::optional<HostTensor> bias;

  /// Returns the layer if its data may get another zero point.
  static std::optional<Layer> get(Operation *op);
  /// Returns the bias that makes up for zero points lower by `distance`.
  /// Returns std::nullopt if it does not fit i32.
  std::optional<HostTensor> getShiftedBias(int64_t distance) const;
};

struct ShiftZeroPointsPass
    : uma::graph::impl::ShiftZeroPointsPassBase<ShiftZeroPointsPass> {
  void runOnOperation() override;

private:
  void shift(const Layer &layer);

  /// Tensors with another zero point. Only looked up, never iterated.
  DenseMap<Value, Value> shifted;
};
} // namespace

std::optional<Layer> Layer::get(Operation *op) {
  if (!isa<Conv2dOp, DenseOp>(op) || hasPadding(op) ||
      op->getParentOfType<func::FuncOp>()->hasAttr(kTargetAttrName))
    return std::nullopt;
  auto data =
      dyn_cast<quant::UniformQuantizedType>(getElements(op->getOperand(0)));
  auto stored = op->getOperand(1).getDefiningOp<StorageCastOp>();
  std::optional<HostTensor> weights =
      stored ? getConstant(stored.getData()) : std::nullopt;
  auto [bias, isBiasKnown] = getStoredBias(op);
  if (!data || getStorageElementType(data).getIntOrFloatBitWidth() != 8 ||
      !weights || !isBiasKnown)
    return std::nullopt;
  Type f32 = Float32Type::get(op->getContext());
  return Layer{op, makeSteps(*weights, getElements(op->getOperand(1)), f32),
               bias};
}

std::optional<HostTensor> Layer::getShiftedBias(int64_t distance) const {
  std::vector<double> sums = getUnitSums(weights, getOutAxis(op));
  auto type = RankedTensorType::get({int64_t(sums.size())},
                                    IntegerType::get(op->getContext(), 32));
  HostTensor result(type);
  for (auto [i, sum] : llvm::enumerate(sums)) {
    double number = bias ? bias->getDouble(int64_t(i)) : 0;
    number -= double(distance) * sum;
    if (std::fabs(number) > double(std::numeric_limits<int32_t>::max()))
      return std::nullopt;
    result.setInt(int64_t(i), int64_t(number));
  }
  return result;
}

void ShiftZeroPointsPass::shift(const Layer &layer) {
  Operation *op = layer.op;
  Value data = op->getOperand(0);
  Quantization type = Quantization::of(getElements(data));
  int64_t distance = type.zeroPoints.front() - type.min;
  std::optional<HostTensor> bias = layer.getShiftedBias(distance);
  if (distance == 0 || !bias)
    return;
  Type plain = getStorageElementType(getElements(data));
  Type least = makeQuantizedType(op->getContext(), 8, /*isSigned=*/type.min < 0,
                                 type.scales, {type.min}, std::nullopt);
  SumBounds bounds =
      getSumBounds(layer.weights, getOutAxis(op), type.max - type.min, bias);
  if (getDotSize(op, layer.weights, bounds, least) != 4)
    return;

  Value &other = shifted[data];
  if (!other) {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfterValue(data);
    auto cast = [&](Value value, Type elementType) -> Value {
      return StorageCastOp::create(
          builder, op->getLoc(),
          RankedTensorType::get(getTensorType(data).getShape(), elementType),
          value);
    };
    other = cast(cast(data, plain), least);
  }
  op->setOperand(0, other);

  auto add = layer.bias ? cast<BiasAddOp>(*op->user_begin()) : BiasAddOp();
  OpBuilder builder(op);
  if (add)
    builder.setInsertionPoint(add);
  else
    builder.setInsertionPointAfter(op);
  Value sums = op->getResult(0);
  Value numbers = StorageCastOp::create(
      builder, op->getLoc(),
      RankedTensorType::get(bias->getShape(), getBiasType(getElements(sums))),
      createConstant(builder, op, "shifted_bias", *bias));
  if (add) {
    add.getBiasMutable().assign(numbers);
  } else {
    add = BiasAddOp::create(builder, op->getLoc(), sums.getType(), sums,
                            numbers, *getChannelAxis(op));
    sums.replaceAllUsesExcept(add, add);
  }
  ++numShifted;
}

void ShiftZeroPointsPass::runOnOperation() {
  for (Operation *op : getGraphOps(getOperation()))
    if (std::optional<Layer> layer = Layer::get(op))
      shift(*layer);
  eraseUnusedConstants(getOperation());
}
