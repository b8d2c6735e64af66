//===- Runner.cpp - Commands that run programs elsewhere ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Runner.h"
#include "Build.h"

#include "uma/Support/PrintableText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

#include <csignal>
#include <thread>

using namespace mlir;
using namespace uma;
namespace fs = llvm::sys::fs;
using Clock = std::chrono::steady_clock;

//===----------------------------------------------------------------------===//
// ProgramResult
//===----------------------------------------------------------------------===//

/// Returns the last line that is not empty.
static StringRef getLastLine(StringRef text) {
  return text.rtrim().rsplit('\n').second.empty()
             ? text.trim()
             : text.rtrim().rsplit('\n').second.trim();
}

std::string ProgramResult::explain() const {
  if (timeout != 0)
    return "does not end within " + std::to_string(timeout) +
           " s (--timeout sets the limit)";
  StringRef said = getLastLine(errors.empty() ? output : errors);
  if (!said.empty())
    return "fails: " + toPrintable(said);
  if (!problem.empty())
    return "fails: " + problem;
  return "fails with status " + std::to_string(status);
}

//===----------------------------------------------------------------------===//
// RunningProgram
//===----------------------------------------------------------------------===//

/// Returns the parent of a process, or 0 if that is unknown.
static pid_t getParent(pid_t process) {
  auto text = llvm::MemoryBuffer::getFileAsStream(
      "/proc/" + std::to_string(process) + "/stat");
  if (!text)
    return 0;
  // "PID (NAME) STATE PARENT ...", with any characters in the name.
  SmallVector<StringRef> fields;
  (*text)->getBuffer().rsplit(')').second.split(fields, ' ', -1,
                                                /*KeepEmpty=*/false);
  pid_t parent = 0;
  if (fields.size() > 1 && !fields[1].getAsInteger(10, parent))
    return parent;
  return 0;
}

/// Kills a process and those that it has started. They cannot have a process
/// group of their own: the supervisor ends this one's after a signal. Systems
/// without /proc only kill the process itself.
static void killTree(pid_t root) {
  SmallVector<std::pair<pid_t, pid_t>> parents;
  std::error_code error;
  for (fs::directory_iterator entry("/proc", error), end;
       !error && entry != end; entry.increment(error)) {
    pid_t process = 0;
    if (!llvm::sys::path::filename(entry->path()).getAsInteger(10, process))
      parents.emplace_back(process, getParent(process));
  }
  SmallVector<pid_t> tree{root};
  for (size_t i = 0; i < tree.size(); ++i)
    for (auto [process, parent] : parents)
      if (parent == tree[i])
        tree.push_back(process);
  for (pid_t process : tree)
    (void)kill(process, SIGKILL);
}

ProgramResult RunningProgram::finish(int status) const {
  ProgramResult result;
  result.status = status;
  result.problem = problem;
  result.output = readText(outputFile);
  result.errors = readText(errorFile);
  return result;
}

std::optional<ProgramResult> RunningProgram::poll() {
  if (process.Pid == llvm::sys::ProcessInfo::InvalidPid)
    return finish(/*status=*/-1);
  llvm::sys::ProcessInfo ended =
      llvm::sys::Wait(process, /*SecondsToWait=*/0, &problem);
  if (ended.Pid == process.Pid)
    return finish(ended.ReturnCode);
  if (seconds == 0 || Clock::now() < end)
    return std::nullopt;
  killTree(process.Pid);
  (void)llvm::sys::Wait(process, /*SecondsToWait=*/std::nullopt);
  ProgramResult result = finish(/*status=*/-1);
  result.timeout = seconds;
  return result;
}

ProgramResult RunningProgram::wait() {
  // Polling would disturb a measurement on this machine.
  if (process.Pid != llvm::sys::ProcessInfo::InvalidPid && seconds == 0) {
    int status =
        llvm::sys::Wait(process, /*SecondsToWait=*/std::nullopt, &problem)
            .ReturnCode;
    return finish(status);
  }
  for (;;) {
    if (std::optional<ProgramResult> result = poll())
      return *result;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

//===----------------------------------------------------------------------===//
// Runner
//===----------------------------------------------------------------------===//

llvm::Expected<Runner> Runner::parse(StringRef command) {
  Runner runner;
  runner.name = toPrintable(command);
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  SmallVector<const char *> words;
  llvm::cl::TokenizeGNUCommandLine(command, saver, words);
  auto fail = [&](const Twine &problem) {
    return llvm::createStringError("--run-with='" + runner.name +
                                   "': " + problem);
  };
  if (words.empty())
    return fail("expected a command, such as 'qemu-aarch64' or 'ssh board'");
  runner.words.assign(words.begin(), words.end());
  auto program = llvm::sys::findProgramByName(words.front());
  if (!program)
    return fail("no such program '" + toPrintable(words.front()) + "'");
  runner.words.front() = *program;
  runner.isRemote = llvm::sys::path::filename(*program) == "ssh";
  if (runner.isRemote && words.size() == 1)
    return fail("expected the name of a host after 'ssh'");
  return runner;
}

/// Seconds after the time limit at which a program ends on another machine; the
/// limit itself is watched here.
static constexpr unsigned kGrace = 5;

/// Returns the command for the shell of another machine that runs the program
/// in its input. Arguments need no quotes. A program that hangs ends there,
/// too, if the machine has `timeout`.
static std::string getRemoteCommand(ArrayRef<std::string> arguments,
                                    unsigned seconds) {
  std::string text =
      "sh -c 'd=$(mktemp -d) || exit 1; trap \"rm -rf \\\"$d\\\"\" EXIT; "
      "trap \"exit 1\" HUP INT TERM; cat >\"$d/program\" && "
      "chmod +x \"$d/program\" || exit 1; ";
  if (seconds != 0)
    text += "limit=; command -v timeout >/dev/null && limit=\"timeout " +
            std::to_string(seconds + kGrace) + "\"; $limit ";
  text += "\"$d/program\"";
  for (const std::string &argument : arguments)
    text += " " + argument;
  return text + " </dev/null; exit $?'";
}

RunningProgram Runner::start(StringRef program, ArrayRef<std::string> arguments,
                             StringRef log, unsigned seconds) const {
  RunningProgram running;
  running.outputFile = (log + ".output").str();
  running.errorFile = (log + ".errors").str();
  running.seconds = watchesLimit ? 0 : seconds;
  running.end = Clock::now() + std::chrono::seconds(seconds);
  std::vector<std::string> all = words;
  if (watchesLimit)
    all.push_back("--timeout=" + std::to_string(seconds));
  if (isRemote) {
    all.push_back(getRemoteCommand(arguments, seconds));
  } else {
    all.push_back(program.str());
    llvm::append_range(all, arguments);
  }
  SmallVector<StringRef> argv(all.begin(), all.end());
  // Existing files would be overwritten, not truncated.
  (void)fs::remove(running.outputFile);
  (void)fs::remove(running.errorFile);
  std::optional<StringRef> redirects[] = {isRemote ? program : StringRef(),
                                          StringRef(running.outputFile),
                                          StringRef(running.errorFile)};
  bool hasFailed = false;
  running.process =
      llvm::sys::ExecuteNoWait(argv.front(), argv, std::nullopt, redirects,
                               /*MemoryLimit=*/0, &running.problem, &hasFailed);
  if (hasFailed)
    running.process = llvm::sys::ProcessInfo();
  return running;
}
