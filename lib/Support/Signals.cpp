//===- Signals.cpp - Orderly termination by signals -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/Signals.h"

using namespace uma;

SignalBlock::SignalBlock() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : kEndSignals)
    sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, &before);
}

SignalBlock::~SignalBlock() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
