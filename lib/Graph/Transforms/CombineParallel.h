//===- CombineParallel.h - Combine parallel layers -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Private to the graph passes: shared implementation of
// `uma-graph-combine-parallel-conv2d` and `uma-graph-combine-parallel-dense`.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_TRANSFORMS_COMBINEPARALLEL_H
#define UMA_LIB_GRAPH_TRANSFORMS_COMBINEPARALLEL_H

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/IR/BuiltinOps.h"

namespace uma::graph {

/// Statistics of the passes.
struct CombineParallelCounts {
  unsigned layers = 0;    ///< Number of layers combined into another one.
  unsigned followers = 0; ///< Number of operators behind layers combined.
};

/// Axes along which a layer can be combined with others.
struct ParallelLayer {
  int64_t weightAxis; ///< Dimension of the weights that is concatenated.
  int64_t resultAxis; ///< Dimension of the result that is sliced.
};

/// Combines groups of at least `minBranches` layers in `module` that have the
/// same data and attributes, and weights whose shapes differ along `weightAxis`
/// only. `describe` returns std::nullopt for operators that cannot be combined.
/// The first two operands of a layer are its data and weights.
CombineParallelCounts combineParallelLayers(
    mlir::ModuleOp module, size_t minBranches,
    llvm::function_ref<std::optional<ParallelLayer>(mlir::Operation *)>
        describe);

/// Emits an error that names `pass` and fails unless `minBranches` is 2 or
/// more.
mlir::LogicalResult checkMinBranches(mlir::MLIRContext *context,
                                     llvm::StringRef pass, int64_t minBranches);

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_COMBINEPARALLEL_H
