//===- Report.h - Targets of layers, with reasons -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Data of `uma explain`.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_PARTITION_REPORT_H
#define UMA_ACCEL_PARTITION_REPORT_H

#include "uma/Accel/Partition/Assignment.h"

#include <string>
#include <vector>

namespace uma::accel {

/// Target of operators that no accelerator takes.
inline constexpr llvm::StringLiteral kCPUTarget = "cpu";

/// Reason that an accelerator does not take an operator.
struct Reason {
  std::string accelerator;
  /// Closest pattern; empty if no pattern knows the operator.
  std::string pattern;
  /// Operation that the constraint is about, "conv2d 'conv3'"; empty if the
  /// constraint needs none.
  std::string operation;
  /// First failed constraint, with the values seen: "strides is [2, 2], the
  /// pattern wants [1, 1]", or "no pattern for 'relu'". Never empty.
  std::string constraint;

  /// Returns "conv2d 'conv3': strides is [2, 2], the pattern wants [1, 1]".
  std::string getText() const {
    return operation.empty() ? constraint : operation + ": " + constraint;
  }
};

/// Operand of an operator of the graph.
struct LayerOperand {
  mlir::RankedTensorType type;
  /// Operator that computes it, counted as the reports are; std::nullopt for
  /// inputs of the function and constants.
  std::optional<size_t> from;
  bool isConstant = false;
};

/// Target of one operator of the graph.
struct LayerReport {
  /// Position of the report among all of the model.
  size_t index = 0;
  /// Name of the layer in the model; the operator's kind if it has none.
  std::string layer;
  /// Operator: "conv2d".
  std::string kind;
  /// Accelerator that takes it, or "cpu".
  std::string target;
  /// Pattern that takes it; empty on the CPU.
  std::string pattern;
  /// Multiply-accumulate operations; 0 for operators that have none.
  int64_t macs = 0;
  llvm::SmallVector<LayerOperand, 3> operands;
  llvm::SmallVector<mlir::RankedTensorType, 1> results;
  /// Number of the match that takes it; std::nullopt on the CPU.
  std::optional<size_t> match;
  /// Reasons against each other accelerator, in the order of priority.
  llvm::SmallVector<Reason, 1> reasons;
  /// On an accelerator: reasons against the patterns before `pattern`, which
  /// may fuse more.
  llvm::SmallVector<Reason, 1> passedOver;
};

/// Reports what `uma-accel-merge-composite` will do with each operator, except
/// constants, of the functions that it looks at. `module` is the simplified
/// graph before partitioning; it does not change.
std::vector<LayerReport>
explainPartition(mlir::ModuleOp module,
                 llvm::ArrayRef<AcceleratorOp> accelerators);
/// Adds those of one function to `reports`.
void explainPartition(mlir::func::FuncOp function,
                      llvm::ArrayRef<AcceleratorOp> accelerators,
                      const Assignment &assignment,
                      std::vector<LayerReport> &reports);

/// Returns why `accelerator` does not take `op`: the first failed constraint of
/// its closest pattern.
Reason explainReason(AcceleratorOp accelerator, mlir::Operation *op,
                     const Assignment &assignment);

/// Returns the number of multiply-accumulate operations of a graph operation; 0
/// for operators that have none.
int64_t getMACs(mlir::Operation *op);

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_REPORT_H
