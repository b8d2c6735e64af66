//===- Trial.h - Code that may crash, in a process of its own -*- C++ -*---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_TRIAL_H
#define UMA_SUPPORT_TRIAL_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>

namespace uma {

enum class TrialResult {
  Done,      ///< the function returned
  Crashed,   ///< it ended the process: a signal, or an exit of its own
  TooLong,   ///< it used more than its processor time
  Undecided, ///< no process could be made, or it was stopped from outside
};

struct TrialLimits {
  unsigned seconds = 5;               ///< of processor time
  uint64_t bytes = uint64_t(4) << 30; ///< of memory, beside what is in use
};

/// Calls `function` in a copy of this process, without standard output and
/// error, and tells how it ended. Its effects on memory are lost; it must not
/// change files. Reading input twice is the price for a reader of another
/// project's that crashes on damaged files.
TrialResult runTrial(llvm::function_ref<void()> function,
                     const TrialLimits &limits);

} // namespace uma

#endif // UMA_SUPPORT_TRIAL_H
