//===- Command.h - A command of uma -*- C++ -*----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TOOLS_UMA_COMMAND_H
#define UMA_TOOLS_UMA_COMMAND_H

#include "uma/Driver/Driver.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"

#include <string>
#include <utility>
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

  /// Registers the values of an option for completion in shells. The option
  /// takes one of several words.
  template <typename OptionT>
  void offerValues(OptionT &option) {
    auto &parser = option.getParser();
    for (unsigned i = 0; i < parser.getNumOptions(); ++i)
      offerValue(option, parser.getOption(i), parser.getDescription(i));
  }
  void offerValue(const cl::Option &option, llvm::StringRef value,
                  llvm::StringRef help = "") {
    // A value may be omitted, as in `--compare`.
    if (!value.empty())
      values[option.ArgStr].emplace_back(value, help);
  }

  cl::SubCommand command;
  cl::OptionCategory category;
  /// Whether the results are files, so that the command has succeeded even if
  /// nobody can read what it prints about them.
  bool writesFiles = false;
  /// Values and their descriptions, by the name of the option.
  llvm::StringMap<
      llvm::SmallVector<std::pair<llvm::StringRef, llvm::StringRef>>>
      values;
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
