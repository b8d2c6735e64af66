//===- MappedCalls.h - Commands of mapped matches -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_MAPPEDCALLS_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_MAPPEDCALLS_H

#include "AcceleratorCalls.h"

#include "uma/Accel/Mapping/MatchSchedule.h"

namespace uma {

/// Commands of one mapped match, as a program for the host: a table whose rows
/// are commands.
struct MappedCalls {
  /// A call that appears in the list of commands.
  struct Site {
    accel::CallOp call;
    /// Pattern's tensor that a transfer moves; null for other calls.
    mlir::Value tensor;
    /// Column of each operand in the table, or -1 if the operand has the same
    /// value in all commands, its `constants`.
    llvm::SmallVector<int> columns;
    llvm::SmallVector<int64_t> constants;
  };
  llvm::SmallVector<Site> sites;
  /// Number of the site of each command, then its values.
  llvm::SmallVector<llvm::SmallVector<int64_t>> rows;
  int64_t numColumns = 1;
  /// Tensors whose arguments are addresses in memories of the device.
  llvm::DenseSet<mlir::Value> placed;
  /// Table in the graph's function, or null if the commands are few enough to
  /// be written one by one.
  graph::ConstantOp table;
};

/// Generates the commands of a composite of a pattern with tiles, from its
/// mapping. `counts` are the commands of each engine before it in the region.
/// Emits an error on the composite and fails if it has no valid mapping.
mlir::FailureOr<MappedCalls> generateCommands(graph::CompositeOp composite,
                                              const accel::Match &match,
                                              accel::CommandCounts &counts);

/// Builds the calls: a loop over the rows of `table`, the table's buffer, or
/// one call after another if it is null.
void buildMappedCalls(mlir::OpBuilder &builder, graph::CompositeOp composite,
                      const accel::Match &match, const MappedCalls &calls,
                      mlir::Value table, GetBufferFn getBuffer);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_MAPPEDCALLS_H
