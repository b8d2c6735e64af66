//===- LayerChoices.h - Choices for a layer and their costs -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Used by remarks and `uma explain --kernels`.
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
/// `stored`, the direct one first; empty if there is no choice.
llvm::SmallVector<AlgorithmCost> getAlgorithmCosts(const CPULayer &layer,
                                                   const BufferLayout &stored,
                                                   const Processor &processor);

/// A tile and its cost by the model, in cycles.
struct TileCost {
  TileChoice choice;
  double cycles;
};

/// A version, and the best alternative with another tile by the model, if any.
struct VersionCost {
  VersionAttr version;
  TileCost chosen;
  std::optional<TileCost> runnerUp;
};

/// A loop nest and the costs of its schedule.
struct ScheduleCost {
  Workload workload;
  llvm::SmallVector<VersionCost, 1> versions;
};

/// Returns the costs of a planned layer's schedules, one for each loop nest.
std::vector<ScheduleCost> getScheduleCosts(const CPULayer &layer,
                                           const Processor &processor);

} // namespace uma

#endif // UMA_CPU_MODEL_LAYERCHOICES_H
