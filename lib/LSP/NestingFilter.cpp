//===- NestingFilter.cpp - Limit of the nesting of MLIR -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// MLIR's parser recurses into brackets, and upstream's server gives it any
// text. A stack overflow would end the editor's session.
//
//===----------------------------------------------------------------------===//

#include "uma/LSP/NestingFilter.h"

#include "uma/Support/Nesting.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <string>
#include <thread>
#include <unistd.h>

using namespace uma;
namespace json = llvm::json;

/// Nesting that every stack has room for. Files of people have less than 50.
static constexpr unsigned kMaxNesting = 256;

/// Larger messages end the session, as one that does not fit into memory would.
static constexpr size_t kMaxBytes = size_t(1) << 30;

/// Replaces the text of a document in place if it is nested too deep.
static bool replaceText(json::Object &holder) {
  auto text = holder.getString("text");
  if (!text ||
      findTooDeep(*text, "([{<", ")]}>", kMaxNesting) == llvm::StringRef::npos)
    return false;
  holder["text"] = "\"brackets are nested deeper than " +
                   std::to_string(kMaxNesting) +
                   " levels, which is not supported\"";
  return true;
}

/// Returns the message to pass on in place of `message`.
static std::string filterMessage(std::string message) {
  if (message.find("textDocument/did") == std::string::npos)
    return message;
  auto parsed = json::parse(message);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return message;
  }
  json::Object *object = parsed->getAsObject();
  json::Object *params = object ? object->getObject("params") : nullptr;
  if (!params)
    return message;
  bool isReplaced = false;
  if (json::Object *document = params->getObject("textDocument"))
    isReplaced |= replaceText(*document);
  if (json::Array *changes = params->getArray("contentChanges"))
    for (json::Value &change : *changes)
      if (json::Object *holder = change.getAsObject())
        isReplaced |= replaceText(*holder);
  if (!isReplaced)
    return message;
  std::string text;
  llvm::raw_string_ostream(text) << *parsed;
  return text;
}

/// Passes messages on until the input ends or nobody reads any more.
static void passMessages(FILE *input, FILE *output) {
  std::string line;
  size_t length = 0;
  for (int c = 0; (c = std::getc(input)) != EOF;) {
    line += static_cast<char>(c);
    if (c != '\n')
      continue;
    llvm::StringRef header = llvm::StringRef(line).trim();
    if (header.consume_front_insensitive("content-length:")) {
      // The length is that of the message that is passed on.
      if (header.trim().getAsInteger(10, length) || length > kMaxBytes)
        break;
    } else if (header.empty() && length > 0) {
      std::string message(length, '\0');
      message.resize(std::fread(message.data(), 1, length, input));
      message = filterMessage(std::move(message));
      std::fprintf(output, "Content-Length: %zu\r\n\r\n", message.size());
      std::fwrite(message.data(), 1, message.size(), output);
      if (std::fflush(output) != 0)
        break;
      length = 0;
    } else {
      std::fwrite(line.data(), 1, line.size(), output);
    }
    line.clear();
  }
  std::fclose(output);
}

void uma::filterStandardInput() {
  int ends[2];
  int original = dup(STDIN_FILENO);
  if (original < 0 || pipe(ends) != 0)
    return;
  FILE *input = fdopen(original, "rb"), *output = fdopen(ends[1], "wb");
  if (!input || !output || dup2(ends[0], STDIN_FILENO) < 0)
    return;
  close(ends[0]);
  // The thread waits for the editor, also when the server ends.
  std::thread(passMessages, input, output).detach();
}
