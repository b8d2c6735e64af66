//===- uma.cpp - The command people type ----------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Completion.h"
#include "DescriptionCommands.h"
#include "ExploreCommand.h"
#include "ModelCommands.h"

#include "uma/InitAll.h"
#include "uma/Support/StandardStreams.h"
#include "uma/Support/Version.h"

#include "mlir/InitAllPasses.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdlib>
#include <memory>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace llvm;
using namespace uma;

namespace {

constexpr StringLiteral kExitCodes = R"(
Exit codes: 0 done and right, 1 numbers differ or a file is not formatted,
            2 wrong usage or input, 3 not supported,
            4 the C compiler or the device failed.
)";

constexpr StringLiteral kHelp =
    R"(uma: compile neural networks to C that calls your accelerator

  uma compile MODEL [-a ACCEL] -o DIR   write a package of C for the model
  uma run MODEL|DIR [-a ACCEL]          build it here, run it, compare numbers
  uma tune MODEL -o FILE                measure schedules on this machine
  uma quantize MODEL --calibration DIR  quantize a float network to 8 bits
  uma explain MODEL -a ACCEL [LAYER]    where each layer runs, and why
  uma explore MODEL... -a ACCEL --sweep NAME=VALUES -o DIR   sizes of a device
  uma new NAME [--from-header H|--python]   first draft of an accelerator
  uma check DESCRIPTION                 verify a description, also against its header
  uma test DESCRIPTION                  run layers made from it on its model
  uma format FILE                       lay out a description
  uma list                              the accelerators found by name

Examples:
  uma compile digits.onnx -a vanilla -o digits_c
  uma run digits_c --compare
  uma explain digits.onnx -a vanilla conv1

'uma COMMAND --help' tells the options of a command.
)";

} // namespace

/// Condenses llvm::cl's multi-line error about a command line to one line: the
/// first error with its suggestion, without follow-up errors.
static std::string getUsageError(StringRef message) {
  SmallVector<std::string> problems;
  SmallVector<StringRef> lines;
  message.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    bool isNew = line.consume_front("uma: ");
    line = line.split(".  Try:").first.split(": See:").first.rtrim("!");
    if (!isNew && !problems.empty())
      problems.back() += ": " + line.str();
    else if (line.consume_front("Did you mean ") && !problems.empty())
      problems.back() += "; did you mean " + line.str();
    else
      problems.push_back(line.str());
  }
  auto *unknown = find_if(problems, [](StringRef problem) {
    return problem.starts_with("Unknown ");
  });
  if (unknown != problems.end())
    return *unknown;
  return problems.empty() ? "" : problems.front();
}

/// Flushes standard output. If writing failed, emits an error and returns the
/// exit code of a failure; otherwise returns `code`. With `writesFiles`, the
/// results are whole without standard output: emits a warning instead, but none
/// about a reader that has closed a pipe.
static ExitCode finishOutput(ExitCode code, bool writesFiles = false) {
  outs().flush();
  if (!outs().has_error())
    return code;
  std::error_code error = outs().error();
  // A stream destroyed with a pending error ends the process.
  outs().clear_error();
  if (writesFiles && code == ExitCode::Success) {
    if (error != std::errc::broken_pipe)
      errs() << "uma: warning: standard output: " << error.message()
             << "; the files are written\n";
    return code;
  }
  errs() << "uma: error: standard output: " << error.message() << '\n';
  return code == ExitCode::Success ? ExitCode::BadInput : code;
}

/// Calls finishOutput if the program exits without returning from main, for
/// example after --help.
static void finishOutputAtExit() {
  ExitCode code = finishOutput(ExitCode::Success);
  if (code == ExitCode::Success)
    return;
  errs().clear_error();
  _exit(int(code));
}

int main(int argc, char **argv) {
  guardStandardStreams();
  (void)std::atexit(finishOutputAtExit);
  InitLLVM init(argc, argv);
  setVersionPrinter("uma");
  // Exit without a message if the reader of the output has closed it. InitLLVM
  // does not install its handler if a library has registered others before
  // main.
  (void)std::signal(SIGPIPE, [](int) {
    sys::RunInterruptHandlers();
    _exit(int(ExitCode::BadInput));
  });
#ifdef __GLIBC__
  // Return the memory of weights to the system when they are freed. By default
  // glibc stops doing so after the first large block that is freed.
  (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
#ifdef SIGXFSZ
  // Report a file that grows too large as a write error instead of a signal.
  (void)std::signal(SIGXFSZ, SIG_IGN);
#endif
  if (argc < 2 || StringRef(argv[1]) == "--help" ||
      StringRef(argv[1]) == "-h" || StringRef(argv[1]) == "help") {
    outs() << kHelp << kExitCodes;
    return int(finishOutput(argc < 2 ? ExitCode::BadInput : ExitCode::Success));
  }

  CompileCommand compile;
  RunCommand run;
  TuneCommand tune;
  QuantizeCommand quantize;
  ExplainCommand explain;
  ExploreCommand explore;
  NewCommand create;
  CheckCommand check;
  TestCommand test;
  FormatCommand format;
  ListCommand list;
  Command *const commands[] = {&compile, &run,     &tune,   &quantize,
                               &explain, &explore, &create, &check,
                               &test,    &format,  &list};
  for (Command *command : commands)
    cl::HideUnrelatedOptions(command->category, command->command);
  for (Command *command :
       std::initializer_list<Command *>{&compile, &tune, &quantize, &create})
    command->writesFiles = true;

  // For shells: not in the help.
  if (StringRef(argv[1]) == "__complete") {
    SmallVector<StringRef> words(argv + 2, argv + argc);
    return int(finishOutput(printCompletions(commands, words)));
  }

  // Descriptions name our and upstream's passes.
  mlir::registerAllPasses();
  uma::registerAllPasses();

  compile.arguments.assign(argv + 1, argv + argc);
  cl::extrahelp exitCodes(kExitCodes);
  std::string message;
  raw_string_ostream errors(message);
  if (!cl::ParseCommandLineOptions(argc, argv, "", &errors)) {
    // Without a message, the option has printed its own error.
    if (std::string problem = getUsageError(message); !problem.empty())
      errs() << "uma: error: " << problem
             << "; 'uma COMMAND --help' tells the options\n";
    return int(ExitCode::BadInput);
  }
  for (Command *command : commands)
    if (command->command) {
      // Handlers, unlike ignored signals, do not pass on to other programs.
      if (command->writesFiles)
        (void)std::signal(SIGPIPE, [](int) {});
      return int(finishOutput(command->run(), command->writesFiles));
    }
  errs() << "uma: error: unknown command '" << argv[1]
         << "'; 'uma --help' lists the commands\n";
  return int(finishOutput(ExitCode::BadInput));
}
