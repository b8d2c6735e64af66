//===- Progress.cpp - Progress line on a terminal -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/Progress.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace uma;

Progress::Progress(unsigned steps, bool enabled)
    : steps(steps),
      enabled(enabled && llvm::sys::Process::StandardErrIsDisplayed()),
      start(std::chrono::steady_clock::now()) {}

Progress::~Progress() { clear(); }

void Progress::begin(llvm::StringRef step) {
  ++current;
  if (!enabled)
    return;
  // The first line appears with the first step that begins after half a second,
  // so that quick commands do not flicker.
  if (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(500))
    return;
  llvm::errs() << "\r\x1b[K[" << current << '/' << steps << "] " << step;
  shown = true;
}

void Progress::clear() {
  if (shown)
    llvm::errs() << "\r\x1b[K";
  shown = false;
}
