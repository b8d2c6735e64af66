//===- LinearForm.cpp - Index values as sums of multiples -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/IR/LinearForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

/// Adds `factor * index` to `form`. Expressions are as deep as somebody wrote
/// them, so `depth` ends the recursion.
static void decompose(Value index, int64_t factor, unsigned depth,
                      function_ref<void(Value, int64_t)> addTerm,
                      int64_t &constant) {
  if (std::optional<int64_t> value = getConstantIntValue(index)) {
    constant += factor * *value;
    return;
  }
  Operation *op = index.getDefiningOp();
  constexpr unsigned deepest = 16;
  if (!op || depth > deepest)
    return addTerm(index, factor);
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    decompose(op->getOperand(0), factor, depth + 1, addTerm, constant);
    decompose(op->getOperand(1), isa<arith::SubIOp>(op) ? -factor : factor,
              depth + 1, addTerm, constant);
    return;
  }
  if (isa<arith::MulIOp>(op))
    for (unsigned i : {0, 1})
      if (std::optional<int64_t> value =
              getConstantIntValue(op->getOperand(1 - i)))
        return decompose(op->getOperand(i), factor * *value, depth + 1, addTerm,
                         constant);
  addTerm(index, factor);
}

LinearForm LinearForm::of(Value index) {
  LinearForm form;
  decompose(
      index, 1, 0,
      [&](Value value, int64_t coefficient) {
        form.addTerm(value, coefficient);
      },
      form.constant);
  return form;
}

void LinearForm::addTerm(Value value, int64_t coefficient) {
  if (coefficient == 0)
    return;
  auto *term = llvm::find_if(
      terms, [&](const auto &other) { return other.first == value; });
  if (term == terms.end()) {
    terms.emplace_back(value, coefficient);
    return;
  }
  term->second += coefficient;
  if (term->second == 0)
    terms.erase(term);
}

void LinearForm::add(const LinearForm &other, int64_t factor) {
  for (auto [value, coefficient] : other.terms)
    addTerm(value, coefficient * factor);
  constant += other.constant * factor;
}

int64_t LinearForm::getCoefficient(Value value) const {
  for (auto [other, coefficient] : terms)
    if (other == value)
      return coefficient;
  return 0;
}

/// How many loops stand around the place where `value` is computed.
static unsigned getDepth(Value value) {
  unsigned depth = 0;
  for (Operation *op = value.getParentBlock()->getParentOp(); op;
       op = op->getParentOp())
    depth += isa<LoopLikeOpInterface>(op);
  return depth;
}

Value LinearForm::build(OpBuilder &builder, Location loc) const {
  auto makeConstant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  // By depth, of equals in the order they came in.
  SmallVector<std::pair<unsigned, size_t>> order;
  for (auto [index, term] : llvm::enumerate(terms))
    order.emplace_back(getDepth(term.first), index);
  llvm::sort(order);
  Value sum;
  auto addValue = [&](Value value) {
    sum = sum ? arith::AddIOp::create(builder, loc, sum, value).getResult()
              : value;
  };
  for (auto [depth, index] : order) {
    auto [value, coefficient] = terms[index];
    addValue(coefficient == 1 ? value
                              : arith::MulIOp::create(builder, loc, value,
                                                      makeConstant(coefficient))
                                    .getResult());
  }
  if (!sum)
    return makeConstant(constant);
  if (constant != 0)
    addValue(makeConstant(constant));
  return sum;
}
