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

/// Default `plevel` of a device's strategy; built-in strategies have 10.
static constexpr int64_t kDefaultLevel = 11;

//===----------------------------------------------------------------------===//
// Settings
//===----------------------------------------------------------------------===//

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
  Region *body =
      keyword.text == "await"    ? &AwaitOp::create(builder, loc).getBody()
      : keyword.text == "launch" ? &LaunchOp::create(builder, loc).getBody()
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
