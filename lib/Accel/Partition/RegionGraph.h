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

/// The operations of a block but its terminator, and what each must follow: the
/// operations whose results it uses, also in its regions, and, for one with
/// side effects, the one with side effects before it.
struct BlockGraph {
  explicit BlockGraph(mlir::Block &block);

  std::vector<mlir::Operation *> ops;
  /// `successors[i]` are the indices of the operations that follow `ops[i]`,
  /// ascending, each once.
  std::vector<llvm::SmallVector<unsigned, 2>> successors;
};

/// A graph with each region drawn together to one node.
struct RegionGraph {
  /// `graph[i]` are the successors of operation i, `nodeOf[i]` is its node: any
  /// numbers below the number of operations.
  RegionGraph(llvm::ArrayRef<llvm::SmallVector<unsigned, 2>> graph,
              llvm::ArrayRef<unsigned> nodeOf);

  /// The successors of each node, each once; no node is its own.
  std::vector<llvm::SmallVector<unsigned, 2>> successors;
  /// The nodes in an order in which none comes before one that it needs, as
  /// close to the order of the block as that allows. Nodes on or after a cycle
  /// are left out.
  std::vector<unsigned> order;
  /// Whether `order` has every node.
  bool isAcyclic;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_REGIONGRAPH_H
