//===- ParseEngine.cpp - Engines, transfers between memories, tiles -------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "uma/Support/DidYouMean.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

/// Returns an argument of a body that the value depends on, or null.
static BlockArgument findArgument(Value value) {
  if (auto argument = dyn_cast_or_null<BlockArgument>(value))
    return argument;
  Operation *op = value ? value.getDefiningOp() : nullptr;
  for (Value operand : op ? op->getOperands() : OperandRange(nullptr, 0))
    if (BlockArgument argument = findArgument(operand))
      return argument;
  return {};
}

/// Parses `{ setting …; keyword f(arguments) }` into `body`, whose arguments
/// have names in it.
LogicalResult Parser::parseCommand(MutableArrayRef<Setting> settings,
                                   StringRef keyword, Block &body,
                                   ArrayRef<llvm::StringLiteral> arguments,
                                   const Twine &statement) {
  builder.setInsertionPointToEnd(&body);
  for (auto [name, argument] : llvm::zip_equal(arguments, body.getArguments()))
    define({name, token.getLoc()}, argument);
  llvm::SMLoc loc = token.getLoc();
  bool isWhole = true;
  auto parseStatement = [&]() -> LogicalResult {
    SmallVector<StringRef> words = {keyword};
    for (const Setting &setting : settings)
      words.push_back(setting.name);
    if (token.is(Token::Identifier) &&
        !llvm::is_contained(words, token.spelling)) {
      std::string hint = didYouMean(token.spelling, words);
      return fail(
          token.getLoc(),
          statement + " has no '" + token.spelling + "'" +
              (hint.empty() ? "; it has " + llvm::join(words, ", ") : hint));
    }
    Name name{token.spelling, token.getLoc()};
    if (!isWord(keyword)) {
      if (failed(parseSetting(settings, statement)))
        return failure();
      for (const Setting &setting : settings)
        if (BlockArgument argument = findArgument(setting.value);
            argument && setting.name == name.text)
          return fail(name.loc, name.text +
                                    " is the same for all commands, but "
                                    "'" +
                                    arguments[argument.getArgNumber()] +
                                    "' differs between them; write a number or "
                                    "attributes of the target");
      return expectEndOfStatement("the value");
    }
    advance();
    return parseCall(name);
  };
  if (failed(parseBlock("after " + statement, statement, [&] {
        isWhole &= parseOrSkip(parseStatement);
        return success();
      })))
    return failure();
  isWrong |= !isWhole;
  if (isWrong)
    return success();
  if (body.getOps<CallOp>().empty() && keyword == "call")
    return fail(loc, statement + " needs '" + keyword +
                         " FUNCTION(...)', a function of the device");
  SmallVector<Value> results;
  for (Setting &setting : settings) {
    if (!setting.value)
      setting.value = arith::ConstantIndexOp::create(builder, at(loc), 0);
    results.push_back(setting.value);
  }
  YieldOp::create(builder, at(loc), results);
  return success();
}

/// Parses `NAME { macs = …; wait f(…) }`.
LogicalResult Parser::parseEngine() {
  Name name;
  if (failed(parseName(name, "the engine's name")))
    return failure();
  auto op = EngineOp::create(builder, at(name.loc), name.text);
  Block &body = op.getBody().emplaceBlock();
  body.addArgument(builder.getIndexType(), at(name.loc));
  Setting settings[] = {{"macs"}};
  if (!token.is("{")) {
    builder.setInsertionPointToEnd(&body);
    Value zero = arith::ConstantIndexOp::create(builder, at(name.loc), 0);
    YieldOp::create(builder, at(name.loc), zero);
    return expectEndOfStatement("the engine's name");
  }
  return parseCommand(settings, "wait", body, EngineOp::getArgumentNames(),
                      "engine '" + name.text + "'");
}

/// Parses `{ FIRST f(…); SECOND f(…) }`. `first` and `second` are the two calls
/// as the user would write them.
LogicalResult Parser::parseTwoCalls(llvm::SMLoc loc, Block &body,
                                    ArrayRef<llvm::StringLiteral> arguments,
                                    StringRef statement, StringRef first,
                                    StringRef second) {
  for (StringRef name : arguments)
    define({name, loc}, body.addArgument(builder.getIndexType(), at(loc)));
  builder.setInsertionPointToEnd(&body);
  StringRef firstWord = first.split(' ').first;
  StringRef secondWord = second.split(' ').first;
  SmallVector<StringRef> seen;
  bool isWhole = true;
  auto parseStatement = [&]() -> LogicalResult {
    if (!isWord(firstWord) && !isWord(secondWord))
      return unexpected(first + " or " + second);
    Name name{token.spelling, token.getLoc()};
    advance();
    seen.push_back(name.text);
    return parseCall(name);
  };
  if (failed(parseBlock("after '" + statement + "'", "the " + statement, [&] {
        isWhole &= parseOrSkip(parseStatement);
        return success();
      })))
    return failure();
  isWrong |= !isWhole;
  if (!isWrong &&
      (seen.size() != 2 || seen[0] != firstWord || seen[1] != secondWord))
    error(loc) << statement << " are '" << firstWord << "' and '" << secondWord
               << "', in this order: " << statement << " { " << first << "; "
               << second << " }";
  return success();
}

/// Parses `{ push f(…); pop f(…) }`.
LogicalResult Parser::parseTokens(llvm::SMLoc loc) {
  auto op = TokensOp::create(builder, at(loc));
  return parseTwoCalls(loc, op.getBody().emplaceBlock(),
                       TokensOp::getArgumentNames(), "tokens",
                       "push FUNCTION(from, to)", "pop FUNCTION(from, to)");
}

/// Parses `{ begin f(…); failed f() }`.
LogicalResult Parser::parseLayers(llvm::SMLoc loc) {
  auto op = LayersOp::create(builder, at(loc));
  return parseTwoCalls(loc, op.getBody().emplaceBlock(),
                       LayersOp::getArgumentNames(), "layers",
                       "begin FUNCTION(number)", "failed FUNCTION()");
}

/// Parses `FROM -> TO on ENGINE { setup = …; bandwidth = …; call f(…) }`.
LogicalResult Parser::parsePath(llvm::SMLoc loc) {
  Name from, to, engine;
  if (failed(parseName(from, "the memory from which data is moved")) ||
      failed(expect("->", "and a memory after '" + from.text + "'")) ||
      failed(parseName(to, "the memory to which data is moved")))
    return failure();
  if (!isWord("on"))
    return unexpected("'on' and the engine that moves the data");
  advance();
  if (failed(parseName(engine, "the engine after 'on'")))
    return failure();
  auto op = PathOp::create(builder, at(loc), from.text, to.text, engine.text);
  Block &body = op.getBody().emplaceBlock();
  Type index = builder.getIndexType();
  Type pointer = AccelTensorType::get(source.getContext());
  bool isFromMain = from.text == kMainMemory;
  body.addArguments({isFromMain ? pointer : index, isFromMain ? index : pointer,
                     index, index, index},
                    SmallVector<Location>(5, at(loc)));
  Setting settings[] = {{"setup"}, {"bandwidth"}};
  llvm::SMLoc settingsLoc = token.getLoc();
  if (failed(parseCommand(settings, "call", body, PathOp::getArgumentNames(),
                          "the transfer")))
    return failure();
  if (!isWrong && !settings[1].isGiven)
    error(settingsLoc) << "the transfer has no bandwidth, e.g. bandwidth = 8, "
                          "in bytes per cycle";
  return success();
}

/// Parses `size [by step] {, size [by step]}`.
LogicalResult PatternParser::parseTile(Name /*keyword*/) {
  bool isFirst = true;
  do {
    if (!std::exchange(isFirst, false))
      skipNewlines();
    Name size;
    if (failed(parseName(size, "a size to tile")))
      return failure();
    int64_t step = 1;
    llvm::SMLoc stepLoc = token.getLoc();
    if (isWord("by")) {
      advance();
      stepLoc = token.getLoc();
      if (token.is(Token::Identifier)) {
        Name attribute{token.spelling, stepLoc};
        advance();
        FailureOr<int64_t> value = readConstant(attribute, "the step of tiles");
        if (succeeded(value))
          step = *value;
      } else if (!token.is(Token::Integer)) {
        return unexpected("the step of tiles, an integer, after 'by'");
      } else if (failed(parseInteger(step))) {
        return failure();
      }
    }
    if (step < 1)
      error(stepLoc) << "the step of tiles is positive, found " << step;
    Value dim = lookup(size, "a size", /*isTensor=*/false, /*isDim=*/true);
    if (dim && !dim.getDefiningOp<DimOp>())
      error(size.loc) << "'" << size.text
                      << "' is an attribute of the target, not a size";
    if (!isWrong)
      TileOp::create(builder, at(size.loc), dim, step);
  } while (consumeIf(","));
  return expectEndOfStatement("the tiles");
}
