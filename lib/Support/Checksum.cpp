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
#include "llvm/Support/SHA256.h"

#include <vector>

using namespace uma;
using llvm::BLAKE3;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

template <typename HasherT>
static std::string finish(HasherT &hasher) {
  return llvm::toHex(hasher.final(), /*LowerCase=*/true);
}

template <typename HasherT>
static std::string hashText(StringRef text) {
  HasherT hasher;
  hasher.update(text);
  return finish(hasher);
}

std::string uma::getChecksum(StringRef text) { return hashText<BLAKE3>(text); }

std::string uma::getSHA256(StringRef text) {
  return hashText<llvm::SHA256>(text);
}

template <typename HasherT>
static llvm::ErrorOr<std::string> hashFile(StringRef path) {
  llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file)
    return llvm::errorToErrorCode(file.takeError());
  llvm::scope_exit close([&] { (void)fs::closeFile(*file); });
  HasherT hasher;
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

llvm::ErrorOr<std::string> uma::getFileChecksum(StringRef path) {
  return hashFile<BLAKE3>(path);
}

llvm::ErrorOr<std::string> uma::getFileSHA256(StringRef path) {
  // Reading a pipe would take its contents.
  if (!fs::is_regular_file(path))
    return std::make_error_code(std::errc::invalid_argument);
  return hashFile<llvm::SHA256>(path);
}
