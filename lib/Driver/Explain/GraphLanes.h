//===- GraphLanes.h - Drawing of a graph in rows -*- C++ -*----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_EXPLAIN_GRAPHLANES_H
#define UMA_LIB_DRIVER_EXPLAIN_GRAPHLANES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstddef>
#include <vector>

namespace uma {

/// A row of the drawing: one node and the edges beside it. Columns count from
/// 0.
struct GraphRow {
  size_t column = 0; ///< column of the node
  /// Edges that pass the node.
  llvm::SmallVector<size_t> passing;
  /// An edge from a node above that ends in this one.
  struct Edge {
    size_t column; ///< column of the edge
    size_t from;   ///< row of the other node
  };
  llvm::SmallVector<Edge> incoming;
  bool hasUsers = false; ///< whether an edge leaves the node
};

/// Places the nodes of a graph below one another, each in its own row, and
/// their edges in columns, as version control systems draw histories. `sources`
/// lists for each node its operands among the nodes before it. A result keeps
/// its column up to its last user, which takes the column over.
std::vector<GraphRow>
placeInRows(llvm::ArrayRef<llvm::SmallVector<size_t>> sources);

} // namespace uma

#endif // UMA_LIB_DRIVER_EXPLAIN_GRAPHLANES_H
