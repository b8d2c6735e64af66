//===- RegionMerger.h - Formation of regions -*- C++ -*--------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_PARTITION_REGIONMERGER_H
#define UMA_LIB_ACCEL_PARTITION_REGIONMERGER_H

#include "RegionGraph.h"

namespace uma::accel {

/// Groups the nodes of a graph into regions. Used for the graph of a block
/// (uma-accel-merge-compiler-regions) and for the result of a placement
/// (computeCost), so that both merge adjacent nodes in the same way.
class RegionMerger {
public:
  /// `successors` is an acyclic graph in topological order. `targets` are the
  /// numbers of the nodes' targets, 0 for none.
  RegionMerger(llvm::ArrayRef<llvm::SmallVector<unsigned, 2>> successors,
               llvm::ArrayRef<unsigned> targets);

  /// Merges adjacent nodes of `target` unless that forms a cycle.
  void merge(unsigned target);
  /// Merges regions of `target` that use the results of one node, after `merge`
  /// for all targets. The result of a placement does not count on it.
  void mergeUsers(unsigned target);

  /// Returns the region of each node as the index of one of its nodes.
  llvm::ArrayRef<unsigned> getRegions() const { return nodeOf; }

private:
  void mergeLevels(unsigned target, bool fromEnd, bool mergesUsers);
  void mergeRest(unsigned target);
  bool hasDetour(const RegionGraph &regions, llvm::ArrayRef<unsigned> positions,
                 unsigned from, unsigned to, size_t &budget) const;
  std::vector<unsigned> getPositions(const RegionGraph &regions) const;

  llvm::ArrayRef<llvm::SmallVector<unsigned, 2>> successors;
  llvm::ArrayRef<unsigned> targets;
  /// Representative of each node's region, a node of the same region and
  /// target.
  std::vector<unsigned> nodeOf;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_REGIONMERGER_H
