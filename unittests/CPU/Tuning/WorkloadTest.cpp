//===- WorkloadTest.cpp - Candidates of schedules, and their database -----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Tuning/TuningDatabase.h"

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

TEST(WorkloadTest, CandidatesCanBeComputed) {
  for (const Workload &workload : makeWorkloads())
    for (int64_t lanes : getVectorLanes()) {
      SmallVector<TileChoice> choices = listChoices(workload, lanes, kAll);
      ASSERT_FALSE(choices.empty());
      for (const TileChoice &choice : choices) {
        auto problem = findProblem(workload, choice, lanes);
        EXPECT_FALSE(problem) << *problem;
      }
    }
}

// The model's tile is listed twice if its weights were packed for another
// vector width.
TEST(WorkloadTest, EachTileIsThereOnce) {
  for (const Workload &workload : makeWorkloads()) {
    SmallVector<TileChoice> choices = listChoices(workload, 8, kAll);
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
    SmallVector<TileChoice> all = listChoices(workload, 8, kAll);
    for (size_t count : {1, 2, 4}) {
      SmallVector<TileChoice> few = listChoices(workload, 8, count);
      ASSERT_EQ(few.size(), std::min(count, all.size()));
      EXPECT_TRUE(std::equal(few.begin(), few.end(), all.begin()));
    }
  }
}

TEST(WorkloadTest, UnknownWidthsHaveNoCandidates) {
  EXPECT_TRUE(listChoices(makeWorkloads().front(), 12, kAll).empty());
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

TEST(TuningDatabaseTest, WhatIsPrintedIsRead) {
  TuningDatabase database;
  database.lanes = 16;
  database.processor = "one \"quoted\"";
  database.compiler = "cc -O3";
  double time = 0.5;
  for (const Workload &workload : makeWorkloads()) {
    database.insert(
        {workload, listChoices(workload, 16, 3).back(), time, 2 * time});
    time += 0.125;
  }
  std::string text = database.print();
  auto read = TuningDatabase::parse(text, "a.json");
  ASSERT_TRUE(bool(read)) << toString(read.takeError());
  EXPECT_EQ(read->getEntries().size(), makeWorkloads().size());
  EXPECT_EQ(read->print(), text);
  for (const Workload &workload : makeWorkloads()) {
    const TuningEntry *entry = read->lookup(workload);
    ASSERT_TRUE(entry);
    EXPECT_TRUE(entry->choice == listChoices(workload, 16, 3).back());
  }
}

TEST(TuningDatabaseTest, NewEntriesReplaceOldOnes) {
  TuningDatabase database;
  Workload workload = makeWorkloads().front(), other = makeWorkloads().back();
  database.insert({workload, {16, {1, 1, 16}}, 2, 2});
  database.insert({other, {16, {1, 1, 16}}, 3, 3});
  database.insert({workload, {8, {1, 1, 8}}, 1, 2});
  ASSERT_EQ(database.getEntries().size(), 2u);
  EXPECT_EQ(database.lookup(workload)->choice.packWidth, 8);
  EXPECT_EQ(database.lookup(other)->microseconds, 3);
  other.rows += 1;
  EXPECT_FALSE(database.lookup(other));
}
