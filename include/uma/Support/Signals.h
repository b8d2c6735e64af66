//===- Signals.h - Ending in order by a signal -*- C++ -*------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// For the signals that ask a program to end: an interrupt from the keyboard, a
// hang-up, a request to terminate.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_SIGNALS_H
#define UMA_SUPPORT_SIGNALS_H

#include <array>
#include <csignal>

namespace uma {

constexpr std::array<int, 3> kEndSignals = {SIGHUP, SIGINT, SIGTERM};

/// While this lives, the signals wait. For the moment in which files are at
/// places where nobody would remove them.
class SignalBlock {
public:
  SignalBlock();
  ~SignalBlock();
  SignalBlock(const SignalBlock &) = delete;
  void operator=(const SignalBlock &) = delete;

private:
  sigset_t before;
};

/// While this lives, the signals are only noted, so that the command can end in
/// order; the program then ends by the signal after all. A second signal ends
/// it at once.
class InterruptScope {
public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope &) = delete;
  void operator=(const InterruptScope &) = delete;

  /// True after a signal: whatever is going on shall end soon.
  bool isInterrupted() const;

private:
  std::array<struct sigaction, kEndSignals.size()> before;
};

} // namespace uma

#endif // UMA_SUPPORT_SIGNALS_H
