//===- ConstantEvaluator.h - Elements of computed constants -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IMPORT_SUPPORT_CONSTANTEVALUATOR_H
#define UMA_IMPORT_SUPPORT_CONSTANTEVALUATOR_H

#include "uma/Support/HostTensor.h"

#include "mlir/IR/Value.h"

#include <optional>
#include <string>

namespace uma::importer {

/// Evaluates values that the model computes from constants only. Exporters
/// write shapes and axes as chains of operators (Shape, Gather, Concat) before
/// the operator that needs them.
class ConstantEvaluator {
public:
  /// Result of an evaluation: the elements, or the reason why they are not
  /// known.
  struct Outcome {
    std::optional<HostTensor> elements;
    /// Input of the model that the value depends on.
    mlir::BlockArgument input;
    /// Reason why a computation failed or was too large, as the end of a
    /// sentence.
    std::string error;
  };

  Outcome evaluate(mlir::Value value);

  /// Maximum total size in bytes of all constants that an import computes,
  /// including those made by rules. Prevents a small model from exhausting the
  /// memory.
  static constexpr int64_t kMaxTotalBytes = int64_t(1) << 26;
  /// Adds `bytes` to the total size. Returns false if it would exceed the
  /// limit.
  bool reserve(int64_t bytes) {
    if (bytes > kMaxTotalBytes - reserved)
      return false;
    reserved += bytes;
    return true;
  }

private:
  std::string evaluateOperation(mlir::Operation *op);

  int64_t reserved = 0;
  /// Elements of evaluated values. Only looked up, never iterated.
  llvm::DenseMap<mlir::Value, HostTensor> known;
};

} // namespace uma::importer

#endif // UMA_IMPORT_SUPPORT_CONSTANTEVALUATOR_H
