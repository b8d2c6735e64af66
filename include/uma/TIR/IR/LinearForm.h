//===- LinearForm.h - Index values as sums of multiples -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TIR_IR_LINEARFORM_H
#define UMA_TIR_IR_LINEARFORM_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace uma::tir {

/// An index value as `constant + sum(coefficient * variable)`, seen through
/// arith's addition, subtraction and multiplication by constants. The variables
/// are those of loops and whatever else is not such arithmetic. Numbers have 64
/// bits; what does not fit them is not added.
class LinearForm {
public:
  using Term = std::pair<mlir::Value, int64_t>;

  LinearForm() = default;
  explicit LinearForm(int64_t constant) : constant(constant) {}
  /// Returns the form of `value`; std::nullopt for values that are no index, or
  /// where a number does not fit.
  static std::optional<LinearForm> get(mlir::Value value);
  /// Returns the form of `index`, a value of type index: a variable where get()
  /// gives nothing.
  static LinearForm of(mlir::Value index);

  /// In the order in which the variables appear; no coefficient is 0.
  llvm::ArrayRef<Term> getTerms() const { return terms; }
  int64_t getConstant() const { return constant; }
  /// What an increment of `variable` by one adds; 0 for values that `this` does
  /// not depend on directly.
  int64_t getCoefficient(mlir::Value variable) const;
  bool isConstant() const { return terms.empty(); }
  bool operator==(const LinearForm &other) const;

  /// Adds `factor * other`; false if that does not fit, and nothing is added.
  [[nodiscard]] bool add(const LinearForm &other, int64_t factor = 1);
  [[nodiscard]] bool add(int64_t value);
  [[nodiscard]] bool addTerm(mlir::Value variable, int64_t coefficient);
  /// Returns the form without the variable.
  LinearForm without(mlir::Value variable) const;

  /// Returns the value, computed at the builder's place. Terms that vary in
  /// outer loops come first, so that their sums can leave the inner loops, and
  /// the constant comes last, where C compilers fold it into an address.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc) const;

private:
  llvm::SmallVector<Term, 4> terms;
  int64_t constant = 0;
};

} // namespace uma::tir

#endif // UMA_TIR_IR_LINEARFORM_H
