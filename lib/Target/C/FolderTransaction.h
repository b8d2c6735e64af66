//===- FolderTransaction.h - Changes to a folder, all or none -*- C++ -*---===//
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

/// Replaces files of a folder by renaming alone, and undoes all of it unless it
/// is committed. Files that are not named stay untouched.
class FolderTransaction {
public:
  /// New files come from the folder `source`, older ones go to the folder
  /// `backup`; both are in the file system of `folder`.
  FolderTransaction(llvm::StringRef folder, llvm::StringRef source,
                    llvm::StringRef backup)
      : folder(folder), source(source), backup(backup) {}
  FolderTransaction(const FolderTransaction &) = delete;
  void operator=(const FolderTransaction &) = delete;
  ~FolderTransaction() { (void)rollBack(); }

  /// Moves the file `name` of the source to its place. What was there goes to
  /// the backup.
  std::error_code replace(llvm::StringRef name);
  /// Moves the file `name` to the backup, and removes the folders that it
  /// leaves empty.
  std::error_code remove(llvm::StringRef name);

  void commit() { steps.clear(); }
  /// Returns an error if some files could not be moved back: they are in the
  /// backup.
  std::error_code rollBack();

private:
  /// A file that was moved. Without `to` it is a folder that was created,
  /// without `from` one that was removed.
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
