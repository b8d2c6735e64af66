//===- Schedules.h - Versions of a layer's loop nests -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Schedules by the model, and whether one from elsewhere fits: by hand in the
// IR, or measured by `uma tune`.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_SCHEDULES_H
#define UMA_CPU_MODEL_SCHEDULES_H

#include "uma/CPU/Model/Contraction.h"
#include "uma/CPU/Model/Layer.h"

namespace uma {

/// The algorithm of a layer, and its schedules, one for each loop nest; none if
/// the model chooses them.
struct LayerPlan {
  KernelAttr kernel;
  llvm::SmallVector<ScheduleAttr, 1> schedules;

  bool operator==(const LayerPlan &other) const {
    return kernel == other.kernel && schedules == other.schedules;
  }
};

/// Returns the schedule of least cost by the model, with weights packed by
/// `pack`: a version for each set of instructions of `processor`. The versions
/// for vectors of `lanes`, 0 for none, fulfil `wish`; null if they cannot.
ScheduleAttr chooseSchedule(const ContractionProblem &problem, int64_t pack,
                            const Processor &processor,
                            mlir::MLIRContext *context, int64_t lanes = 0,
                            const VersionWish &wish = {});
/// Returns the same for a depthwise convolution, with tiles of `windows` for
/// vectors of `lanes`, 0 for the model's tiles.
ScheduleAttr chooseDepthwiseSchedule(const Workload &workload,
                                     const Processor &processor,
                                     mlir::MLIRContext *context,
                                     int64_t lanes = 0, int64_t windows = 0);

/// Returns why a version of `schedule` cannot compute `problem`, as a clause;
/// std::nullopt if it can.
std::optional<std::string> findProblem(const ContractionProblem &problem,
                                       ScheduleAttr schedule,
                                       VersionAttr version);
/// Returns the same for a layer and all versions of its schedules.
std::optional<std::string> findProblem(const CPULayer &layer,
                                       llvm::ArrayRef<ScheduleAttr> schedules);

} // namespace uma

#endif // UMA_CPU_MODEL_SCHEDULES_H
