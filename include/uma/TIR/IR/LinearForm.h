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

namespace uma::tir {

/// An index value as `constant + sum(coefficient * value)`, seen through
/// arith's addition, subtraction and multiplication by constants. The values
/// are loop variables and whatever else is not such arithmetic.
class LinearForm {
public:
  LinearForm() = default;
  explicit LinearForm(int64_t constant) : constant(constant) {}
  /// The form of `index`, a value of type index.
  static LinearForm of(mlir::Value index);

  /// Adds `factor * other`.
  void add(const LinearForm &other, int64_t factor = 1);
  /// What an increment of `value` by one adds; 0 for values that `this` does
  /// not depend on directly.
  int64_t getCoefficient(mlir::Value value) const;
  int64_t getConstant() const { return constant; }
  bool isConstant() const { return terms.empty(); }

  /// The value, computed at the builder's place. Terms that vary in outer
  /// loops come first, so that their sums can leave the inner loops, and the
  /// constant comes last, where C compilers fold it into an address.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc) const;

  /// The values and their coefficients, none of which is 0.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> terms;

private:
  void addTerm(mlir::Value value, int64_t coefficient);

  int64_t constant = 0;
};

} // namespace uma::tir

#endif // UMA_TIR_IR_LINEARFORM_H
