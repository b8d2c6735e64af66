//===- Command.h - A command of uma -*- C++ -*----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TOOLS_UMA_COMMAND_H
#define UMA_TOOLS_UMA_COMMAND_H

#include "uma/Driver/Driver.h"

#include "llvm/Support/CommandLine.h"

#include <string>
#include <vector>

namespace uma {

namespace cl = llvm::cl;

/// Options and function of one command. Commands must live until the end of
/// main because llvm::cl keeps pointers to options.
struct Command {
  Command(llvm::StringRef name, llvm::StringRef summary)
      : command(name, summary), category("Options") {}
  virtual ~Command() = default;
  virtual ExitCode run() = 0;

  cl::SubCommand command;
  cl::OptionCategory category;
};

/// Option `--cc` of the commands that compile the generated C.
struct CompilerOption : cl::opt<std::string> {
  explicit CompilerOption(Command &owner)
      : cl::opt<std::string>("cc", cl::value_desc("program"),
                             cl::desc("The C compiler (default: cc)"),
                             cl::sub(owner.command), cl::cat(owner.category)) {}
};

/// Option `--accelerator-dir` of the commands that find descriptions by name.
struct AcceleratorDirsOption : cl::list<std::string> {
  explicit AcceleratorDirsOption(Command &owner)
      : cl::list<std::string>("accelerator-dir", cl::value_desc("folder"),
                              cl::desc("Look for descriptions here first"),
                              cl::sub(owner.command), cl::cat(owner.category)) {
  }
  /// Returns the folders in the order of the command line.
  std::vector<std::string> get() const { return {begin(), end()}; }
};

} // namespace uma

#endif // UMA_TOOLS_UMA_COMMAND_H
