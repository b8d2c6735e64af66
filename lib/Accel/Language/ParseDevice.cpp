//===- ParseDevice.cpp - Items with settings, calls and patterns ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "uma/Support/DidYouMean.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

/// `plevel` of a device's strategy that gives none; built-in ones have 10.
static constexpr int64_t kDefaultLevel = 11;

//===----------------------------------------------------------------------===//
// Settings
//===----------------------------------------------------------------------===//

/// Parses `name = value` of one of `settings` that has none yet.
LogicalResult Parser::parseSetting(MutableArrayRef<Setting> settings,
                                   const Twine &statement) {
  SmallVector<StringRef> names = llvm::map_to_vector(
      settings, [](const Setting &setting) { return setting.name; });
  auto list = [&](StringRef last) {
    return names.size() == 1
               ? names.front().str()
               : llvm::join(ArrayRef<StringRef>(names).drop_back(), ", ") +
                     last.str() + names.back().str();
  };
  Name name;
  if (failed(parseName(name, list(" or "))))
    return failure();
  auto *setting = llvm::find_if(
      settings, [&](const Setting &known) { return known.name == name.text; });
  if (setting == settings.end()) {
    std::string hint = didYouMean(name.text, names);
    return fail(name.loc,
                statement + " has no '" + name.text + "'" +
                    (hint.empty() ? "; it has " + list(" and ") : hint));
  }
  if (setting->isGiven)
    return fail(name.loc, "'" + name.text + "' is given twice");
  setting->isGiven = true;
  if (failed(expect("=", "after '" + name.text + "'")))
    return failure();
  if (setting->kind == Setting::Whole) {
    Expr expr;
    if (failed(parseExpr(expr)))
      return failure();
    Value value = getValue(expr);
    if (value && !value.getType().isIndex()) {
      error(expr.loc) << name.text << " is a whole number, found "
                      << (isa<AccelTensorType>(value.getType()) ? "a tensor"
                          : value.getType().isInteger(1)        ? "a condition"
                                                                : "a fraction");
      return success();
    }
    setting->value = value;
    return success();
  }
  bool isFraction = setting->kind == Setting::Number && token.is(Token::Float);
  if (!token.is(Token::Integer) && !isFraction)
    return unexpected(setting->expected);
  if (setting->kind == Setting::Integer) {
    int64_t integer = 0;
    if (failed(parseInteger(integer)))
      return failure();
    setting->literal = builder.getI64IntegerAttr(integer);
    return success();
  }
  double number = 0;
  if (failed(parseFloat(number)))
    return failure();
  setting->literal = builder.getF64FloatAttr(number);
  return success();
}

/// Parses `{ setting … }`, each on its line or in front of a `;`.
LogicalResult Parser::parseSettings(MutableArrayRef<Setting> settings,
                                    const Twine &after,
                                    const Twine &statement) {
  skipNewlines();
  if (failed(expect("{", "after " + after)))
    return failure();
  skipNewlines();
  bool isWhole = true;
  while (!token.is("}")) {
    if (token.is(Token::EndOfFile))
      return unexpected("'}' at the end of " + statement);
    isWhole &= parseOrSkip([&] {
      return success(succeeded(parseSetting(settings, statement)) &&
                     succeeded(expectEndOfStatement("the value")));
    });
  }
  isWrong |= !isWhole;
  advance();
  return expectEndOfStatement(statement);
}

LogicalResult Parser::parseMemory() {
  Name name;
  if (failed(parseName(name, "the memory's name")))
    return failure();
  auto op =
      MemoryOp::create(builder, at(name.loc), builder.getStringAttr(name.text),
                       IntegerAttr(), FloatAttr());
  Block *block = builder.createBlock(&op.getSize());
  Setting settings[] = {
      {"size"},
      {"alignment", Setting::Integer, "the alignment in bytes"},
      {"cost", Setting::Number, "the cycles per byte"}};
  auto &[size, alignment, cost] = settings;
  if (failed(parseSettings(settings, "the memory's name",
                           "memory '" + name.text + "'")))
    return failure();
  op.setAlignmentAttr(cast_if_present<IntegerAttr>(alignment.literal));
  op.setAccessCostAttr(cast_if_present<FloatAttr>(cost.literal));
  if (size.value)
    YieldOp::create(builder, at(name.loc), size.value);
  else if (!size.isGiven)
    block->erase();
  return success();
}

LogicalResult Parser::parseTransfer(llvm::SMLoc loc) {
  auto op = TransferOp::create(builder, at(loc));
  Block &body = op.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(&body);
  define({"bytes", loc}, body.addArgument(builder.getIndexType(), at(loc)));
  Setting settings[] = {{"cycles"}};
  auto &[cycles] = settings;
  if (failed(parseSettings(settings, "'transfer'", "'transfer'")))
    return failure();
  if (!cycles.isGiven && !isWrong)
    error(loc) << "the transfer has no cycles, e.g. transfer { cycles = 100 + "
                  "bytes / 8 }";
  if (!isWrong)
    YieldOp::create(builder, at(loc), cycles.value);
  return success();
}

LogicalResult Parser::parseRegion(llvm::SMLoc loc) {
  auto op = RegionOp::create(builder, at(loc));
  builder.setInsertionPointToEnd(&op.getBody().emplaceBlock());
  Setting settings[] = {
      {"overhead"},
      {"min_operators", Setting::Integer, "the fewest operators of a region"}};
  auto &[overhead, minOperators] = settings;
  if (failed(parseSettings(settings, "'region'", "'region'")))
    return failure();
  if (!overhead.isGiven && !minOperators.isGiven && !isWrong)
    error(loc) << "the region says nothing, e.g. region { overhead = 500; "
                  "min_operators = 2 }";
  if (isWrong)
    return success();
  if (auto number = cast_if_present<IntegerAttr>(minOperators.literal))
    op.setMinOperators(number.getInt());
  Value value = overhead.value;
  if (!value)
    value = arith::ConstantIndexOp::create(builder, at(loc), 0);
  YieldOp::create(builder, at(loc), value);
  return success();
}

//===----------------------------------------------------------------------===//
// Calls and patterns
//===----------------------------------------------------------------------===//

LogicalResult Parser::parseRegionCall(Name keyword) {
  Location loc = at(token.getLoc());
  Region *body = keyword.text == "await"
                     ? &AwaitOp::create(builder, loc).getBody()
                     : &InitOp::create(builder, loc).getBody();
  builder.createBlock(body);
  return parseCall(keyword);
}

/// Parses `OPERATOR(inputs) [plevel N] { … }`.
LogicalResult Parser::parseStrategy() {
  Name name;
  if (failed(parseName(name, "the operator")))
    return failure();
  auto op = StrategyOp::create(builder, at(name.loc), kDefaultLevel);
  builder.createBlock(&op.getBody());
  auto pattern = PatternOp::create(builder, at(name.loc), name.text);
  builder.setInsertionPointToEnd(&pattern.getBody().emplaceBlock());
  if (failed(parseInputs()))
    return failure();
  if (token.is(Token::Identifier)) {
    if (token.spelling != "plevel")
      return unexpected("'plevel' or '{' after the strategy's inputs");
    advance();
    if (!token.is(Token::Integer))
      return unexpected("the level, an integer, after 'plevel'");
    int64_t level = 0;
    if (failed(parseInteger(level)))
      return failure();
    op.setLevel(level);
  }
  strategyKind = name.text;
  LogicalResult body = parseBody("the strategy of '" + name.text + "'");
  strategyKind = "";
  if (failed(body))
    return failure();
  return expectEndOfStatement("the strategy");
}
