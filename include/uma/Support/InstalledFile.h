//===- InstalledFile.h - Files beside the binary -*- C++ -*----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_INSTALLEDFILE_H
#define UMA_SUPPORT_INSTALLEDFILE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace uma {

/// Returns the real paths of `<prefix>/<relative>` that exist, for the prefix
/// of the executable and for that of the library that contains this code.
/// Binaries are in `<prefix>/bin`, `<prefix>/lib`,
/// `<prefix>/lib/<architecture>` or, for Python,
/// `<prefix>/lib/<python>/<packages>/uma`. The path is never compiled in, so
/// that an installation can be moved.
llvm::SmallVector<std::string> findInstalled(llvm::StringRef relative);

/// Returns the real path of the library that contains this code, or of the
/// executable; empty if it is unknown.
std::string getOwnLibrary();

} // namespace uma

#endif // UMA_SUPPORT_INSTALLEDFILE_H
