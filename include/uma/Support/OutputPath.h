//===- OutputPath.h - Paths of output files and folders -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_OUTPUTPATH_H
#define UMA_SUPPORT_OUTPUTPATH_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorOr.h"

#include <string>

namespace uma {

/// Returns the absolute path of a file or folder that may not exist yet.
/// Symbolic links and `..` are resolved as the system resolves them:
/// `link/../out` is beside the folder that `link` points to. Fails for dangling
/// links, for loops of links, and for `..` after a folder that does not exist.
llvm::ErrorOr<std::string> resolveOutputPath(llvm::StringRef path);

/// Returns the nearest folder at or above a resolved path that exists.
std::string getExistingFolder(llvm::StringRef resolvedPath);

/// Returns the text of an error about `path`: the system's own, or the dangling
/// symbolic link in the path.
std::string explainPathError(llvm::StringRef path, std::error_code error);

/// Calls `create` with `prefix` and random characters until the name is free.
/// Returns the created path. Unlike llvm::sys::fs, keeps a '%' in the prefix.
llvm::ErrorOr<std::string>
createUniquePath(llvm::StringRef prefix,
                 llvm::function_ref<std::error_code(llvm::StringRef)> create);

/// A new folder that is removed with its contents unless it is renamed.
class TemporaryFolder {
public:
  /// Creates a folder whose path is `prefix` and random characters.
  static llvm::ErrorOr<TemporaryFolder> create(llvm::StringRef prefix);

  TemporaryFolder(TemporaryFolder &&other)
      : path(std::exchange(other.path, std::string())) {}
  ~TemporaryFolder();

  llvm::StringRef getPath() const { return path; }
  /// Renames the folder to its final name.
  std::error_code rename(llvm::StringRef to);
  /// Renames the folder, which stays temporary.
  std::error_code move(llvm::StringRef to);
  /// Leaves the folder in place.
  void release() { path.clear(); }

private:
  explicit TemporaryFolder(std::string path) : path(std::move(path)) {}

  std::string path;
};

} // namespace uma

#endif // UMA_SUPPORT_OUTPUTPATH_H
