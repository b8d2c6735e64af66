//===- WorkloadTest.cpp - Candidates of schedules, and their database -----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Tuning/TuningDatabase.h"

#include "uma/CPU/Model/TileModel.h"
#include "uma/IR/UMADialect.h"

#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace uma;

static const size_t kAll = std::numeric_limits<size_t>::max();

/// Returns contractions and depthwise convolutions of all kinds that the model
/// distinguishes: large and tiny, with and without blocks, sizes without
/// divisors.
static std::vector<Workload> makeWorkloads() {
  std::vector<Workload> workloads;
  for (int64_t rows : {1, 7, 56, 784})
    for (int64_t channels : {1, 3, 10, 24, 64, 1000})
      for (int64_t block : {0, 4, 8, 12, 16})
        if (block == 0 || channels % block == 0)
          workloads.push_back({"conv2d",
                               {1, 7},
                               rows,
                               channels,
                               block,
                               {2, 3, 3, 8},
                               {1, 1},
                               {1, 1}});
  for (int64_t rows : {1, 7, 112})
    for (int64_t stride : {1, 2})
      workloads.push_back({Workload::depthwise.str(),
                           {1, 7},
                           rows,
                           64,
                           16,
                           {3, 3},
                           {stride, stride},
                           {1, 1}});
  return workloads;
}

static SmallVector<TileChoice> list(const Workload &workload, StringRef isa,
                                    size_t count) {
  const Processor &processor = Processor::getGeneric();
  return listChoices(workload, *processor.lookup(isa), processor, count);
}

TEST(WorkloadTest, CandidatesCanBeComputed) {
  for (const Workload &workload : makeWorkloads())
    for (const ISA &isa : Processor::getGeneric().sets) {
      SmallVector<TileChoice> choices =
          listChoices(workload, isa, Processor::getGeneric(), kAll);
      ASSERT_FALSE(choices.empty());
      for (const TileChoice &choice : choices) {
        auto problem = findProblem(workload, choice, isa);
        EXPECT_FALSE(problem) << *problem;
      }
    }
}

// The model's tile is listed twice if its weights were packed for another
// vector width.
TEST(WorkloadTest, EachTileIsThereOnce) {
  for (const Workload &workload : makeWorkloads()) {
    SmallVector<TileChoice> choices = list(workload, "avx2", kAll);
    for (size_t i = 1; i < choices.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        EXPECT_FALSE(choices[i] == choices[j]);
        if (j > 0) {
          EXPECT_FALSE(choices[i].tile == choices[j].tile);
        }
      }
  }
}

TEST(WorkloadTest, FewCandidatesAreTheFirstOfMany) {
  for (const Workload &workload : makeWorkloads()) {
    SmallVector<TileChoice> all = list(workload, "avx2", kAll);
    for (size_t count : {1, 2, 4}) {
      SmallVector<TileChoice> few = list(workload, "avx2", count);
      ASSERT_EQ(few.size(), std::min(count, all.size()));
      EXPECT_TRUE(std::equal(few.begin(), few.end(), all.begin()));
    }
  }
}

TEST(WorkloadTest, AttributesTellAll) {
  MLIRContext context;
  for (const Workload &workload : makeWorkloads()) {
    auto read = Workload::fromAttribute(workload.toAttribute(&context));
    ASSERT_TRUE(read);
    EXPECT_TRUE(*read == workload);
  }
  EXPECT_FALSE(Workload::fromAttribute(Attribute()));
  EXPECT_FALSE(Workload::fromAttribute(DictionaryAttr::get(&context)));
}

/// Returns a plan with the third tile for AVX-512, and the best one for
/// scalars.
static LayerPlan makePlan(const Workload &workload, MLIRContext *context) {
  TileChoice choice = list(workload, "avx512", 3).back();
  RegisterTile scalar;
  if (workload.op != Workload::depthwise)
    scalar = chooseTile(getContractionShape(workload), choice.packWidth,
                        ISA::getScalar());
  SmallVector<VersionAttr> versions;
  for (auto [isa, tile] :
       {std::pair("avx512", choice.tile), std::pair("scalar", scalar)})
    versions.push_back(VersionAttr::get(
        context, StringAttr::get(context, isa), tile.rows, tile.vectors,
        tile.lanes, /*slices=*/1, /*sums=*/1, /*byLane=*/false, Prefetch::None,
        /*blocking=*/nullptr));
  return {KernelAttr::get(context, Algorithm::Direct, /*tile=*/0),
          {ScheduleAttr::get(context, choice.packWidth, versions)}};
}

namespace {
struct TuningDatabaseTest : testing::Test {
  TuningDatabaseTest() { context.loadDialect<UMADialect>(); }
  MLIRContext context;
};
} // namespace

TEST_F(TuningDatabaseTest, WhatIsPrintedIsRead) {
  TuningDatabase database;
  database.lanes = 16;
  database.processor = "one \"quoted\"";
  database.compiler = "cc -O3";
  double time = 0.5;
  for (const Workload &workload : makeWorkloads()) {
    database.insert({workload, makePlan(workload, &context), time, 2 * time});
    time += 0.125;
  }
  // Other algorithms have no schedule but the model's.
  Workload fast = makeWorkloads().front();
  fast.rows = 5;
  LayerPlan winograd{KernelAttr::get(&context, Algorithm::Winograd, /*tile=*/4),
                     {}};
  database.insert({fast, winograd, 1, 2});
  std::string text = database.print();
  auto read = TuningDatabase::parse(text, "a.json", &context);
  ASSERT_TRUE(bool(read)) << toString(read.takeError());
  EXPECT_EQ(read->getEntries().size(), makeWorkloads().size() + 1);
  EXPECT_EQ(read->print(), text);
  for (const Workload &workload : makeWorkloads()) {
    const TuningEntry *entry = read->lookup(workload);
    ASSERT_TRUE(entry);
    EXPECT_TRUE(entry->plan == makePlan(workload, &context));
  }
  EXPECT_TRUE(read->lookup(fast)->plan == winograd);
}

TEST_F(TuningDatabaseTest, NewEntriesReplaceOldOnes) {
  TuningDatabase database;
  Workload workload = makeWorkloads().front(), other = makeWorkloads().back();
  LayerPlan plan = makePlan(workload, &context), best = plan;
  best.kernel = KernelAttr::get(&context, Algorithm::Planar, /*tile=*/0);
  database.insert({workload, plan, 2, 2});
  database.insert({other, makePlan(other, &context), 3, 3});
  database.insert({workload, best, 1, 2});
  ASSERT_EQ(database.getEntries().size(), 2u);
  EXPECT_TRUE(database.lookup(workload)->plan == best);
  EXPECT_EQ(database.lookup(other)->microseconds, 3);
  other.rows += 1;
  EXPECT_FALSE(database.lookup(other));
}
