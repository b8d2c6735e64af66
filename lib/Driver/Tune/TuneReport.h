//===- TuneReport.h - Results of uma tune -*- C++ -*-----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_TUNE_TUNEREPORT_H
#define UMA_LIB_DRIVER_TUNE_TUNEREPORT_H

#include "uma/CPU/Tuning/TuningDatabase.h"

namespace uma {

/// A workload of the network, with its layers.
struct TunedWorkload {
  std::vector<std::string> layers;
  /// Indices of its calls in ProfiledNetwork::getCalls().
  llvm::SmallVector<size_t> calls;
  /// Measured plans, the analytic model's first.
  llvm::SmallVector<LayerPlan> candidates;
  /// Fastest schedule, for one run of all its calls.
  TuningEntry best;
};

/// Prints a line for each workload, and how much of the network's run time,
/// `total` microseconds, the analytic model's choices lose. Prints tile sizes
/// in vectors of `lanes` elements.
void printTuning(llvm::raw_ostream &os, llvm::ArrayRef<TunedWorkload> workloads,
                 int64_t lanes, double total);

} // namespace uma

#endif // UMA_LIB_DRIVER_TUNE_TUNEREPORT_H
