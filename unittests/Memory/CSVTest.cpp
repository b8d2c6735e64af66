//===- CSVTest.cpp - Memory planning problems as files---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Memory/CSV.h"
#include "uma/Memory/Planner.h"

#include "gtest/gtest.h"

#include <random>

using namespace uma::memory;

static std::string readError(llvm::StringRef text) {
  llvm::Expected<CSVFile> file = readCSV(text, "p.csv");
  return file ? "" : llvm::toString(file.takeError());
}

TEST(CSV, RoundTrip) {
  CSVFile file = llvm::cantFail(
      readCSV("\xEF\xBB\xBFsize,upper,id,lower\r\n4,3,b 1,0\r\n\r\n4,9,b2,3\n",
              "p.csv"));
  ASSERT_EQ(file.problem.buffers.size(), 2u);
  EXPECT_EQ(file.problem.buffers[0].name, "b 1");
  EXPECT_EQ(file.problem.buffers[0].upper, 3);
  EXPECT_EQ(writeCSV(file, {0, 8}),
            "size,upper,id,lower,offset\n4,3,b 1,0,0\n4,9,b2,3,8\n");
}

TEST(CSV, InclusiveEnd) {
  CSVFile file = llvm::cantFail(
      readCSV("buffer_id,start,end,size,offset\nx,0,0,4,\ny,1,1,4,8\n", "p"));
  EXPECT_EQ(file.problem.buffers[0].upper, 1);
  EXPECT_FALSE(file.problem.buffers[0].offset);
  EXPECT_EQ(file.problem.buffers[1].offset, 8);
  EXPECT_EQ(writeCSV(file, {0, 8}),
            "buffer_id,start,end,size,offset\nx,0,0,4,0\ny,1,1,4,8\n");
}

TEST(CSV, Errors) {
  EXPECT_EQ(readError(""), "p.csv:1:1: the file is empty; expected a header "
                           "such as id,lower,upper,size");
  EXPECT_EQ(readError("id,lower,upper,sizes\n"),
            "p.csv:1:16: unknown column 'sizes'; expected id, lower, upper, "
            "size and optionally alignment, offset, hint; did you mean "
            "'size'?");
  EXPECT_EQ(readError("id,lower,upper\n"),
            "p.csv:1:1: the header has no column 'size'; expected id, lower, "
            "upper, size");
  EXPECT_EQ(readError("id,lower,end,upper,size\n"),
            "p.csv:1:14: column 'upper' repeats the meaning of column 'end'");
  EXPECT_EQ(readError("id,lower,upper,size\na,1,2\n"),
            "p.csv:2:6: the line has 3 fields, but the header has 4 columns");
  EXPECT_EQ(readError("id,lower,upper,size\na,1,2,3,4\n"),
            "p.csv:2:9: the line has 5 fields, but the header has 4 columns");
  EXPECT_EQ(readError("id,lower,upper,size\na,1,2,0x3\n"),
            "p.csv:2:7: size is '0x3'; expected an integer");
  EXPECT_EQ(readError("id,lower,upper,size\na,1,2,99999999999999999999\n"),
            "p.csv:2:7: size is '99999999999999999999'; expected 0 to "
            "2305843009213693952");
  EXPECT_EQ(readError("id,lower,upper,size\na,5,2,3\n"),
            "p.csv:2:5: the live range of 'a' ends before it starts at 5");
  EXPECT_EQ(readError("id,lower,upper,size,gaps\na,1,9,3,2-4\n"),
            "p.csv:2:9: gaps are not supported; divide the buffer into one per "
            "time range, or remove the column");
}

/// Mutated files are read or rejected with a message of one line, and what is
/// read can be planned and written.
TEST(CSV, Mutations) {
  const std::string text = "id,lower,upper,size,alignment,offset\n"
                           "b1,0,3,4,2,8\nb2,3,9,4,1,\nb3,0,9,4,4,\n"
                           "b4,9,21,400000,64,0\nb5,0,21,4,1,\n";
  const llvm::StringRef pieces[] = {",",  "\n", "-",    "9223372036854775807",
                                    "0",  "id", "\r",   "2305843009213693952",
                                    "\"", " ",  "\xff", "end"};
  std::mt19937 random(1);
  int numRead = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string mutated = text;
    for (unsigned i = 0, e = 1 + random() % 3; i < e; ++i) {
      size_t at = random() % (mutated.size() + 1);
      switch (random() % 3) {
      case 0:
        mutated.insert(at, pieces[random() % std::size(pieces)].str());
        break;
      case 1:
        mutated.erase(at, 1 + random() % 4);
        break;
      case 2:
        mutated.resize(at);
        break;
      }
    }
    llvm::Expected<CSVFile> file = readCSV(mutated, "p.csv");
    if (!file) {
      std::string message = llvm::toString(file.takeError());
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      EXPECT_EQ(message.substr(0, 6), "p.csv:") << message;
      continue;
    }
    PlanOptions options;
    options.maxSteps = 1;
    llvm::Expected<Plan> result = plan(file->problem, options);
    if (!result) {
      llvm::consumeError(result.takeError());
      continue;
    }
    ++numRead;
    std::string written = writeCSV(*file, result->offsets);
    CSVFile again = llvm::cantFail(readCSV(written, "q.csv"));
    for (size_t i = 0; i < result->offsets.size(); ++i)
      EXPECT_EQ(again.problem.buffers[i].offset, result->offsets[i]);
  }
  EXPECT_GT(numRead, 1000);
}
