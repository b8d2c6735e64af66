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
  /// Operation that failed the constraint, such as "conv2d 'conv3'"; may be
  /// empty.
  std::string operation;
  /// First failed constraint, with the found values: "strides is [2, 2], the
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
  /// Index of the report of the operator that computes it; std::nullopt for
  /// function arguments and constants.
  std::optional<size_t> from;
  bool isConstant = false;
};

/// Placement of one operator of the graph.
struct LayerReport {
  /// Index of the report among all reports of the model.
  size_t index = 0;
  /// Name of the layer in the model, or the operator's kind if it has none.
  std::string layer;
  /// Operator: "conv2d".
  std::string kind;
  /// Accelerator that takes it, or "cpu".
  std::string target;
  /// Pattern that takes it; empty on the CPU.
  std::string pattern;
  /// Number of multiply-accumulate operations; 0 for operators without any.
  int64_t macs = 0;
  /// Reason that a layer between dequantize and quantize is computed on floats;
  /// empty for all others.
  std::string inFloats;
  llvm::SmallVector<LayerOperand, 3> operands;
  llvm::SmallVector<mlir::RankedTensorType, 1> results;
  /// Index of the match that takes it; std::nullopt on the CPU.
  std::optional<size_t> match;
  /// Reason against each other accelerator, in order of priority.
  llvm::SmallVector<Reason, 1> reasons;
  /// Reasons against the patterns of its accelerator that precede `pattern`,
  /// which may fuse more; empty on the CPU.
  llvm::SmallVector<Reason, 1> passedOver;
};

/// Reports the placement of each operator, except constants, that
/// `uma-accel-merge-composite` will choose. `module` is the simplified graph
/// before partitioning; it does not change.
std::vector<LayerReport>
explainPartition(mlir::ModuleOp module,
                 llvm::ArrayRef<AcceleratorOp> accelerators);
/// Appends the reports of one function to `reports`.
void explainPartition(mlir::func::FuncOp function,
                      llvm::ArrayRef<AcceleratorOp> accelerators,
                      const Assignment &assignment,
                      std::vector<LayerReport> &reports);

/// Explains why `accelerator` does not take `op`: returns the first failed
/// constraint of its closest pattern.
Reason explainReason(AcceleratorOp accelerator, mlir::Operation *op,
                     const Assignment &assignment);

/// Returns the number of multiply-accumulate operations of a graph operation,
/// or 0 for operators without any.
int64_t getMACs(mlir::Operation *op);

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_REPORT_H
