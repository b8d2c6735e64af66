//===- MappedCalls.h - Commands of mapped matches -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_MAPPEDCALLS_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_MAPPEDCALLS_H

#include "AcceleratorCalls.h"

#include "uma/Accel/Mapping/RegionSchedule.h"

namespace uma {

/// Commands of one mapped match, or of several that are interleaved, as a
/// program for the host: a table whose rows are commands.
struct MappedCalls {
  /// A call that appears in the list of commands.
  struct Site {
    unsigned layer; ///< of the schedule
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
  /// Table in the graph's function, or null if all runs are short enough to be
  /// written one by one.
  graph::ConstantOp table;
};

/// Commands of one program that follow each other: rows `begin` to `end` - 1 of
/// its table.
struct MappedRun {
  size_t program;
  size_t begin, end;
};

/// Commands of all mapped matches in a device's function.
struct MappedRegion {
  accel::RegionSchedule schedule;
  std::vector<MappedCalls> calls; ///< programs, by group of the schedule
  /// Tensors whose arguments are addresses in memories of the device, by layer.
  std::vector<llvm::DenseSet<mlir::Value>> placed;
  llvm::SmallVector<MappedRun> runs; ///< in the order of the host

  /// Returns the program of a layer.
  size_t getProgram(unsigned layer) const;
  /// Returns the number of runs up to the last one of the composite's program,
  /// or 0 if it has none.
  size_t getEndOfRuns(graph::CompositeOp composite) const;
};

/// Generates the commands of the composites of patterns with tiles, from their
/// mappings. Emits an error on a composite and fails if it has no valid one.
mlir::FailureOr<MappedRegion> generateCommands(mlir::func::FuncOp function);

/// Returns the bytes in use at once of each memory of the device, by its name.
mlir::DictionaryAttr getMemoryBytes(const MappedRegion &region);

/// Returns the buffer of a tensor inside of a composite, or of an array.
using GetLayerBufferFn = llvm::function_ref<mlir::Value(
    graph::CompositeOp composite, mlir::Value inner)>;

/// Builds the calls of a run: a loop over rows of `table`, the buffer of the
/// program's table, or one call after another if they are few.
void buildMappedRun(mlir::OpBuilder &builder, const MappedRegion &region,
                    const MappedRun &run, mlir::Value table,
                    GetLayerBufferFn getBuffer);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_MAPPEDCALLS_H
