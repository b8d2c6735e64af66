//===- LowerMatch.cpp - Lower matches to loops of a device ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// For patterns with `lower`: each operator uses the strategy with the highest
// level, of the device or built in.
//
//===----------------------------------------------------------------------===//

#include "OperatorLoops.h"

#include "uma/Accel/IR/Backend.h"
#include "uma/Support/LayerName.h"

using namespace mlir;
using namespace uma;

/// Returns the match of the device's strategy with the highest level for `op`,
/// and that level.
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
    if (!builtin && !isView(op))
      return composite.emitOpError("cannot be lowered: '")
             << accel::getOperatorKind(op)
             << "' has no built-in strategy, and accelerator '"
             << accelerator.getSymName() << "' has none that fits";
    if (failed(buildOperatorLoops(builder, op, builtin, getBuffer)))
      return failure();
  }
  return success();
}
