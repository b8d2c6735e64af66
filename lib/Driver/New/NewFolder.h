//===- NewFolder.h - Files that appear together -*- C++ -*-----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_NEW_NEWFOLDER_H
#define UMA_LIB_DRIVER_NEW_NEWFOLDER_H

#include "ProjectFiles.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace uma::draft {

/// Fails if `folder` is no folder, or has one of `names` already.
llvm::Error checkFolder(llvm::StringRef folder,
                        llvm::ArrayRef<std::string> names);

/// Writes all files, or none: each is written under a temporary name first, so
/// that a full disk is known before the first one has its place. Creates the
/// folder if there is none, and removes it again after an error.
llvm::Error writeFolder(llvm::StringRef folder,
                        llvm::ArrayRef<ProjectFile> files);

} // namespace uma::draft

#endif // UMA_LIB_DRIVER_NEW_NEWFOLDER_H
