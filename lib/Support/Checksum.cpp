//===- Checksum.cpp - Checksums of files ----------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/Checksum.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"

#include <vector>

using namespace uma;
using llvm::BLAKE3;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

static std::string finish(BLAKE3 &hasher) {
  return llvm::toHex(hasher.final(), /*LowerCase=*/true);
}

std::string uma::getChecksum(StringRef text) {
  BLAKE3 hasher;
  hasher.update(text);
  return finish(hasher);
}

llvm::ErrorOr<std::string> uma::getFileChecksum(StringRef path) {
  llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file)
    return llvm::errorToErrorCode(file.takeError());
  llvm::scope_exit close([&] { (void)fs::closeFile(*file); });
  BLAKE3 hasher;
  std::vector<char> chunk(1 << 20);
  for (;;) {
    llvm::Expected<size_t> count = fs::readNativeFile(*file, chunk);
    if (!count)
      return llvm::errorToErrorCode(count.takeError());
    if (*count == 0)
      return finish(hasher);
    hasher.update(StringRef(chunk.data(), *count));
  }
}
