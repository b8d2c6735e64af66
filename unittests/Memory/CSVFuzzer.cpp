//===- CSVFuzzer.cpp - A libFuzzer target for memory problems--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Any file is read or rejected with a message of one line. What is read has a
// valid plan or an error, and its plan can be written and read again.
//
//===----------------------------------------------------------------------===//

#include "uma/Memory/CSV.h"
#include "uma/Memory/Planner.h"

#include <cstdlib>

using namespace uma::memory;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
  if (!condition)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  llvm::Expected<CSVFile> file = readCSV(text, "fuzz.csv");
  if (!file) {
    std::string message = llvm::toString(file.takeError());
    require(llvm::StringRef(message).starts_with("fuzz.csv:") &&
            message.find('\n') == std::string::npos);
    return 0;
  }
  for (llvm::StringRef name : getAlgorithmNames()) {
    PlanOptions options;
    options.algorithm = *parseAlgorithm(name);
    options.maxSteps = 1;
    llvm::Expected<Plan> result = plan(file->problem, options);
    if (!result) {
      require(!llvm::StringRef(llvm::toString(result.takeError()))
                   .contains("internal error"));
      return 0;
    }
    require(result->bound <= result->size);
    std::string written = writeCSV(*file, result->offsets);
    llvm::Expected<CSVFile> again = readCSV(written, "plan.csv");
    require(bool(again));
    for (size_t i = 0; i < result->offsets.size(); ++i)
      require(again->problem.buffers[i].offset == result->offsets[i]);
  }
  return 0;
}
