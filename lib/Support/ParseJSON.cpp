//===- ParseJSON.cpp - JSON from files that may be damaged ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/ParseJSON.h"

using llvm::createStringError;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
using namespace uma;

/// Returns the offset of the bracket that exceeds the nesting limit, or npos.
static size_t findTooDeep(StringRef text) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (inString)
      continue;
    else if ((c == '[' || c == '{') && ++depth > kMaxJSONDepth)
      return i;
    else if ((c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return StringRef::npos;
}

Expected<llvm::json::Value> uma::parseJSON(StringRef text, const Twine &path) {
  size_t offset = findTooDeep(text);
  if (offset != StringRef::npos) {
    StringRef before = text.take_front(offset);
    size_t line = before.count('\n') + 1;
    size_t column = offset - (before.rfind('\n') + 1); // npos + 1 is 0
    return createStringError(path + ":" + Twine(line) + ":" + Twine(column) +
                             ": Nested more than " + Twine(kMaxJSONDepth) +
                             " levels deep");
  }
  Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (value)
    return value;
  // LLVM's format is `[LINE:COL, byte=N]: problem`.
  std::string error = llvm::toString(value.takeError());
  auto [position, problem] = StringRef(error).split("]: ");
  return createStringError(path + ":" + position.drop_front().split(',').first +
                           ": " + problem);
}
