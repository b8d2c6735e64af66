//===- Explore.cpp - uma explore ------------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The exploration itself is the Python module's (python/uma/_explore), which
// also offers it as a function.
//
//===----------------------------------------------------------------------===//

#include "uma/Driver/Explore.h"

#include "PythonFile.h"

#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <unistd.h>

using namespace uma;
using llvm::StringRef;

static llvm::json::Array getTexts(const std::vector<std::string> &texts) {
  llvm::json::Array array;
  for (const std::string &text : texts)
    array.push_back(llvm::json::fixUTF8(text));
  return array;
}

static std::string getRequest(const ExploreOptions &options) {
  llvm::json::Object request{
      {"models", getTexts(options.models)},
      {"accelerator", getTexts(options.accelerator)},
      {"accelerator_dirs", getTexts(options.acceleratorDirs)},
      {"shapes", getTexts(options.shapes)},
      {"sweep", getTexts(options.sweeps)},
      {"constraints", getTexts(options.constraints)},
      {"objectives", getTexts(options.objectives)},
      {"search", llvm::json::fixUTF8(options.search)},
      {"points", llvm::json::fixUTF8(options.points)},
      {"seed", llvm::json::fixUTF8(options.seed)},
      {"simulate", options.simulate},
      {"allow_cpu", options.allowCPU},
      {"cpu_cycles_per_mac", options.cpuCyclesPerMAC},
      {"workers", llvm::json::fixUTF8(options.workers)},
      {"scheduler", llvm::json::fixUTF8(options.scheduler)},
      {"output", llvm::json::fixUTF8(options.output)},
      {"resume", options.resume},
      {"lower", llvm::json::fixUTF8(options.lower)}};
  return llvm::formatv("{0}", llvm::json::Value(std::move(request))).str();
}

ExitCode uma::runExplore(const ExploreOptions &options) {
  auto fail = [](const llvm::Twine &problem) {
    llvm::errs() << "uma: error: uma explore: " << problem << '\n';
    return ExitCode::BadInput;
  };
  auto words = findPythonFile("_explore/command.py");
  if (!words)
    return fail(llvm::toString(words.takeError()));
  words->push_back(getRequest(options));
  std::vector<char *> arguments;
  for (std::string &word : *words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  llvm::outs().flush();
  ::execv(arguments.front(), arguments.data());
  return fail(words->front() + ": " + llvm::sys::StrError(errno));
}
