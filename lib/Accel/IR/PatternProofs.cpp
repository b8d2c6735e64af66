//===- PatternProofs.cpp - Checks that patterns can match -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A pattern that can never match is a mistake that tests with graphs do not
// reveal. Interval analysis with MLIR's InferIntRangeInterface detects
// requirements that are false for all numbers that the other requirements
// allow.
//
//===----------------------------------------------------------------------===//

#include "PatternProofs.h"

#include "Verify.h"

#include "uma/Accel/IR/TensorSize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace {
class RangeProof {
public:
  explicit RangeProof(PatternOp pattern);
  /// Checks that the requirement can hold. Emits an error and fails if not.
  LogicalResult check(RequireOp require);

private:
  ConstantIntRanges getInitialRange(Operation *op) const;
  /// Returns the representative of all values that are equal in every match.
  Value getKey(Value value) const {
    auto it = keys.find(value);
    return it == keys.end() ? value : it->second;
  }
  ConstantIntRanges getRange(Value value) const {
    auto it = ranges.find(getKey(value));
    return it == ranges.end()
               ? ConstantIntRanges::maxRange(
                     ConstantIntRanges::getStorageBitwidth(value.getType()))
               : it->second;
  }
  /// Narrows the ranges by assuming that `condition` holds. Returns false if a
  /// range becomes empty.
  bool narrow(Value condition, RequireOp require);
  bool narrowCompared(arith::CmpIPredicate predicate, Value value,
                      const ConstantIntRanges &other, RequireOp require);
  LogicalResult reportNever(RequireOp require,
                            ArrayRef<Operation *> computation);

  llvm::DenseMap<Value, Value> keys;
  /// Ranges of dims and measures, and the latest ranges of computed values.
  llvm::DenseMap<Value, ConstantIntRanges> ranges;
  llvm::DenseMap<Value, RequireOp> narrowedBy;
};
} // namespace

static ConstantIntRanges makeRange(int64_t low, int64_t high) {
  return ConstantIntRanges::fromSigned(APInt(64, low, /*isSigned=*/true),
                                       APInt(64, high, /*isSigned=*/true));
}

ConstantIntRanges RangeProof::getInitialRange(Operation *op) const {
  if (auto function = dyn_cast<NumberFunctionOpInterface>(op);
      function && op->getResult(0).getType().isIndex()) {
    auto [low, high] = function.getNumberRange();
    return makeRange(low, high);
  }
  // The range starts at 0: absent dims are 0, and tensors may have no elements.
  if (isa<DimOp>(op) &&
      llvm::any_of(op->getUsers(), llvm::IsaPred<TensorTypeOpInterface>))
    return makeRange(0, kMaxTensorSize);
  Type type = op->getResult(0).getType();
  return ConstantIntRanges::maxRange(
      ConstantIntRanges::getStorageBitwidth(type));
}

RangeProof::RangeProof(PatternOp pattern) {
  llvm::DenseMap<std::tuple<OperationName, Value, Value>, Value> measures;
  for (Operation &op : pattern.getBody().front()) {
    if (getNumberName(&op).empty() || !op.getResult(0).getType().isIntOrIndex())
      continue;
    Value result = op.getResult(0);
    if (!isa<DimOp>(op)) {
      Value tensor = op.getNumOperands() == 0 ? Value() : op.getOperand(0);
      Value size = op.getNumOperands() > 1 ? op.getOperand(1) : Value();
      auto [first, isNew] =
          measures.try_emplace({op.getName(), tensor, size}, result);
      if (!isNew) {
        keys[result] = first->second;
        continue;
      }
    }
    ranges.insert({result, getInitialRange(&op)});
  }
}

LogicalResult RangeProof::check(RequireOp require) {
  llvm::SetVector<Operation *> ops;
  if (Operation *op = require.getCondition().getDefiningOp())
    ops.insert(op);
  for (unsigned next = 0; next < ops.size(); ++next)
    for (Value operand : ops[next]->getOperands())
      if (Operation *op = operand.getDefiningOp())
        ops.insert(op);
  SmallVector<Operation *> computation = ops.takeVector();
  llvm::sort(computation, [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  });

  for (Operation *op : computation) {
    auto inferrable = dyn_cast<InferIntRangeInterface>(op);
    if (!inferrable || !llvm::all_of(op->getOperandTypes(), [](Type type) {
          return type.isIntOrIndex();
        }))
      continue;
    SmallVector<ConstantIntRanges> operands;
    for (Value operand : op->getOperands())
      operands.push_back(getRange(operand));
    inferrable.inferResultRanges(
        operands, [&](Value result, const ConstantIntRanges &range) {
          ranges.insert_or_assign(result, range);
        });
  }
  std::optional<APInt> known =
      getRange(require.getCondition()).getConstantValue();
  if ((known && known->isZero()) || !narrow(require.getCondition(), require))
    return reportNever(require, computation);
  return success();
}

/// Returns the predicate for swapped operands.
static arith::CmpIPredicate swapSides(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return arith::CmpIPredicate::sgt;
  case arith::CmpIPredicate::sle:
    return arith::CmpIPredicate::sge;
  case arith::CmpIPredicate::sgt:
    return arith::CmpIPredicate::slt;
  case arith::CmpIPredicate::sge:
    return arith::CmpIPredicate::sle;
  default:
    return predicate;
  }
}

bool RangeProof::narrow(Value condition, RequireOp require) {
  SmallVector<Value> pending = {condition};
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (auto both = value.getDefiningOp<arith::AndIOp>()) {
      // Visit the left operand first.
      pending.push_back(both.getRhs());
      pending.push_back(both.getLhs());
      continue;
    }
    auto compare = value.getDefiningOp<arith::CmpIOp>();
    if (!compare)
      continue;
    Value lhs = compare.getLhs(), rhs = compare.getRhs();
    arith::CmpIPredicate predicate = compare.getPredicate();
    if (!narrowCompared(predicate, lhs, getRange(rhs), require) ||
        !narrowCompared(swapSides(predicate), rhs, getRange(lhs), require))
      return false;
  }
  return true;
}

bool RangeProof::narrowCompared(arith::CmpIPredicate predicate, Value value,
                                const ConstantIntRanges &other,
                                RequireOp require) {
  Operation *op = value.getDefiningOp();
  if (!op || getNumberName(op).empty() || !value.getType().isIndex())
    return true;
  ConstantIntRanges range = getRange(value);
  APInt low = range.smin(), high = range.smax();
  APInt one(low.getBitWidth(), 1);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    low = llvm::APIntOps::smax(low, other.smin());
    high = llvm::APIntOps::smin(high, other.smax());
    break;
  case arith::CmpIPredicate::ne:
    if (std::optional<APInt> constant = other.getConstantValue()) {
      if (low == *constant && low == high)
        return false;
      if (low == *constant)
        low += 1;
      else if (high == *constant)
        high -= 1;
    }
    break;
  case arith::CmpIPredicate::slt:
    high = llvm::APIntOps::smin(high, other.smax().ssub_sat(one));
    break;
  case arith::CmpIPredicate::sle:
    high = llvm::APIntOps::smin(high, other.smax());
    break;
  case arith::CmpIPredicate::sgt:
    low = llvm::APIntOps::smax(low, other.smin().sadd_sat(one));
    break;
  case arith::CmpIPredicate::sge:
    low = llvm::APIntOps::smax(low, other.smin());
    break;
  default:
    return true;
  }
  if (low.sgt(high))
    return false;
  if (low != range.smin() || high != range.smax()) {
    ranges.insert_or_assign(getKey(value),
                            ConstantIntRanges::fromSigned(low, high));
    narrowedBy[getKey(value)] = require;
  }
  return true;
}

LogicalResult RangeProof::reportNever(RequireOp require,
                                      ArrayRef<Operation *> computation) {
  InFlightDiagnostic error = report(require)
                             << "nothing can meet this requirement";
  bool isFirst = true;
  llvm::SetVector<Operation *> reasons;
  llvm::DenseSet<Value> told;
  for (Operation *op : computation) {
    if (getNumberName(op).empty() ||
        !told.insert(getKey(op->getResult(0))).second)
      continue;
    RequireOp by = narrowedBy.lookup(getKey(op->getResult(0)));
    if (!by || by == require)
      continue;
    ConstantIntRanges range = getRange(op->getResult(0));
    bool hasLow = range.smin() != getInitialRange(op).smin();
    bool hasHigh = range.smax() != getInitialRange(op).smax();
    error << (isFirst ? ": earlier ones leave " : ", ") << getNumberName(op);
    isFirst = false;
    if (range.smin() == range.smax())
      error << " = " << range.smin().getSExtValue();
    else if (hasLow && hasHigh)
      error << " from " << range.smin().getSExtValue() << " to "
            << range.smax().getSExtValue();
    else if (hasLow)
      error << " >= " << range.smin().getSExtValue();
    else
      error << " <= " << range.smax().getSExtValue();
    reasons.insert(by);
  }
  for (Operation *by : reasons)
    error.attachNote(by->getLoc()) << "because of this requirement";
  return error;
}

LogicalResult uma::accel::verifyCanMatch(PatternOp pattern) {
  RangeProof proof(pattern);
  for (RequireOp require : pattern.getBody().getOps<RequireOp>())
    if (failed(proof.check(require)))
      return failure();
  return success();
}
