//===- PlacementCost.cpp - Cost of a placement ----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "RegionMerger.h"

#include "uma/Accel/Partition/Placement.h"

#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;
using namespace uma::accel;

namespace {
class CostCounter {
public:
  CostCounter(const PlacementProblem &problem, ArrayRef<unsigned> chosen)
      : problem(problem), chosen(chosen),
        owners(problem.operators.size(), PlacementProblem::kNobody) {}

  PlacementCost count(const PlacementCost *limit);

private:
  void countTransfers();
  void countRegions(const PlacementCost *limit);
  void addRegions(ArrayRef<unsigned> regionOf, ArrayRef<unsigned> targets,
                  ArrayRef<unsigned> sizes, PlacementCost &total) const;

  unsigned getDevice(int op) const {
    return op < 0 || owners[op] == PlacementProblem::kNobody
               ? PlacementProblem::kCPU
               : problem.candidates[owners[op]].device;
  }
  void addTransfer(unsigned device, int64_t bytes) {
    cost.transfers += problem.devices[device].getTransferCycles(bytes);
    ++cost.numTransfers;
  }

  const PlacementProblem &problem;
  ArrayRef<unsigned> chosen;
  /// Candidate that takes each operator.
  std::vector<unsigned> owners;
  PlacementCost cost;
};
} // namespace

PlacementCost CostCounter::count(const PlacementCost *limit) {
  for (unsigned index : chosen) {
    const PlacementProblem::Candidate &candidate = problem.candidates[index];
    cost.devices += candidate.cycles;
    for (unsigned op : candidate.operators)
      owners[op] = index;
  }
  for (auto [op, owner] : llvm::zip_equal(problem.operators, owners))
    if (owner == PlacementProblem::kNobody)
      cost.cpu += op.cycles;
  countTransfers();
  if (!limit || cost < *limit)
    countRegions(limit);
  return cost;
}

void CostCounter::countTransfers() {
  for (const PlacementProblem::Tensor &tensor : problem.tensors) {
    unsigned home = getDevice(tensor.producer);
    uint64_t devices =
        tensor.isNeededOnCPU ? uint64_t(1) << PlacementProblem::kCPU : 0;
    for (unsigned user : tensor.users)
      devices |= uint64_t(1) << getDevice(user);
    devices &= ~(uint64_t(1) << home);
    if (devices && home != PlacementProblem::kCPU)
      addTransfer(home, tensor.bytes);
    for (unsigned device = 1; device < problem.devices.size(); ++device)
      if (devices >> device & 1)
        addTransfer(device, tensor.bytes);
  }
}

/// Adds the cost of the regions `regionOf` to `total`.
void CostCounter::addRegions(ArrayRef<unsigned> regionOf,
                             ArrayRef<unsigned> targets,
                             ArrayRef<unsigned> sizes,
                             PlacementCost &total) const {
  std::vector<int64_t> regionSizes(targets.size(), 0);
  for (auto [node, region] : llvm::enumerate(regionOf))
    if (targets[node] != PlacementProblem::kCPU)
      regionSizes[region] += sizes[node];
  for (auto [region, size] : llvm::enumerate(regionSizes)) {
    if (size == 0)
      continue;
    const PlacementProblem::Device &device = problem.devices[targets[region]];
    total.regions += device.overhead;
    ++total.numRegions;
    total.numForbidden += size < device.minOperators;
  }
}

void CostCounter::countRegions(const PlacementCost *limit) {
  // Build the graph that uma-accel-merge-composite produces: a match is at the
  // position of its last operator.
  unsigned numOperators = problem.operators.size();
  std::vector<unsigned> nodeOf(numOperators);
  SmallVector<unsigned> targets, sizes;
  for (unsigned op = 0; op < numOperators; ++op) {
    unsigned size = 1;
    if (owners[op] != PlacementProblem::kNobody) {
      ArrayRef<unsigned> taken = problem.candidates[owners[op]].operators;
      size = taken.size();
      if (op != taken.back())
        continue;
      for (unsigned other : taken)
        nodeOf[other] = targets.size();
    }
    nodeOf[op] = targets.size();
    targets.push_back(getDevice(op));
    sizes.push_back(size);
  }
  std::vector<SmallVector<unsigned, 2>> successors(targets.size());
  for (unsigned op = 0; op < numOperators; ++op)
    for (unsigned successor : problem.operators[op].successors)
      if (nodeOf[successor] != nodeOf[op])
        successors[nodeOf[op]].push_back(nodeOf[successor]);
  for (auto &list : successors) {
    llvm::sort(list);
    list.erase(llvm::unique(list), list.end());
  }

  // The number of connected groups is a lower bound on the number of regions.
  auto mergesRegions = [&](unsigned device) {
    return device != PlacementProblem::kCPU &&
           problem.devices[device].mergesRegions;
  };
  if (limit) {
    llvm::IntEqClasses groups(targets.size());
    for (unsigned node = 0; node < targets.size(); ++node)
      if (mergesRegions(targets[node]))
        for (unsigned successor : successors[node])
          if (targets[successor] == targets[node])
            groups.join(node, successor);
    std::vector<unsigned> groupOf(targets.size());
    for (unsigned node = 0; node < targets.size(); ++node)
      groupOf[node] = groups.findLeader(node);
    PlacementCost least = cost;
    addRegions(groupOf, targets, sizes, least);
    if (!(least < *limit)) {
      cost = least;
      return;
    }
  }

  RegionMerger merger(successors, targets);
  std::vector<bool> isMerged(problem.devices.size(), false);
  for (unsigned device : targets) {
    if (isMerged[device] || !mergesRegions(device))
      continue;
    isMerged[device] = true;
    merger.merge(device);
  }
  addRegions(merger.getRegions(), targets, sizes, cost);
}
PlacementCost uma::accel::computeCost(const PlacementProblem &problem,
                                      ArrayRef<unsigned> chosen,
                                      const PlacementCost *limit) {
  return CostCounter(problem, chosen).count(limit);
}
