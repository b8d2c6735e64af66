//===- Checksum.h - Checksums of files -*- C++ -*--------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// BLAKE3 in hexadecimal digits, unless a function says otherwise. Checksums
// detect changed or damaged files; they do not prove who wrote them.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_CHECKSUM_H
#define UMA_SUPPORT_CHECKSUM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorOr.h"

#include <string>

namespace uma {

/// Returns the checksum of a text.
std::string getChecksum(llvm::StringRef text);

/// Returns the checksum of a file.
llvm::ErrorOr<std::string> getFileChecksum(llvm::StringRef path);

/// Returns the SHA-256 of a text in hexadecimal digits.
std::string getSHA256(llvm::StringRef text);

/// Returns the SHA-256 of a regular file in hexadecimal digits, as sha256sum
/// prints it.
llvm::ErrorOr<std::string> getFileSHA256(llvm::StringRef path);

} // namespace uma

#endif // UMA_SUPPORT_CHECKSUM_H
