//===- LinearForm.cpp - Linear forms of index values ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/IR/LinearForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace {
/// Adds `factor * value` to a form. Expressions are traversed as trees, so a
/// chain of `x + x` takes 2^n steps: operations beyond a depth that no strategy
/// generates are treated as variables.
struct Linearizer {
  bool collect(Value value, int64_t factor, unsigned depth) {
    int64_t product;
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return !llvm::MulOverflow(*constant, factor, product) &&
             form.add(product);
    Operation *op = value.getDefiningOp();
    constexpr unsigned deepest = 16;
    if (!op || depth > deepest)
      return form.addTerm(value, factor);
    if (isa<arith::AddIOp>(op))
      return collect(op->getOperand(0), factor, depth + 1) &&
             collect(op->getOperand(1), factor, depth + 1);
    if (isa<arith::SubIOp>(op))
      return factor != std::numeric_limits<int64_t>::min() &&
             collect(op->getOperand(0), factor, depth + 1) &&
             collect(op->getOperand(1), -factor, depth + 1);
    if (isa<arith::MulIOp>(op))
      for (unsigned i : {0, 1})
        if (std::optional<int64_t> constant =
                getConstantIntValue(op->getOperand(1 - i)))
          return !llvm::MulOverflow(*constant, factor, product) &&
                 collect(op->getOperand(i), product, depth + 1);
    return form.addTerm(value, factor);
  }

  LinearForm &form;
};
} // namespace

std::optional<LinearForm> LinearForm::get(Value value) {
  LinearForm form;
  if (!value.getType().isIndex() || !Linearizer{form}.collect(value, 1, 0))
    return std::nullopt;
  return form;
}

LinearForm LinearForm::of(Value index) {
  if (std::optional<LinearForm> form = get(index))
    return *form;
  LinearForm form;
  form.terms.emplace_back(index, 1);
  return form;
}

bool LinearForm::addTerm(Value variable, int64_t coefficient) {
  auto *term = llvm::find_if(
      terms, [&](const Term &other) { return other.first == variable; });
  if (term == terms.end()) {
    if (coefficient != 0)
      terms.emplace_back(variable, coefficient);
    return true;
  }
  int64_t sum;
  if (llvm::AddOverflow(term->second, coefficient, sum))
    return false;
  term->second = sum;
  if (sum == 0)
    terms.erase(term);
  return true;
}

bool LinearForm::add(int64_t value) {
  int64_t sum;
  if (llvm::AddOverflow(constant, value, sum))
    return false;
  constant = sum;
  return true;
}

bool LinearForm::add(const LinearForm &other, int64_t factor) {
  LinearForm sum = *this;
  int64_t product;
  for (auto [variable, coefficient] : other.terms)
    if (llvm::MulOverflow(coefficient, factor, product) ||
        !sum.addTerm(variable, product))
      return false;
  if (llvm::MulOverflow(other.constant, factor, product) || !sum.add(product))
    return false;
  *this = std::move(sum);
  return true;
}

LinearForm LinearForm::without(Value variable) const {
  LinearForm result = *this;
  llvm::erase_if(result.terms,
                 [&](const Term &term) { return term.first == variable; });
  return result;
}

int64_t LinearForm::getCoefficient(Value variable) const {
  for (auto [other, coefficient] : terms)
    if (other == variable)
      return coefficient;
  return 0;
}

bool LinearForm::operator==(const LinearForm &other) const {
  return constant == other.constant && terms.size() == other.terms.size() &&
         llvm::all_of(terms, [&](const Term &term) {
           return other.getCoefficient(term.first) == term.second;
         });
}

/// Returns the number of loops around the definition of `value`.
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
  // Sort by depth, then by order of appearance.
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
