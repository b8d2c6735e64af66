//===- SplitRegions.cpp - Take regions of a device apart ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A device with commands may still read the result of one layer of a region
// while it writes that of another one, so the results of all of them exist
// until the region ends. Layers of their own can share memory.
//
//===----------------------------------------------------------------------===//

#include "InlineRegions.h"

#include "uma/Accel/IR/AccelOps.h"
#include "uma/Accel/Partition/Passes.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace uma::accel {
#define GEN_PASS_DEF_SPLITREGIONSPASS
#include "uma/Accel/Partition/Passes.h.inc"
} // namespace uma::accel

/// Returns whether `function` is a region of several matches for which a device
/// gets commands.
static bool holdsManyMatches(func::FuncOp function) {
  auto composites = function.getOps<graph::CompositeOp>();
  if (!function->hasAttr(kTargetAttrName) || composites.empty() ||
      std::next(composites.begin()) == composites.end())
    return false;
  auto pattern = SymbolTable::lookupNearestSymbolFrom<PatternOp>(
      *composites.begin(), (*composites.begin()).getPatternAttr());
  return pattern && pattern.isTiled();
}

bool uma::accel::hasRegionsOfCommands(ModuleOp module) {
  return llvm::any_of(module.getOps<func::FuncOp>(), holdsManyMatches);
}

namespace {
struct SplitRegionsPass
    : uma::accel::impl::SplitRegionsPassBase<SplitRegionsPass> {
  void runOnOperation() override {
    auto functions = getOperation().getOps<func::FuncOp>();
    SmallVector<func::FuncOp> regions(
        llvm::make_filter_range(functions, holdsManyMatches));
    inlineRegions(getOperation(), regions);
    numRegions += regions.size();
  }
};
} // namespace
