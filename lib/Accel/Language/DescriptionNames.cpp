//===- DescriptionNames.cpp - Names of a description ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Language/DescriptionNames.h"

#include "Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma::accel;
using namespace uma::accel::language;

using Use = DescriptionNames::Use;

const Use *DescriptionNames::find(size_t offset) const {
  for (const Use &use : uses)
    if (use.offset <= offset && offset <= use.offset + use.text.size())
      return &use;
  return nullptr;
}

/// Returns whether both uses mean the same name. A use of a name with an error
/// has no certain kind.
static bool isSame(const Use &lhs, const Use &rhs) {
  auto isLocal = [](const Use &use) {
    return use.kind == NameKind::Tensor || use.kind == NameKind::Size;
  };
  return lhs.text == rhs.text && lhs.scope == rhs.scope &&
         (lhs.kind == rhs.kind || (isLocal(lhs) && isLocal(rhs)));
}

const Use *DescriptionNames::findDefinition(const Use &use) const {
  for (const Use &other : uses)
    if (other.isDefinition && isSame(other, use))
      return &other;
  return nullptr;
}

std::vector<size_t> DescriptionNames::findAll(const Use &use) const {
  std::vector<size_t> offsets;
  for (const Use &other : uses)
    if (isSame(other, use))
      offsets.push_back(other.offset);
  llvm::sort(offsets);
  offsets.erase(llvm::unique(offsets), offsets.end());
  return offsets;
}

ArrayRef<StringRef> uma::accel::getItemKeywords() {
  return language::getItemKeywords();
}

std::vector<StringRef> uma::accel::getStatementKeywords() {
  auto keys = PatternParser::getPatternStatements().keys();
  std::vector<StringRef> words(keys.begin(), keys.end());
  llvm::sort(words);
  return words;
}

ArrayRef<StringRef> uma::accel::getElementTypeNames() {
  return language::getTypeNames();
}

std::vector<StringRef> uma::accel::getValueWords() {
  return {kAnyValue, "false", kOutsideValue, kSameValue, "true"};
}

bool uma::accel::isReserved(StringRef word) {
  return language::isReservedWord(word);
}

namespace {
/// Follows the tokens in front of a position.
class CursorScanner {
public:
  void add(const Token &token);
  Cursor::Kind getKind(std::string &operation) const;

private:
  Cursor::Kind getKindInDefinition(std::string &operation) const;
  bool isWord(size_t index, StringRef word) const {
    return index < statement.size() && statement[index].spelling == word;
  }

  SmallVector<Token> statement;  ///< tokens of the unfinished statement
  SmallVector<StringRef> blocks; ///< first words of the open blocks
  /// Index into `statement` of each open parenthesis and bracket.
  SmallVector<size_t> open;
};
} // namespace

void CursorScanner::add(const Token &token) {
  bool isOpening = token.is("(") || token.is("[");
  // Braces within parentheses belong to structs.
  if (open.empty() && (token.is("{") || token.is("}"))) {
    if (token.is("{"))
      blocks.push_back(statement.empty() ? "" : statement.front().spelling);
    else if (!blocks.empty())
      blocks.pop_back();
    statement.clear();
    return;
  }
  if (token.is(Token::Newline) && open.empty()) {
    statement.clear();
    return;
  }
  if (isOpening)
    open.push_back(statement.size());
  else if ((token.is(")") || token.is("]")) && !open.empty())
    open.pop_back();
  statement.push_back(token);
}

Cursor::Kind CursorScanner::getKindInDefinition(std::string &operation) const {
  if (open.empty()) {
    bool isAtOperator = statement.back().is("=") || statement.back().is("|") ||
                        statement.back().spelling == "optional";
    bool hasOperator = llvm::any_of(
        statement, [](const Token &token) { return token.is("="); });
    if (isAtOperator && hasOperator)
      return Cursor::Operator;
    return statement.back().is(":") || statement.back().is("|")
               ? Cursor::ElementType
               : Cursor::Nowhere;
  }
  size_t first = open.front();
  if (first == 0 || !statement[first].is("("))
    return Cursor::Nowhere;
  operation = statement[first - 1].spelling.str();
  bool isInList = open.size() > 1;
  return isInList || statement.back().is("=") ? Cursor::Value : Cursor::Operand;
}

Cursor::Kind CursorScanner::getKind(std::string &operation) const {
  bool isInPattern = blocks.size() == 2 && (blocks.back() == "pattern" ||
                                            blocks.back() == "strategy");
  if (statement.empty())
    return isInPattern          ? Cursor::Statement
           : blocks.size() == 1 ? Cursor::Item
                                : Cursor::Nowhere;
  StringRef first = statement.front().spelling;
  bool isCall = first == "call" || first == "configure" || first == "init" ||
                first == "launch" || first == "await";
  if (isCall && !(isInPattern && (isWord(1, "=") || isWord(1, ":"))))
    return statement.size() == 1 ? Cursor::Function
           : open.empty()        ? Cursor::Nowhere
                                 : Cursor::Expression;
  if (!isInPattern) {
    if (first == "pass" || first == "script")
      return statement.size() == 1 ? Cursor::Phase : Cursor::Nowhere;
    bool isInType = statement.back().is(":") || statement.back().is("|") ||
                    statement.back().spelling == "const";
    return isInType && open.size() == 1 ? Cursor::ElementType : Cursor::Nowhere;
  }
  if (isWord(1, "=") || isWord(1, ":"))
    return getKindInDefinition(operation);
  if (llvm::is_contained(getStatementKeywords(), first) && first != "code" &&
      first != "lower")
    return Cursor::Expression;
  return Cursor::Nowhere;
}

Cursor uma::accel::describeCursor(StringRef text, size_t offset,
                                  MLIRContext *context) {
  text = text.take_front(offset);
  Cursor cursor;
  StringRef before = text.rtrim("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST"
                                "UVWXYZ0123456789_");
  cursor.prefix = text.drop_front(before.size()).str();
  if (!cursor.prefix.empty() && llvm::isDigit(cursor.prefix.front()))
    return cursor;
  // Nothing is suggested in comments and strings.
  StringRef line = before.drop_front(before.rfind('\n') + 1);
  bool isInString = false;
  for (char c : line) {
    isInString ^= c == '"';
    if (c == '#' && !isInString)
      return cursor;
  }
  if (isInString)
    return cursor;
  llvm::SourceMgr sourceMgr;
  sourceMgr.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(before, "cursor"), llvm::SMLoc());
  Source source(sourceMgr, context);
  Lexer lexer(source);
  lexer.setQuiet(true);
  CursorScanner scanner;
  for (Token token = lexer.lex(); !token.is(Token::EndOfFile);
       token = lexer.lex())
    scanner.add(token);
  cursor.kind = scanner.getKind(cursor.operation);
  return cursor;
}
