//===- Signals.h - Orderly termination by signals -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Handles the signals that ask a program to end: an interrupt from the
// keyboard, a hang-up, a request to terminate.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_SIGNALS_H
#define UMA_SUPPORT_SIGNALS_H

#include <array>
#include <csignal>

namespace uma {

constexpr std::array<int, 3> kEndSignals = {SIGHUP, SIGINT, SIGTERM};

/// Blocks these signals during its lifetime, for code that runs while no
/// handler would remove the files.
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
