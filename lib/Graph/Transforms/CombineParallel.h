//===- CombineParallel.h - Make one layer of several -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Private to the graph passes: what `uma-graph-combine-parallel-conv2d` and
// `uma-graph-combine-parallel-dense` share.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_TRANSFORMS_COMBINEPARALLEL_H
#define UMA_LIB_GRAPH_TRANSFORMS_COMBINEPARALLEL_H

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/IR/BuiltinOps.h"

namespace uma::graph {

/// What the passes count.
struct CombineParallelCounts {
  unsigned layers = 0;    ///< Layers that went into another one.
  unsigned followers = 0; ///< Operators behind layers that did.
};

/// Which layers can be combined, and along which dimensions.
struct ParallelLayer {
  int64_t weightAxis; ///< The dimension of the weights that is concatenated.
  int64_t resultAxis; ///< The dimension of the result that is sliced.
};

/// Combines the layers in `module` with data and weights as the first two
/// operands that `describe` describes: `minBranches` or more with the same data
/// and attributes, and weights that differ along `weightAxis` only.
CombineParallelCounts combineParallelLayers(
    mlir::ModuleOp module, size_t minBranches,
    llvm::function_ref<std::optional<ParallelLayer>(mlir::Operation *)>
        describe);

/// Fails, with an error that names `pass`, unless `minBranches` is 2 or more.
mlir::LogicalResult checkMinBranches(mlir::MLIRContext *context,
                                     llvm::StringRef pass, int64_t minBranches);

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_COMBINEPARALLEL_H
