//===- FusionGroups.h - Which operators are fused -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What uma-cpu-form-layers makes its layers of.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_TRANSFORMS_FUSIONGROUPS_H
#define UMA_GRAPH_TRANSFORMS_FUSIONGROUPS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

namespace uma::graph {

/// The operators of one group in the order of the text. Only the results of the
/// last one are used outside of the group.
using FusionGroup = llvm::SmallVector<mlir::Operation *, 4>;

/// Returns the groups of two to `maxDepth` operators of `block` that can be
/// fused, in the order of their last operators.
llvm::SmallVector<FusionGroup> findFusionGroups(mlir::Block &block,
                                                size_t maxDepth);

} // namespace uma::graph

#endif // UMA_GRAPH_TRANSFORMS_FUSIONGROUPS_H
