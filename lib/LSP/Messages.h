//===- Messages.h - Messages of the protocol -*- C++ -*--------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_LSP_MESSAGES_H
#define UMA_LIB_LSP_MESSAGES_H

#include "llvm/ADT/StringRef.h"

#include <cstdio>
#include <string>

namespace uma::lsp {

/// Reads the next message. Returns false at the end of the input.
bool readMessage(std::FILE *input, std::string &text);

/// Writes a message. Returns false if nobody reads.
bool writeMessage(std::FILE *output, llvm::StringRef text);

} // namespace uma::lsp

#endif // UMA_LIB_LSP_MESSAGES_H
