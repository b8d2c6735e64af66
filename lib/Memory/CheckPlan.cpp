//===- CheckPlan.cpp - Independent check of a memory plan------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Sweeps over time with the live buffers sorted by offset. Without relations, a
// buffer that starts shares bytes with another one if and only if it does so
// with a neighbour. Buffers with relations may be nested, so they are compared
// with everything around them whose bytes they can reach.
//
//===----------------------------------------------------------------------===//

#include "uma/Memory/Problem.h"

#include "uma/Support/PrintableText.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>
#include <set>

using namespace uma::memory;

static std::string quote(const Buffer &buffer) {
  return "'" + uma::shorten(uma::toPrintable(buffer.name), 200) + "'";
}

namespace {
using SeparationMap = llvm::DenseMap<std::pair<size_t, size_t>, int64_t>;

/// State of the sweep.
class Sweep {
public:
  Sweep(const Problem &problem, llvm::ArrayRef<int64_t> offsets)
      : problem(problem), offsets(offsets),
        isRelated(problem.buffers.size(), false) {
    for (const Overlap &overlap : problem.overlaps) {
      isRelated[overlap.below] = isRelated[overlap.above] = true;
      int64_t size = problem.buffers[overlap.below].size;
      int64_t &separation =
          separations.try_emplace({overlap.below, overlap.above}, size)
              .first->second;
      separation = std::min(separation, overlap.separation);
    }
  }

  /// Adds a buffer. Returns one that it conflicts with, if any.
  std::optional<size_t> start(size_t index) {
    auto [at, isNew] = live.insert({offsets[index], index});
    // Towards lower offsets: an unrelated buffer ends before this one, and so
    // does everything below it, unless it is related to something.
    for (auto other = at; other != live.begin();) {
      --other;
      if (conflicts(other->second, index))
        return other->second;
      if (related.empty() && !isRelated[index])
        break;
      if (other->first + mostBytes <= offsets[index])
        break;
    }
    int64_t end = offsets[index] + problem.buffers[index].size;
    for (auto other = std::next(at); other != live.end(); ++other) {
      if (other->first >= end)
        break;
      if (conflicts(index, other->second))
        return other->second;
    }
    if (isRelated[index])
      related.insert(index);
    return std::nullopt;
  }

  void end(size_t index) {
    live.erase({offsets[index], index});
    related.erase(index);
  }

  /// Sets the largest size of a buffer.
  void setMostBytes(int64_t bytes) { mostBytes = bytes; }

private:
  /// Returns whether two live buffers share bytes that they must not share.
  bool conflicts(size_t one, size_t other) const {
    return !isAbove(one, other) && !isAbove(other, one);
  }
  bool isAbove(size_t below, size_t above) const {
    auto found = separations.find({below, above});
    int64_t separation = found == separations.end()
                             ? problem.buffers[below].size
                             : found->second;
    return offsets[above] >= offsets[below] + separation;
  }

  const Problem &problem;
  llvm::ArrayRef<int64_t> offsets;
  SeparationMap separations;
  std::vector<bool> isRelated;
  std::set<std::pair<int64_t, size_t>> live;
  std::set<size_t> related;
  int64_t mostBytes = 0;
};
} // namespace

llvm::Error uma::memory::checkPlan(const Problem &problem,
                                   llvm::ArrayRef<int64_t> offsets,
                                   int64_t capacity) {
  llvm::ArrayRef<Buffer> buffers = problem.buffers;
  if (offsets.size() != buffers.size())
    return llvm::createStringError(
        llvm::formatv("the plan has {0} offsets for {1} buffers",
                      offsets.size(), buffers.size()));
  Sweep sweep(problem, offsets);
  int64_t mostBytes = 0;
  for (auto [buffer, offset] : llvm::zip_equal(buffers, offsets)) {
    mostBytes = std::max(mostBytes, buffer.size);
    if (offset < 0 || offset > kMaxBytes)
      return llvm::createStringError(
          llvm::formatv("buffer {0} is at offset {1}; expected 0 to 2^61",
                        quote(buffer), offset));
    if (offset % buffer.alignment != 0)
      return llvm::createStringError(
          llvm::formatv("buffer {0} is at offset {1}, which is not a multiple "
                        "of its alignment {2}",
                        quote(buffer), offset, buffer.alignment));
    if (buffer.offset && *buffer.offset != offset)
      return llvm::createStringError(
          llvm::formatv("buffer {0} is at offset {1}; it is fixed at {2}",
                        quote(buffer), offset, *buffer.offset));
    if (!buffer.isEmpty() && buffer.size > capacity - offset)
      return llvm::createStringError(llvm::formatv(
          "buffer {0} of {1} bytes at offset {2} ends {3} bytes after the "
          "capacity of {4}",
          quote(buffer), buffer.size, offset, offset + buffer.size - capacity,
          capacity));
  }
  sweep.setMostBytes(mostBytes);

  std::vector<size_t> starts, ends;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (!buffers[i].isEmpty())
      starts.push_back(i);
  ends = starts;
  llvm::sort(starts, [&](size_t left, size_t right) {
    return std::tie(buffers[left].lower, left) <
           std::tie(buffers[right].lower, right);
  });
  llvm::sort(ends, [&](size_t left, size_t right) {
    return std::tie(buffers[left].upper, left) <
           std::tie(buffers[right].upper, right);
  });
  auto ended = ends.begin();
  for (size_t index : starts) {
    for (; buffers[*ended].upper <= buffers[index].lower; ++ended)
      sweep.end(*ended);
    if (std::optional<size_t> other = sweep.start(index))
      return llvm::createStringError(llvm::formatv(
          "buffers {0} at [{1}, {2}) and {3} at [{4}, {5}) share bytes at time "
          "{6}",
          quote(buffers[*other]), offsets[*other],
          offsets[*other] + buffers[*other].size, quote(buffers[index]),
          offsets[index], offsets[index] + buffers[index].size,
          buffers[index].lower));
  }
  return llvm::Error::success();
}
