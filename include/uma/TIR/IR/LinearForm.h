//===- LinearForm.h - Linear forms of index values -*- C++ -*--------------===//
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

/// Index value in the form `constant + sum(coefficient * variable)`, derived
/// from arith's additions, subtractions and multiplications by constants.
/// Variables are loop variables and values that no such operation defines.
/// Numbers have 64 bits; an operation that would overflow fails.
class LinearForm {
public:
  using Term = std::pair<mlir::Value, int64_t>;

  LinearForm() = default;
  explicit LinearForm(int64_t constant) : constant(constant) {}
  /// Returns the form of `value`, or std::nullopt if it is not an index or a
  /// number overflows.
  static std::optional<LinearForm> get(mlir::Value value);
  /// Returns the form of `index`, a value of type index. If get() fails,
  /// `index` itself is the only variable.
  static LinearForm of(mlir::Value index);

  /// Terms in the order in which the variables appear, without zero
  /// coefficients.
  llvm::ArrayRef<Term> getTerms() const { return terms; }
  int64_t getConstant() const { return constant; }
  /// Returns the coefficient of `variable`, or 0 if it is not a term.
  int64_t getCoefficient(mlir::Value variable) const;
  bool isConstant() const { return terms.empty(); }
  bool operator==(const LinearForm &other) const;

  /// Adds `factor * other`. Returns false and adds nothing on overflow.
  [[nodiscard]] bool add(const LinearForm &other, int64_t factor = 1);
  [[nodiscard]] bool add(int64_t value);
  [[nodiscard]] bool addTerm(mlir::Value variable, int64_t coefficient);
  /// Returns this form without the term of `variable`.
  LinearForm without(mlir::Value variable) const;

  /// Builds the value at the insertion point. Terms that are defined in outer
  /// loops come first, so that their sums can be hoisted; the constant comes
  /// last, so that C compilers fold it into an address.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc) const;

private:
  llvm::SmallVector<Term, 4> terms;
  int64_t constant = 0;
};

} // namespace uma::tir

#endif // UMA_TIR_IR_LINEARFORM_H
