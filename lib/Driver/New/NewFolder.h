//===- NewFolder.h - Atomic creation of several files -*- C++ -*-----------===//
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

/// Fails if `folder` exists but is no folder, or already has one of `names`.
llvm::Error checkFolder(llvm::StringRef folder,
                        llvm::ArrayRef<std::string> names);

/// Writes all files or none. Each is written under a temporary name first, so
/// that a full disk is noticed before the first rename. Creates the folder if
/// there is none, and removes it again after an error.
llvm::Error writeFolder(llvm::StringRef folder,
                        llvm::ArrayRef<ProjectFile> files);

} // namespace uma::draft

#endif // UMA_LIB_DRIVER_NEW_NEWFOLDER_H
