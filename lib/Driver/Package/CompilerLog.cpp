//===- CompilerLog.cpp - Output of a C compiler ---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// gcc and clang print diagnostics in the same form: `FILE:LINE:COL: error: text
// [-Wflag]`, then notes of the same form. Types are in single quotes in the C
// locale, followed by their resolved type: 'T' {aka 'U'} or 'T' (aka 'U').
//
//===----------------------------------------------------------------------===//

#include "CompilerLog.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

/// Removes `:NUMBER` from the end of `text`.
static bool takeNumber(StringRef &text, unsigned &number) {
  auto [rest, digits] = text.rsplit(':');
  if (digits.empty() || rest.size() == text.size() ||
      digits.getAsInteger(10, number))
    return false;
  text = rest;
  return true;
}

/// Parses `FILE:LINE` or `FILE:LINE:COL`.
static bool parsePosition(StringRef text, CompilerMessage &message) {
  unsigned last = 0;
  if (!takeNumber(text, last))
    return false;
  if (takeNumber(text, message.line))
    message.column = last;
  else
    message.line = last;
  message.file = text.str();
  return true;
}

static std::optional<CompilerMessage> parseMessage(StringRef line) {
  static const std::pair<StringRef, CompilerMessage::Severity> words[] = {
      {": fatal error: ", CompilerMessage::Fatal},
      {": error: ", CompilerMessage::Error},
      {": warning: ", CompilerMessage::Warning},
      {": note: ", CompilerMessage::Note}};
  for (auto [word, severity] : words) {
    auto [position, text] = line.split(word);
    CompilerMessage message;
    if (position.size() == line.size() || !parsePosition(position, message))
      continue;
    message.severity = severity;
    StringRef flag;
    if (text.ends_with("]"))
      std::tie(text, flag) = text.rsplit(" [-W");
    message.text = text.str();
    flag.consume_front("error=");
    message.flag = flag.split(',').first.rtrim("]=").str();
    return message;
  }
  return std::nullopt;
}

std::vector<CompilerMessage> uma::parseCompilerLog(StringRef log,
                                                   StringRef mainFile) {
  std::vector<CompilerMessage> messages;
  unsigned includedAt = 0;
  for (StringRef line : llvm::split(log, '\n')) {
    StringRef from = line.ltrim();
    if (from.consume_front("In file included from ") ||
        (line.starts_with(" ") && from.consume_front("from "))) {
      CompilerMessage place;
      if (parsePosition(from.rtrim(":,"), place) && place.file == mainFile)
        includedAt = place.line;
      continue;
    }
    std::optional<CompilerMessage> message = parseMessage(line);
    if (!message)
      continue;
    if (message->severity == CompilerMessage::Note) {
      if (!messages.empty())
        messages.back().notes.push_back(std::move(*message));
      continue;
    }
    message->includedAt = message->file == mainFile ? 0 : includedAt;
    includedAt = 0;
    messages.push_back(std::move(*message));
  }
  return messages;
}

std::string CompilerMessage::getType(StringRef words, bool isCanonical) const {
  SmallVector<const CompilerMessage *> all{this};
  for (const CompilerMessage &note : notes)
    all.push_back(&note);
  for (const CompilerMessage *message : all) {
    // Values after it are quoted too: "changes value from '300' to '44'".
    StringRef rest = StringRef(message->text).split(" changes value").first;
    size_t at = rest.rfind((words + " '").str());
    if (at == StringRef::npos)
      continue;
    rest = rest.drop_front(at + words.size() + 2);
    auto [type, behind] = rest.split('\'');
    behind = behind.ltrim(" {(");
    if (isCanonical && behind.consume_front("aka '"))
      type = behind.split('\'').first;
    return type.str();
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Prototypes
//===----------------------------------------------------------------------===//

/// Replaces comments and preprocessor directives by blanks.
static std::string blankOut(StringRef text) {
  std::string result = text.str();
  bool isLineStart = true;
  for (size_t i = 0; i < result.size(); ++i) {
    StringRef rest = text.substr(i);
    size_t size = 0;
    if (rest.starts_with("/*"))
      size = std::min(rest.find("*/", 2), rest.size() - 2) + 2;
    else if (rest.starts_with("//"))
      size = rest.find('\n');
    else if (isLineStart && rest.starts_with("#"))
      for (size = rest.find('\n');
           size != StringRef::npos && rest.substr(0, size).ends_with("\\");)
        size = rest.find('\n', size + 1);
    size = std::min(size, rest.size());
    for (size_t j = i; j < i + size; ++j)
      if (result[j] != '\n')
        result[j] = ' ';
    if (size > 0)
      i += size - 1;
    else
      isLineStart =
          rest.front() == '\n' || (isLineStart && llvm::isSpace(rest.front()));
  }
  return result;
}

static std::string joinWords(StringRef text) {
  SmallVector<StringRef> words;
  llvm::SplitString(text, words);
  std::string result = llvm::join(words, " ");
  for (auto [from, to] : {std::pair("( ", "("), std::pair(" )", ")")})
    for (size_t at; (at = result.find(from)) != std::string::npos;)
      result.replace(at, 2, to);
  return result;
}

/// Splits the parameters at commas outside of parentheses.
static std::vector<std::string> splitParameters(StringRef text) {
  std::vector<std::string> result;
  unsigned depth = 0;
  size_t start = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ',';
    depth += c == '(';
    depth -= c == ')' && depth > 0;
    if (c != ',' || (depth > 0 && i < text.size()))
      continue;
    result.push_back(joinWords(text.slice(start, i)));
    start = i + 1;
  }
  return result;
}

Prototype uma::readPrototype(StringRef header, unsigned line, unsigned column) {
  std::string blank = blankOut(header);
  StringRef text = blank, rest = text;
  for (unsigned i = 1; i < line; ++i)
    rest = rest.split('\n').second;
  size_t name = rest.data() - text.data() + column - 1;
  size_t open = text.find('(', name);
  // A declaration by a macro has no readable parameters.
  if (line == 0 || column == 0 || name >= text.size() ||
      open == StringRef::npos || text.slice(name, open).contains(';'))
    return {};
  size_t start = text.take_front(name).find_last_of(";{}") + 1;
  unsigned depth = 0;
  size_t close = open;
  for (; close < text.size(); ++close) {
    depth += text[close] == '(';
    if (text[close] == ')' && --depth == 0)
      break;
  }
  if (close == text.size())
    return {};
  Prototype prototype;
  prototype.text = joinWords(text.slice(start, close + 1));
  StringRef result = StringRef(prototype.text);
  prototype.parameters = splitParameters(text.slice(open + 1, close));
  for (bool isMore = true; isMore;) {
    isMore = false;
    for (StringRef word : {"extern ", "static ", "inline ", "\"C\" "})
      isMore |= result.consume_front(word);
  }
  prototype.text = result.str();
  std::string word = joinWords(text.slice(name, open));
  prototype.result =
      StringRef(prototype.text).split(word + "(").first.rtrim().str();
  if (prototype.result.size() == prototype.text.size())
    prototype.result =
        StringRef(prototype.text).split(word + " (").first.rtrim().str();
  if (prototype.parameters == std::vector<std::string>{"void"} ||
      prototype.parameters == std::vector<std::string>{""})
    prototype.parameters.clear();
  if (!prototype.parameters.empty() && prototype.parameters.back() == "...") {
    prototype.parameters.pop_back();
    prototype.isVariadic = true;
  }
  return prototype;
}

std::vector<std::string> uma::getFunctionNames(StringRef header) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  std::vector<std::string> names;
  while (!header.empty()) {
    StringRef word = header.take_while(isPart);
    header = header.drop_front(std::max<size_t>(word.size(), 1));
    if (!word.empty() && !llvm::isDigit(word.front()) &&
        header.ltrim(" ").starts_with("("))
      names.push_back(word.str());
  }
  llvm::sort(names);
  names.erase(llvm::unique(names), names.end());
  return names;
}
