//===- MergePairsTest.cpp - Plans of many buffers that fit each other------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "MergePairs.h"

#include "Grow.h"
#include "uma/Memory/Planner.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <random>

using namespace uma::memory;

namespace {
/// Part of a rectangle of time and memory.
struct Part {
  int64_t lower, upper, bottom, top;
};
} // namespace

static int64_t draw(std::mt19937 &random, int64_t from, int64_t to) {
  return std::uniform_int_distribution<int64_t>(from, to)(random);
}

static void add(Problem &problem, int64_t lower, int64_t upper, int64_t size,
                int64_t alignment = 1) {
  Buffer buffer;
  buffer.name = std::to_string(problem.buffers.size());
  buffer.lower = lower;
  buffer.upper = upper;
  buffer.size = size;
  buffer.alignment = alignment;
  problem.buffers.push_back(buffer);
}

/// Divides a rectangle of `size` bytes into about `count` buffers.
static Problem divide(std::mt19937 &random, size_t count, int64_t size) {
  std::vector<Part> parts{{0, size, 0, size}};
  for (size_t round = 0; parts.size() < count && round < 50 * count; ++round) {
    Part &chosen = parts[draw(random, 0, parts.size() - 1)];
    Part part = chosen;
    if (part.upper - part.lower < 8 || part.top - part.bottom < 8)
      continue;
    int64_t time = draw(random, part.lower + 1, part.upper - 2);
    int64_t byte = draw(random, part.bottom + 1, part.top - 2);
    int kind = draw(random, 0, 9);
    if (kind < 5) {
      chosen.upper = time;
      parts.push_back({time, part.upper, part.bottom, part.top});
    } else if (kind < 9) {
      chosen.top = byte;
      parts.push_back({part.lower, part.upper, byte, part.top});
    } else { // around a center
      int64_t right = draw(random, time + 1, part.upper - 1);
      int64_t high = draw(random, byte + 1, part.top - 1);
      chosen = {part.lower, right, part.bottom, byte};
      parts.push_back({right, part.upper, part.bottom, high});
      parts.push_back({time, part.upper, high, part.top});
      parts.push_back({part.lower, time, byte, part.top});
      parts.push_back({time, right, byte, high});
    }
  }
  Problem problem;
  std::shuffle(parts.begin(), parts.end(), random);
  for (const Part &part : parts)
    add(problem, part.lower, part.upper, part.top - part.bottom);
  return problem;
}

TEST(LoadTree, Naive) {
  std::mt19937 random(1);
  for (int size : {1, 2, 5, 37}) {
    LoadTree tree(size);
    std::vector<int64_t> naive(size, 0);
    for (int round = 0; round < 500; ++round) {
      int begin = draw(random, 0, size - 1), end = draw(random, begin, size);
      int64_t bytes = draw(random, 0, 100);
      tree.add(begin, end, bytes);
      for (int i = begin; i < end; ++i)
        naive[i] += bytes;
      begin = draw(random, 0, size - 1);
      end = draw(random, begin, size);
      int64_t most = 0;
      for (int i = begin; i < end; ++i)
        most = std::max(most, naive[i]);
      EXPECT_EQ(tree.getMost(begin, end), most);
    }
  }
}

/// A buffer fills a hole of its live range, before it or after it.
TEST(Grow, Holes) {
  Problem problem;
  add(problem, 0, 10, 4);
  add(problem, 10, 20, 3); // a byte is unused
  add(problem, 20, 30, 4);
  add(problem, 0, 5, 6);
  add(problem, 7, 30, 6); // unused from 5 to 7
  Problem grown = growBuffers(problem, 10);
  EXPECT_EQ(grown.buffers[1].size, 4);
  EXPECT_EQ(grown.buffers[3].upper - grown.buffers[3].lower +
                grown.buffers[4].upper - grown.buffers[4].lower,
            30);
  // Nothing is left to fill.
  Problem again = growBuffers(grown, 10);
  for (auto [before, after] : llvm::zip_equal(grown.buffers, again.buffers))
    EXPECT_TRUE(before.lower == after.lower && before.upper == after.upper &&
                before.size == after.size);
  // A buffer with a fixed offset stays as it is.
  problem.buffers[1].offset = 6;
  EXPECT_EQ(growBuffers(problem, 10).buffers[1].size, 3);
}

/// Grown buffers contain the original ones, and the peak stays within the
/// bound.
TEST(Grow, Random) {
  std::mt19937 random(2);
  int numGrown = 0;
  for (int round = 0; round < 300; ++round) {
    Problem problem;
    for (int i = 0, e = draw(random, 1, 40); i < e; ++i) {
      int64_t lower = draw(random, 0, 12);
      add(problem, lower, draw(random, lower, 14), draw(random, 0, 8),
          draw(random, 0, 3) ? 2 : 4);
      if (draw(random, 0, 9) == 0)
        problem.buffers.back().offset = 4;
    }
    int64_t bound = llvm::cantFail(getPeak(problem)).bytes + 4;
    Problem grown = growBuffers(problem, bound);
    EXPECT_LE(llvm::cantFail(getPeak(grown)).bytes, bound);
    for (auto [before, after] :
         llvm::zip_equal(problem.buffers, grown.buffers)) {
      EXPECT_LE(after.lower, before.lower);
      EXPECT_GE(after.upper, before.upper);
      EXPECT_GE(after.size, before.size);
      numGrown += after.size != before.size || after.lower != before.lower ||
                  after.upper != before.upper;
      if (before.isEmpty() || before.offset)
        EXPECT_TRUE(after.size == before.size && after.upper == before.upper);
    }
  }
  EXPECT_GT(numGrown, 100);
}

/// Whatever is merged, a plan of the rest is a plan of everything, and the
/// waste stays within the limit.
TEST(MergePairs, ValidPlans) {
  std::mt19937 random(3);
  size_t numMerged = 0;
  for (int round = 0; round < 300; ++round) {
    Problem problem = round % 2 ? divide(random, 60, 64) : Problem();
    for (int i = 0, e = draw(random, 1, 40); i < e; ++i) {
      int64_t lower = draw(random, 0, 20);
      add(problem, lower, draw(random, lower, 24), draw(random, 0, 9));
      if (draw(random, 0, 9) == 0)
        problem.buffers.back().alignment = 2;
    }
    for (int i = 0; i < 3 && round % 3 == 0; ++i) {
      size_t below = draw(random, 0, problem.buffers.size() - 1);
      size_t above = draw(random, 0, problem.buffers.size() - 1);
      if (below != above)
        problem.overlaps.push_back({below, above, 1});
    }
    int64_t peak = llvm::cantFail(getPeak(problem)).bytes;
    PairMerger merger(problem, round);
    for (int64_t limit : {peak, peak + peak / 10}) {
      merger.runRepeatedly(limit);
      Merged merged = merger.getMerged();
      numMerged += problem.buffers.size() - merged.problem.buffers.size();
      // Relations may save an unknown number of bytes.
      if (problem.overlaps.empty())
        EXPECT_LE(llvm::cantFail(getPeak(merged.problem)).bytes, limit);
      PlanOptions options;
      options.algorithm = Algorithm::GreedyBySize;
      Plan result = llvm::cantFail(plan(merged.problem, options));
      llvm::Error error = checkPlan(problem, merged.expand(result.offsets));
      EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    }
  }
  EXPECT_GT(numMerged, 1000u);
}

/// Everything is merged again, and the plan is the smallest.
TEST(MergePairs, Division) {
  std::mt19937 random(4);
  for (int round = 0; round < 5; ++round) {
    Problem problem = divide(random, 3000, 1 << 24);
    Plan result = llvm::cantFail(plan(problem));
    EXPECT_EQ(result.size, 1 << 24) << "round " << round;
    EXPECT_EQ(result.offsets, llvm::cantFail(plan(problem)).offsets);
  }
}

/// Some buffers are a little smaller or start later.
TEST(MergePairs, TrimmedDivision) {
  std::mt19937 random(5);
  for (int round = 0; round < 3; ++round) {
    Problem problem = divide(random, 3000, 1 << 24);
    for (Buffer &buffer : problem.buffers)
      if (buffer.lower > 0 && draw(random, 0, 19) == 0)
        buffer.lower += (buffer.upper - buffer.lower) / 5;
      else if (buffer.lower > 0 && draw(random, 0, 19) == 0)
        buffer.size -= buffer.size / 10;
    Plan result = llvm::cantFail(plan(problem));
    EXPECT_LE(result.getGap(), 3) << "round " << round;
  }
}
