//===- Grow.h - Buffers enlarged where memory is unused -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_MEMORY_GROW_H
#define UMA_LIB_MEMORY_GROW_H

#include "uma/Memory/Problem.h"

namespace uma::memory {

/// Returns `problem` with some buffers enlarged, in bytes or time, such that
/// fewer times remain at which the number of live bytes changes. At most
/// `bound` bytes, which must be at least the peak, are live at any time. Each
/// plan of the result is a plan of `problem`.
Problem growBuffers(const Problem &problem, int64_t bound);

} // namespace uma::memory

#endif // UMA_LIB_MEMORY_GROW_H
