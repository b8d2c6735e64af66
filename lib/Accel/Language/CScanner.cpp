//===- CScanner.cpp - Scanner for C code in descriptions ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Scans just enough of C to find the end of the code and the names that it
// uses. The C compiler checks everything else.
//
//===----------------------------------------------------------------------===//

#include "CScanner.h"

#include "llvm/ADT/StringExtras.h"

using namespace uma::accel;
using llvm::StringRef;

static bool isPart(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Returns the offset of the first of the characters `ends` that is not escaped
/// by a backslash, or the size of the text if there is none.
static size_t findEnd(StringRef text, StringRef ends) {
  size_t size = 0;
  while (size < text.size() && !ends.contains(text[size]))
    size += text[size] == '\\' ? 2 : 1;
  return std::min(size, text.size());
}

/// Returns the size of the token that `text` starts with.
static size_t getTokenSize(StringRef text) {
  char c = text.front();
  if (text.starts_with("//"))
    return findEnd(text, "\n");
  if (text.starts_with("/*")) {
    size_t end = text.find("*/", 2);
    return end == StringRef::npos ? text.size() : end + 2;
  }
  if (c == '"' || c == '\'') {
    // Literals end at the latest with their line; the C compiler reports
    // unterminated ones.
    size_t inside = findEnd(text.drop_front(), c == '"' ? "\"\n" : "'\n");
    return std::min(inside + 2, text.size());
  }
  if (!isPart(c))
    return text.starts_with("->") ? 2 : 1;
  return text.take_while(isPart).size();
}

size_t language::findEndOfC(StringRef text) {
  unsigned depth = 0;
  for (size_t position = 0; position < text.size();) {
    StringRef rest = text.substr(position);
    if (rest.front() == '}' && depth-- == 0)
      return position;
    depth += rest.front() == '{';
    position += getTokenSize(rest);
  }
  return StringRef::npos;
}

void language::visitC(
    StringRef text,
    llvm::function_ref<void(StringRef part, bool isVariable)> visit) {
  StringRef before;
  size_t start = 0;
  for (size_t position = 0; position < text.size();) {
    StringRef token = text.substr(position);
    token = token.take_front(getTokenSize(token));
    StringRef behind = text.substr(position + token.size()).ltrim();
    bool isName = isPart(token.front()) && !llvm::isDigit(token.front());
    if (isName && before != "." && before != "->" && !behind.starts_with("(")) {
      visit(text.slice(start, position), /*isVariable=*/false);
      visit(token, /*isVariable=*/true);
      start = position + token.size();
    }
    position += token.size();
    if (!llvm::isSpace(token.front()))
      before = token;
  }
  visit(text.substr(start), /*isVariable=*/false);
}
