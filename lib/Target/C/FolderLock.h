//===- FolderLock.h - Exclusive lock on a folder -*- C++ -*----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_TARGET_C_FOLDERLOCK_H
#define UMA_LIB_TARGET_C_FOLDERLOCK_H

#include "llvm/ADT/StringRef.h"

#include <system_error>

namespace uma {

/// Keeps other processes of uma from changing a folder. Uses flock on the
/// folder itself, so that nothing is left behind and the lock ends with the
/// process.
class FolderLock {
public:
  FolderLock() = default;
  FolderLock(const FolderLock &) = delete;
  void operator=(const FolderLock &) = delete;
  ~FolderLock();

  /// Waits for the lock of the folder that has this path at the end. Fails if
  /// the folder cannot be opened, if the lock is not free after a minute, or as
  /// soon as a signal that ends the program is pending. Succeeds without a lock
  /// if the file system has none.
  std::error_code acquire(llvm::StringRef folder);
  /// Takes the lock if it is free. Returns whether this process has it now.
  bool tryAcquire(llvm::StringRef folder);

private:
  std::error_code open(llvm::StringRef folder);
  /// Returns whether the open folder still has this path.
  bool isAt(llvm::StringRef folder) const;

  int descriptor = -1;
};

} // namespace uma

#endif // UMA_LIB_TARGET_C_FOLDERLOCK_H
