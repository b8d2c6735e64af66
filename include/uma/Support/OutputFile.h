//===- OutputFile.h - Files that appear whole or not at all -*- C++ -*-----===//
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
/// renamed at the end. On an error, such as a full disk, or by a signal,
/// nothing is left behind and an older file stays as it was. A symbolic link
/// stays: the file behind it is replaced and keeps its permissions. What is no
/// regular file, such as a pipe, is written to. The error names the file.
llvm::Error writeFileAtomically(llvm::StringRef path, llvm::StringRef contents);

/// A file that is written in the file system of where it is going to be, under
/// a temporary name. It vanishes where it is not kept, and also when a signal
/// ends the program. For contents that are too large to be kept in memory until
/// all the rest is known to be right.
class StagedFile {
public:
  /// Creates a file that is going to be in the folder `folder` or below it,
  /// which may not exist yet: then the file is in the nearest folder above.
  static llvm::Expected<StagedFile> create(llvm::StringRef folder);
  /// Creates a file that is going to be at `path`, which is resolved and whose
  /// permissions it takes if it exists.
  static llvm::Expected<StagedFile> createFor(llvm::StringRef path);

  StagedFile(StagedFile &&);
  StagedFile &operator=(StagedFile &&);
  ~StagedFile();

  llvm::raw_ostream &getStream() { return *stream; }
  /// To be called after the last write: says whether all of them succeeded.
  std::error_code finish();
  /// Moves the finished file.
  std::error_code keep(llvm::StringRef path);
  /// The temporary name.
  llvm::StringRef getPath() const;

private:
  class Temporary;
  explicit StagedFile(std::unique_ptr<Temporary> temporary);
  static llvm::Expected<StagedFile> createWithPrefix(llvm::StringRef prefix);

  std::unique_ptr<Temporary> file;
  std::unique_ptr<llvm::raw_fd_ostream> stream;
};

/// The start of the names of files and folders that an unfinished command has
/// in a folder of its output.
inline constexpr llvm::StringLiteral kStagedPrefix = ".uma-";

} // namespace uma

#endif // UMA_SUPPORT_OUTPUTFILE_H
