//===- Runner.h - Commands that run programs elsewhere -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The option `--run-with=COMMAND`: programs that were compiled for another
// machine run in an emulator or on a board. docs/tuning.md describes what a
// command must do.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_PACKAGE_RUNNER_H
#define UMA_LIB_DRIVER_PACKAGE_RUNNER_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Program.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace uma {

/// How a program ended, and what it printed.
struct ProgramResult {
  int status = 0;
  /// Reason if it ended abnormally, e.g. by a signal.
  std::string problem;
  /// Whether it was ended at the time limit of this many seconds; 0 if not.
  unsigned timeout = 0;
  std::string output, errors;

  bool isSuccess() const { return status == 0; }
  /// Returns why the program failed: the time limit, what it printed, or its
  /// status.
  std::string explain() const;
};

/// A program that runs. It must have ended before the object is destroyed.
class RunningProgram {
public:
  /// Returns the result, or std::nullopt while the program runs. Ends a program
  /// at its time limit, with all processes that it has started.
  std::optional<ProgramResult> poll();
  /// Waits for the end of the program.
  ProgramResult wait();

private:
  friend class Runner;
  ProgramResult finish(int status) const;

  llvm::sys::ProcessInfo process;
  /// Reason if it could not be started or ended abnormally.
  std::string problem;
  /// Files with its output and its errors.
  std::string outputFile, errorFile;
  unsigned seconds = 0;
  std::chrono::steady_clock::time_point end;
};

/// A machine that runs programs: this one, or the one that a command leads to.
class Runner {
public:
  /// Runs programs on this machine.
  Runner() = default;
  /// Splits the command into words. Fails if there is no such program.
  static llvm::Expected<Runner> parse(llvm::StringRef command);
  /// Runs programs by `words`, which watch the time limit themselves: they get
  /// it as the option `--timeout`.
  Runner(std::vector<std::string> words, std::string name)
      : name(std::move(name)), words(std::move(words)), watchesLimit(true) {}

  bool isHere() const { return words.empty(); }
  /// Returns the name of the machine for messages: the command as it was given,
  /// or the address of a worker.
  llvm::StringRef getName() const { return name; }

  /// Starts a program with its output in files whose names start with `log`.
  /// After `seconds` it is ended; never if that is 0.
  RunningProgram start(llvm::StringRef program,
                       llvm::ArrayRef<std::string> arguments,
                       llvm::StringRef log, unsigned seconds) const;
  ProgramResult run(llvm::StringRef program,
                    llvm::ArrayRef<std::string> arguments, llvm::StringRef log,
                    unsigned seconds) const {
    return start(program, arguments, log, seconds).wait();
  }

private:
  std::string name;
  /// Words of the command, with the path of its program first.
  std::vector<std::string> words;
  /// Whether the command is ssh, which receives the program as its input.
  bool isRemote = false;
  bool watchesLimit = false;
};

} // namespace uma

#endif // UMA_LIB_DRIVER_PACKAGE_RUNNER_H
