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
#include <sys/stat.h>
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

std::error_code FolderLock::open(llvm::StringRef folder) {
  if (descriptor >= 0)
    (void)close(descriptor);
  descriptor = ::open(folder.str().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return descriptor < 0 ? getLastError() : std::error_code();
}

bool FolderLock::isAt(llvm::StringRef folder) const {
  struct stat opened, named;
  return fstat(descriptor, &opened) == 0 &&
         stat(folder.str().c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

bool FolderLock::tryAcquire(llvm::StringRef folder) {
  return !open(folder) && flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
         isAt(folder);
}

std::error_code FolderLock::acquire(llvm::StringRef folder) {
  if (std::error_code error = open(folder))
    return error;
  auto end = std::chrono::steady_clock::now() + 60s;
  while (true) {
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
      // While this process waited, another one may have replaced the folder.
      if (isAt(folder))
        return std::error_code();
      if (std::error_code error = open(folder))
        return error;
      continue;
    }
    if (errno != EWOULDBLOCK && errno != EINTR)
      return std::error_code();
    if (isSignalPending())
      return std::make_error_code(std::errc::interrupted);
    if (std::chrono::steady_clock::now() > end)
      return std::make_error_code(std::errc::resource_unavailable_try_again);
    std::this_thread::sleep_for(2ms);
  }
}

FolderLock::~FolderLock() {
  if (descriptor >= 0)
    (void)close(descriptor);
}
