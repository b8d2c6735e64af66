//===- Borders.cpp - Conversions around matches ---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Borders.h"

#include "LayoutViews.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

bool uma::accel::isBorder(Operation *op) {
  return op && op->hasAttr(kBorderAttrName) &&
         isa<graph::PadOp, graph::TransposeOp, graph::ReshapeOp,
             graph::StridedSliceOp, graph::ConcatenateOp, graph::StorageCastOp>(
             op);
}

bool uma::accel::hasComposites(ModuleOp module) {
  return module.walk([](graph::CompositeOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

bool uma::accel::hasBorders(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isBorder(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

Value uma::accel::skipBorders(Value value) {
  while (isBorder(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// Returns the result of the chain of borders that uses `value`, or `value`
/// itself if no border uses it.
static Value skipBordersBehind(Value value) {
  while (true) {
    auto border = llvm::find_if(value.getUsers(), isBorder);
    if (border == value.user_end())
      return value;
    value = border->getResult(0);
  }
}

/// Returns whether the chain of operators from `first` to `last` equals the
/// chain from `wantedFirst` to `wantedLast`.
static bool isSameChain(Value first, Value last, Value wantedFirst,
                        Value wantedLast) {
  while (wantedLast != wantedFirst) {
    Operation *op = last.getDefiningOp();
    Operation *wanted = wantedLast.getDefiningOp();
    if (!op || op->getName() != wanted->getName() ||
        op->getAttrDictionary() != wanted->getAttrDictionary() ||
        last.getType() != wantedLast.getType())
      return false;
    last = op->getOperand(0);
    wantedLast = wanted->getOperand(0);
  }
  return last == first && first.getType() == wantedFirst.getType();
}

LogicalResult uma::accel::skipBorders(Match &match) {
  PatternOp pattern = match.pattern;
  Location loc = pattern.getLoc();
  // Block with the expected conversions for the pattern's layouts.
  Block block;
  OpBuilder builder(pattern.getContext());
  builder.setInsertionPointToEnd(&block);
  llvm::MapVector<Value, Value> onDevice;
  for (InputOp input : pattern.getBody().getOps<InputOp>()) {
    Value value = match.tensors.lookup(input);
    if (!value)
      continue;
    auto type = cast<RankedTensorType>(value.getType());
    std::optional<AffineMap> layout = input.getLayout();
    Value wanted = block.addArgument(getDeviceType(type, layout), loc);
    Value converted =
        layout ? convertFromDevice(builder, loc, wanted, type, *layout)
               : wanted;
    Value device = skipBorders(value);
    if (!isSameChain(device, value, wanted, converted))
      return failure();
    match.tensors[input] = device;
  }
  for (Value &input : match.inputs)
    input = skipBorders(input);
  for (Value &result : match.results) {
    Value wanted = block.addArgument(result.getType(), loc);
    std::optional<AffineMap> layout = match.getOutputLayout(result);
    Value converted =
        layout ? convertToDevice(builder, loc, wanted, *layout) : wanted;
    Value device = skipBordersBehind(result);
    if (!isSameChain(result, device, wanted, converted))
      return failure();
    onDevice[result] = device;
  }
  for (auto &[tensor, value] : match.tensors)
    if (Value device = onDevice.lookup(value))
      value = device;
  for (auto [result, device] : onDevice)
    for (Value value = device; value != result;
         value = value.getDefiningOp()->getOperand(0))
      match.ops.push_back(value.getDefiningOp());
  match.result = onDevice.lookup(match.result);
  for (Value &result : match.results)
    result = onDevice.lookup(result);
  return success();
}
