//===- LowerMatch.cpp - Matches become loops of the device's function -----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// For patterns that say `lower`: each operator by the strategy of the highest
// level, the device's own or the built-in one.
//
//===----------------------------------------------------------------------===//

#include "AcceleratorCalls.h"

#include "uma/Accel/IR/Backend.h"
#include "uma/Support/LayerName.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace uma;

/// The match of the device's strategy for `op`, and its level.
static std::optional<std::pair<accel::Match, int64_t>>
findStrategy(accel::AcceleratorOp accelerator, Operation *op) {
  std::optional<std::pair<accel::Match, int64_t>> best;
  for (auto strategy : accelerator.getOps<accel::StrategyOp>()) {
    auto level = static_cast<int64_t>(strategy.getLevel());
    if (best && best->second >= level)
      continue;
    FailureOr<accel::Match> match =
        accel::matchPattern(strategy.getPattern(), op);
    if (succeeded(match))
      best.emplace(std::move(*match), level);
  }
  return best;
}

/// A reshape inside a match: its result has a buffer of its own.
static void copyView(LayerBuilder &layer, Operation *op, Value input,
                     Value output) {
  auto type = cast<MemRefType>(output.getType());
  if (input.getType() != type) {
    auto [strides, offset] = type.getStridesAndOffset();
    input =
        memref::ReinterpretCastOp::create(layer.builder, layer.loc, type, input,
                                          offset, type.getShape(), strides);
  }
  layer.elementwise(accel::getOperatorKind(op), output, {layer.whole(input)},
                    getElement(input), [](ValueRange x) { return x[0]; });
}

LogicalResult uma::lowerMatch(OpBuilder &builder, graph::CompositeOp composite,
                              const accel::Match &match,
                              const StrategyRegistry &strategies,
                              GetBufferFn getBuffer) {
  accel::PatternOp pattern = match.pattern;
  auto accelerator = pattern->getParentOfType<accel::AcceleratorOp>();
  StrategyRegistry ofBackend;
  if (const accel::Backend *backend =
          accel::BackendRegistry::get(builder.getContext())
              .lookup(accelerator.getSymName()))
    backend->populateStrategies(ofBackend);
  for (Operation *op : match.ops) {
    const Strategy *builtin = strategies.lookup(op);
    if (const Strategy *other = ofBackend.lookup(op);
        other && (!builtin || other->plevel >= builtin->plevel))
      builtin = other;
    auto own = findStrategy(accelerator, op);
    if (own && (!builtin || own->second >= builtin->plevel)) {
      buildCalls(builder, op->getLoc(), getLayerName(op), own->first,
                 getBuffer);
      continue;
    }
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
      continue;
    }
    if (!builtin)
      return composite.emitOpError("cannot be lowered: '")
             << accel::getOperatorKind(op)
             << "' has no built-in strategy, and accelerator '"
             << accelerator.getSymName() << "' has none that fits";
    if (failed(builtin->lower(layer, op, inputs, outputs)))
      return failure();
  }
  return success();
}
