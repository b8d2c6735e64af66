//===- Documentation.cpp - Pages of docs/ in hovers -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The pages are the only source: CMake puts them into Pages.inc.
//
//===----------------------------------------------------------------------===//

#include "Documentation.h"

#include "llvm/ADT/StringExtras.h"

using namespace uma::lsp;
using llvm::StringRef;

#include "Pages.inc"

std::string uma::lsp::getOperatorDocumentation(StringRef name) {
  StringRef page = kOperatorPage;
  size_t begin = page.find(("\n## `uma.graph." + name + "`\n").str());
  if (begin == StringRef::npos)
    return "";
  page = page.drop_front(begin + 1);
  return page.take_front(page.find("\n## ", 1)).rtrim().str();
}

/// Returns whether code in backticks, such as `call f(x)`, begins with `word`.
static bool isAbout(StringRef code, StringRef word) {
  return code.consume_front(word) &&
         (code.empty() ||
          (!llvm::isAlnum(code.front()) && code.front() != '_'));
}

std::string uma::lsp::getStatementDocumentation(StringRef word) {
  if (word.empty())
    return "";
  StringRef page = kLanguagePage;
  llvm::SmallVector<StringRef> lines;
  page.split(lines, '\n');
  for (StringRef line : lines) {
    // A row of a table: the first cell has one or more statements.
    if (line.consume_front("| `")) {
      auto [cell, meaning] = line.split(" | ");
      llvm::SmallVector<StringRef> parts;
      cell.split(parts, '`');
      bool isFirst = true;
      for (StringRef part : parts) {
        if (isFirst && isAbout(part, word))
          return "`" + cell.str() + "\n\n" + meaning.rtrim("| ").str();
        isFirst = !isFirst;
      }
      continue;
    }
    // A paragraph that starts with the statement in bold.
    StringRef rest = line;
    if ((rest.consume_front("**`") || rest.consume_front("`")) &&
        isAbout(rest, word)) {
      StringRef paragraph = page.drop_front(line.data() - page.data());
      return paragraph.take_front(paragraph.find("\n\n")).str();
    }
  }
  return "";
}

std::vector<std::pair<StringRef, StringRef>> uma::lsp::getOperators() {
  std::vector<std::pair<StringRef, StringRef>> operators;
  StringRef page = kOperatorPage;
  llvm::SmallVector<StringRef> lines;
  page.split(lines, '\n');
  for (StringRef line : lines)
    if (line.consume_front("| [`uma.graph.")) {
      auto [name, rest] = line.split('`');
      operators.emplace_back(name, rest.split(" | ").second.rtrim("| "));
    }
  return operators;
}

std::vector<StringRef> uma::lsp::getFunctions(StringRef header) {
  std::vector<StringRef> functions;
  llvm::SmallVector<StringRef> lines;
  header.split(lines, '\n');
  for (StringRef line : lines) {
    StringRef before = line.split('(').first;
    // Directives, comments and continued lines declare nothing.
    if (before.size() == line.size() || line.empty() ||
        !llvm::isAlpha(line.front()))
      continue;
    StringRef name = before.rtrim();
    name = name.drop_front(name.find_last_of(" *\t") + 1);
    if (!name.empty() && name.size() < before.rtrim().size())
      functions.push_back(name);
  }
  return functions;
}
