//===- PredictCycles.cpp - Predict the cost of a layer --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Placement compares many layers on many devices, so that each prediction is a
// short search.
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Mapping/MappingSearch.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

/// A prediction estimates this many mappings, and runs the best one.
static constexpr int64_t kPredictionEstimates = 20000;

FailureOr<int64_t> uma::accel::predictCycles(const Match &match) {
  std::string problem;
  FailureOr<MatchSchedule> schedule = MatchSchedule::get(match, problem);
  if (failed(schedule))
    return failure();
  SearchOptions options;
  options.maxEstimates = kPredictionEstimates;
  options.maxCommands = 1;
  FailureOr<Mapping> mapping = searchMapping(*schedule, options, problem);
  if (failed(mapping))
    return failure();
  return schedule->run(*mapping)->cycles;
}
