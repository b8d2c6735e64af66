//===- MergeCompilerRegions.cpp - Number regions --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// RegionMerger.cpp describes how operations are grouped without cycles.
//
//===----------------------------------------------------------------------===//

#include "RegionMerger.h"

#include "uma/Accel/Partition/Assignment.h"
#include "uma/Accel/Partition/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace uma::accel {
#define GEN_PASS_DEF_MERGECOMPILERREGIONSPASS
#include "uma/Accel/Partition/Passes.h.inc"
} // namespace uma::accel

/// Sets `uma.region` on the operations of `block`, numbered from `next`.
static void numberRegions(Block &block, const llvm::DenseSet<StringAttr> &apart,
                          int64_t &next) {
  BlockGraph graph(block);
  llvm::MapVector<Attribute, unsigned> known;
  SmallVector<unsigned> targets;
  for (Operation *op : graph.ops) {
    unsigned number = 0;
    if (Attribute target = op->getAttrOfType<TargetAttr>(kTargetAttrName))
      number = known.try_emplace(target, known.size() + 1).first->second;
    targets.push_back(number);
  }
  RegionMerger merger(graph.successors, targets);
  auto mergesRegions = [&](Attribute target) {
    return !apart.contains(cast<TargetAttr>(target).getAccelerator());
  };
  for (auto [target, number] : known)
    if (mergesRegions(target))
      merger.merge(number);
  for (auto [target, number] : known)
    if (mergesRegions(target))
      merger.mergeUsers(number);

  llvm::DenseMap<unsigned, int64_t> numbers;
  for (auto [index, op] : llvm::enumerate(graph.ops)) {
    if (!targets[index])
      continue;
    auto [it, inserted] = numbers.try_emplace(merger.getRegions()[index], next);
    next += inserted;
    op->setAttr(kRegionAttrName,
                Builder(op->getContext()).getI64IntegerAttr(it->second));
  }
}

namespace {
struct MergeCompilerRegionsPass
    : uma::accel::impl::MergeCompilerRegionsPassBase<MergeCompilerRegionsPass> {
  using MergeCompilerRegionsPassBase::MergeCompilerRegionsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    // Find the accelerators whose matches become separate functions.
    llvm::DenseSet<StringAttr> apart;
    for (auto accelerator : module.getOps<AcceleratorOp>())
      if (!mergesRegions(accelerator, mergeRegions))
        apart.insert(accelerator.getSymNameAttr());
    for (func::FuncOp function : getFunctionsToPartition(module)) {
      int64_t next = 0;
      for (Block &block : function.getBody())
        numberRegions(block, apart, next);
      numRegions += next;
    }
  }
};
} // namespace
