//===- Supervisor.cpp - Cleanup after a process ---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A signal handler cannot safely remove a folder: it must not allocate, other
// threads may be writing to the folder, and it never runs after a crash. So a
// separate process does it when all others have ended.
//
//===----------------------------------------------------------------------===//

#include "uma/Support/Supervisor.h"

#include "uma/Support/Signals.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <chrono>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

using namespace uma;
using namespace std::chrono_literals;

/// Process id of the child, and the first termination signal received.
static volatile std::sig_atomic_t worker = 0, noted = 0;

/// Forwards a signal; a second one kills processes that ignore the first.
static void passOn(int signal) {
  int before = errno;
  (void)kill(-pid_t(worker), noted ? SIGKILL : signal);
  if (!noted)
    noted = signal;
  errno = before;
}

/// Stops and continues the child with the parent. The terminal signals only the
/// parent.
static void stop(int) {
  int before = errno;
  (void)kill(-pid_t(worker), SIGSTOP);
  (void)std::raise(SIGSTOP);
  (void)kill(-pid_t(worker), SIGCONT);
  errno = before;
}

static void installHandler(int signal, void (*handler)(int)) {
  struct sigaction action = {}, before = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(signal, nullptr, &before);
  // Signals that the caller ignores (nohup) stay ignored.
  if (before.sa_handler != SIG_IGN)
    sigaction(signal, &action, nullptr);
}

/// Waits until no process of the group is left. Returns false after `limit`.
static bool waitForGroup(pid_t group, std::chrono::milliseconds limit) {
  auto end = std::chrono::steady_clock::now() + limit;
  for (;;) {
    while (waitpid(-group, nullptr, WNOHANG) > 0) {
    }
    if (kill(-group, 0) != 0)
      return true;
    if (std::chrono::steady_clock::now() > end)
      return false;
    std::this_thread::sleep_for(2ms);
  }
}

/// Ends this process by `signal`, without a core file: the child has its own.
[[noreturn]] static void endBySignal(int signal) {
  struct rlimit none = {0, 0};
  (void)setrlimit(RLIMIT_CORE, &none);
  (void)std::signal(signal, SIG_DFL);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, signal);
  (void)sigprocmask(SIG_UNBLOCK, &signals, nullptr);
  (void)std::raise(signal);
  _exit(128 + signal);
}

[[noreturn]] static void supervise(llvm::StringRef folder) {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : kEndSignals)
    sigaddset(&signals, signal);
  (void)sigprocmask(SIG_UNBLOCK, &signals, nullptr);
  pid_t group = worker;
  int status = 0;
  while (waitpid(group, &status, 0) < 0 && errno == EINTR) {
  }
  if (noted || WIFSIGNALED(status)) {
    (void)kill(-group, SIGTERM);
    if (!waitForGroup(group, 1s)) {
      (void)kill(-group, SIGKILL);
      (void)waitForGroup(group, 1s);
    }
  }
  (void)llvm::sys::fs::remove_directories(folder);
  if (WIFSIGNALED(status))
    endBySignal(WTERMSIG(status));
  // The signal may have arrived while the child was ending.
  _exit(WEXITSTATUS(status));
}

std::error_code uma::forkSupervised(llvm::StringRef folder) {
  // Otherwise both processes would print it.
  llvm::outs().flush();
  SignalBlock signals;
  [[maybe_unused]] pid_t parent = getpid();
  pid_t child = fork();
  if (child < 0)
    return std::error_code(errno, std::generic_category());
  // Call it in both processes, since either may need it first.
  (void)setpgid(child, child);
  if (child > 0) {
    worker = child;
    for (int signal : kEndSignals)
      installHandler(signal, passOn);
    installHandler(SIGTSTP, stop);
#ifdef __linux__
    // Adopt and wait for the child's orphans.
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
    supervise(folder);
  }
  // The group is not in the terminal's foreground; terminal access must not
  // stop it.
  (void)std::signal(SIGTTIN, SIG_IGN);
  (void)std::signal(SIGTTOU, SIG_IGN);
#ifdef __linux__
  // Ends the group if the parent is killed.
  (void)std::signal(SIGRTMIN, [](int) {
    llvm::sys::RunInterruptHandlers();
    (void)kill(0, SIGKILL);
  });
  (void)prctl(PR_SET_PDEATHSIG, SIGRTMIN);
  if (getppid() != parent)
    (void)std::raise(SIGRTMIN);
#endif
  return std::error_code();
}
