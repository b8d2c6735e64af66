//===- RegionGraph.h - A block as a graph of regions -*- C++ -*------------===//
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

/// The operations of a block except its terminator, with their dependences:
/// each follows the operations whose results it uses, also in its regions, and,
/// if it has side effects, the previous one with side effects.
struct BlockGraph {
  explicit BlockGraph(mlir::Block &block);

  std::vector<mlir::Operation *> ops;
  /// `successors[i]` are the indices of the operations that follow `ops[i]`,
  /// ascending, each once.
  std::vector<llvm::SmallVector<unsigned, 2>> successors;
};

/// A graph with each region contracted to one node.
struct RegionGraph {
  /// `graph[i]` are the successors of operation i, `nodeOf[i]` is its node: any
  /// numbers below the number of operations.
  RegionGraph(llvm::ArrayRef<llvm::SmallVector<unsigned, 2>> graph,
              llvm::ArrayRef<unsigned> nodeOf);

  /// Successors of each node, each once; no node succeeds itself.
  std::vector<llvm::SmallVector<unsigned, 2>> successors;
  /// Nodes in a topological order, as close to the order of the block as
  /// possible. Excludes nodes on or after a cycle.
  std::vector<unsigned> order;
  /// Whether `order` has every node.
  bool isAcyclic;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_REGIONGRAPH_H
