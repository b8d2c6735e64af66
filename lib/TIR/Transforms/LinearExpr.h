//===- LinearExpr.h - Linear forms and ranges of indices -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What passes on plain TIR know about index arithmetic. Everything is computed
// in 64 bits and checked: where a bound does not fit, nothing is known.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_TIR_TRANSFORMS_LINEAREXPR_H
#define UMA_LIB_TIR_TRANSFORMS_LINEAREXPR_H

#include "uma/TIR/IR/TIROps.h"

#include <optional>

namespace uma::tir {

/// The integers from `min` to `max`, both included.
struct IndexRange {
  int64_t min;
  int64_t max;

  bool isPoint() const { return min == max; }
};

/// The values that `value` may have, from constants, the bounds of loops and
/// arithmetic; nothing where they are not known.
std::optional<IndexRange> getIndexRange(mlir::Value value);

/// sum(coefficient * variable) + constant. A variable is any index value that
/// is no sum, difference or multiple by a constant of others.
class LinearExpr {
public:
  using Term = std::pair<mlir::Value, int64_t>;

  /// Nothing where a coefficient does not fit 64 bits.
  static std::optional<LinearExpr> get(mlir::Value value);

  /// In the order in which the variables appear; no coefficient is 0.
  llvm::ArrayRef<Term> getTerms() const { return terms; }
  int64_t getConstant() const { return constant; }
  int64_t getCoefficient(mlir::Value variable) const;

  /// Adds `factor * other`; false where that does not fit.
  [[nodiscard]] bool add(const LinearExpr &other, int64_t factor);
  [[nodiscard]] bool add(int64_t value);
  /// The expression without the variable.
  LinearExpr without(mlir::Value variable) const;

  /// The values that it may have, if the ranges of all its variables are
  /// known.
  std::optional<IndexRange> getRange() const;

  bool operator==(const LinearExpr &other) const;

  [[nodiscard]] bool addTerm(mlir::Value variable, int64_t coefficient);

private:
  llvm::SmallVector<Term, 4> terms;
  int64_t constant = 0;
};

/// True if the loads and stores of buffer `memref` at `indices` surely stay
/// inside it.
bool isInBounds(mlir::Value memref, mlir::ValueRange indices);

} // namespace uma::tir

#endif // UMA_LIB_TIR_TRANSFORMS_LINEAREXPR_H
