//===- ParsePattern.cpp - Parser of patterns ------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "uma/Support/DidYouMean.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

const PatternParser::StatementTable &PatternParser::getPatternStatements() {
  static const StatementTable statements = {
      {"require", &PatternParser::parseRequire},
      {"call", &PatternParser::parseCall},
      {"return", &PatternParser::parseReturn},
      {"configure", &PatternParser::parseCall},
      {"lower", &PatternParser::parseLower},
      {"place", &PatternParser::parsePlace},
      {"cost", &PatternParser::parseCost},
      {"split", &PatternParser::parseSplit},
      {"tile", &PatternParser::parseTile},
      {"scratch", &PatternParser::parseScratch},
      {"code", &PatternParser::parseCode}};
  return statements;
}

LogicalResult PatternParser::parsePattern() {
  Name name;
  if (failed(parseName(name, "the pattern's name")))
    return failure();
  auto [first, isNew] = patterns.insert({name.text, name.loc});
  if (!isNew) {
    InFlightDiagnostic diagnostic = error(name.loc)
                                    << "a pattern '" << name.text
                                    << "' exists already; give each its own "
                                       "name, e.g. '"
                                    << name.text << "_2'";
    diagnostic.attachNote(at(first->second)) << "the other one is here";
  }
  openScope(name, NameKind::Pattern);
  auto op = PatternOp::create(builder, at(name.loc), name.text);
  builder.setInsertionPointToEnd(&op.getBody().emplaceBlock());
  if (failed(parseInputs()) || failed(parseBody("pattern '" + name.text + "'")))
    return failure();
  return expectEndOfStatement("the pattern");
}

/// Parses `(input, …)` and initializes the names of a pattern.
LogicalResult PatternParser::parseInputs() {
  names.clear();
  for (StringRef text : brokenItems)
    excuse(text);
  const char *start = token.getLoc().getPointer();
  if (succeeded(expect("(", "after the pattern's name")) &&
      succeeded(parseList(")", "the inputs of the pattern",
                          [&] { return parseInput(); })))
    return success();
  // Continue with the body to report its errors.
  if (!skipToBody())
    return failure();
  isWrong = true;
  excuse(StringRef(start, token.getLoc().getPointer() - start));
  return success();
}

LogicalResult PatternParser::parseBody(const Twine &what) {
  skipNewlines();
  if (failed(expect("{", "before the pattern's body")))
    return failure();
  skipNewlines();
  bool isWhole = !isWrong;
  while (!token.is("}")) {
    // A pattern within a pattern means that the outer one was not closed.
    if (token.is(Token::EndOfFile) ||
        ((isWord("pattern") || isWord("strategy")) && isStartOfStatement())) {
      (void)unexpected("'}' at the end of " + what);
      // Skip checks of the whole pattern, since it is incomplete.
      isWrong = true;
      braces = std::min(braces, 1u);
      return success();
    }
    isWhole &= parseOrSkip([&] { return parseStatement(); });
  }
  isWrong = !isWhole;
  closeScope();
  if (isWhole)
    warnOfUnusedNames();
  advance();
  return success();
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

LogicalResult PatternParser::parseStatement() {
  Name first;
  if (failed(parseName(first, "an operator, require, call or return")))
    return failure();
  // Check for definitions first: tensors may be named like a statement.
  if (consumeIf("="))
    return parseDefinition(first, /*type=*/nullptr);
  if (consumeIf(":"))
    return parseTypedDefinition(first);
  if (auto parse = getPatternStatements().lookup(first.text))
    return (this->*parse)(first);
  static const StringRef words[] = {"do", "for", "if", "switch", "while"};
  if (llvm::is_contained(words, first.text)) {
    skipLine();
    return fail(first.loc, Twine("'") + first.text +
                               "' belongs to C; write it within code { ... }");
  }
  SmallVector<StringRef> keywords(getPatternStatements().keys());
  llvm::sort(keywords);
  std::string hint = didYouMean(first.text, keywords);
  if (hint.empty())
    return unexpected("'=' after '" + first.text + "'");
  return fail(first.loc,
              Twine("unknown statement '") + first.text + "'" + hint);
}

/// Parses `type = definition`.
LogicalResult PatternParser::parseTypedDefinition(Name result) {
  TensorType type;
  if (failed(parseTensorType(type, "'" + result.text + "'",
                             /*isConstant=*/nullptr)) ||
      failed(expect("=", "and an operator after the type")))
    return failure();
  return parseDefinition(result, &type);
}

/// Parses `[optional] operator {| operator}`.
LogicalResult PatternParser::parseDefinition(Name result,
                                             const TensorType *type) {
  // `optional` is a keyword unless a parenthesis follows.
  Name word{token.spelling, token.getLoc()};
  bool isOptional = isWord("optional");
  if (isOptional) {
    advance();
    if (token.is("("))
      return fail(word.loc, "unknown operator 'optional'; write the operator "
                            "that may be absent after it: optional relu(x)");
  }
  SmallVector<Operator> operators;
  do {
    skipNewlines();
    if (failed(parseOperator(operators.emplace_back(), StringAttr())))
      return failure();
  } while (consumeIf("|"));
  if (failed(expectEndOfStatement("the operator")))
    return failure();
  // If the operator is absent, the result stands for its first operand, which
  // must be the same for all alternatives.
  const Operator &first = operators.front();
  for (const Operator &op : operators) {
    if (!isOptional || isWrong)
      break;
    if (op.first.text.empty())
      error(op.kind.loc) << "'" << op.kind.text
                         << "' cannot be optional: its first operand is what '"
                         << result.text
                         << "' stands for without it, and must be a tensor";
    else if (op.first.text != first.first.text)
      error(op.first.loc)
          << "all alternatives of what is optional have one first operand, "
             "which '"
          << result.text << "' stands for where none is there; expected '"
          << first.first.text << "'";
  }
  if (isWrong) {
    excuse(result);
    return success();
  }
  StringAttr name = builder.getStringAttr(result.text);
  auto only = first.value.getDefiningOp<OperatorOp>();
  auto addType = [&](Value tensor) {
    if (type)
      ResultOp::create(builder, at(result.loc), tensor, type->elements,
                       type->anyShape, type->dims, type->sizes, type->layout);
  };
  if (!isOptional && operators.size() == 1) {
    only.setNameAttr(name);
    define(result, only);
    addType(only);
    return success();
  }
  SmallVector<Value> alternatives;
  for (const Operator &op : operators)
    alternatives.push_back(op.value);
  auto choice = ChoiceOp::create(
      builder, at(result.loc), AccelTensorType::get(source.getContext()),
      alternatives, isOptional ? only.getOperands_()[0] : Value(), name);
  define(result, choice);
  addType(choice);
  return success();
}

LogicalResult PatternParser::parseRequire(Name keyword) {
  const char *start = token.getLoc().getPointer();
  Expr condition;
  if (failed(parseExpr(condition)))
    return failure();
  // Join the condition's text into one line.
  StringRef written(start, previousEnd.getPointer() - start);
  SmallVector<StringRef> words;
  llvm::SplitString(written, words);
  Text reason;
  if (failed(expect(",", "and the reason after the condition")))
    return failure();
  skipNewlines();
  if (failed(parseText(reason, "the reason")) ||
      failed(expectEndOfStatement("the reason")))
    return failure();
  Value value = getValue(condition);
  if (value && !value.getType().isInteger(1))
    error(condition.loc)
        << "a requirement is a condition, e.g. n <= 64, found a "
        << (isa<AccelTensorType>(value.getType()) ? "tensor" : "number");
  if (!isWrong)
    RequireOp::create(builder, at(keyword.loc), value, reason.value,
                      builder.getStringAttr(llvm::join(words, " ")));
  return success();
}

LogicalResult PatternParser::parseLower(Name keyword) {
  LowerOp::create(builder, at(keyword.loc));
  return expectEndOfStatement("'lower'");
}

/// Parses `tensor {, tensor}`.
LogicalResult PatternParser::parseTensors(SmallVectorImpl<Value> &tensors,
                                          const Twine &what,
                                          bool skipsNewlines) {
  do {
    if (skipsNewlines && !tensors.empty())
      skipNewlines();
    Name name;
    if (failed(parseName(name, what)))
      return failure();
    tensors.push_back(lookupTensor(name));
  } while (consumeIf(","));
  return success();
}

LogicalResult PatternParser::parseReturn(Name keyword) {
  SmallVector<Value> tensors;
  if (failed(parseTensors(tensors, "the name of a result in 'return'",
                          /*skipsNewlines=*/true)) ||
      failed(expectEndOfStatement("the results")))
    return failure();
  if (!isWrong)
    ReturnOp::create(builder, at(keyword.loc), tensors);
  return success();
}

/// Parses `tensor {, tensor} in memory`.
LogicalResult PatternParser::parsePlace(Name /*keyword*/) {
  SmallVector<Value> tensors;
  if (failed(parseTensors(tensors, "a tensor to place",
                          /*skipsNewlines=*/false)))
    return failure();
  if (!isWord("in"))
    return unexpected("',' or 'in' and a memory after the tensors");
  advance();
  Name memory;
  if (failed(parseName(memory, "the memory's name")) ||
      failed(expectEndOfStatement("the memory")))
    return failure();
  if (!isWrong)
    PlaceOp::create(builder, at(memory.loc), tensors, memory.text);
  return success();
}

/// Parses `size by limit`.
LogicalResult PatternParser::parseSplit(Name keyword) {
  Name size;
  if (failed(parseName(size, "a size to split")))
    return failure();
  if (!isWord("by"))
    return unexpected("'by' and the largest size of a call");
  advance();
  int64_t limit = 0;
  llvm::SMLoc limitLoc = token.getLoc();
  if (!token.is(Token::Integer))
    return unexpected("the largest size of a call, an integer");
  if (failed(parseInteger(limit)) || failed(expectEndOfStatement("the size")))
    return failure();
  if (limit < 1)
    error(limitLoc) << "pieces of " << limit << " never end";
  Value dim = lookup(size, "a size", /*isTensor=*/false, /*isDim=*/true);
  if (dim && !dim.getDefiningOp<DimOp>())
    error(size.loc) << "'" << size.text
                    << "' is an attribute of the target, not a size";
  if (!isWrong)
    SplitOp::create(builder, at(keyword.loc), dim, limit);
  return success();
}

/// Parses `name: type[expression]`.
LogicalResult PatternParser::parseScratch(Name /*keyword*/) {
  Name name;
  if (failed(parseName(name, "the name of the scratch")) ||
      failed(expect(":", "and a type after the scratch's name")))
    return failure();
  llvm::SMLoc typeLoc = token.getLoc();
  SmallVector<Attribute> types;
  if (!token.is(Token::Identifier))
    return unexpected("an element type, e.g. f32");
  Expr size;
  if (failed(parseElementTypes(types)) ||
      failed(expect("[", "and the number of elements after the type")) ||
      failed(parseExpr(size)))
    return failure();
  if (failed(expect("]", "after the number of elements, e.g. f32[n * k]")) ||
      failed(expectEndOfStatement("the scratch")))
    return failure();
  if (types.size() > 1)
    error(typeLoc) << "a scratch has one element type";
  Value value = getValue(size);
  if (value && !value.getType().isIndex())
    error(size.loc) << "the size of a scratch is an integer, found "
                    << (isa<AccelTensorType>(value.getType()) ? "a tensor"
                        : value.getType().isInteger(1)        ? "a condition"
                                                              : "a float");
  if (isWrong) {
    excuse(name);
    return success();
  }
  define(name,
         ScratchOp::create(builder, at(name.loc),
                           AccelTensorType::get(source.getContext()), name.text,
                           cast<TypeAttr>(types.front()).getValue(), value));
  return success();
}

/// Parses `cycles = expression [, bytes = expression]`.
LogicalResult PatternParser::parseCost(Name keyword) {
  Setting settings[] = {{"cycles"}, {"bytes"}};
  do {
    if (failed(parseSetting(settings, "a cost")))
      return failure();
  } while (consumeIf(","));
  if (failed(expectEndOfStatement("the cost")))
    return failure();
  if (!settings[0].isGiven)
    return fail(keyword.loc, "the cost has no cycles, e.g. cost cycles = 100");
  if (!isWrong)
    CostOp::create(builder, at(keyword.loc), settings[0].value,
                   settings[1].value);
  return success();
}
