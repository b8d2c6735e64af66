//===- Build.h - Building packages on this machine -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_PACKAGE_BUILD_H
#define UMA_LIB_DRIVER_PACKAGE_BUILD_H

#include "../Compile/Model.h"

#include "llvm/ADT/SmallString.h"

#include <string>

namespace uma {

/// Returns the contents of a file; empty if it cannot be read.
std::string readText(llvm::StringRef path);

/// Runs a program with its output in the file `log`. Returns its exit status,
/// and sets `problem` to the reason if it ended abnormally. After `seconds`, it
/// is ended; never if that is 0.
int execute(llvm::StringRef program, llvm::ArrayRef<std::string> arguments,
            llvm::StringRef log, std::string *problem = nullptr,
            unsigned seconds = 0);

/// Makes createSupervised not fork. Must be called by programs that the
/// compiler is a library of.
void disableSupervision();

/// A folder for temporary files that is removed with its contents.
class ScratchFolder {
public:
  ScratchFolder() = default;
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  void operator=(const ScratchFolder &) = delete;

  /// Creates the folder in the system's folder for temporary files, with a
  /// recognisable `prefix`.
  ExitCode create(const ModelContext &context, llvm::StringRef prefix);
  /// Creates the folder for programs that leave nothing else behind. A forked
  /// supervisor removes the folder even after a signal, and ends all processes
  /// that it has started, whose temporary files are there as well. Same as
  /// `create` if the process has threads or such a folder already.
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
/// make variables, `compiler` the C compiler or, if empty, make's default.
/// Before reporting a build error, passes the compiler's output to `printLog`.
ExitCode buildPackage(const ModelContext &context, llvm::StringRef package,
                      llvm::StringRef network, llvm::StringRef scratch,
                      llvm::StringRef compiler,
                      llvm::ArrayRef<std::string> variables,
                      llvm::function_ref<void(llvm::StringRef)> printLog);

} // namespace uma

#endif // UMA_LIB_DRIVER_PACKAGE_BUILD_H
