//===- CombineParallelDense.cpp - Combine dense layers -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The query, key and value of an attention layer are three matrix products with
// the same data. One larger product reads the data once.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "CombineParallel.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_COMBINEPARALLELDENSEPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

namespace {
struct CombineParallelDensePass
    : uma::graph::impl::CombineParallelDensePassBase<CombineParallelDensePass> {
  using CombineParallelDensePassBase::CombineParallelDensePassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkMinBranches(context, getArgument(), minBranches);
  }

  void runOnOperation() override {
    CombineParallelCounts counts = combineParallelLayers(
        getOperation(), minBranches,
        [](Operation *op) -> std::optional<ParallelLayer> {
          auto dense = dyn_cast<DenseOp>(op);
          if (!dense)
            return std::nullopt;
          return ParallelLayer{/*weightAxis=*/0,
                               dense.getResult().getType().getRank() - 1};
        });
    numCombined += counts.layers;
    numFollowers += counts.followers;
  }
};
} // namespace
