//===- Schedules.h - Versions of a layer's loop nests -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Chooses schedules by the model, and verifies schedules written by hand in the
// IR or measured by `uma tune`.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_SCHEDULES_H
#define UMA_CPU_MODEL_SCHEDULES_H

#include "uma/CPU/Model/Contraction.h"
#include "uma/CPU/Model/Layer.h"

namespace uma {

/// The algorithm of a layer and its schedules, one per loop nest; no schedules
/// if the model chooses them.
struct LayerPlan {
  KernelAttr kernel;
  llvm::SmallVector<ScheduleAttr, 1> schedules;

  bool operator==(const LayerPlan &other) const {
    return kernel == other.kernel && schedules == other.schedules;
  }
};

/// Returns the schedule of least cost by the model, with weights packed by
/// `pack` and a version for each instruction set of `processor`. The versions
/// with vectors of `lanes` lanes satisfy `wish`; `lanes` is 0 if there is no
/// wish. Returns null if the wish cannot be satisfied.
ScheduleAttr chooseSchedule(const ContractionProblem &problem, int64_t pack,
                            const Processor &processor,
                            mlir::MLIRContext *context, int64_t lanes = 0,
                            const VersionWish &wish = {});
/// Returns the schedule of a depthwise convolution, with tiles of `windows` for
/// vectors of `lanes` lanes; the model chooses all tiles if `lanes` is 0.
ScheduleAttr chooseDepthwiseSchedule(const Workload &workload,
                                     const Processor &processor,
                                     mlir::MLIRContext *context,
                                     int64_t lanes = 0, int64_t windows = 0);

/// Returns why a version of `schedule` cannot compute `problem`, as a clause;
/// std::nullopt if it can.
std::optional<std::string> findProblem(const ContractionProblem &problem,
                                       ScheduleAttr schedule,
                                       VersionAttr version);
/// Returns why a layer cannot be computed with these schedules, as a clause;
/// std::nullopt if it can.
std::optional<std::string> findProblem(const CPULayer &layer,
                                       llvm::ArrayRef<ScheduleAttr> schedules);

} // namespace uma

#endif // UMA_CPU_MODEL_SCHEDULES_H
