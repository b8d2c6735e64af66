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

namespace uma {

/// Parses a number of bytes with an optional suffix K, M or G, which are
/// factors of 1024. Returns std::nullopt if it is none, or more than 2^61.
std::optional<int64_t> parseByteCount(llvm::StringRef text);

} // namespace uma

#endif // UMA_SUPPORT_BYTECOUNT_H
