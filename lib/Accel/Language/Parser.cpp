//===- Parser.cpp - Parser of the description language --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Parses the file and the items of an accelerator. The parser checks everything
// that has a position in the text; the verifiers of uma.accel check the rest.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "FlatStatements.h"

#include "uma/Support/DidYouMean.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

ArrayRef<StringRef> language::getItemKeywords() {
  static const SmallVector<StringRef> keywords = [] {
    SmallVector<StringRef> words = {
        "pattern",  "attribute", "memory",   "init",        "await",
        "strategy", "region",    "transfer", "instruction", "engine",
        "tokens",   "layers",    "launch"};
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

//===----------------------------------------------------------------------===//
// Accelerators
//===----------------------------------------------------------------------===//

LogicalResult Parser::checkVersion(llvm::SMLoc keyword, llvm::SMLoc loc,
                                   int64_t version) {
  // `version` must be first, or preceding statements of a newer version would
  // be errors.
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
  if (keyword.text == "init" || keyword.text == "launch" ||
      keyword.text == "await")
    return parseRegionCall(keyword);
  if (keyword.text == "strategy")
    return parseStrategy();
  if (keyword.text == "transfer")
    return token.is(Token::Identifier) ? parsePath(keyword.loc)
                                       : parseTransfer(keyword.loc);
  if (keyword.text == "engine")
    return parseEngine();
  if (keyword.text == "tokens")
    return parseTokens(keyword.loc);
  if (keyword.text == "layers")
    return parseLayers(keyword.loc);
  if (keyword.text == "instruction")
    return parseInstruction();
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
    bool isDeclaration =
        isWord("attribute") || isWord("memory") || isWord("engine");
    if (!parseOrSkip([&] { return parseItem(); })) {
      isWhole = false;
      // Skipped text may have declared any name in it.
      if (isSkipped)
        brokenItems.push_back(StringRef(start, token.spelling.begin() - start));
      // Verifying the remaining items requires all declarations.
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
  for (auto attribute : op->getOps<AttributeOp>())
    if (targetAttributes.lookup(attribute.getName()).isFixed)
      attribute.setFixed(true);
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
uma::accel::parseDescription(llvm::SourceMgr &sourceMgr, MLIRContext *context,
                             ArrayRef<std::string> settings,
                             DescriptionNames *names) {
  context->loadDialect<UMADialect, arith::ArithDialect>();
  Source source(sourceMgr, context, settings, names);
  return Parser(source).parseFile();
}
