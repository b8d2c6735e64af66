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
// which the bias makes up for. The padding of a convolution would move, too:
// such data are padded with their own zero point first.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"
#include "DotPlan.h"
#include "QuantizedSums.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cmath>
#include <limits>
#include <map>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_SHIFTZEROPOINTSPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

/// Returns the padding of a convolution as all begins, then all ends; empty if
/// there is none.
static SmallVector<int64_t> getPadding(Operation *op) {
  auto conv = dyn_cast<Conv2dOp>(op);
  if (!conv ||
      llvm::all_of(conv.getPadding(), [](int64_t size) { return size == 0; }))
    return {};
  return llvm::to_vector(conv.getPadding());
}

/// Pads stored integers as a convolution does, with `number`.
static Value pad(OpBuilder &builder, Conv2dOp conv, Value stored,
                 int64_t number) {
  ArrayRef<int64_t> padding = conv.getPadding();
  WindowLayout layout = *WindowLayout::parse(conv.getDataLayout());
  SmallVector<int64_t> before(4, 0), after(4, 0);
  SmallVector<int64_t> shape(getTensorType(stored).getShape());
  for (size_t dim : {0, 1}) {
    int64_t axis = layout.spatial[dim];
    before[axis] = padding[dim];
    after[axis] = padding[2 + dim];
    shape[axis] += padding[dim] + padding[2 + dim];
  }
  return PadOp::create(builder, conv.getLoc(),
                       RankedTensorType::get(shape, getElements(stored)),
                       stored, builder.getDenseI64ArrayAttr(before),
                       builder.getDenseI64ArrayAttr(after),
                       builder.getF64FloatAttr(double(number)),
                       builder.getStringAttr("constant"));
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

  /// Tensors with another zero point, by their padding. Only looked up.
  std::map<std::pair<void *, SmallVector<int64_t>>, Value> shifted;
};
} // namespace

std::optional<Layer> Layer::get(Operation *op) {
  if (!isa<Conv2dOp, DenseOp>(op) ||
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

  SmallVector<int64_t> padding = getPadding(op);
  Value &other = shifted[{data.getAsOpaquePointer(), padding}];
  if (!other) {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfterValue(data);
    auto cast = [&](Value value, Type elementType) -> Value {
      return StorageCastOp::create(
          builder, op->getLoc(),
          RankedTensorType::get(getTensorType(value).getShape(), elementType),
          value);
    };
    Value stored = cast(data, plain);
    if (!padding.empty())
      stored = pad(builder, llvm::cast<Conv2dOp>(op), stored,
                   type.zeroPoints.front());
    other = cast(stored, least);
  }
  op->setOperand(0, other);
  if (!padding.empty())
    llvm::cast<Conv2dOp>(op).setPadding({0, 0, 0, 0});

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
