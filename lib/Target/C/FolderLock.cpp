//===- FolderLock.cpp - Exclusive lock on a folder ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "FolderLock.h"

#include "uma/Support/Signals.h"

#include "llvm/ADT/STLExtras.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

using namespace uma;
using namespace std::chrono_literals;

static std::error_code getLastError() {
  return std::error_code(errno, std::generic_category());
}

static bool isSignalPending() {
  sigset_t pending;
  return sigpending(&pending) == 0 &&
         llvm::any_of(kEndSignals, [&](int signal) {
           return sigismember(&pending, signal) == 1;
         });
}

std::error_code FolderLock::acquire(llvm::StringRef folder) {
  descriptor = open(folder.str().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return getLastError();
  auto end = std::chrono::steady_clock::now() + 60s;
  while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return std::error_code();
    if (isSignalPending())
      return std::make_error_code(std::errc::interrupted);
    if (std::chrono::steady_clock::now() > end)
      return std::make_error_code(std::errc::resource_unavailable_try_again);
    std::this_thread::sleep_for(2ms);
  }
  return std::error_code();
}

FolderLock::~FolderLock() {
  if (descriptor >= 0)
    (void)close(descriptor);
}
