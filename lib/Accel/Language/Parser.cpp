//===- Parser.cpp - The description language to uma.accel -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Tokens, the file and the items of an accelerator. Everything that has a
// position in the text is checked here, at that position; the verifiers of
// uma.accel check the rest.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "FlatStatements.h"

#include "uma/Support/DidYouMean.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

ArrayRef<StringRef> language::getItemKeywords() {
  static const SmallVector<StringRef> keywords = [] {
    SmallVector<StringRef> words = {"pattern", "attribute", "memory",
                                    "init",    "await",     "strategy",
                                    "region",  "transfer"};
    for (const FlatStatement &statement : getFlatStatements())
      words.push_back(statement.keyword);
    llvm::sort(words);
    return words;
  }();
  return keywords;
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

void Parser::advance() {
  if (token.kind != Token::Error || token.spelling.empty())
    previousEnd = token.getEndLoc();
  if (token.is("{"))
    ++braces;
  else if (token.is("}") && braces > 0)
    --braces;
  token = lexer.lex();
}

void Parser::skipNewlines() {
  while (token.is(Token::Newline))
    advance();
}

LogicalResult Parser::fail(llvm::SMLoc loc, const Twine &message) {
  // A text that ends early because of an error needs no second one.
  bool isEndAfterError = hasSyntaxErrors && token.is(Token::EndOfFile);
  if (!token.is(Token::Error) && !isEndAfterError)
    source.emitError(loc) << message;
  hasSyntaxErrors = true;
  return failure();
}

LogicalResult Parser::unexpected(const Twine &expected) {
  return fail(token.getLoc(),
              "expected " + expected + ", found " + token.describe());
}

bool Parser::consumeIf(StringRef punctuation) {
  if (!token.is(punctuation))
    return false;
  advance();
  return true;
}

LogicalResult Parser::expect(StringRef punctuation, const Twine &where) {
  if (consumeIf(punctuation))
    return success();
  return unexpected("'" + punctuation + "' " + where);
}

LogicalResult Parser::expectEndOfStatement(const Twine &after) {
  bool isMissingBrace = hasSyntaxErrors && isStartOfStatement();
  if (token.is("}") || token.is(Token::EndOfFile) || isMissingBrace)
    return success();
  if (!token.is(Token::Newline))
    return unexpected("the end of the line after " + after);
  skipNewlines();
  return success();
}

LogicalResult Parser::parseName(Name &name, const Twine &what) {
  if (!token.is(Token::Identifier))
    return unexpected(what);
  name = {token.spelling, token.getLoc()};
  advance();
  return success();
}

LogicalResult Parser::parseText(Text &text, const Twine &what) {
  if (!token.is(Token::String))
    return unexpected(what + " in double quotes");
  text = {token.getString(), token.getLoc()};
  advance();
  return success();
}

LogicalResult Parser::parseInteger(int64_t &value, bool isNegative) {
  std::string digits = (isNegative ? "-" : "") + token.spelling.str();
  if (StringRef(digits).getAsInteger(10, value))
    return fail(token.getLoc(),
                Twine("integer ") + digits + " does not fit in 64 bits");
  advance();
  return success();
}

LogicalResult Parser::parseFloat(double &value, bool isNegative) {
  if (token.spelling.getAsDouble(value) || !std::isfinite(value))
    return fail(token.getLoc(),
                Twine("number ") + token.spelling + " does not fit in 64 bits");
  value = isNegative ? -value : value;
  advance();
  return success();
}

LogicalResult Parser::parseBool(bool &value, const Twine &what) {
  if (!isWord("true") && !isWord("false"))
    return unexpected("true or false " + what);
  value = token.spelling == "true";
  advance();
  return success();
}

/// Parses elements, separated by commas, up to and with `close`.
LogicalResult Parser::parseList(StringRef close, const Twine &what,
                                function_ref<LogicalResult()> parseElement) {
  if (consumeIf(close))
    return success();
  do {
    if (failed(parseElement()))
      return failure();
  } while (consumeIf(","));
  if (consumeIf(close))
    return success();
  return unexpected("',' or '" + close + "' in " + what);
}

LogicalResult Parser::parseBlock(const Twine &before, const Twine &what,
                                 function_ref<LogicalResult()> parseStatement) {
  skipNewlines();
  if (failed(expect("{", before)))
    return failure();
  skipNewlines();
  while (!token.is("}")) {
    if (token.is(Token::EndOfFile))
      return unexpected("'}' at the end of " + what);
    (void)parseOrSkip(parseStatement);
  }
  advance();
  return expectEndOfStatement(what);
}

//===----------------------------------------------------------------------===//
// Accelerators
//===----------------------------------------------------------------------===//

LogicalResult Parser::checkVersion(llvm::SMLoc keyword, llvm::SMLoc loc,
                                   int64_t version) {
  // Statements of a newer version before this one would be errors.
  if (!llvm::hasSingleElement(*builder.getBlock()) || !brokenItems.empty())
    return fail(keyword, "'version' is the first statement of a description");
  isNewer = version > kLanguageVersion;
  if (!isNewer)
    return success();
  return fail(loc, "the description is written for version " + Twine(version) +
                       " of the language; this uma reads up to version " +
                       Twine(kLanguageVersion));
}

LogicalResult Parser::parseItem() {
  if (token.is(Token::EndOfFile))
    return unexpected("'}' at the end of accelerator '" + accelerator.text +
                      "'");
  names.clear();
  Name keyword;
  if (failed(parseName(keyword, "include, model, link, pass or pattern")))
    return failure();
  if (const FlatStatement *statement = findFlatStatement(keyword.text))
    return parseFlat(*statement, keyword);
  if (keyword.text == "pattern")
    return parsePattern();
  if (keyword.text == "attribute")
    return parseTargetAttribute();
  if (keyword.text == "memory")
    return parseMemory();
  if (keyword.text == "init" || keyword.text == "await")
    return parseRegionCall(keyword);
  if (keyword.text == "strategy")
    return parseStrategy();
  if (keyword.text == "transfer")
    return parseTransfer(keyword.loc);
  if (keyword.text == "region")
    return parseRegion(keyword.loc);
  if (getPatternStatements().contains(keyword.text))
    return fail(keyword.loc,
                Twine("'") + keyword.text + "' is a statement of a pattern");
  std::string hint = didYouMean(keyword.text, getItemKeywords());
  return fail(keyword.loc,
              Twine("unknown statement '") + keyword.text + "'" +
                  (hint.empty() ? "; an accelerator holds " +
                                      llvm::join(getItemKeywords(), ", ")
                                : hint));
}

OwningOpRef<AcceleratorOp> Parser::parseAccelerator(AcceleratorParts &parts) {
  advance();
  skipNewlines();
  if (!isWord("accelerator")) {
    (void)unexpected("'accelerator NAME {' at the start of the description");
    return nullptr;
  }
  advance();
  if (failed(parseName(accelerator, "the accelerator's name")))
    return nullptr;
  skipNewlines();
  if (failed(expect("{", "after the accelerator's name")))
    return nullptr;
  skipNewlines();
  collectAttributes();

  OwningOpRef<AcceleratorOp> op =
      AcceleratorOp::create(builder, at(accelerator.loc), accelerator.text,
                            builder.getStringAttr(source.getFile()));
  Block &body = op->getBody().emplaceBlock();
  bool isWhole = true, hasDeclarations = true;
  while (!token.is("}")) {
    builder.setInsertionPointToEnd(&body);
    Operation *last = body.empty() ? nullptr : &body.back();
    const char *start = token.spelling.begin();
    bool isDeclaration = isWord("attribute") || isWord("memory");
    if (!parseOrSkip([&] { return parseItem(); })) {
      isWhole = false;
      // Text that was skipped may have declared any name in it.
      if (isSkipped)
        brokenItems.push_back(StringRef(start, token.spelling.begin() - start));
      // Verification of the others needs all declarations.
      hasDeclarations &= !isSkipped && !isDeclaration;
      while (!body.empty() && &body.back() != last)
        body.back().erase();
    }
    if (isNewer)
      return nullptr;
    if (token.is(Token::EndOfFile)) {
      (void)unexpected("'}' at the end of accelerator '" + accelerator.text +
                       "'");
      break;
    }
    skipNewlines();
  }
  if (!token.is(Token::EndOfFile)) {
    advance();
    skipNewlines();
    if (!token.is(Token::EndOfFile))
      (void)fail(
          token.getLoc(),
          Twine("unexpected ") + token.describe() +
              " after the accelerator's '}'; a file describes one accelerator");
  }
  isWhole &= !hasSyntaxErrors;
  parts = isWhole           ? AcceleratorParts::All
          : hasDeclarations ? AcceleratorParts::NotAllPatterns
                            : AcceleratorParts::Some;
  return op;
}

OwningOpRef<AcceleratorOp> Parser::parseFile() {
  OwningOpRef<AcceleratorOp> op;
  AcceleratorParts parts = AcceleratorParts::Some;
  holdDiagnostics([&] { op = parseAccelerator(parts); });
  if (!op || failed(verifyAccelerator(*op, parts)) ||
      parts != AcceleratorParts::All)
    return nullptr;
  warnOfUnreadAttributes();
  return op;
}

OwningOpRef<AcceleratorOp>
uma::accel::parseDescription(llvm::SourceMgr &sourceMgr, MLIRContext *context) {
  context->loadDialect<UMADialect, arith::ArithDialect>();
  Source source(sourceMgr, context);
  return Parser(source).parseFile();
}
