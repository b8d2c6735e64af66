//===- Signals.cpp - Ending in order by a signal --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/Signals.h"

#include "llvm/ADT/STLExtras.h"

using namespace uma;

SignalBlock::SignalBlock() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : kEndSignals)
    sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, &before);
}

SignalBlock::~SignalBlock() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }

static volatile std::sig_atomic_t noted = 0;

InterruptScope::InterruptScope() {
  noted = 0;
  struct sigaction action = {};
  action.sa_handler = [](int signal) { noted = signal; };
  sigemptyset(&action.sa_mask);
  // Once only, and waiting for a child goes on: it gets the signal as well.
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  for (auto [signal, old] : llvm::zip_equal(kEndSignals, before)) {
    sigaction(signal, nullptr, &old);
    // What the caller ignores (nohup) stays ignored.
    if (old.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);
  }
}

InterruptScope::~InterruptScope() {
  for (auto [signal, old] : llvm::zip_equal(kEndSignals, before))
    sigaction(signal, &old, nullptr);
  if (noted != 0)
    (void)std::raise(noted);
}

bool InterruptScope::isInterrupted() const { return noted != 0; }
