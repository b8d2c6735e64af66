//===- Report.h - Where each layer runs, and why -*- C++ -*----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The data of `uma explain`.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_PARTITION_REPORT_H
#define UMA_ACCEL_PARTITION_REPORT_H

#include "uma/Accel/Partition/Assignment.h"

#include <string>
#include <vector>

namespace uma::accel {

/// The target of what no accelerator takes.
inline constexpr llvm::StringLiteral kCPUTarget = "cpu";

/// Why an accelerator does not take an operator.
struct Reason {
  std::string accelerator;
  /// The pattern that comes closest; empty where none knows the operator.
  std::string pattern;
  /// The operation that the constraint speaks of, "conv2d 'conv3'"; empty where
  /// the constraint says it all.
  std::string operation;
  /// The first constraint that fails, with the values seen: "strides is [2, 2],
  /// the pattern wants [1, 1]", or "no pattern for 'relu'". Never empty.
  std::string constraint;

  /// Both: "conv2d 'conv3': strides is [2, 2], the pattern wants [1, 1]".
  std::string getText() const {
    return operation.empty() ? constraint : operation + ": " + constraint;
  }
};

/// Where one operator of the graph runs.
struct LayerReport {
  /// The layer's name in the model; the operator's kind where it has none.
  std::string layer;
  /// The operator: "conv2d".
  std::string kind;
  /// The accelerator that takes it, or "cpu".
  std::string target;
  /// The pattern that takes it; empty on the CPU.
  std::string pattern;
  /// Multiply-accumulate operations; 0 for operators that have none.
  int64_t macs = 0;
  /// Why not on each other accelerator, in the order of priority.
  llvm::SmallVector<Reason, 1> reasons;
  /// On an accelerator: why not by the patterns that come before `pattern`,
  /// which may fuse more.
  llvm::SmallVector<Reason, 1> passedOver;
};

/// Reports, for each operator but the constants of the functions that
/// `uma-accel-merge-composite` would look at, what that pass will do with it.
/// `module` is the simplified graph before partitioning; nothing is changed.
std::vector<LayerReport>
explainPartition(mlir::ModuleOp module,
                 llvm::ArrayRef<AcceleratorOp> accelerators);
std::vector<LayerReport>
explainPartition(mlir::func::FuncOp function,
                 llvm::ArrayRef<AcceleratorOp> accelerators);

/// Why `accelerator` does not take `op`: the first failed constraint of its
/// closest pattern.
Reason explainReason(AcceleratorOp accelerator, mlir::Operation *op,
                     const Assignment &assignment);

/// The number of multiply-accumulate operations of a graph operation; 0 for
/// operators that have none.
int64_t getMACs(mlir::Operation *op);

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_REPORT_H
