//===- Messages.cpp - Messages of the protocol ----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Messages.h"

#include <optional>

using namespace uma::lsp;

bool uma::lsp::readMessage(std::FILE *input, std::string &text) {
  constexpr size_t maxBytes = size_t(64) << 20;
  std::optional<size_t> length;
  std::string line;
  for (int c = 0; (c = std::getc(input)) != EOF;) {
    if (c != '\n') {
      if (line.size() < 4096)
        line += static_cast<char>(c);
      continue;
    }
    llvm::StringRef header = llvm::StringRef(line).trim();
    if (header.empty() && length)
      break;
    size_t bytes = 0;
    if (header.consume_front_insensitive("content-length:") &&
        !header.trim().getAsInteger(10, bytes) && bytes <= maxBytes)
      length = bytes;
    line.clear();
  }
  if (!length)
    return false;
  text.resize(*length);
  return std::fread(text.data(), 1, *length, input) == *length;
}

bool uma::lsp::writeMessage(std::FILE *output, llvm::StringRef text) {
  std::fprintf(output, "Content-Length: %zu\r\n\r\n", text.size());
  std::fwrite(text.data(), 1, text.size(), output);
  return std::fflush(output) == 0;
}
