//===- MovementStrategies.cpp - Slices and repetitions as loops -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Builder/IndexMath.h"

#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Graph/IR/GraphOps.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;
using Predicate = arith::CmpIPredicate;

/// Builds result[i...] = the element of `access`.
static LogicalResult copyAccess(LayerBuilder &b, StringRef label,
                                const Access &access, Value result) {
  b.elementwise(label, result, {access}, getElement(result),
                [](ValueRange x) { return x[0]; });
  return success();
}

static LogicalResult lowerStridedSlice(LayerBuilder &b,
                                       graph::StridedSliceOp op,
                                       ValueRange inputs, ValueRange outputs) {
  Access data{inputs[0], {}};
  for (auto [i, begin] : llvm::enumerate(op.getBegin()))
    data.first.push_back(b.dim(i) * op.getStrides()[i] + begin);
  return copyAccess(b, "strided_slice", data, outputs[0]);
}

static LogicalResult lowerBroadcastTo(LayerBuilder &b, graph::BroadcastToOp,
                                      ValueRange inputs, ValueRange outputs) {
  Access data{inputs[0], {}};
  ArrayRef<int64_t> shape = getShape(inputs[0]);
  size_t added = getShape(outputs[0]).size() - shape.size();
  for (auto [i, size] : llvm::enumerate(shape))
    data.first.push_back(size == 1 ? b.expr(0) : b.dim(added + i));
  return copyAccess(b, "broadcast_to", data, outputs[0]);
}

static LogicalResult lowerTrilu(LayerBuilder &b, graph::TriluOp op,
                                ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], result = outputs[0];
  IndexMath math(b);
  Value zero = b.constant(getElement(result), 0.0);
  int64_t rank = getShape(result).size();
  // |j - i| is bounded, so clamp k to fit the device's index type.
  int64_t limit = getShape(result)[rank - 1] + getShape(result)[rank - 2];
  int64_t k = std::clamp(static_cast<int64_t>(op.getK()), -limit, limit);
  mapElements(b, "trilu", result, {b.whole(data)}, [&](ValueRange vars) {
    Value isKept =
        math.compare(op.getUpper() ? Predicate::sge : Predicate::sle,
                     math.sub(vars[rank - 1], vars[rank - 2]), b.index(k));
    return math.select(isKept, b.load(data, vars), zero);
  });
  return success();
}

static LogicalResult lowerReverseSequence(LayerBuilder &b,
                                          graph::ReverseSequenceOp op,
                                          ValueRange inputs,
                                          ValueRange outputs) {
  Value data = inputs[0], lengths = inputs[1];
  IndexMath math(b);
  int64_t rank = getShape(data).size();
  auto normalize = [rank](int64_t axis) {
    return axis < 0 ? axis + rank : axis;
  };
  int64_t seqAxis = normalize(op.getSeqAxis());
  int64_t batchAxis = normalize(op.getBatchAxis());
  mapElements(
      b, "reverse_sequence", outputs[0],
      {b.anywhere(data), {lengths, {b.dim(batchAxis)}}}, [&](ValueRange vars) {
        Value length = math.clamp(math.cast(b.load(lengths, vars[batchAxis])),
                                  0, getShape(data)[seqAxis]);
        Value mirrored = math.add(math.sub(length, vars[seqAxis]), -1);
        SmallVector<Value> at(vars);
        at[seqAxis] =
            math.select(math.isNegative(mirrored), vars[seqAxis], mirrored);
        return b.load(data, at);
      });
  return success();
}

void uma::populateMovementStrategies(StrategyRegistry &registry) {
  registry.add<graph::StridedSliceOp>(lowerStridedSlice);
  registry.add<graph::BroadcastToOp>(lowerBroadcastTo);
  registry.add<graph::TriluOp>(lowerTrilu);
  registry.add<graph::ReverseSequenceOp>(lowerReverseSequence);
}
