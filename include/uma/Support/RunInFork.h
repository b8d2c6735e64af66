//===- RunInFork.h - Crash-prone code in a forked process -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_RUNINFORK_H
#define UMA_SUPPORT_RUNINFORK_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>

namespace uma {

enum class ForkResult {
  Done,      ///< the function returned
  Crashed,   ///< the process was ended by a signal or called exit
  TooLong,   ///< processor time limit exceeded
  Undecided, ///< no process was created, or it was stopped from outside
};

struct ForkLimits {
  unsigned seconds = 5;               ///< of processor time
  uint64_t bytes = uint64_t(4) << 30; ///< of memory beyond the current usage
};

/// Calls `function` in a fork of this process, without standard output and
/// error, and returns how it ended. Its effects on memory are lost; it must not
/// change files. Protects against third-party parsers that crash on damaged
/// files; the input is then parsed twice.
ForkResult runInFork(llvm::function_ref<void()> function,
                     const ForkLimits &limits);

} // namespace uma

#endif // UMA_SUPPORT_RUNINFORK_H
