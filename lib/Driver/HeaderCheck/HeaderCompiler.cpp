//===- HeaderCompiler.cpp - A C compiler for header checks ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HeaderCompiler.h"

#include "uma/Support/OutputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <unistd.h>

using namespace mlir;
using namespace uma;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Splits an environment variable into words, as a shell does.
static SmallVector<std::string> splitWords(StringRef text) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  SmallVector<const char *> words;
  llvm::cl::TokenizeGNUCommandLine(text, saver, words);
  return SmallVector<std::string>(words.begin(), words.end());
}

ExitCode HeaderCompiler::find(StringRef compiler) {
  std::string text = compiler.str();
  if (text.empty())
    text = llvm::sys::Process::GetEnv("CC").value_or("");
  SmallVector<std::string> words = splitWords(text);
  if (words.empty())
    words = {"cc"};
  name = words.front();
  if (auto program = llvm::sys::findProgramByName(name)) {
    command = std::move(words);
    command.front() = *program;
    return ExitCode::Success;
  }
  if (!compiler.empty())
    return context.fail(ExitCode::BadInput,
                        "--cc=" + compiler + ": no such program");
  emitWarning(accelerator.getLoc())
      << "there is no C compiler '" << name
      << "', so the calls are not checked against the header; --cc or CC "
         "names one, and --no-header leaves the check out";
  return ExitCode::Success;
}

ExitCode HeaderCompiler::prepare(const DeviceFiles &deviceFiles) {
  files = deviceFiles;
  if (ExitCode code = scratch.createSupervised(context, "uma-check");
      code != ExitCode::Success)
    return code;
  for (auto &[name, file] : files.files) {
    SmallString<256> target(scratch.getPath("device/" + name)), source(file);
    std::error_code error = fs::make_absolute(source);
    if (!error)
      error = fs::create_directories(path::parent_path(target));
    if (!error)
      error = fs::create_link(source, target);
    if (error)
      return context.fail(ExitCode::BadInput,
                          target.str() + ": " + error.message());
  }
  mainFile = scratch.getPath("probe.c");
  log = scratch.getPath("log");
  return ExitCode::Success;
}

std::optional<std::vector<CompilerMessage>>
HeaderCompiler::compile(StringRef text) {
  if (llvm::Error error = writeFileAtomically(mainFile, text)) {
    (void)context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
    return std::nullopt;
  }
  SmallVector<std::string> arguments(command);
  for (StringRef variable : {"CPPFLAGS", "CFLAGS"})
    if (auto flags = llvm::sys::Process::GetEnv(variable))
      llvm::append_range(arguments, splitWords(*flags));
  // Macros of system headers are checked like any others.
  llvm::append_range(
      arguments, ArrayRef<StringRef>{
                     "-x", "c", "-std=c99", "-fsyntax-only", "-Wall",
                     "-Wconversion", "-Wsign-conversion", "-Wfloat-conversion",
                     "-Wimplicit-function-declaration", "-Wsystem-headers",
                     "-Wno-error", "-fdiagnostics-color=never", "-I"});
  arguments.push_back(scratch.getPath("device"));
  arguments.push_back(mainFile);
  // Without the flag, clang stops after 20 errors; gcc does not know it.
  arguments.push_back("-ferror-limit=0");

  // The log's parser expects English.
  std::vector<StringRef> environment{"LC_ALL=C"};
  for (char **entry = environ; *entry; ++entry)
    if (!StringRef(*entry).starts_with("LC_ALL="))
      environment.emplace_back(*entry);
  auto execute = [&] {
    (void)fs::remove(log);
    SmallVector<StringRef> argv(arguments.begin(), arguments.end());
    std::optional<StringRef> redirects[] = {StringRef(), log, log};
    (void)llvm::sys::ExecuteAndWait(argv.front(), argv,
                                    ArrayRef<StringRef>(environment), redirects,
                                    /*SecondsToWait=*/60);
    return readText(log);
  };
  std::string output = execute();
  if (StringRef(output).contains("-ferror-limit") &&
      !StringRef(output).contains(mainFile)) {
    arguments.pop_back();
    output = execute();
  }
  std::vector<CompilerMessage> messages = parseCompilerLog(output, mainFile);
  if (!messages.empty() || StringRef(output).trim().empty())
    return messages;
  emitWarning(accelerator.getLoc())
      << "'" << name
      << "' cannot check the header: " << StringRef(output).trim();
  return std::nullopt;
}

std::string HeaderCompiler::getOriginal(StringRef file) const {
  StringRef name = file;
  if (!name.consume_front(scratch.getPath("device/")))
    return file.str();
  SmallString<256> plain(name);
  path::remove_dots(plain, /*remove_dot_dot=*/true);
  auto original = files.files.find(plain.str().str());
  return original == files.files.end() ? name.str() : original->second;
}
