//===- DescriptionCommands.h - Commands for descriptions -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TOOLS_UMA_DESCRIPTIONCOMMANDS_H
#define UMA_TOOLS_UMA_DESCRIPTIONCOMMANDS_H

#include "Command.h"

#include "uma/Driver/New.h"
#include "uma/Driver/Test.h"

namespace uma {

struct NewCommand : Command {
  NewCommand() : Command("new", "Write the first draft of an accelerator") {}
  cl::opt<std::string> name{cl::Positional, cl::Required, cl::desc("NAME"),
                            cl::sub(command), cl::cat(category)};
  cl::opt<std::string> header{
      "from-header", cl::value_desc("file"),
      cl::desc("Draft it from the functions of this C header"),
      cl::sub(command), cl::cat(category)};
  cl::opt<bool> isPython{
      "python", cl::desc("Draft a class of Python in TVM's interface instead"),
      cl::sub(command), cl::cat(category)};

  ExitCode run() override { return runNew({name, header, isPython}); }
};

struct CheckCommand : Command {
  CheckCommand()
      : Command("check", "Verify an accelerator's description, and its calls "
                         "against the header"),
        description(cl::Positional, cl::Required, cl::desc("DESCRIPTION"),
                    cl::sub(command), cl::cat(category)),
        printIR("print-ir", cl::desc("Print its uma.accel operations"),
                cl::sub(command), cl::cat(category)),
        printText("print-text", cl::desc("Print these in the text language"),
                  cl::sub(command), cl::cat(category)),
        noHeader("no-header",
                 cl::desc("Do not check the calls against the header"),
                 cl::sub(command), cl::cat(category)),
        compiler("cc", cl::value_desc("program"),
                 cl::desc("The C compiler that reads the header (default: $CC, "
                          "or cc)"),
                 cl::sub(command), cl::cat(category)),
        acceleratorDirs(*this) {}
  ExitCode run() override {
    CheckOptions options;
    options.description = description;
    options.acceleratorDirs = acceleratorDirs.get();
    options.output = printText ? CheckOutput::Text
                     : printIR ? CheckOutput::Operations
                               : CheckOutput::Summary;
    options.checkHeader = !noHeader;
    options.compiler = compiler;
    return runCheck(options);
  }
  cl::opt<std::string> description;
  cl::opt<bool> printIR, printText, noHeader;
  cl::opt<std::string> compiler;
  AcceleratorDirsOption acceleratorDirs;
};

struct TestCommand : Command {
  TestCommand() : Command("test", "Test a description layer by layer") {}
  cl::opt<std::string> description{cl::Positional, cl::Required,
                                   cl::desc("DESCRIPTION[,NAME=VALUE...]"),
                                   cl::sub(command), cl::cat(category)};
  cl::list<std::string> patterns{"pattern",
                                 cl::CommaSeparated,
                                 cl::value_desc("name"),
                                 cl::desc("Test these patterns only"),
                                 cl::sub(command),
                                 cl::cat(category)};
  cl::opt<unsigned> cases{
      "cases",
      cl::init(TestOptions().cases),
      cl::value_desc("n"),
      cl::desc("The most layers of a pattern that are run (default: 40)"),
      cl::sub(command),
      cl::cat(category)};
  cl::opt<unsigned long long> seed{
      "seed", cl::init(0), cl::desc("Seed of the layers and of their data"),
      cl::sub(command), cl::cat(category)};
  cl::opt<std::string> junit{"junit", cl::value_desc("file"),
                             cl::desc("Write the results as JUnit XML"),
                             cl::sub(command), cl::cat(category)};
  cl::opt<std::string> keep{
      "keep", cl::value_desc("folder"),
      cl::desc("Keep the layers that fail, as .mlir and as a package"),
      cl::sub(command), cl::cat(category)};
  cl::opt<bool> verbose{"verbose", cl::desc("Print every layer"),
                        cl::sub(command), cl::cat(category)};
  AcceleratorDirsOption acceleratorDirs{*this};
  cl::opt<unsigned> timeout{"timeout",
                            cl::init(TestOptions().timeout),
                            cl::value_desc("seconds"),
                            cl::desc("When a layer hangs (default: 60)"),
                            cl::sub(command),
                            cl::cat(category)};
  CompilerOption compiler{*this};
  cl::opt<std::string> flags{
      "cflags", cl::value_desc("flags"),
      cl::desc("Flags of the C compiler for instructions"), cl::sub(command),
      cl::cat(category)};
  cl::opt<std::string> runWith{
      "run-with", cl::value_desc("command"),
      cl::desc("Run instructions by this command: an emulator such as "
               "'qemu-riscv64', or 'ssh board'"),
      cl::sub(command), cl::cat(category)};
  /// Earlier name of the option.
  cl::alias emulator{"emulator", cl::Hidden, cl::aliasopt(runWith)};

  ExitCode run() override {
    TestOptions options;
    llvm::SmallVector<llvm::StringRef> parts;
    llvm::StringRef(description).split(parts, ',');
    for (llvm::StringRef part : parts)
      options.description.push_back(part.str());
    options.acceleratorDirs = acceleratorDirs.get();
    options.patterns.assign(patterns.begin(), patterns.end());
    options.cases = cases;
    options.seed = seed;
    options.junit = junit;
    options.keep = keep;
    options.compiler = compiler;
    options.flags = flags;
    options.runWith = runWith;
    options.timeout = timeout;
    options.verbose = verbose;
    return runTest(options);
  }
};

struct FormatCommand : Command {
  FormatCommand()
      : Command("format", "Lay out accelerators' descriptions"),
        files(cl::Positional, cl::OneOrMore, cl::desc("FILE..."),
              cl::sub(command), cl::cat(category)),
        inPlace("i", cl::desc("Rewrite the files instead of printing"),
                cl::sub(command), cl::cat(category)),
        check("check",
              cl::desc("Only tell which files are not formatted (exit code 1)"),
              cl::sub(command), cl::cat(category)) {}
  ExitCode run() override {
    std::vector<std::string> names(files.begin(), files.end());
    return runFormat(names, check     ? FormatMode::Check
                            : inPlace ? FormatMode::Write
                                      : FormatMode::Print);
  }
  cl::list<std::string> files;
  cl::opt<bool> inPlace, check;
};

struct ListCommand : Command {
  ListCommand()
      : Command("list", "The accelerators found by name"),
        operators("operators",
                  cl::desc("Tell the operators of ONNX and TensorFlow Lite "
                           "that models may hold"),
                  cl::sub(command), cl::cat(category)),
        processors("cpus",
                   cl::desc("Tell the processors that packages can be for"),
                   cl::sub(command), cl::cat(category)),
        boards("boards", cl::desc("Tell the boards that 'uma run' knows"),
               cl::sub(command), cl::cat(category)),
        acceleratorDirs(*this) {}
  ExitCode run() override {
    if (boards)
      return runListBoards();
    if (processors)
      return runListProcessors();
    return operators ? runListOperators() : runList(acceleratorDirs.get());
  }
  cl::opt<bool> operators, processors, boards;
  AcceleratorDirsOption acceleratorDirs;
};

} // namespace uma

#endif // UMA_TOOLS_UMA_DESCRIPTIONCOMMANDS_H
