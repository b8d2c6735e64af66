//===- Build.h - Building packages on this machine -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_BUILD_H
#define UMA_LIB_DRIVER_BUILD_H

#include "Model.h"

#include "llvm/ADT/SmallString.h"

#include <string>

namespace uma {

/// The contents of a file; empty where it cannot be read.
std::string readText(llvm::StringRef path);

/// Runs a program with its output in the file `log`; gives its exit status
/// back, with the reason in `problem` where it did not end by itself.
int execute(llvm::StringRef program, llvm::ArrayRef<std::string> arguments,
            llvm::StringRef log, std::string *problem = nullptr);

/// A folder for temporary files that goes with its contents.
class ScratchFolder {
public:
  ScratchFolder() = default;
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  void operator=(const ScratchFolder &) = delete;

  /// Creates the folder in the system's folder for temporary files; `prefix`
  /// tells people whose it is.
  ExitCode create(const ModelContext &context, llvm::StringRef prefix);
  /// The same for programs of which nothing else is left: by a fork that
  /// removes the folder even when a signal ends the program, and ends whatever
  /// it has started, which has its temporary files there as well. The same as
  /// `create` in a process that has threads, or such a folder already.
  ExitCode createSupervised(const ModelContext &context,
                            llvm::StringRef prefix);
  llvm::StringRef getPath() const { return path; }
  std::string getPath(const llvm::Twine &file) const {
    return (path + "/" + file).str();
  }

private:
  llvm::SmallString<128> path;
};

/// Builds a package by its own Makefile into `scratch`/build. `variables` are
/// those of make, `compiler` the C compiler, make's own where it is empty.
/// `printLog` gets what the compiler says of C that does not build, before the
/// error is reported.
ExitCode buildPackage(const ModelContext &context, llvm::StringRef package,
                      llvm::StringRef network, llvm::StringRef scratch,
                      llvm::StringRef compiler,
                      llvm::ArrayRef<std::string> variables,
                      llvm::function_ref<void(llvm::StringRef)> printLog);

} // namespace uma

#endif // UMA_LIB_DRIVER_BUILD_H
