//===- Build.cpp - Building packages on this machine ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Build.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace uma;

std::string uma::readText(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

int uma::execute(StringRef program, ArrayRef<std::string> arguments,
                 StringRef log, std::string *problem) {
  // It would be written over, not truncated.
  (void)llvm::sys::fs::remove(log);
  SmallVector<StringRef> argv{program};
  llvm::append_range(argv, arguments);
  std::optional<StringRef> redirects[] = {StringRef(), log, log};
  return llvm::sys::ExecuteAndWait(program, argv, std::nullopt, redirects,
                                   /*SecondsToWait=*/0, /*MemoryLimit=*/0,
                                   problem);
}

ScratchFolder::~ScratchFolder() {
  if (!path.empty())
    (void)llvm::sys::fs::remove_directories(path);
}

ExitCode ScratchFolder::create(const ModelContext &context, StringRef prefix) {
  if (std::error_code error =
          llvm::sys::fs::createUniqueDirectory(prefix, path))
    return context.fail(ExitCode::BadInput,
                        "no temporary folder can be made: " + error.message());
  return ExitCode::Success;
}

ExitCode uma::buildPackage(const ModelContext &context, StringRef package,
                           StringRef network, StringRef scratch,
                           StringRef compiler, ArrayRef<std::string> variables,
                           function_ref<void(StringRef)> printLog) {
  auto make = llvm::sys::findProgramByName("make");
  if (!make)
    return context.fail(ExitCode::ExecutionFailed,
                        "'make' is not installed; packages build with it");
  std::string log = (scratch + "/make.log").str();
  SmallVector<std::string> arguments{"-s", "-C", package.str(),
                                     ("BUILD=" + scratch + "/build").str()};
  if (!compiler.empty())
    arguments.push_back(("CC=" + compiler).str());
  llvm::append_range(arguments, variables);
  if (execute(*make, arguments, log) == 0)
    return ExitCode::Success;
  printLog(readText(log));
  return context.fail(ExitCode::ExecutionFailed,
                      "the C of '" + network + "' does not build");
}
