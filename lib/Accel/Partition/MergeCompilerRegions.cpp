//===- MergeCompilerRegions.cpp - Number regions --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A region becomes one call, so nothing outside it may stand between its
// operations. Asking that for each pair is quadratic; levels answer it for all
// at once. Let the level of a node be the largest number of times that a path
// to it leaves the target. Levels never fall along a path, and a path that
// leaves the target and comes back ends on a higher level than it began.
// Operations of the target on one level that feed one another are therefore
// safe to merge, and so are all such groups together. The same holds for levels
// counted from the end of the graph. Merging by both, one after the other, and
// one target after the other, always on the graph with the regions so far drawn
// together, is linear and leaves little to the search at the end, which looks
// at the pairs that are left and has a budget.
//
//===----------------------------------------------------------------------===//

#include "RegionGraph.h"

#include "uma/Accel/Partition/Assignment.h"
#include "uma/Accel/Partition/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/SetVector.h"

#include <numeric>

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace uma::accel {
#define GEN_PASS_DEF_MERGECOMPILERREGIONSPASS
#include "uma/Accel/Partition/Passes.h.inc"
} // namespace uma::accel

namespace {

/// Groups the operations of one block.
class RegionMerger {
public:
  /// Operations of the accelerators in `apart` stay regions of their own.
  RegionMerger(Block &block, const llvm::DenseSet<StringAttr> &apart)
      : apart(apart), graph(block), nodeOf(graph.ops.size()),
        targets(graph.ops.size()) {
    std::iota(nodeOf.begin(), nodeOf.end(), 0u);
    for (auto [op, target] : llvm::zip_equal(graph.ops, targets))
      target = op->getAttrOfType<TargetAttr>(kTargetAttrName);
  }

  void merge() {
    llvm::SetVector<Attribute> distinct(targets.begin(), targets.end());
    for (Attribute target : distinct) {
      if (!target || apart.contains(cast<TargetAttr>(target).getAccelerator()))
        continue;
      mergeLevels(target, /*fromEnd=*/false);
      mergeLevels(target, /*fromEnd=*/true);
      mergeRest(target);
    }
  }

  /// Sets `uma.region` on the block's operations, from `next` on.
  void annotate(int64_t &next) const {
    llvm::DenseMap<unsigned, int64_t> numbers;
    for (auto [index, op] : llvm::enumerate(graph.ops)) {
      if (!targets[index])
        continue;
      auto [it, inserted] = numbers.try_emplace(nodeOf[index], next);
      next += inserted;
      op->setAttr(kRegionAttrName,
                  Builder(op->getContext()).getI64IntegerAttr(it->second));
    }
  }

private:
  void mergeLevels(Attribute target, bool fromEnd);
  void mergeRest(Attribute target);
  bool hasDetour(const RegionGraph &regions, ArrayRef<unsigned> positions,
                 unsigned from, unsigned to, size_t &budget) const;

  /// The position of each node in the order of `regions`.
  std::vector<unsigned> getPositions(const RegionGraph &regions) const {
    std::vector<unsigned> positions(graph.ops.size(), 0);
    for (auto [position, node] : llvm::enumerate(regions.order))
      positions[node] = position;
    return positions;
  }

  const llvm::DenseSet<StringAttr> &apart;
  BlockGraph graph;
  /// The node of each operation is the index of an operation of its region, of
  /// the same target.
  std::vector<unsigned> nodeOf;
  std::vector<Attribute> targets;
};
} // namespace

void RegionMerger::mergeLevels(Attribute target, bool fromEnd) {
  RegionGraph regions(graph, nodeOf);
  auto isTarget = [&](unsigned node) { return targets[node] == target; };
  std::vector<unsigned> levels(graph.ops.size(), 0);
  auto pass = [&](unsigned from, unsigned to) {
    levels[to] =
        std::max(levels[to], levels[from] + (isTarget(from) && !isTarget(to)));
  };
  if (fromEnd) {
    for (unsigned node : llvm::reverse(regions.order))
      for (unsigned successor : regions.successors[node])
        pass(successor, node);
  } else {
    for (unsigned node : regions.order)
      for (unsigned successor : regions.successors[node])
        pass(node, successor);
  }

  llvm::IntEqClasses classes(graph.ops.size());
  for (unsigned node : regions.order)
    for (unsigned successor : regions.successors[node])
      if (isTarget(node) && isTarget(successor) &&
          levels[node] == levels[successor])
        classes.join(node, successor);
  for (unsigned &node : nodeOf)
    node = classes.findLeader(node);
}

bool RegionMerger::hasDetour(const RegionGraph &regions,
                             ArrayRef<unsigned> positions, unsigned from,
                             unsigned to, size_t &budget) const {
  SmallVector<unsigned> pending = {from};
  llvm::DenseSet<unsigned> seen;
  while (!pending.empty()) {
    unsigned node = pending.pop_back_val();
    for (unsigned successor : regions.successors[node]) {
      if (budget == 0)
        return true;
      --budget;
      if (successor == to && node != from)
        return true;
      if (positions[successor] < positions[to] && seen.insert(successor).second)
        pending.push_back(successor);
    }
  }
  return false;
}

void RegionMerger::mergeRest(Attribute target) {
  // Enough for every pair of a network of common size, and linear for others.
  size_t budget = 300000 + 10 * graph.ops.size();
  bool changed = true;
  while (changed && budget > 0) {
    changed = false;
    RegionGraph regions(graph, nodeOf);
    std::vector<unsigned> positions = getPositions(regions);
    for (unsigned node : regions.order) {
      if (targets[node] != target)
        continue;
      for (unsigned successor : regions.successors[node]) {
        if (targets[successor] != target ||
            hasDetour(regions, positions, node, successor, budget))
          continue;
        for (unsigned &other : nodeOf)
          if (other == successor)
            other = node;
        changed = true;
        break;
      }
      if (changed)
        break;
    }
    // The regions' graph is made anew after each merge.
    budget -= std::min(budget, 2 * graph.ops.size());
  }
}

namespace {
struct MergeCompilerRegionsPass
    : uma::accel::impl::MergeCompilerRegionsPassBase<MergeCompilerRegionsPass> {
  using MergeCompilerRegionsPassBase::MergeCompilerRegionsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!llvm::is_contained({"auto", "true", "false"},
                            StringRef(mergeRegions.getValue()))) {
      module.emitError() << "merge-regions is '" << mergeRegions
                         << "', expected true, false or auto";
      return signalPassFailure();
    }
    llvm::DenseSet<StringAttr> apart;
    if (mergeRegions == "auto")
      for (auto accelerator : module.getOps<AcceleratorOp>())
        for (auto merge : accelerator.getOps<MergeCompilerRegionsOp>())
          if (!merge.getMerge())
            apart.insert(accelerator.getSymNameAttr());
    for (func::FuncOp function : getFunctionsToPartition(module)) {
      int64_t next = 0;
      for (Block &block : function.getBody()) {
        RegionMerger merger(block, apart);
        if (mergeRegions != "false")
          merger.merge();
        merger.annotate(next);
      }
      numRegions += next;
    }
  }
};
} // namespace
