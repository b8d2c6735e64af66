//===- PackageManifest.h - Files of a folder that belong to uma -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_TARGET_C_PACKAGEMANIFEST_H
#define UMA_LIB_TARGET_C_PACKAGEMANIFEST_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorOr.h"

#include <map>
#include <optional>
#include <string>

namespace uma {

/// File of a package that lists the others.
inline constexpr llvm::StringLiteral kMetadataName = "metadata.json";

/// Checksum (BLAKE3) of each file that a package's metadata lists, by its path
/// in the package; empty for files without one, such as the metadata.
using PackageManifest = std::map<std::string, std::string>;

/// Reads the manifest of the package in `folder`. Returns std::nullopt if the
/// folder holds no package. Leaves out paths that are not below the folder.
std::optional<PackageManifest> readManifest(llvm::StringRef folder);

/// Returns the checksum of a regular file, see uma/Support/Checksum.h.
llvm::ErrorOr<std::string> getRegularFileChecksum(llvm::StringRef path);

} // namespace uma

#endif // UMA_LIB_TARGET_C_PACKAGEMANIFEST_H
