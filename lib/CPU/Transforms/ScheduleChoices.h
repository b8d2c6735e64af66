//===- ScheduleChoices.h - What several passes choose by -*- C++ -*--------===//
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

/// Reads the database `path`, if there is one; emits what is wrong with it.
mlir::LogicalResult readDatabase(llvm::StringRef path,
                                 mlir::MLIRContext *context,
                                 std::optional<TuningDatabase> &database);

/// Returns the plan of `layer`, which `kernel` may compute, in the database;
/// null if it has none.
const LayerPlan *lookup(const CPULayer &layer, KernelAttr kernel,
                        const TuningDatabase *tuning);

/// Returns the number of channels that the weights of a layer's `problem` are
/// packed by.
int64_t choosePack(const CPULayer &layer, const ContractionProblem &problem,
                   const Processor &processor, const TuningDatabase *tuning);

} // namespace uma::cpu

#endif // UMA_LIB_CPU_TRANSFORMS_SCHEDULECHOICES_H
