//===- TestCommand.h - The options of uma test -*- C++ -*------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TOOLS_UMA_TESTCOMMAND_H
#define UMA_TOOLS_UMA_TESTCOMMAND_H

#include "uma/Driver/Test.h"

#include "llvm/Support/CommandLine.h"

namespace uma {

/// `uma test`. Lives as long as main, since llvm::cl keeps pointers to options.
struct TestCommand {
  llvm::cl::SubCommand command{"test", "Test a description layer by layer"};
  llvm::cl::OptionCategory category{"Options"};
  llvm::cl::opt<std::string> description{
      llvm::cl::Positional, llvm::cl::Required,
      llvm::cl::desc("DESCRIPTION[,NAME=VALUE...]"), llvm::cl::sub(command),
      llvm::cl::cat(category)};
  llvm::cl::list<std::string> patterns{
      "pattern",
      llvm::cl::CommaSeparated,
      llvm::cl::value_desc("name"),
      llvm::cl::desc("Test these patterns only"),
      llvm::cl::sub(command),
      llvm::cl::cat(category)};
  llvm::cl::opt<unsigned> cases{
      "cases",
      llvm::cl::init(TestOptions().cases),
      llvm::cl::value_desc("n"),
      llvm::cl::desc("The most layers of a pattern that are run (default: 40)"),
      llvm::cl::sub(command),
      llvm::cl::cat(category)};
  llvm::cl::opt<unsigned long long> seed{
      "seed", llvm::cl::init(0),
      llvm::cl::desc("Seed of the layers and of their data"),
      llvm::cl::sub(command), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> junit{
      "junit", llvm::cl::value_desc("file"),
      llvm::cl::desc("Write the results as JUnit XML"), llvm::cl::sub(command),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> keep{
      "keep", llvm::cl::value_desc("folder"),
      llvm::cl::desc("Keep the layers that fail, as .mlir and as a package"),
      llvm::cl::sub(command), llvm::cl::cat(category)};
  llvm::cl::opt<bool> verbose{"verbose", llvm::cl::desc("Print every layer"),
                              llvm::cl::sub(command), llvm::cl::cat(category)};
  llvm::cl::list<std::string> acceleratorDirs{
      "accelerator-dir", llvm::cl::value_desc("folder"),
      llvm::cl::desc("Look for descriptions here first"),
      llvm::cl::sub(command), llvm::cl::cat(category)};
  llvm::cl::opt<unsigned> timeout{
      "timeout",
      llvm::cl::init(TestOptions().timeout),
      llvm::cl::value_desc("seconds"),
      llvm::cl::desc("When a layer hangs (default: 60)"),
      llvm::cl::sub(command),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> compiler{
      "cc", llvm::cl::value_desc("program"),
      llvm::cl::desc("The C compiler (default: cc)"), llvm::cl::sub(command),
      llvm::cl::cat(category)};

  ExitCode run() const {
    TestOptions options;
    llvm::SmallVector<llvm::StringRef> parts;
    llvm::StringRef(description).split(parts, ',');
    for (llvm::StringRef part : parts)
      options.description.push_back(part.str());
    options.acceleratorDirs.assign(acceleratorDirs.begin(),
                                   acceleratorDirs.end());
    options.patterns.assign(patterns.begin(), patterns.end());
    options.cases = cases;
    options.seed = seed;
    options.junit = junit;
    options.keep = keep;
    options.compiler = compiler;
    options.timeout = timeout;
    options.verbose = verbose;
    return runTest(options);
  }
};

} // namespace uma

#endif // UMA_TOOLS_UMA_TESTCOMMAND_H
