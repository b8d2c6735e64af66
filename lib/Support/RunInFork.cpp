//===- RunInFork.cpp - Crash-prone code in a forked process ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The child is a fork without exec: it has the parent's input and address space
// layout, and so behaves the same. If the program has several threads, one of
// them may hold a lock at the time of the fork, which is never released in the
// child. Therefore the child also has a wall-clock limit; exceeding it proves
// nothing about the input.
//
//===----------------------------------------------------------------------===//

#include "uma/Support/RunInFork.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace uma;

/// Wall-clock seconds allowed for each second of processor time.
static constexpr unsigned kWallFactor = 20;

/// Returns the bytes of address space in use, or 0 if unknown.
static uint64_t getAddressSpace() {
  FILE *file = std::fopen("/proc/self/statm", "r");
  if (!file)
    return 0;
  unsigned long long pages = 0;
  bool isRead = std::fscanf(file, "%llu", &pages) == 1;
  (void)std::fclose(file);
  return isRead ? pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

/// Lowers the soft limit on a resource; ignores failures.
static void limit(int resource, uint64_t value) {
  rlimit old;
  if (getrlimit(resource, &old) != 0)
    return;
  old.rlim_cur = std::min<rlim_t>(old.rlim_cur, value);
  (void)setrlimit(resource, &old);
}

/// Calls the function in the child and ends it.
[[noreturn]] static void runChild(llvm::function_ref<void()> function,
                                  const ForkLimits &limits,
                                  uint64_t addressSpace) {
  // The parent's handlers would print and remove files.
  for (int number = 1; number < NSIG; ++number)
    (void)std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, nullptr);
  int null = open("/dev/null", O_RDWR);
  if (null < 0 || dup2(null, STDOUT_FILENO) < 0 ||
      dup2(null, STDERR_FILENO) < 0)
    _exit(2);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, limits.seconds);
  if (addressSpace)
    limit(RLIMIT_AS, addressSpace + limits.bytes);
  (void)alarm(kWallFactor * limits.seconds);
  function();
  // No destructors: buffers of streams belong to the parent.
  _exit(0);
}

ForkResult uma::runInFork(llvm::function_ref<void()> function,
                          const ForkLimits &limits) {
  uint64_t addressSpace = getAddressSpace();
  pid_t child = fork();
  if (child == 0)
    runChild(function, limits, addressSpace);
  int status = 0;
  rusage usage = {};
  while (child > 0 && wait4(child, &status, 0, &usage) < 0)
    if (errno != EINTR)
      return ForkResult::Undecided;
  if (child < 0)
    return ForkResult::Undecided;
  if (WIFEXITED(status)) {
    int code = WEXITSTATUS(status);
    return code == 0   ? ForkResult::Done
           : code == 2 ? ForkResult::Undecided
                       : ForkResult::Crashed;
  }
  switch (WTERMSIG(status)) {
  case SIGXCPU:
    return ForkResult::TooLong;
  case SIGALRM:
    // A child that waits for a lock uses no processor time.
    return usage.ru_utime.tv_sec > 0 ? ForkResult::TooLong
                                     : ForkResult::Undecided;
  case SIGHUP:
  case SIGINT:
  case SIGQUIT:
  case SIGTERM:
    return ForkResult::Undecided;
  default:
    return ForkResult::Crashed;
  }
}
