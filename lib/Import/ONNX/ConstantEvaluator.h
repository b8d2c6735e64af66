//===- ConstantEvaluator.h - Elements of computed constants -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_ONNX_CONSTANTEVALUATOR_H
#define UMA_LIB_IMPORT_ONNX_CONSTANTEVALUATOR_H

#include "uma/Support/HostTensor.h"

#include "mlir/IR/Value.h"

#include <optional>
#include <string>

namespace uma::importer {

/// Computes what the model computes from constants only. Exporters write shapes
/// and axes as chains of operators (Shape, Gather, Concat) before the operator
/// that needs them.
class ConstantEvaluator {
public:
  /// What came of an evaluation: the elements, or one of the reasons why there
  /// are none.
  struct Outcome {
    std::optional<HostTensor> elements;
    /// An input of the model that the value is computed from.
    mlir::BlockArgument input;
    /// A computation that failed or was too large, as the end of a sentence.
    std::string error;
  };

  Outcome evaluate(mlir::Value value);

  /// What all constants that an import computes may take together, those that
  /// rules make included: a model of a few bytes must not ask for all memory.
  static constexpr int64_t kMaxTotalBytes = int64_t(1) << 26;
  /// Counts `bytes` more; false if they are too many.
  bool reserve(int64_t bytes) {
    if (bytes > kMaxTotalBytes - reserved)
      return false;
    reserved += bytes;
    return true;
  }

private:
  std::string evaluateOperation(mlir::Operation *op);

  int64_t reserved = 0;
  /// Looked up only, never iterated.
  llvm::DenseMap<mlir::Value, HostTensor> known;
};

} // namespace uma::importer

#endif // UMA_LIB_IMPORT_ONNX_CONSTANTEVALUATOR_H
