//===- Progress.h - What the compiler is doing, on a terminal -*- C++ -*---===//
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

/// One line on a terminal that tells the present step and vanishes at the end.
/// Prints nothing where standard error is not a terminal, nor before half a
/// second has passed.
class Progress {
public:
  /// Shows nothing where `enabled` is false.
  explicit Progress(unsigned steps, bool enabled = true);
  ~Progress();
  /// Says that the next of the steps begins.
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
