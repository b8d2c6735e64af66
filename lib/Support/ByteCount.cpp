//===- ByteCount.cpp - Numbers of bytes in options ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/ByteCount.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

std::optional<int64_t> uma::parseByteCount(llvm::StringRef text) {
  int64_t factor = 1;
  if (text.consume_back("K"))
    factor = int64_t(1) << 10;
  else if (text.consume_back("M"))
    factor = int64_t(1) << 20;
  else if (text.consume_back("G"))
    factor = int64_t(1) << 30;
  int64_t number, bytes;
  if (text.empty() || !llvm::all_of(text, llvm::isDigit) ||
      text.getAsInteger(10, number) ||
      llvm::MulOverflow(number, factor, bytes) || bytes > int64_t(1) << 61)
    return std::nullopt;
  return bytes;
}

std::optional<std::pair<llvm::StringRef, int64_t>>
uma::parseNamedByteCount(llvm::StringRef text) {
  auto [name, count] = text.split('=');
  int64_t bytes = parseByteCount(count).value_or(0);
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  if (bytes == 0 || name.empty() || name.size() > 32 ||
      llvm::isDigit(name.front()) || !llvm::all_of(name, isPart))
    return std::nullopt;
  return std::pair(name, bytes);
}
