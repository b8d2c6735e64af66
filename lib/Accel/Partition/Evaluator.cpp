//===- Evaluator.cpp - Arithmetic of a pattern ----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// MLIR's folders compute the results. They do not fold undefined operations
// (division by zero) and wrap around on overflow; the evaluator detects both.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp,
             arith::DivFOp>(op);
}

static bool isZero(Attribute operand) {
  if (auto integer = dyn_cast_or_null<IntegerAttr>(operand))
    return integer.getValue().isZero();
  auto number = dyn_cast_or_null<FloatAttr>(operand);
  return number && number.getValue().isZero();
}

/// Returns whether a floating-point result is NaN, or infinite although its
/// operands are finite.
static bool leavesNumbers(ArrayRef<Attribute> operands, Attribute result) {
  auto isFinite = [](Attribute value) {
    auto number = dyn_cast_or_null<FloatAttr>(value);
    return !number || number.getValue().isFinite();
  };
  return !isFinite(result) && (llvm::all_of(operands, isFinite) ||
                               cast<FloatAttr>(result).getValue().isNaN());
}

/// Returns whether a sum, difference or product of sizes overflows its type.
static bool overflows(Operation *op, ArrayRef<Attribute> operands) {
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return false;
  auto lhs = dyn_cast<IntegerAttr>(operands[0]);
  auto rhs = dyn_cast<IntegerAttr>(operands[1]);
  if (!lhs || !rhs || lhs.getValue().getBitWidth() < 32)
    return false;
  bool overflow = false;
  if (isa<arith::AddIOp>(op))
    (void)lhs.getValue().sadd_ov(rhs.getValue(), overflow);
  else if (isa<arith::SubIOp>(op))
    (void)lhs.getValue().ssub_ov(rhs.getValue(), overflow);
  else
    (void)lhs.getValue().smul_ov(rhs.getValue(), overflow);
  return overflow;
}

/// Returns an operand that determines the result of a logical operation by
/// itself, or null: `k != 0 && n % k == 0` is false for k = 0, although `n % k`
/// has no value.
static Attribute shortCircuit(Operation *op, ArrayRef<Attribute> operands) {
  if (!isa<arith::AndIOp, arith::OrIOp>(op) ||
      !op->getResult(0).getType().isInteger(1))
    return {};
  for (Attribute operand : operands)
    if (auto decided = dyn_cast_or_null<BoolAttr>(operand))
      if (decided.getValue() == isa<arith::OrIOp>(op))
        return decided;
  return {};
}

void Evaluator::evaluate(Block &block) {
  for (Operation &op : block)
    if (isa_and_present<arith::ArithDialect>(op.getDialect()))
      evaluate(&op);
    else if (isa<TargetAttributeOp, AttributeIsOp>(op))
      readAttribute(&op);
}

/// Reads a target attribute. The verifier ensures that it exists and has the
/// right type.
void Evaluator::readAttribute(Operation *op) {
  Builder builder(op->getContext());
  auto accelerator = op->getParentOfType<AcceleratorOp>();
  if (auto comparison = dyn_cast<AttributeIsOp>(op)) {
    AttributeOp attribute = accelerator.getAttribute(comparison.getName());
    numbers[comparison.getResult()] =
        builder.getBoolAttr(attribute.getValue() == comparison.getValueAttr());
    return;
  }
  auto read = cast<TargetAttributeOp>(op);
  Attribute value = accelerator.getAttribute(read.getName()).getValue();
  if (auto condition = dyn_cast<BoolAttr>(value))
    numbers[read.getResult()] = condition;
  else
    numbers[read.getResult()] =
        builder.getIndexAttr(cast<IntegerAttr>(value).getInt());
}

void Evaluator::evaluate(Operation *op) {
  SmallVector<Attribute> operands;
  std::string problem;
  for (Value operand : op->getOperands()) {
    operands.push_back(numbers.lookup(operand));
    if (!operands.back() && problem.empty())
      problem = getProblem(operand).str();
  }

  if (!problem.empty()) {
    if (auto decided = shortCircuit(op, operands))
      numbers[op->getResult(0)] = cast<TypedAttr>(decided);
    else
      for (Value result : op->getResults())
        problems[result] = problem;
    return;
  }

  SmallVector<OpFoldResult> folded;
  bool dividesByZero = isDivision(op) && isZero(operands[1]);
  if (!overflows(op, operands) && !dividesByZero &&
      succeeded(op->fold(operands, folded)) &&
      folded.size() == op->getNumResults()) {
    for (auto [result, value] : llvm::zip_equal(op->getResults(), folded)) {
      auto number = isa<Value>(value)
                        ? numbers.lookup(cast<Value>(value))
                        : dyn_cast<TypedAttr>(cast<Attribute>(value));
      if (number && leavesNumbers(operands, number))
        problems[result] = "is too large for its type";
      else if (number && number.getType() == result.getType())
        numbers[result] = number;
      else
        problems[result] = "cannot be computed";
    }
    return;
  }

  if (overflows(op, operands))
    problem = "is too large for its type";
  else if (dividesByZero)
    problem = "divides by zero";
  else
    problem = ("uses " + op->getName().getStringRef() +
               ", which cannot be computed at compile time")
                  .str();
  for (Value result : op->getResults())
    problems[result] = problem;
}

StringRef Evaluator::getProblem(Value value) const {
  auto it = problems.find(value);
  return it == problems.end() ? StringRef("has no value") : it->second;
}
