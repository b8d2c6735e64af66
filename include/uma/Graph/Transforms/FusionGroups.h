//===- FusionGroups.h - Fusion of operators -*- C++ -*---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Groups of operators that uma-cpu-form-layers turns into layers.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_TRANSFORMS_FUSIONGROUPS_H
#define UMA_GRAPH_TRANSFORMS_FUSIONGROUPS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

namespace uma::graph {

/// Operators of one group in program order. Only the results of the last one
/// are used outside the group.
using FusionGroup = llvm::SmallVector<mlir::Operation *, 4>;

/// Returns the groups of two to `maxDepth` operators of `block` that can be
/// fused, in the order of their last operators.
llvm::SmallVector<FusionGroup> findFusionGroups(mlir::Block &block,
                                                size_t maxDepth);

} // namespace uma::graph

#endif // UMA_GRAPH_TRANSFORMS_FUSIONGROUPS_H
