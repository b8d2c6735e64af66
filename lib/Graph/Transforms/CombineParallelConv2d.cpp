//===- CombineParallelConv2d.cpp - Make one conv2d of several ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The branches of an inception block read the same data several times. One
// wider convolution reads it once, and its loops are longer.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "CombineParallel.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_COMBINEPARALLELCONV2DPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

namespace {
struct CombineParallelConv2dPass
    : uma::graph::impl::CombineParallelConv2dPassBase<
          CombineParallelConv2dPass> {
  using CombineParallelConv2dPassBase::CombineParallelConv2dPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkMinBranches(context, getArgument(), minBranches);
  }

  void runOnOperation() override {
    CombineParallelCounts counts = combineParallelLayers(
        getOperation(), minBranches,
        [](Operation *op) -> std::optional<ParallelLayer> {
          auto conv = dyn_cast<Conv2dOp>(op);
          // The channels of each group would no longer be contiguous.
          if (!conv || conv.getGroups() != 1)
            return std::nullopt;
          auto layout = WindowLayout::parse(conv.getDataLayout());
          auto kernelLayout = KernelLayout::parse(conv.getKernelLayout());
          if (!layout || !kernelLayout)
            return std::nullopt;
          return ParallelLayer{kernelLayout->o, layout->c};
        });
    numCombined += counts.layers;
    numFollowers += counts.followers;
  }
};
} // namespace
