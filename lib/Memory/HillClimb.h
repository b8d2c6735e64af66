//===- HillClimb.h - Hill climbing for memory plans -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_MEMORY_HILLCLIMB_H
#define UMA_LIB_MEMORY_HILLCLIMB_H

#include "Greedy.h"

namespace uma::memory {

/// Starts from the greedy plan by size and swaps buffers that determine the
/// size of the arena with others in the order of placement, as `hill_climb` of
/// TVM's USMP. Keeps an order that is not larger, and with a falling chance one
/// that is. Stops at `bound` bytes or after a fixed number of attempts; the
/// same problem gives the same plan. Returns std::nullopt if no plan is at most
/// kMaxBytes.
std::optional<Offsets> climbHill(const Problem &problem, const Greedy &greedy,
                                 int64_t bound);

} // namespace uma::memory

#endif // UMA_LIB_MEMORY_HILLCLIMB_H
