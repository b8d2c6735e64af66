//===- Threads.h - Who runs parallel loops in C -*- C++ -*-----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CONVERSION_TIRTOEMITC_THREADS_H
#define UMA_CONVERSION_TIRTOEMITC_THREADS_H

namespace uma {

/// Who runs loops of kind parallel on threads: nobody, or OpenMP, where the C
/// compiler has it switched on.
enum class Threads { None, OpenMP };

} // namespace uma

#endif // UMA_CONVERSION_TIRTOEMITC_THREADS_H
