//===- Candidates.h - Candidate plans to measure --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_TUNING_CANDIDATES_H
#define UMA_CPU_TUNING_CANDIDATES_H

#include "uma/CPU/Model/Schedules.h"

namespace uma {

/// Returns at most `count` plans for a planned layer that differ for vectors of
/// `lanes` lanes: the layer's own plan, then by turns the best other
/// algorithms, blockings, slice counts and tiles by the model. Omits algorithms
/// that need more weights unless `weightsMayGrow`. Returns none for layers
/// without a workload of their own; see getLayerWorkload.
llvm::SmallVector<LayerPlan> listCandidates(const CPULayer &layer,
                                            const Processor &processor,
                                            int64_t lanes, size_t count,
                                            bool weightsMayGrow);

} // namespace uma

#endif // UMA_CPU_TUNING_CANDIDATES_H
