//===- HeaderFiles.h - Search for a header and its includes -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_NEW_HEADERFILES_H
#define UMA_LIB_DRIVER_NEW_HEADERFILES_H

#include "ProjectFiles.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace uma::draft {

/// The header that the user named.
struct HeaderFile {
  std::string path;     ///< path to read
  std::string included; ///< name in the description's include
  /// Whether the header is below a folder of an -I in CPPFLAGS or CFLAGS, or of
  /// the system: it stays in place. Otherwise it is copied beside the
  /// description.
  bool isOnIncludePath = false;
};

/// Finds a header by its path, or by its name below a folder of the include
/// path. Fails if it is no regular file or too large.
llvm::Expected<HeaderFile> findHeader(llvm::StringRef name);

/// Returns copies of the header and of the included `files` that are below its
/// folder. Fails if one of `files` is beside or above that folder.
llvm::Expected<std::vector<ProjectFile>>
copyHeaders(const HeaderFile &header, llvm::ArrayRef<std::string> files);

} // namespace uma::draft

#endif // UMA_LIB_DRIVER_NEW_HEADERFILES_H
