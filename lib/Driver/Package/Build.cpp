//===- Build.cpp - Building packages on this machine ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Build.h"

#include "uma/Support/OutputPath.h"
#include "uma/Support/PlainPath.h"
#include "uma/Support/Signals.h"
#include "uma/Support/Supervisor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Threading.h"

#include <algorithm>
#include <cstdlib>

using namespace mlir;
using namespace uma;

std::string uma::readText(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

int uma::execute(StringRef program, ArrayRef<std::string> arguments,
                 StringRef log, std::string *problem, unsigned seconds) {
  // An existing log would be overwritten, not truncated.
  (void)llvm::sys::fs::remove(log);
  SmallVector<StringRef> argv{program};
  llvm::append_range(argv, arguments);
  std::optional<StringRef> redirects[] = {StringRef(), log, log};
  return llvm::sys::ExecuteAndWait(program, argv, std::nullopt, redirects,
                                   seconds, /*MemoryLimit=*/0, problem);
}

ScratchFolder::~ScratchFolder() {
  if (!path.empty())
    (void)llvm::sys::fs::remove_directories(path);
}

ExitCode ScratchFolder::create(const ModelContext &context, StringRef prefix) {
  SmallString<128> parent;
  llvm::sys::path::system_temp_directory(/*erasedOnReboot=*/true, parent);
  if (parent.empty())
    parent = "/tmp";
  SmallString<128> real;
  std::error_code error = llvm::sys::fs::real_path(parent, real);
  if (!error) {
    auto create = [](StringRef path) {
      return llvm::sys::fs::create_directory(path, /*IgnoreExisting=*/false,
                                             llvm::sys::fs::owner_all);
    };
    auto created = createUniquePath((real + "/" + prefix + "-").str(), create);
    if (created) {
      path = *created;
      return ExitCode::Success;
    }
    error = created.getError();
  }
  return context.fail(ExitCode::BadInput,
                      "no temporary folder can be created in '" + parent.str() +
                          "': " + explainPathError(parent, error) +
                          "; set TMPDIR to another folder");
}

/// Returns whether the process has other threads, which a fork would not copy.
/// Returns false if the system does not report it.
static bool hasOtherThreads() {
  std::error_code error;
  llvm::sys::fs::directory_iterator thread("/proc/self/task", error), end;
  if (error || thread == end)
    return false;
  thread.increment(error);
  return !error && thread != end;
}

/// Whether a supervisor removes the folders of this process, or nobody may fork
/// it.
static bool isSupervised = false;

void uma::disableSupervision() { isSupervised = true; }

ExitCode ScratchFolder::createSupervised(const ModelContext &context,
                                         StringRef prefix) {
  // The first folder of a process contains all others, which are removed with
  // it. Libraries of backends may have started threads.
  if (isSupervised || hasOtherThreads())
    return create(context, prefix);
  // Block signals until a handler or the supervisor can remove the folder.
  SignalBlock signals;
  if (ExitCode code = create(context, prefix); code != ExitCode::Success)
    return code;
  if (std::error_code error = forkSupervised(path))
    return context.fail(ExitCode::ExecutionFailed,
                        "no process can be started: " + error.message());
  isSupervised = true;
  // Interrupted compilers leave temporary files.
  (void)setenv("TMPDIR", path.c_str(), /*overwrite=*/1);
  return ExitCode::Success;
}

/// Creates links to everything in a package in the folder `links`.
static std::error_code linkPackage(StringRef package, StringRef links) {
  namespace fs = llvm::sys::fs;
  SmallString<128> real;
  if (std::error_code error = fs::real_path(package, real))
    return error;
  if (std::error_code error = fs::create_directory(links))
    return error;
  std::error_code error;
  for (fs::directory_iterator entry(real, error), end; !error && entry != end;
       entry.increment(error)) {
    StringRef name = llvm::sys::path::filename(entry->path());
    if ((error = fs::create_link(entry->path(), links + "/" + name)))
      break;
  }
  return error;
}

/// Maximum number of parallel compilers, which bounds their memory.
static constexpr unsigned kMaxJobs = 8;

ExitCode uma::buildPackage(const ModelContext &context, StringRef package,
                           StringRef network, StringRef scratch,
                           StringRef compiler, ArrayRef<std::string> variables,
                           function_ref<void(StringRef)> printLog) {
  auto make = llvm::sys::findProgramByName("make");
  if (!make)
    return context.fail(ExitCode::ExecutionFailed,
                        "'make' is not installed; packages build with it");
  if (!llvm::sys::fs::exists(package + "/Makefile"))
    return context.fail(ExitCode::BadInput,
                        package + ": has no Makefile; compile the model with "
                                  "--project=make");
  // The temporary folder may be anywhere, and make splits or expands some
  // characters in paths. Relative paths inside the package are safe.
  std::string folder = package.str(), build = "../build";
  if (llvm::sys::path::parent_path(package) != scratch) {
    if (findPathProblem(scratch).empty()) {
      build = (scratch + "/build").str();
    } else {
      folder = (scratch + "/links").str();
      if (std::error_code error = linkPackage(package, folder))
        return context.fail(ExitCode::BadInput,
                            package + ": cannot be read: " + error.message());
    }
  }
  std::string log = (scratch + "/make.log").str();
  SmallVector<std::string> arguments{"-s", "-C", folder, "BUILD=" + build};
  if (!compiler.empty())
    arguments.push_back(("CC=" + compiler).str());
  llvm::append_range(arguments, variables);
  unsigned jobs =
      std::min(llvm::hardware_concurrency().compute_thread_count(), kMaxJobs);
  arguments.push_back("-j" + std::to_string(jobs));
  if (execute(*make, arguments, log) == 0)
    return ExitCode::Success;
  // Parallel compilers interleave their messages: build serially for the log.
  arguments.pop_back();
  if (execute(*make, arguments, log) == 0)
    return ExitCode::Success;
  printLog(readText(log));
  return context.fail(ExitCode::ExecutionFailed,
                      "the C of '" + network + "' does not build");
}
