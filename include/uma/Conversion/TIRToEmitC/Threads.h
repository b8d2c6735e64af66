//===- Threads.h - Runtime of parallel loops in C -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CONVERSION_TIRTOEMITC_THREADS_H
#define UMA_CONVERSION_TIRTOEMITC_THREADS_H

namespace uma {

/// Runtime that executes parallel loops: none, or OpenMP if the C compiler
/// enables it.
enum class Threads { None, OpenMP };

} // namespace uma

#endif // UMA_CONVERSION_TIRTOEMITC_THREADS_H
