//===- QuantizedMoves.cpp - Moves of stored integers ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A quantized number that becomes a float and then a number of the same scale
// and zero point stays the same, so that moves between the two need no floats.
//
//===----------------------------------------------------------------------===//

#include "QuantizedMoves.h"

#include "Constants.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/IR/UMADialect.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

/// Returns the operands of a move whose elements become those of its result;
/// none for other operators. `op` may be null.
static OperandRange getMovedOperands(Operation *op) {
  if (isa<TakeOp>(op))
    return op->getOperands().take_front(1);
  if (isa<BatchFlattenOp, BroadcastToOp, ConcatenateOp, ReshapeOp,
          StridedSliceOp, TransposeOp>(op))
    return op->getOperands();
  return op->getOperands().take_front(0);
}

namespace {
/// Moves of integers that are numbers of a quantized type, as quantized numbers
/// or as floats.
class IntegerMoves {
public:
  explicit IntegerMoves(Type type) : type(type) {}

  /// Returns whether a tensor consists of such integers.
  bool isMoved(Value tensor);
  /// Creates the integers of a tensor for which isMoved returns true.
  Value create(OpBuilder &builder, Value tensor);

private:
  bool findMoved(Value tensor);

  Type type;
  DenseMap<Value, bool> known;
  DenseMap<Value, Value> created;
};
} // namespace

bool IntegerMoves::isMoved(Value tensor) {
  if (auto found = known.find(tensor); found != known.end())
    return found->second;
  bool result = findMoved(tensor);
  known[tensor] = result;
  return result;
}

bool IntegerMoves::findMoved(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return false;
  if (auto stored = dyn_cast<StorageCastOp>(op))
    return getElements(tensor) == type &&
           getElements(stored.getData()).isInteger();
  if (auto quantize = dyn_cast<QuantizeOp>(op))
    return getElements(tensor) == type && isMoved(quantize.getData());
  if (auto dequantize = dyn_cast<DequantizeOp>(op))
    return getElements(dequantize.getData()) == type &&
           isMoved(dequantize.getData());
  OperandRange operands = getMovedOperands(op);
  return !operands.empty() && llvm::all_of(operands, [&](Value operand) {
    return isMoved(operand);
  });
}

Value IntegerMoves::create(OpBuilder &builder, Value tensor) {
  if (Value known = created.lookup(tensor))
    return known;
  Operation *op = tensor.getDefiningOp();
  if (auto stored = dyn_cast<StorageCastOp>(op))
    return stored.getData();
  if (isa<QuantizeOp, DequantizeOp>(op))
    return create(builder, op->getOperand(0));
  IRMapping mapping;
  Type element;
  for (Value operand : getMovedOperands(op)) {
    Value integers = create(builder, operand);
    element = getElements(integers);
    mapping.map(operand, integers);
  }
  Operation *moved = builder.clone(*op, mapping);
  auto type = cast<RankedTensorType>(tensor.getType());
  moved->getResult(0).setType(type.clone(element));
  return created[tensor] = moved->getResult(0);
}

void graph::moveStoredIntegers(ModuleOp module) {
  SmallVector<StorageCastOp> results;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function->hasAttr(kTargetAttrName))
      function.walk([&](StorageCastOp op) {
        if (getElements(op.getResult()).isInteger())
          results.push_back(op);
      });
  for (StorageCastOp result : results) {
    // Scales of an axis would have to move with it.
    Type type = getElements(result.getData());
    IntegerMoves moves(type);
    if (!isa<quant::UniformQuantizedType>(type) ||
        !moves.isMoved(result.getData()))
      continue;
    OpBuilder builder(result);
    Value integers = moves.create(builder, result.getData());
    if (integers.getType() != result.getType())
      continue;
    SmallVector<Operation *> unused{result};
    result.getResult().replaceAllUsesWith(integers);
    while (!unused.empty()) {
      Operation *op = unused.pop_back_val();
      if (!op->use_empty())
        continue;
      SmallVector<Value> operands(op->getOperands());
      op->erase();
      for (Value operand : operands)
        if (Operation *before = operand.getDefiningOp();
            before && !llvm::is_contained(unused, before) &&
            !isa<ConstantOp>(before))
          unused.push_back(before);
    }
  }
}
