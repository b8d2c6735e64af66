//===- Exact.h - Exact memory planner -*- C++ -*---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_MEMORY_EXACT_H
#define UMA_LIB_MEMORY_EXACT_H

#include "uma/Memory/Planner.h"

namespace uma::memory {

/// Improves `plan`, a valid plan of `problem`, until it is at most
/// `options.capacity`, or smallest if there is none, or a limit is reached.
/// Raises its bound by proofs.
void improveExactly(const Problem &problem, const PlanOptions &options,
                    Plan &plan);

} // namespace uma::memory

#endif // UMA_LIB_MEMORY_EXACT_H
