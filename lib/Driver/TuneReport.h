//===- TuneReport.h - What uma tune found -*- C++ -*-----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_TUNEREPORT_H
#define UMA_LIB_DRIVER_TUNEREPORT_H

#include "uma/Conversion/GraphToTIR/TuningDatabase.h"

namespace uma {

/// A workload of the network, with the layers that are one.
struct TunedWorkload {
  std::vector<std::string> layers;
  /// The calls of the network's function that compute it.
  llvm::SmallVector<size_t> calls;
  /// What was measured, that of the model first.
  llvm::SmallVector<TileChoice> candidates;
  /// The fastest one, for one run of all its calls.
  TuningEntry best;
};

/// Prints a table of the workloads and how much the model's choices lose.
/// `total` is the time of the whole network with these, in microseconds.
void printTuning(llvm::raw_ostream &os, llvm::ArrayRef<TunedWorkload> workloads,
                 double total);

} // namespace uma

#endif // UMA_LIB_DRIVER_TUNEREPORT_H
