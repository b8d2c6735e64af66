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

namespace uma {

/// Writes `contents` to `path` through a temporary file beside it that is
/// renamed at the end. On an error, such as a full disk, nothing is left
/// behind and an older file stays as it was. The error names the file.
llvm::Error writeFileAtomically(llvm::StringRef path, llvm::StringRef contents);

} // namespace uma

#endif // UMA_SUPPORT_OUTPUTFILE_H
