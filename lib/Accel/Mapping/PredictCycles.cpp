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
#include "uma/Support/QuantizedTypes.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

/// A prediction estimates this many mappings, and runs the best one.
static constexpr int64_t kPredictionEstimates = 20000;

void uma::accel::printLayer(llvm::raw_ostream &os, Operation *op) {
  auto printType = [&](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    os << RankedTensorType::get(type.getShape(),
                                getStorageElementType(type.getElementType()))
       << ' ';
  };
  os << op->getName() << ' ';
  llvm::for_each(op->getOperands(), printType);
  llvm::for_each(op->getResults(), printType);
  if (!op->hasTrait<OpTrait::ConstantLike>())
    os << op->getAttrDictionary();
}

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
