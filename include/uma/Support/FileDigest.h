//===- FileDigest.h - Whether a file was changed -*- C++ -*----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_FILEDIGEST_H
#define UMA_SUPPORT_FILEDIGEST_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace uma {

/// Size and checksum of a file. They tell a damaged file from a whole one; they
/// do not prove who wrote it.
struct FileDigest {
  int64_t bytes = 0;
  std::string xxh3; ///< XXH3 with 64 bits, as 16 hexadecimal digits

  static FileDigest compute(llvm::StringRef contents);
  bool operator==(const FileDigest &other) const {
    return bytes == other.bytes && xxh3 == other.xxh3;
  }
};

} // namespace uma

#endif // UMA_SUPPORT_FILEDIGEST_H
