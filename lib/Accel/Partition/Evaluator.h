//===- Evaluator.h - Arithmetic of a pattern -*- C++ -*--------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_PARTITION_EVALUATOR_H
#define UMA_LIB_ACCEL_PARTITION_EVALUATOR_H

#include "uma/Accel/IR/AccelOps.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseMap.h"

#include <string>

namespace uma::accel {

/// Constant evaluator for the arith operations in a pattern's body. Supports
/// every operation with a folder; does not create operations.
class Evaluator {
public:
  using Numbers = llvm::DenseMap<mlir::Value, mlir::TypedAttr>;

  /// `numbers` holds the values of dims and measures; computed results are
  /// added.
  explicit Evaluator(Numbers &numbers) : numbers(numbers) {}

  /// Evaluates all arith operations of `pattern` in order.
  void evaluate(PatternOp pattern) { evaluate(pattern.getBody().front()); }
  /// Evaluates any other block, which may read target attributes.
  void evaluate(mlir::Block &block);

  /// Returns the reason that `value` has no number, e.g. "divides by zero".
  llvm::StringRef getProblem(mlir::Value value) const;

private:
  void evaluate(mlir::Operation *op);
  void readAttribute(mlir::Operation *op);

  Numbers &numbers;
  llvm::DenseMap<mlir::Value, std::string> problems;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_EVALUATOR_H
