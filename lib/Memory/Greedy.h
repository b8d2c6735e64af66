//===- Greedy.h - Greedy memory planners -*- C++ -*------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_MEMORY_GREEDY_H
#define UMA_LIB_MEMORY_GREEDY_H

#include "LiveIndex.h"

#include <optional>

namespace uma::memory {

/// Order in which a greedy planner places buffers.
enum class Order {
  /// Largest first: small buffers fit the gaps that large ones leave.
  Size,
  /// Largest product of size and live time first.
  Area,
  /// Longest live range first: long-lived buffers go to the bottom.
  Duration,
  /// Start of the live range, as a stack.
  Start,
  /// Most buffers live at the same time first, as `greedy_by_conflicts` of
  /// TVM's USMP.
  Conflicts,
};

/// Gap that a buffer is placed in.
enum class Fit { First, Best };

/// Buffers that are placed together, each at a fixed distance in bytes from the
/// first. The parts keep their live ranges.
struct Unit {
  llvm::SmallVector<std::pair<size_t, int64_t>, 1> parts;
  int64_t size = 0, alignment = 1;
};

/// Greedy placement of units one by one.
class Greedy {
public:
  /// With `isGlued`, a chain of related buffers is one unit, in which each
  /// overlaps the next as far as it may. Otherwise every buffer is one.
  Greedy(const Problem &problem, bool isGlued);

  /// Returns the positions of the units in `order`.
  std::vector<size_t> getOrder(Order order) const;

  /// Places the units in the given order, after buffers with a fixed offset.
  /// Returns std::nullopt if a buffer would end above kMaxBytes.
  std::optional<Offsets> place(llvm::ArrayRef<size_t> order, Fit fit) const;

  /// Returns the number of pairs of buffers that are live at the same time.
  int64_t getNumPairs() const { return numPairs; }
  /// Returns an estimate of the time of `place` in nanoseconds.
  double getCost() const;
  const LiveIndex &getIndex() const { return index; }
  llvm::ArrayRef<Unit> getUnits() const { return units; }
  const Separations &getSeparations() const { return separations; }

private:
  void glue();
  bool scans() const;

  const Problem &problem;
  Separations separations;
  LiveIndex index;
  std::vector<Unit> units;
  std::vector<int64_t> conflicts;
  int64_t numPairs = 0;
};

/// Places buffers in the order of their start, each in the smallest gap of the
/// arena that is free at that time, as an allocator at run time would. Ignores
/// relations, and the problem must have no fixed offset. Takes O(n log n) even
/// if all buffers live at the same time. Returns std::nullopt if a buffer would
/// end above kMaxBytes.
std::optional<Offsets> placeInTime(const Problem &problem);

} // namespace uma::memory

#endif // UMA_LIB_MEMORY_GREEDY_H
