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

} // namespace uma

#endif // UMA_SUPPORT_SIGNALS_H
