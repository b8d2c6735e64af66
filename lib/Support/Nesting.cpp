//===- Nesting.cpp - Limits on nesting depth ------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/Nesting.h"

using llvm::StringRef;

size_t uma::findTooDeep(StringRef text, StringRef open, StringRef close,
                        unsigned limit) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (inString || (c == '>' && i > 0 && text[i - 1] == '-'))
      continue;
    else if (open.contains(c) && ++depth > limit)
      return i;
    else if (close.contains(c) && depth > 0)
      --depth;
  }
  return StringRef::npos;
}

std::string uma::getLineAndColumn(StringRef text, size_t offset) {
  StringRef before = text.take_front(offset);
  size_t line = before.count('\n') + 1;
  size_t column = offset - (before.rfind('\n') + 1); // npos + 1 is 0
  return std::to_string(line) + ":" + std::to_string(column + 1);
}
