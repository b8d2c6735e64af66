//===- Progress.h - Progress line on a terminal -*- C++ -*-----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_PROGRESS_H
#define UMA_SUPPORT_PROGRESS_H

#include "llvm/ADT/StringRef.h"

#include <chrono>

namespace uma {

/// A line on a terminal that shows the current step and is removed at the end.
/// Prints nothing if standard error is not a terminal, nor within the first
/// half second.
class Progress {
public:
  /// Disables all output if `enabled` is false.
  explicit Progress(unsigned steps, bool enabled = true);
  ~Progress();
  /// Begins the next step.
  void begin(llvm::StringRef step);
  /// Removes the line, so that a message can be printed.
  void clear();

private:
  unsigned steps, current = 0;
  bool enabled, shown = false;
  std::chrono::steady_clock::time_point start;
};

} // namespace uma

#endif // UMA_SUPPORT_PROGRESS_H
