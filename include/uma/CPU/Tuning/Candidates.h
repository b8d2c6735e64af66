//===- Candidates.h - Ways to compute a layer that are worth measuring ----===//
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
/// `lanes`: its own first, then in turn the best of other algorithms, of
/// blocking, of slices and of tiles by the model. Algorithms that need more
/// weights are left out unless `weightsMayGrow`. None for layers without a
/// workload of their own; see getLayerWorkload.
llvm::SmallVector<LayerPlan> listCandidates(const CPULayer &layer,
                                            const Processor &processor,
                                            int64_t lanes, size_t count,
                                            bool weightsMayGrow);

} // namespace uma

#endif // UMA_CPU_TUNING_CANDIDATES_H
