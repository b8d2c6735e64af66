//===- MergePairs.h - Buffers merged pair by pair -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_MEMORY_MERGEPAIRS_H
#define UMA_LIB_MEMORY_MERGEPAIRS_H

#include "LoadTree.h"
#include "Merge.h"

#include <queue>
#include <set>

namespace uma::memory {

/// Merges buffers pair by pair, the surest pair first, and pinwheels of five,
/// where nothing fits exactly also with some waste. As mergeBuffers, but fast
/// enough for very many buffers, and it repairs its mistakes.
class PairMerger {
public:
  /// The seed decides between pairs that are equally sure.
  PairMerger(Problem problem, uint64_t seed);

  /// Merges until nothing can be merged so that at most `limit` bytes are live
  /// at any time. Limits may only grow from call to call.
  void run(int64_t limit);

  /// Merges, divides some of the last pairs again and merges in another order,
  /// until that does not help any more.
  void runRepeatedly(int64_t limit);

  /// Returns the number of buffers that are left.
  size_t getNumBuffers() const { return numGroups + others.size(); }
  Merged getMerged() const;

private:
  /// Steps after which merged buffers are not divided again, at least and per
  /// buffer. A million takes about 0.3 s.
  static constexpr uint64_t kMostSteps = 4000000, kMostStepsPerBuffer = 400;
  /// Steps per buffer without progress after which they are not, either.
  static constexpr uint64_t kPatiencePerBuffer = 40;

  /// Bytes that a merged pair wastes in some sections.
  struct Waste {
    int begin, end;
    int64_t bytes;
  };
  using Wastes = llvm::SmallVector<Waste, 0>;
  /// Buffers that are placed as one.
  struct Group {
    /// Positions in `times`.
    int lower = 0, upper = 0;
    /// Size, and size rounded up to the unit of offsets.
    int64_t size = 0, rounded = 0;
    /// Parts: other groups at distances, or the buffer of the
    /// same index if there are none.
    llvm::SmallVector<std::pair<int, int64_t>, 2> parts;
    Wastes wastes;
    bool isLive = true;
  };
  /// How sure it is that a pair belongs together; the first is the surest.
  enum class Class {
    Alone,     // nothing else starts or ends at the time of their contact
    Confirmed, // the result fits a third one
    Stack,     // equal live ranges
    Unique,    // one follows the other, and nothing else fits there
    Ambiguous, // one follows the other
    Nearly,    // with waste
  };
  struct Candidate {
    Class rank;
    /// Wasted part of the smaller one.
    double waste;
    /// Breaks ties.
    uint64_t draw;
    /// The second one follows the first, or they are stacked.
    int first, second;
    bool isStack;

    bool operator==(const Candidate &other) const {
      return first == other.first && second == other.second &&
             isStack == other.isStack;
    }
    bool operator<(const Candidate &other) const {
      // The priority queue returns the largest first.
      return std::tie(other.rank, other.waste, other.draw, other.first,
                      other.second) <
             std::tie(rank, waste, draw, first, second);
    }
  };
  using Key = std::tuple<int64_t, int64_t, int>;
  using Index = std::set<Key>;

  double getDuration(int begin, int end) const {
    return double(times[end]) - double(times[begin]);
  }
  double getArea(int group) const {
    return double(groups[group].rounded) *
           getDuration(groups[group].lower, groups[group].upper);
  }
  /// Returns whether `index` has an entry with these first two parts.
  static bool has(const Index &index, int64_t first, int64_t second) {
    return count(index, first, second) > 0;
  }
  /// Returns their number, or 8 if there are more.
  static size_t count(const Index &index, int64_t first, int64_t second);
  template <typename Visit>
  static void forEachNear(const Index &index, int64_t first, int64_t second,
                          Visit visit);

  /// Visits each index with the entry of a group.
  void forEachIndex(
      int index,
      llvm::function_ref<void(Index &, const Index::key_type &)> visit);
  void insert(int index);
  void erase(int index);
  void add(Group group);
  void propose(int index);
  void proposeFollow(int first, int second);
  void proposeStack(int first, int second);
  double getDoubt(int first, int second, bool isStack) const;
  Class rankFollow(int first, int second) const;
  Class rankStack(int first, int second) const;
  void push(Class rank, int first, int second, bool isStack);
  Wastes getWaste(int first, int second, bool isStack) const;
  bool addWaste(llvm::ArrayRef<Waste> wastes);
  void loosen();
  void undo(int index);
  bool merge(const Candidate &candidate);
  void formPinwheels(bool isExact);
  bool formPinwheel(int center, bool isExact);
  bool mergePinwheel(int center, int above, int left, int below, int right);

  const Problem problem;
  uint64_t seed;
  int64_t unit = 0;
  int64_t limit = 0;
  std::vector<int64_t> times;
  std::vector<Group> groups;
  /// Buffers that are not merged.
  std::vector<size_t> others;
  size_t numGroups = 0, numChanges = 0;
  uint64_t steps = 0;
  LoadTree load;

  // Live groups in several orders; the last part of an entry is the group.
  Index byStartAndSize, byEndAndSize, byStartAndEnd, byEndAndStart,
      bySizeAndStart, bySizeAndEnd;
  std::vector<int> numStarts, numEnds; // live groups by time
  std::priority_queue<Candidate> queue;
  /// Candidates that exceed the limit.
  std::vector<Candidate> deferred;
};

/// Calls `visit` with the groups of `index` that have the key `first` and a
/// second one near `second`: a few with exactly this one and the next on both
/// sides.
template <typename Visit>
void PairMerger::forEachNear(const Index &index, int64_t first, int64_t second,
                             Visit visit) {
  constexpr int kMostEqual = 8, kMostNear = 2;
  auto at = index.lower_bound({first, second, -1});
  int equal = 0, near = 0;
  for (auto after = at; after != index.end() && std::get<0>(*after) == first;
       ++after) {
    if (std::get<1>(*after) == second ? ++equal > kMostEqual
                                      : ++near > kMostNear)
      break;
    visit(std::get<2>(*after));
  }
  near = 0;
  for (auto before = at; before != index.begin() && near < kMostNear; ++near) {
    --before;
    if (std::get<0>(*before) != first)
      break;
    visit(std::get<2>(*before));
  }
}

} // namespace uma::memory

#endif // UMA_LIB_MEMORY_MERGEPAIRS_H
