//===- LayerChoices.h - What was chosen for a layer, and what not -*- C++ -*-=//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// For remarks and `uma explain --kernels`.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_LAYERCHOICES_H
#define UMA_CPU_MODEL_LAYERCHOICES_H

#include "uma/CPU/Model/Layer.h"
#include "uma/CPU/Model/Workload.h"

namespace uma {

/// An algorithm that applies to a layer, and its cost in products of one core
/// at its peak.
struct AlgorithmCost {
  KernelAttr kernel;
  double products;
};

/// Returns the algorithms that apply to a layer whose data is stored in
/// `stored`, the direct one first; none if there is nothing to choose.
llvm::SmallVector<AlgorithmCost> getAlgorithmCosts(const CPULayer &layer,
                                                   const BufferLayout &stored,
                                                   const Processor &processor);

/// A tile and its cost by the model, in cycles.
struct TileCost {
  TileChoice choice;
  double cycles;
};

/// A version, and the best one with another tile by the model, if there is any.
struct VersionCost {
  VersionAttr version;
  TileCost chosen;
  std::optional<TileCost> runnerUp;
};

/// A loop nest whose schedule was chosen.
struct ScheduleCost {
  Workload workload;
  llvm::SmallVector<VersionCost, 1> versions;
};

/// Returns the schedules of a planned layer with their costs, one for each loop
/// nest.
std::vector<ScheduleCost> getScheduleCosts(const CPULayer &layer,
                                           const Processor &processor);

} // namespace uma

#endif // UMA_CPU_MODEL_LAYERCHOICES_H
