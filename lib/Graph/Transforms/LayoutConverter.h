//===- LayoutConverter.h - Layout conversion of a graph -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Private to the graph passes: implementation of uma-graph-convert-layout.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_TRANSFORMS_LAYOUTCONVERTER_H
#define UMA_LIB_GRAPH_TRANSFORMS_LAYOUTCONVERTER_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

namespace uma::graph {

/// Requested layouts, by their names for two spatial dimensions. An empty name
/// keeps the layout.
struct WantedLayouts {
  llvm::StringRef data, kernel;
  /// Names of the operators to convert, without dialect and family; all if
  /// empty.
  llvm::StringSet<> ops;
};

/// Statistics of a conversion.
struct LayoutCounts {
  unsigned converted = 0, along = 0, inserted = 0, removed = 0;
};

/// Converts the operators of `block`, the body of a function.
LayoutCounts convertLayouts(mlir::Block &block, const WantedLayouts &wanted);

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_LAYOUTCONVERTER_H
