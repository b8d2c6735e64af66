//===- FileDigest.cpp - Whether a file was changed ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/FileDigest.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace uma;

FileDigest FileDigest::compute(llvm::StringRef contents) {
  FileDigest digest;
  digest.bytes = static_cast<int64_t>(contents.size());
  digest.xxh3 = llvm::utohexstr(llvm::xxh3_64bits(contents), /*LowerCase=*/true,
                                /*Width=*/16);
  return digest;
}
