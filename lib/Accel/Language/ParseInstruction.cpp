//===- ParseInstruction.cpp - Parser of instructions ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
//   instruction NAME(sum: i32, x: u8[4], w: i8[4]) {
//     sum = sum + x[0] * w[0] + x[1] * w[1] + x[2] * w[2] + x[3] * w[3]
//     lanes 4
//     guard "defined(__ARM_FEATURE_MATMUL_INT8)"
//     include "arm_neon.h"
//     code { sum = …; }
//   }
//
// If the operands lie in memory, these follow:
//
//     tile rows 16 columns 16 words 16
//     available "…"
//     configure { … }  start { … }  finish { … }
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "uma/Support/DidYouMean.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

LogicalResult InstructionParser::parseInstructionOperand(
    SmallVectorImpl<InstructionOperand> &operands) {
  InstructionOperand &operand = operands.emplace_back();
  if (failed(parseName(operand.name, "an operand")))
    return failure();
  if (llvm::any_of(ArrayRef(operands).drop_back(), [&](const auto &other) {
        return other.name.text == operand.name.text;
      }))
    error(operand.name.loc)
        << "operand '" << operand.name.text << "' is given twice";
  if (failed(expect(":", "after the operand's name")))
    return failure();
  SmallVector<Attribute> types;
  if (failed(parseElementTypes(types)))
    return failure();
  if (types.size() > 1)
    error(operand.name.loc) << "operand '" << operand.name.text
                            << "' of an instruction has one type";
  if (!types.empty())
    operand.type = cast<TypeAttr>(types.front());
  if (!consumeIf("["))
    return success();
  operand.isPacked = true;
  llvm::SMLoc loc = token.getLoc();
  if (!token.is(Token::Integer))
    return unexpected("the number of elements in a word, e.g. u8[4]");
  if (failed(parseInteger(operand.count)) ||
      failed(expect("]", "after the number of elements")))
    return failure();
  // Words have 32 bits.
  if (operand.count < 1 || operand.count > 32) {
    error(loc) << "an operand has 1 to 32 elements in a word, found "
               << operand.count;
    operand.count = 1;
  }
  return success();
}

LogicalResult InstructionParser::parseInstructionElement(
    ArrayRef<InstructionOperand> operands, Value &value) {
  Name name;
  if (failed(parseName(name, "an element, e.g. x[0]")))
    return failure();
  int64_t first = 0;
  const InstructionOperand *found = nullptr;
  for (const InstructionOperand &operand : operands) {
    if (operand.name.text == name.text) {
      found = &operand;
      break;
    }
    first += operand.count;
  }
  bool hasIndex = consumeIf("[");
  int64_t index = 0;
  llvm::SMLoc loc = token.getLoc();
  if (hasIndex) {
    if (!token.is(Token::Integer))
      return unexpected("the number of an element, an integer");
    if (failed(parseInteger(index)) ||
        failed(expect("]", "after the number of an element")))
      return failure();
  }
  if (!found) {
    SmallVector<StringRef> known;
    for (const InstructionOperand &operand : operands)
      known.push_back(operand.name.text);
    std::string hint = didYouMean(name.text, known);
    error(name.loc) << "'" << name.text << "' is no operand of the instruction"
                    << (hint.empty() ? "; it has " + llvm::join(known, ", ")
                                     : hint);
    return success();
  }
  if (hasIndex != found->isPacked) {
    error(name.loc) << "operand '" << name.text << "' has "
                    << (hasIndex
                            ? Twine("one element; write " + name.text)
                            : Twine(found->count) + " elements; write e.g. " +
                                  name.text + "[0]")
                           .str();
    return success();
  }
  if (index < 0 || index >= found->count) {
    error(loc) << "operand '" << name.text << "' has elements 0 to "
               << found->count - 1 << ", found " << index;
    return success();
  }
  value = builder.getBlock()->getArgument(first + index);
  return success();
}

LogicalResult
InstructionParser::parseInstructionSum(ArrayRef<InstructionOperand> operands) {
  Name result;
  if (failed(parseName(result, "the result")) ||
      failed(expect("=", "after the result")))
    return failure();
  if (!operands.empty() && result.text != operands.front().name.text)
    error(result.loc) << "the result of an instruction replaces its first "
                         "operand; write "
                      << operands.front().name.text << " = …";
  Value sum;
  auto combine = [&](llvm::SMLoc loc, Value lhs, Value rhs,
                     bool isProduct) -> Value {
    if (!lhs || !rhs)
      return nullptr;
    return isProduct ? Value(arith::MulIOp::create(builder, at(loc), lhs, rhs))
                     : Value(arith::AddIOp::create(builder, at(loc), lhs, rhs));
  };
  bool isFirst = true;
  do {
    skipNewlines();
    llvm::SMLoc start = token.getLoc();
    Value product;
    if (failed(parseInstructionElement(operands, product)))
      return failure();
    while (consumeIf("*")) {
      Value factor;
      llvm::SMLoc loc = token.getLoc();
      if (failed(parseInstructionElement(operands, factor)))
        return failure();
      product = combine(loc, product, factor, /*isProduct=*/true);
    }
    sum = isFirst ? product : combine(start, sum, product, false);
    isFirst = false;
  } while (consumeIf("+"));
  if (!token.is(Token::Newline) && !token.is("}"))
    return unexpected("'+', '*' or the end of the line after an element; an "
                      "instruction adds and multiplies elements");
  if (!isWrong)
    YieldOp::create(builder, at(result.loc), sum);
  return expectEndOfStatement("the sum");
}

/// Statements of an instruction.
namespace {
struct InstructionParts {
  std::optional<std::string> code, configure, start, finish;
  std::optional<std::string> guard, available, header;
  std::optional<int64_t> lanes;
  std::optional<SmallVector<int64_t>> tile;

  /// Return the field that a statement with C, or with a text, sets; null if
  /// there is no such statement.
  std::optional<std::string> *getCode(StringRef word) {
    return llvm::StringSwitch<std::optional<std::string> *>(word)
        .Case("code", &code)
        .Case("configure", &configure)
        .Case("start", &start)
        .Case("finish", &finish)
        .Default(nullptr);
  }
  std::optional<std::string> *getText(StringRef word) {
    return llvm::StringSwitch<std::optional<std::string> *>(word)
        .Case("guard", &guard)
        .Case("available", &available)
        .Case("include", &header)
        .Default(nullptr);
  }
};
} // namespace

LogicalResult InstructionParser::parseCount(int64_t &number,
                                            const Twine &expected) {
  return token.is(Token::Integer) ? parseInteger(number) : unexpected(expected);
}

LogicalResult
InstructionParser::parseInstructionTile(SmallVectorImpl<int64_t> &tile) {
  for (StringRef size : {"rows", "columns", "words"}) {
    if (!token.is(Token::Identifier) || token.spelling != size)
      return unexpected("'" + size +
                        "', as in tile rows 16 columns 16 words 16");
    advance();
    if (failed(parseCount(tile.emplace_back(),
                          "the number of " + size + ", an integer")))
      return failure();
  }
  return success();
}

LogicalResult InstructionParser::parseInstruction() {
  Name name;
  if (failed(parseName(name, "the instruction's name")) ||
      failed(expect("(", "after the instruction's name")))
    return failure();
  SmallVector<InstructionOperand> operands;
  if (failed(parseList(")", "the operands of '" + name.text + "'",
                       [&] { return parseInstructionOperand(operands); })))
    return failure();
  InstructionParts parts;
  llvm::SMLoc sumLoc;

  // The operation is completed at the end: its verifier needs everything.
  OperationState state(at(name.loc), InstructionOp::getOperationName());
  SmallVector<Location> locations = {at(name.loc)};
  auto addLocation = [&](llvm::SMLoc loc, StringRef part) {
    locations.push_back(NameLoc::get(builder.getStringAttr(part), at(loc)));
  };
  Region *region = state.addRegion();
  Block &body = region->emplaceBlock();
  SmallVector<Attribute> names, types;
  SmallVector<int64_t> counts;
  for (const InstructionOperand &operand : operands) {
    names.push_back(builder.getStringAttr(operand.name.text));
    types.push_back(operand.type ? operand.type
                                 : TypeAttr::get(builder.getI32Type()));
    counts.push_back(operand.count);
    addLocation(operand.name.loc, operand.name.text);
    for (int64_t i = 0; i < operand.count; ++i)
      body.addArgument(builder.getIndexType(), at(operand.name.loc));
  }
  OpBuilder::InsertPoint outside = builder.saveInsertionPoint();
  builder.setInsertionPointToEnd(&body);
  bool isBroken = false;
  // Stores the value of a statement, which may stand once.
  auto once = [&](auto &field, llvm::SMLoc loc, StringRef what,
                  const auto &value) {
    if (field)
      error(loc) << "the instruction has '" << what << "' already";
    addLocation(loc, what);
    field = value;
  };
  auto parseStatement = [&]() -> LogicalResult {
    llvm::SMLoc loc = token.getLoc();
    StringRef word = token.is(Token::Identifier) ? token.spelling : "";
    if (std::optional<std::string> *text = parts.getText(word)) {
      advance();
      Text value;
      if (failed(parseText(value, word == "include" ? "the header's name"
                                                    : "the condition")))
        return failure();
      once(*text, loc, word, value.value);
      return expectEndOfStatement("the text");
    }
    if (std::optional<std::string> *code = parts.getCode(word)) {
      advance();
      skipNewlines();
      if (!token.is(Token::Code))
        return unexpected("'{' and C after '" + word + "'");
      once(*code, loc, word,
           token.spelling.drop_front().drop_back().trim().str());
      advance();
      return expectEndOfStatement("the C");
    }
    if (word == "lanes") {
      advance();
      int64_t number = 0;
      if (failed(parseCount(number, "the number of lanes, an integer")))
        return failure();
      once(parts.lanes, loc, word, number);
      return expectEndOfStatement("the number of lanes");
    }
    if (word == "tile") {
      advance();
      SmallVector<int64_t> tile;
      if (failed(parseInstructionTile(tile)))
        return failure();
      once(parts.tile, loc, word, tile);
      return expectEndOfStatement("the tile");
    }
    bool isOperand = llvm::any_of(operands, [&](const auto &operand) {
      return operand.name.text == word;
    });
    if (!word.empty() && !isOperand) {
      SmallVector<StringRef> known = {"guard",     "include", "lanes",
                                      "code",      "tile",    "configure",
                                      "available", "start",   "finish"};
      for (const InstructionOperand &operand : operands)
        known.push_back(operand.name.text);
      std::string hint = didYouMean(word, known);
      return fail(loc, Twine("unknown statement '") + word + "'" +
                           (hint.empty() ? "; an instruction holds code, "
                                           "guard, include, lanes and " +
                                               (operands.empty()
                                                    ? StringRef("a sum")
                                                    : operands[0].name.text) +
                                               " = …"
                                         : hint));
    }
    if (sumLoc.isValid())
      error(loc) << "the instruction has a result already";
    sumLoc = loc;
    return parseInstructionSum(operands);
  };
  LogicalResult parsed = parseBlock("after the instruction's operands",
                                    "the instruction", [&]() -> LogicalResult {
                                      bool before = isWrong;
                                      LogicalResult result = parseStatement();
                                      isBroken |= failed(result) || isWrong;
                                      isWrong |= before;
                                      return result;
                                    });
  builder.restoreInsertionPoint(outside);
  if (failed(parsed))
    return failure();
  if (!isBroken && !sumLoc.isValid())
    error(name.loc) << "the instruction does not say what it computes, e.g. "
                       "sum = sum + x[0] * w[0] + x[1] * w[1]";
  if (!isBroken && !parts.code)
    error(name.loc) << "the instruction has no C, e.g. code { sum = "
                       "__smlad(x, w, sum); }";
  if (isBroken || isWrong) {
    isWrong = true;
    return success();
  }
  InstructionOp::Properties &properties =
      state.getOrAddProperties<InstructionOp::Properties>();
  properties.name = builder.getStringAttr(name.text);
  properties.operand_names = builder.getArrayAttr(names);
  properties.operand_types = builder.getArrayAttr(types);
  properties.counts = builder.getDenseI64ArrayAttr(counts);
  properties.lanes = builder.getI64IntegerAttr(parts.lanes.value_or(1));
  if (parts.tile)
    properties.tile = builder.getDenseI64ArrayAttr(*parts.tile);
  auto toAttribute = [&](const std::optional<std::string> &text) {
    return text ? builder.getStringAttr(*text) : StringAttr();
  };
  properties.code = toAttribute(parts.code);
  properties.configure = toAttribute(parts.configure);
  properties.start = toAttribute(parts.start);
  properties.finish = toAttribute(parts.finish);
  properties.guard = toAttribute(parts.guard);
  properties.available = toAttribute(parts.available);
  properties.header = toAttribute(parts.header);
  state.location = FusedLoc::get(source.getContext(), locations);
  builder.create(state);
  return success();
}
