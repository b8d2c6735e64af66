//===- RegionGraph.h - Dependence graphs of regions -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_PARTITION_REGIONGRAPH_H
#define UMA_LIB_ACCEL_PARTITION_REGIONGRAPH_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

#include <vector>

namespace uma::accel {

/// Dependence graph of a block's operations, except its terminator. An
/// operation depends on the producers of its operands, including uses in its
/// regions, and if it has side effects, on the previous operation with side
/// effects.
struct BlockGraph {
  explicit BlockGraph(mlir::Block &block);

  std::vector<mlir::Operation *> ops;
  /// `successors[i]` are the indices of the operations that depend on `ops[i]`,
  /// ascending, without duplicates.
  std::vector<llvm::SmallVector<unsigned, 2>> successors;
};

/// Dependence graph with each region contracted to one node.
struct RegionGraph {
  /// `graph[i]` are the successors of operation i. `nodeOf[i]` is its node, any
  /// number below the number of operations.
  RegionGraph(llvm::ArrayRef<llvm::SmallVector<unsigned, 2>> graph,
              llvm::ArrayRef<unsigned> nodeOf);

  /// Successors of each node, without duplicates and self-edges.
  std::vector<llvm::SmallVector<unsigned, 2>> successors;
  /// Nodes in topological order, as close to the block's order as possible.
  /// Excludes nodes on cycles and their descendants.
  std::vector<unsigned> order;
  /// Whether `order` has every node.
  bool isAcyclic;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_REGIONGRAPH_H
