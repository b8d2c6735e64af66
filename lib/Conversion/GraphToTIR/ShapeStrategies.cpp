//===- ShapeStrategies.cpp - Operators that move elements as loops --------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Reshapes move no elements and become views elsewhere.
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Builder/IndexMath.h"

#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

static LogicalResult lowerTranspose(LayerBuilder &b, graph::TransposeOp op,
                                    ValueRange inputs, ValueRange outputs) {
  Access data{inputs[0], SmallVector<AffineExpr>(op.getAxes().size())};
  for (auto [i, axis] : llvm::enumerate(op.getAxes()))
    data.first[axis] = b.dim(i);
  b.elementwise("transpose", outputs[0], {data}, getElement(inputs[0]),
                [](ValueRange x) { return x[0]; });
  return success();
}

static LogicalResult lowerConcatenate(LayerBuilder &b, graph::ConcatenateOp op,
                                      ValueRange inputs, ValueRange outputs) {
  Value result = outputs[0];
  int64_t rank = getShape(result).size();
  int64_t axis = op.getAxis();
  if (axis < 0)
    axis += rank;
  int64_t offset = 0;
  for (Value input : inputs) {
    ArrayRef<int64_t> shape = getShape(input);
    SmallVector<LayerBuilder::Dim> dims;
    for (int64_t size : shape)
      dims.push_back({size});
    Access target = b.whole(result);
    target.first[axis] = b.dim(axis) + offset;
    b.loops(shape, [&](ValueRange loopVars) {
      b.block("concatenate", dims, loopVars, {b.whole(input)}, {target},
              [&](ValueRange vars) {
                SmallVector<Value> at(vars);
                at[axis] = b.apply(target.first[axis], vars);
                b.store(b.load(input, vars), result, at);
              });
    });
    offset += shape[axis];
  }
  return success();
}

/// Builds the pad modes that repeat elements of the data.
static LogicalResult lowerRepeatingPad(LayerBuilder &b, graph::PadOp op,
                                       Value data, Value result) {
  IndexMath math(b);
  auto getSource = [&](Value position, int64_t size) -> Value {
    if (op.getPadMode() == "edge")
      return math.clamp(position, 0, size - 1);
    if (op.getPadMode() == "wrap")
      return math.wrap(position, size);
    // Mirror at the first and last element, which are not repeated.
    int64_t period = std::max<int64_t>(2 * (size - 1), 1);
    position = math.wrap(position, period);
    Value mirrored = math.sub(b.index(period), position);
    return arith::MinSIOp::create(b.builder, b.loc, position, mirrored);
  };
  mapElements(b, "pad", result, {b.anywhere(data)}, [&](ValueRange vars) {
    SmallVector<Value> at(vars);
    for (auto [i, size] : llvm::enumerate(getShape(data)))
      if (op.getPadBefore()[i] > 0 || op.getPadAfter()[i] > 0)
        at[i] = getSource(math.add(at[i], -op.getPadBefore()[i]), size);
    return b.load(data, at);
  });
  return success();
}

static LogicalResult lowerPad(LayerBuilder &b, graph::PadOp op,
                              ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], result = outputs[0];
  if (op.getPadMode() != "constant")
    return lowerRepeatingPad(b, op, data, result);
  ArrayRef<int64_t> before = op.getPadBefore(), after = op.getPadAfter();
  Type type = getElement(data);
  Value padValue = b.constant(type, op.getPadValue().convertToDouble());
  Access source = b.whole(data);
  SmallVector<LayerBuilder::Dim> dims;
  for (auto [i, size] : llvm::enumerate(getShape(result))) {
    source.first[i] = b.dim(i) - before[i];
    dims.push_back({size});
  }
  b.loops(getShape(result), [&](ValueRange loopVars) {
    b.block(
        "pad", dims, loopVars, {source}, {b.whole(result)},
        [&](ValueRange vars) {
          SmallVector<Value> at, inside;
          for (auto [i, expr] : llvm::enumerate(source.first)) {
            Value position = b.apply(expr, vars);
            at.push_back(position);
            auto compare = [&](arith::CmpIPredicate how, int64_t bound) {
              inside.push_back(arith::CmpIOp::create(b.builder, b.loc, how,
                                                     position, b.index(bound)));
            };
            if (before[i] > 0)
              compare(arith::CmpIPredicate::sge, 0);
            if (after[i] > 0)
              compare(arith::CmpIPredicate::slt, getShape(data)[i]);
          }
          b.store(b.guarded(inside, padValue, [&] { return b.load(data, at); }),
                  result, vars);
        });
  });
  return success();
}

void uma::populateShapeStrategies(StrategyRegistry &registry) {
  registry.add<graph::TransposeOp>(lowerTranspose);
  registry.add<graph::ConcatenateOp>(lowerConcatenate);
  registry.add<graph::PadOp>(lowerPad);
}
