//===- PlaceMerged.h - Plan of very many buffers -*- C++ -*----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_MEMORY_PLACEMERGED_H
#define UMA_LIB_MEMORY_PLACEMERGED_H

#include "uma/Memory/Problem.h"

namespace uma::memory {

/// Plans a problem whose buffers fit each other almost without waste: merges
/// them until few are left, and plans these. `bound` is the peak. Aims at
/// `bound`, then at `goal`. Returns std::nullopt if there are too many buffers
/// left, as in most problems that nobody made to fit.
std::optional<Offsets> placeMerged(const Problem &problem, int64_t bound,
                                   int64_t goal);

} // namespace uma::memory

#endif // UMA_LIB_MEMORY_PLACEMERGED_H
