//===- ElementwiseStrategies.cpp - Elementwise operators as loops ---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/TIR/Builder/Elements.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

/// Returns an access to an operand that broadcasts to `rank` dimensions.
static Access broadcast(LayerBuilder &b, Value operand, unsigned rank) {
  Access access{operand, {}};
  ArrayRef<int64_t> shape = getShape(operand);
  for (auto [i, size] : llvm::enumerate(shape))
    access.first.push_back(size == 1 ? b.expr(0)
                                     : b.dim(rank - shape.size() + i));
  return access;
}

static LogicalResult lowerCast(LayerBuilder &b, graph::CastOp,
                               ValueRange inputs, ValueRange outputs) {
  Type from = getElement(inputs[0]);
  // The signedness is the source's for integers, and the result's for floats.
  bool isUnsigned = b.isUnsigned(isa<FloatType>(from) ? outputs[0] : inputs[0]);
  b.elementwise("cast", outputs[0], {b.whole(inputs[0])}, from,
                [&](ValueRange x) {
                  return b.convert(x[0], getElement(outputs[0]), isUnsigned);
                });
  return success();
}

static LogicalResult lowerBitcast(LayerBuilder &b, graph::BitcastOp,
                                  ValueRange inputs, ValueRange outputs) {
  Type from = getElement(inputs[0]), to = getElement(outputs[0]);
  b.elementwise("bitcast", outputs[0], {b.whole(inputs[0])}, from,
                [&](ValueRange x) -> Value {
                  if (from == to)
                    return x[0];
                  return arith::BitcastOp::create(b.builder, b.loc, to, x[0]);
                });
  return success();
}

void uma::populateElementwiseStrategies(StrategyRegistry &registry) {
  for (const auto &entry : getElementFunctions()) {
    auto lower = [fn = entry.second](LayerBuilder &b, Operation *op,
                                     ValueRange inputs, ValueRange outputs) {
      unsigned rank = getShape(outputs[0]).size();
      auto operands = llvm::map_to_vector(
          inputs, [&](Value input) { return broadcast(b, input, rank); });
      bool isUnsigned = b.isUnsigned(inputs.back());
      b.elementwise(op->getName().getStringRef().rsplit('.').second, outputs[0],
                    operands, /*computeType=*/nullptr, [&](ValueRange values) {
                      return fn(b, op, values, isUnsigned);
                    });
      return success();
    };
    registry.add(entry.first(), {lower});
  }
  registry.add<graph::CastOp>(lowerCast);
  registry.add<graph::BitcastOp>(lowerBitcast);
}
