//===- FolderTransaction.h - All-or-nothing changes to a folder -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_TARGET_C_FOLDERTRANSACTION_H
#define UMA_LIB_TARGET_C_FOLDERTRANSACTION_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <system_error>
#include <vector>

namespace uma {

/// Replaces files of a folder by renaming only, and undoes everything unless it
/// is committed. Files that are not named stay untouched.
class FolderTransaction {
public:
  /// Takes new files from the folder `source` and moves older ones to the
  /// folder `backup`; both are in the file system of `folder`.
  FolderTransaction(llvm::StringRef folder, llvm::StringRef source,
                    llvm::StringRef backup)
      : folder(folder), source(source), backup(backup) {}
  FolderTransaction(const FolderTransaction &) = delete;
  void operator=(const FolderTransaction &) = delete;
  ~FolderTransaction() { (void)rollBack(); }

  /// Moves the file `name` from the source to the folder. A previous file goes
  /// to the backup.
  std::error_code replace(llvm::StringRef name);
  /// Moves the file `name` to the backup, and removes folders that become
  /// empty.
  std::error_code remove(llvm::StringRef name);

  void commit() { steps.clear(); }
  /// Returns an error if some files could not be moved back; they remain in the
  /// backup.
  std::error_code rollBack();

private:
  /// A moved file. Without `to` it is a created folder, without `from` a
  /// removed one.
  struct Step {
    std::string from, to;
  };

  std::error_code move(std::string from, std::string to);
  std::error_code createParents(llvm::StringRef root, llvm::StringRef name);

  std::string folder, source, backup;
  std::vector<Step> steps;
};

} // namespace uma

#endif // UMA_LIB_TARGET_C_FOLDERTRANSACTION_H
