//===- Interrupt.h - Ending a long command in order -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_INTERRUPT_H
#define UMA_LIB_DRIVER_INTERRUPT_H

#include <csignal>

namespace uma {

/// While this lives, signals that end the program (an interrupt from the
/// keyboard, a hang-up, a request to terminate) are only noted, so that the
/// command can end in order; the program then ends by the signal after all. A
/// second signal ends it at once.
class InterruptScope {
public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope &) = delete;
  InterruptScope &operator=(const InterruptScope &) = delete;

  /// True after a signal: whatever is going on shall end soon.
  bool isInterrupted() const;

private:
  static constexpr int kSignals[] = {SIGHUP, SIGINT, SIGTERM};
  struct sigaction before[3];
};

} // namespace uma

#endif // UMA_LIB_DRIVER_INTERRUPT_H
