//===- Search.h - Branch and bound for memory plans -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Decides whether a problem fits a capacity. Buffers are placed from the bottom
// up. `floor` of a section is the lowest offset that a buffer still to be
// placed can have in it. The search takes a *valley*, sections of equal floor
// between higher ones. Either one of the buffers of a section of the valley
// begins exactly at its floor, where nothing can be below it, or some bytes of
// the section stay unused and the floor rises to the next possible offset.
//
// Pruned are:
// - sections whose floor and remaining bytes exceed the capacity (MiniMalloc's
//   sections), also if only buffers with a high floor of their own count;
// - unused bytes that one of the buffers would fit in (its dominance);
// - interchangeable buffers in any but one order;
// - sets of remaining buffers and floors that failed before in another order;
// - decisions that had no part in a failure. A failure is explained by lower
//   bounds of offsets; the search returns to the last decision that one of them
//   follows from (conflict-directed backjumping, as TelaMalloc's).
//
// Sections that no remaining buffer connects are solved independently.
//
// Sources: M. Moffitt, "MiniMalloc: A Lightweight Memory Allocator for
// Hardware-Accelerated Machine Learning", ASPLOS 2023; M. Maas et al.,
// "TelaMalloc: Efficient On-Chip Memory Allocation for Production Machine
// Learning Accelerators", ASPLOS 2023.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_MEMORY_SEARCH_H
#define UMA_LIB_MEMORY_SEARCH_H

#include "SearchModel.h"

#include "llvm/ADT/DenseSet.h"

#include <deque>

namespace uma::memory {

/// Answer of a search.
enum class Answer { Fits, DoesNotFit, Unknown };

/// Rules by which the search chooses.
struct Strategy {
  /// Section that is decided next.
  enum class Pick { FewestOptions, LeastSlack, LowestFloor } pick;
  /// Buffer that is tried first.
  enum class Prefer { Area, Duration, Size, Contention } prefer;
  /// Prefer buffers that fill a valley, and sections that failed often.
  bool learns = false;
  /// Seed of a random factor of the preference, or 0 for none.
  uint64_t seed = 0;
};

class Search {
public:
  /// `model` must outlive the search.
  Search(const SearchModel &model, int64_t capacity);

  /// Searches for a plan with at most `maxSteps` steps. A step takes about the
  /// same time in every problem. What failed is remembered from run to run.
  Answer run(const Strategy &strategy, uint64_t maxSteps);

  /// Returns the offset of each item after a run that fits.
  llvm::ArrayRef<int64_t> getOffsets() const { return floorOf; }
  /// Returns the number of steps of all runs.
  uint64_t getNumSteps() const { return totalSteps + steps; }

private:
  /// Change to undo.
  struct Change {
    enum Kind { ItemFloor, SectionFloor, Placed } kind;
    int index;
    int64_t old;
    int oldOptions = 0;
  };
  /// Explanation of a failure: the items of [begin, end) whose bound is not -1
  /// do not fit if each has at least this offset.
  struct Explanation {
    int begin = 0, end = 0;
    std::vector<int64_t> bounds;
  };
  /// Memory of one level of the recursion.
  struct Level {
    Explanation why;
    std::vector<int> candidates;
    std::vector<std::pair<int, int>> parts;
  };
  /// Section that is decided next, and its valley.
  struct Choice {
    int section = -1;
    int begin = 0, end = 0;
  };

  void reset();
  void prefer(const Strategy &strategy);
  bool solveParts(int begin, int end, int depth);
  bool solve(int begin, int end, int depth);
  std::pair<int, int> getItems(int begin, int end) const;
  uint64_t hashItems(std::pair<int, int> range);
  Choice choose(int begin, int end);
  void collectCandidates(const Choice &choice, std::vector<int> &candidates);
  /// Explained: the alternatives need not be tried, levels[depth].why holds.
  enum class Outcome { Solved, Failed, Explained, Aborted };
  Outcome tryCandidates(const Choice &choice, int begin, int end, int depth);
  Outcome tryUnused(const Choice &choice, int begin, int end, int depth);

  bool place(int index);
  bool raise(int item, int64_t offset);
  bool settle();
  void undo(size_t mark);
  void touch(int section);
  void touchSections(int item);
  bool isLiveIn(int item, int section) const {
    return model.items[item].first <= section &&
           section < model.items[item].end;
  }

  Explanation &startExplanation(int depth, std::pair<int, int> range);
  void explainFailure(int depth, std::pair<int, int> range);
  void adopt(int depth);
  void require(Explanation &why, int item, int64_t bound) {
    why.bounds[item] = std::max(why.bounds[item], bound);
  }
  void requireUnused(Explanation &why, int section, int64_t lowest,
                     int64_t level);
  int64_t getBelow(int item, int other) const;
  int64_t getNextFloor(int section, int64_t lowest);
  int findDominating(const Choice &choice, int64_t level, int depth);

  const SearchModel &model;
  const int64_t capacity;
  /// Capacity rounded up to the unit, for sums of rounded sizes.
  const int64_t sectionCapacity;

  // State: per item the lowest possible offset, which is the offset once the
  // item is placed; per section its floor, the bytes still to be placed, the
  // number of items still to be placed, of those that can begin at the floor,
  // and of those that continue from the section before.
  std::vector<int64_t> floorOf;
  std::vector<char> isPlaced;
  std::vector<int64_t> floor, bytes;
  std::vector<int> count, options, continued;
  std::vector<Change> trail;

  // Sections to update.
  std::vector<char> isTouched;
  std::vector<int> touched;
  std::vector<std::pair<int64_t, int64_t>> releases;

  // Last failure: an item that ends above the capacity, or a section.
  int failedItem = -1, failedSection = -1;
  int64_t failedFloor = 0, failedBound = 0;

  std::deque<Level> levels; // references stay valid as it grows
  llvm::DenseSet<uint64_t> failed;
  std::vector<double> preference, itemFailures, sectionFailures;
  double allFailures = 0;

  Strategy strategy;
  uint64_t steps = 0, totalSteps = 0, maxSteps = 0;
  bool isAborted = false;
};

} // namespace uma::memory

#endif // UMA_LIB_MEMORY_SEARCH_H
