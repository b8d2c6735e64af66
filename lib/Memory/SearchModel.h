//===- SearchModel.h - Memory planning problem as the search sees it -*- C++
//-*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_MEMORY_SEARCHMODEL_H
#define UMA_LIB_MEMORY_SEARCHMODEL_H

#include "LiveIndex.h"

#include <utility>
#include <vector>

namespace uma::memory {

/// Largest number of buffers, after merging, that the search takes. Its
/// recursion and its tables grow with it.
inline constexpr size_t kMaxSearchItems = 1000;

/// The part of a problem that does not change during the search. Time is
/// divided into sections, in which the set of live buffers does not change.
/// Buffers with a fixed offset are obstacles, all others are items.
struct SearchModel {
  struct Item {
    /// Position in the problem.
    size_t buffer;
    int64_t size;
    /// Size rounded up to a multiple of `unit`.
    int64_t rounded;
    int64_t alignment;
    /// Sections [first, end) in which the item is live.
    int first, end;
    /// First item that is interchangeable with this one.
    int twin;
    /// Largest number of bytes live in one of its sections.
    double contention = 0;
    bool hasRelation = false;
  };
  /// Item that is live at the same time as another one.
  struct Neighbor {
    int item;
    /// Position in `relations`, or -1 for the default separations.
    int relation;
  };
  struct Relation {
    /// Smallest distance of the offsets if the neighbor is above or below.
    int64_t above, below;
    /// Bytes that both can share at most, as in getPeak.
    int64_t shared;
  };
  /// Exclusive bounds of offsets that an obstacle forbids to an item.
  using Forbidden = std::pair<int64_t, int64_t>;

  explicit SearchModel(const Problem &problem);

  /// Returns the smallest offset of at least `offset` that the alignment and
  /// the obstacles of `item` permit.
  int64_t fit(int item, int64_t offset) const;
  int64_t getAbove(int item, const Neighbor &neighbor) const {
    return neighbor.relation < 0 ? items[item].rounded
                                 : relations[neighbor.relation].above;
  }
  int64_t getBelow(const Neighbor &neighbor) const {
    return neighbor.relation < 0 ? items[neighbor.item].rounded
                                 : relations[neighbor.relation].below;
  }
  int64_t getShared(const Neighbor &neighbor) const {
    return neighbor.relation < 0 ? 0 : relations[neighbor.relation].shared;
  }
  /// Returns the smallest size above `size` that a plan can have in which every
  /// buffer is as low as those below it permit.
  int64_t getNextSize(int64_t size) const;
  /// Returns about the steps that the search takes to place every item once.
  uint64_t getDiveSteps() const;
  /// Returns the bytes of obstacles in `section` above `floor`.
  int64_t getObstacles(int section, int64_t floor) const;

  /// Greatest common divisor of the alignments: all offsets are multiples of
  /// it.
  int64_t unit = 1;
  /// Greatest common divisor of the offsets that are sums of separations.
  int64_t grid = 1;
  int numSections = 0;
  /// Items in the order of their first section.
  std::vector<Item> items;
  std::vector<std::vector<int>> members; // by section
  std::vector<std::vector<Neighbor>> neighbors;
  std::vector<Relation> relations;
  std::vector<std::vector<Forbidden>> forbidden;
  /// Bytes [begin, end) of obstacles without relations, by section.
  std::vector<std::vector<std::pair<int64_t, int64_t>>> obstacles;
};

} // namespace uma::memory

#endif // UMA_LIB_MEMORY_SEARCHMODEL_H
