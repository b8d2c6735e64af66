//===- OperatorLoops.cpp - Loops of one of several operators --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Functions whose loops a description or a script schedules contain the loops
// of all their operators.
//
//===----------------------------------------------------------------------===//

#include "OperatorLoops.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace uma;

/// Copies the operand of a reshape to its result, which has a separate buffer
/// here.
static void copyView(LayerBuilder &layer, Operation *op, Value input,
                     Value output) {
  auto type = cast<MemRefType>(output.getType());
  if (input.getType() != type) {
    auto [strides, offset] = type.getStridesAndOffset();
    input =
        memref::ReinterpretCastOp::create(layer.builder, layer.loc, type, input,
                                          offset, type.getShape(), strides);
  }
  layer.elementwise(op->getName().stripDialect().rsplit('.').second, output,
                    {layer.whole(input)}, getElement(input),
                    [](ValueRange x) { return x[0]; });
}

LogicalResult uma::buildOperatorLoops(OpBuilder &builder, Operation *op,
                                      const Strategy *strategy,
                                      GetBufferFn getBuffer) {
  SmallVector<Value> inputs, outputs;
  LayerBuilder layer(builder, op->getLoc());
  auto add = [&](Value tensor, SmallVectorImpl<Value> &list) {
    Value buffer = list.emplace_back(getBuffer(tensor));
    Type element = getElementTypeOrSelf(tensor.getType());
    if (element.isUnsignedInteger() || element.isInteger(1))
      layer.setUnsigned(buffer);
  };
  for (Value operand : op->getOperands())
    add(operand, inputs);
  for (Value result : op->getResults())
    add(result, outputs);
  if (isView(op)) {
    copyView(layer, op, inputs.front(), outputs.front());
    return success();
  }
  return strategy->lower(layer, op, inputs, outputs);
}
