//===- ScheduleChoices.h - Shared choices of passes -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CPU_TRANSFORMS_SCHEDULECHOICES_H
#define UMA_LIB_CPU_TRANSFORMS_SCHEDULECHOICES_H

#include "uma/CPU/Model/Contraction.h"
#include "uma/CPU/Tuning/TuningDatabase.h"

namespace uma::cpu {

/// Reads the tuning database `path` unless the path is empty. Emits an error
/// and fails if it is invalid.
mlir::LogicalResult readDatabase(llvm::StringRef path,
                                 mlir::MLIRContext *context,
                                 std::optional<TuningDatabase> &database);

/// Returns the measured plan of `layer`, which `kernel` may compute; null if
/// the database has none.
const LayerPlan *lookup(const CPULayer &layer, KernelAttr kernel,
                        const TuningDatabase *tuning);

/// Returns the pack width of the weights of a layer's `problem`, in channels:
/// measured or by the model.
int64_t choosePack(const CPULayer &layer, const ContractionProblem &problem,
                   const Processor &processor, const TuningDatabase *tuning);

} // namespace uma::cpu

#endif // UMA_LIB_CPU_TRANSFORMS_SCHEDULECHOICES_H
