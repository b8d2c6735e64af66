//===- ByteCount.h - Numbers of bytes in options -*- C++ -*----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_BYTECOUNT_H
#define UMA_SUPPORT_BYTECOUNT_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace uma {

/// Parses a number of bytes with an optional suffix K, M or G, which are
/// factors of 1024. Returns std::nullopt if it is none, or more than 2^61.
std::optional<int64_t> parseByteCount(llvm::StringRef text);

/// Parses a name, an identifier of C with at most 32 characters, and a number
/// of bytes above 0, as in `dtcm=64K`. Returns std::nullopt if it is none.
std::optional<std::pair<llvm::StringRef, int64_t>>
parseNamedByteCount(llvm::StringRef text);

} // namespace uma

#endif // UMA_SUPPORT_BYTECOUNT_H
