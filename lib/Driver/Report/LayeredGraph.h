//===- LayeredGraph.h - Drawing of a graph in layers -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Where GraphLanes.h gives each node a row of its own beside a table, this
// places independent nodes side by side, so that branches are seen.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_REPORT_LAYEREDGRAPH_H
#define UMA_LIB_DRIVER_REPORT_LAYEREDGRAPH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace uma {

/// A point in pixels.
struct GraphPoint {
  int64_t x, y;
};

/// A drawing of a graph. All coordinates are in [0, width] and [0, height].
struct LayeredGraph {
  /// Sizes of a node, and of the space between nodes and between layers.
  static constexpr int64_t nodeWidth = 168, nodeHeight = 36, gap = 16,
                           layerGap = 20;

  struct Edge {
    size_t from, to;
    /// From the bottom of one node to the top of the other; at least two.
    llvm::SmallVector<GraphPoint, 4> points;
  };

  int64_t width = 0, height = 0;
  std::vector<GraphPoint> nodes; ///< upper left corners
  std::vector<Edge> edges;
};

/// Draws a graph from top to bottom after Sugiyama, Tagawa and Toda (1981):
/// nodes are in layers by the longest path from a source, sorted in each layer
/// by the median of their neighbours (Gansner et al. 1993), and placed as near
/// to their neighbours as the order allows. `sources` lists for each node its
/// operands among the nodes before it. Edges keep clear of nodes, except in
/// graphs with so many long edges that the drawing is of no use anyway.
LayeredGraph drawInLayers(llvm::ArrayRef<llvm::SmallVector<size_t>> sources);

} // namespace uma

#endif // UMA_LIB_DRIVER_REPORT_LAYEREDGRAPH_H
