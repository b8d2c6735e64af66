//===- OutputFile.h - Atomically written files -*- C++ -*------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_OUTPUTFILE_H
#define UMA_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace uma {

/// Writes `contents` to `path` through a temporary file beside it that is
/// renamed at the end. After an error, such as a full disk, or a signal,
/// nothing is left behind and an older file is unchanged. A symbolic link
/// stays: its target is replaced and keeps its permissions. Anything but a
/// regular file, such as a pipe, is written directly. The error names the file.
llvm::Error writeFileAtomically(llvm::StringRef path, llvm::StringRef contents);

/// A temporary file in the file system of its final path. It is removed unless
/// it is kept, also if a signal ends the program. Where the system has files
/// without a name, not even a killed program leaves it behind. Use it for
/// contents that are too large to hold in memory until everything else is known
/// to be valid.
class StagedFile {
public:
  /// Creates a file to be placed in `folder` or below it. If the folder does
  /// not exist, the file is in its nearest existing parent.
  static llvm::Expected<StagedFile> create(llvm::StringRef folder);
  /// Creates a file to replace `path`, a resolved path. Copies the permissions
  /// of an existing file.
  static llvm::Expected<StagedFile> createFor(llvm::StringRef path);

  StagedFile(StagedFile &&);
  StagedFile &operator=(StagedFile &&);
  ~StagedFile();

  llvm::raw_ostream &getStream() { return *stream; }
  /// Finishes writing. Returns an error if any write failed.
  std::error_code finish();
  /// Gives the finished file its name, or moves it there.
  std::error_code keep(llvm::StringRef path);
  /// Returns a path for reading the finished file.
  llvm::StringRef getPath() const;

private:
  class Temporary;
  explicit StagedFile(std::unique_ptr<Temporary> temporary);
  static llvm::Expected<StagedFile> createWithPrefix(llvm::StringRef prefix);

  std::unique_ptr<Temporary> file;
  std::unique_ptr<llvm::raw_fd_ostream> stream;
};

/// Prefix of the files and folders of an unfinished command in its output
/// folder.
inline constexpr llvm::StringLiteral kStagedPrefix = ".uma-";

} // namespace uma

#endif // UMA_SUPPORT_OUTPUTFILE_H
