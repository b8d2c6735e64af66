//===- PlannerTest.cpp - Memory planners against brute force---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Memory/Planner.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <functional>
#include <random>

using namespace uma::memory;

static constexpr Algorithm kAlgorithms[] = {
    Algorithm::Exact, Algorithm::GreedyBySize, Algorithm::GreedyByConflict,
    Algorithm::HillClimb, Algorithm::BestFit};

/// Smallest arena of a small problem, by trying all offsets in turn. Returns -1
/// if `limit` bytes are not enough.
static int64_t solveByBruteForce(const Problem &problem, int64_t limit) {
  const std::vector<Buffer> &buffers = problem.buffers;
  auto getSeparation = [&](size_t below, size_t above) {
    int64_t separation = buffers[below].size;
    for (const Overlap &overlap : problem.overlaps)
      if (overlap.below == below && overlap.above == above)
        separation = std::min(separation, overlap.separation);
    return separation;
  };
  for (int64_t size = 0; size <= limit; ++size) {
    Offsets offsets(buffers.size(), 0);
    std::function<bool(size_t)> place = [&](size_t i) {
      if (i == buffers.size())
        return true;
      const Buffer &buffer = buffers[i];
      if (buffer.isEmpty()) {
        offsets[i] = buffer.offset.value_or(0);
        return place(i + 1);
      }
      for (int64_t offset = 0; offset + buffer.size <= size; ++offset) {
        if (offset % buffer.alignment ||
            offset != buffer.offset.value_or(offset))
          continue;
        bool fits = true;
        for (size_t j = 0; j < i && fits; ++j)
          fits = buffers[j].isEmpty() || !buffers[j].livesWith(buffer) ||
                 offset >= offsets[j] + getSeparation(j, i) ||
                 offsets[j] >= offset + getSeparation(i, j);
        offsets[i] = offset;
        if (fits && place(i + 1))
          return true;
      }
      return false;
    };
    if (place(0))
      return size;
  }
  return -1;
}

namespace {
/// What a random problem has beside buffers.
struct Shape {
  bool hasAlignments = false, hasOverlaps = false, hasOffsets = false;
};
} // namespace

static Problem makeProblem(std::mt19937 &random, Shape shape) {
  auto draw = [&](int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(random);
  };
  Problem problem;
  int count = draw(1, 6), times = draw(2, 7);
  for (int i = 0; i < count; ++i) {
    Buffer buffer;
    buffer.name = std::to_string(i);
    buffer.lower = draw(0, times - 1);
    buffer.upper = draw(int(buffer.lower) + (draw(0, 9) > 0), times);
    buffer.size = draw(draw(0, 9) > 0, 6);
    if (shape.hasAlignments)
      buffer.alignment = draw(1, 3);
    if (shape.hasOffsets && draw(0, 3) == 0)
      buffer.offset = draw(0, 4) * buffer.alignment;
    problem.buffers.push_back(buffer);
  }
  if (shape.hasOverlaps)
    for (int i = 0, e = draw(1, 3); i < e; ++i) {
      size_t below = draw(0, count - 1), above = draw(0, count - 1);
      if (below != above)
        problem.overlaps.push_back(
            {below, above, draw(0, int(problem.buffers[below].size))});
    }
  return problem;
}

static void compareWithBruteForce(Shape shape, unsigned seed) {
  std::mt19937 random(seed);
  int numPlans = 0;
  for (int round = 0; round < 400; ++round) {
    Problem problem = makeProblem(random, shape);
    int64_t best = solveByBruteForce(problem, 40);
    llvm::Expected<Plan> exact = plan(problem);
    if (!exact) {
      // Fixed offsets that conflict.
      std::string message = llvm::toString(exact.takeError());
      EXPECT_TRUE(shape.hasOffsets) << message;
      EXPECT_EQ(best, -1) << message;
      continue;
    }
    ++numPlans;
    EXPECT_EQ(exact->size, best) << "round " << round;
    EXPECT_TRUE(exact->isSmallest()) << "round " << round;
    EXPECT_LE(exact->peak.bytes, best);
    for (Algorithm algorithm : kAlgorithms) {
      PlanOptions options;
      options.algorithm = algorithm;
      llvm::Expected<Plan> other = plan(problem, options);
      ASSERT_TRUE(bool(other)) << llvm::toString(other.takeError());
      EXPECT_GE(other->size, best);
      EXPECT_LE(other->bound, best);
    }
    PlanOptions options;
    options.capacity = best;
    EXPECT_EQ(llvm::cantFail(plan(problem, options)).size, best);
    if (best == 0)
      continue;
    options.capacity = best - 1;
    EXPECT_GT(llvm::cantFail(plan(problem, options)).bound, best - 1);
  }
  EXPECT_GT(numPlans, 100);
}

TEST(Planner, BruteForce) { compareWithBruteForce({}, 1); }
TEST(Planner, BruteForceAlignments) { compareWithBruteForce({true}, 2); }
TEST(Planner, BruteForceOverlaps) { compareWithBruteForce({false, true}, 3); }
TEST(Planner, BruteForceOffsets) {
  compareWithBruteForce({false, false, true}, 4);
}
TEST(Planner, BruteForceAll) { compareWithBruteForce({true, true, true}, 5); }

/// checkPlan accepts exactly the plans without a conflict.
TEST(Planner, CheckPlan) {
  std::mt19937 random(6);
  int numValid = 0;
  for (int round = 0; round < 20000; ++round) {
    Problem problem = makeProblem(random, {true, true, false});
    Offsets offsets;
    for (const Buffer &buffer : problem.buffers)
      offsets.push_back(std::uniform_int_distribution<int>(0, 12)(random) *
                        buffer.alignment);
    // The offsets alone, as fixed ones, fit some arena or conflict.
    Problem fixed = problem;
    for (auto [buffer, offset] : llvm::zip_equal(fixed.buffers, offsets))
      buffer.offset = offset;
    bool isValid = solveByBruteForce(fixed, 48) >= 0;
    llvm::Error error = checkPlan(problem, offsets);
    EXPECT_EQ(isValid, !error) << "round " << round;
    llvm::consumeError(std::move(error));
    numValid += isValid;
  }
  EXPECT_GT(numValid, 1000);
  EXPECT_LT(numValid, 19000);
}

TEST(Planner, Deterministic) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    Problem problem;
    for (int i = 0; i < 60; ++i) {
      Buffer buffer;
      buffer.lower = random() % 50;
      buffer.upper = buffer.lower + 1 + random() % 12;
      buffer.size = 1 + random() % 1000;
      problem.buffers.push_back(buffer);
    }
    for (Algorithm algorithm : kAlgorithms) {
      PlanOptions options;
      options.algorithm = algorithm;
      options.maxSteps = 3;
      EXPECT_EQ(llvm::cantFail(plan(problem, options)).offsets,
                llvm::cantFail(plan(problem, options)).offsets);
    }
  }
}

/// Numbers near the limit neither overflow nor are rejected.
TEST(Planner, HugeNumbers) {
  Problem problem;
  auto add = [&](int64_t lower, int64_t upper, int64_t size,
                 int64_t alignment = 1) {
    Buffer buffer;
    buffer.name = "huge";
    buffer.lower = lower;
    buffer.upper = upper;
    buffer.size = size;
    buffer.alignment = alignment;
    problem.buffers.push_back(buffer);
  };
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  add(-kMost, 0, kMaxBytes);
  add(0, kMost, kMaxBytes);
  for (Algorithm algorithm : kAlgorithms) {
    PlanOptions options;
    options.algorithm = algorithm;
    EXPECT_EQ(llvm::cantFail(plan(problem, options)).size, kMaxBytes);
  }
  add(0, 1, 1, kMaxBytes);
  std::string message = llvm::toString(plan(problem).takeError());
  EXPECT_EQ(message, "more than 2^61 bytes are live at time 0");
  problem.buffers.pop_back();
  problem.buffers.back().size = kMaxBytes + 1;
  EXPECT_EQ(llvm::toString(plan(problem).takeError()),
            "buffer 'huge' has size 2305843009213693953; expected 0 to 2^61");
}

/// A chain of in-place layers, each of which writes 16 bytes ahead of its
/// input.
TEST(Planner, InPlaceChain) {
  Problem problem;
  for (int i = 0; i < 5; ++i) {
    Buffer buffer;
    buffer.lower = i;
    buffer.upper = i + 2;
    buffer.size = 256;
    buffer.alignment = 16;
    problem.buffers.push_back(buffer);
    if (i > 0)
      problem.overlaps.push_back({size_t(i), size_t(i - 1), 16});
  }
  Plan result = llvm::cantFail(plan(problem));
  EXPECT_EQ(result.size, 320);
  EXPECT_TRUE(result.isSmallest());
}
