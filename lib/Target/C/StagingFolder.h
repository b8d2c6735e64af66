//===- StagingFolder.h - A package before it has its place -*- C++ -*------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_TARGET_C_STAGINGFOLDER_H
#define UMA_LIB_TARGET_C_STAGINGFOLDER_H

#include "FolderLock.h"

#include "uma/Support/OutputFile.h"
#include "uma/Support/OutputPath.h"

#include <memory>

namespace uma {

/// Start of the names of folders for new files, and for files that these
/// replace; random characters follow.
inline constexpr llvm::StringLiteral kStagingPrefix = ".uma-package-";
inline constexpr llvm::StringLiteral kBackupPrefix = ".uma-older-";

/// A temporary folder that is locked as long as its process uses it, so that
/// other processes find those of killed ones.
class StagingFolder {
public:
  /// Creates a folder in `parent`.
  static llvm::ErrorOr<StagingFolder>
  create(llvm::StringRef parent, llvm::StringRef prefix = kStagingPrefix);

  llvm::StringRef getPath() const { return folder.getPath(); }
  /// Renames the folder to its final name.
  std::error_code rename(llvm::StringRef to);
  /// Returns whether exchange() may work for an existing folder and a new one
  /// beside it: both are in the same file system, and no process has it as its
  /// working directory, such as a shell that would find it empty afterwards.
  static bool mayExchange(llvm::StringRef folder);
  /// Exchanges this folder with an existing one in one step. The older contents
  /// are then in this folder, which is removed with them. Fails with
  /// std::errc::not_supported if the file system cannot do it, or if the
  /// existing folder has another owner or group.
  std::error_code exchange(llvm::StringRef with);
  /// Marks a backup as one that is not needed any more, so that nobody moves
  /// its files back if this process is killed before it has removed them.
  void expire();
  /// Leaves the folder in place.
  void release() { folder.release(); }

private:
  StagingFolder(TemporaryFolder folder, std::unique_ptr<FolderLock> lock)
      : folder(std::move(folder)), lock(std::move(lock)) {}

  TemporaryFolder folder;
  std::unique_ptr<FolderLock> lock;
};

/// Removes the staging folders in `parent` whose process does not exist any
/// more. Keeps what cannot be locked.
void removeStaleFolders(llvm::StringRef parent);

/// Moves the files in backups of killed processes back to their places in
/// `folder`, which this process has locked.
void restoreStaleBackups(llvm::StringRef folder);

} // namespace uma

#endif // UMA_LIB_TARGET_C_STAGINGFOLDER_H
