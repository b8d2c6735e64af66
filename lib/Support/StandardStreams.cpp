//===- StandardStreams.cpp - Closed or full standard streams --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/StandardStreams.h"

#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace uma;

void uma::guardStandardStreams() {
  // Open in the wrong direction, so that every use still fails.
  const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      (void)open("/dev/null", modes[stream]);
  // Construct them first: they outlive the function registered below.
  (void)llvm::outs();
  (void)llvm::errs();
  (void)std::atexit([] { llvm::errs().clear_error(); });
}
