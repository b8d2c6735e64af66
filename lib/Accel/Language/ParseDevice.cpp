//===- ParseDevice.cpp - Statements that describe the device --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "uma/Accel/IR/AccelOps.h"
#include "uma/Support/DidYouMean.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel::language;

/// Default `plevel` of a device's strategy; built-in ones have 10.
static constexpr int64_t kDefaultLevel = 11;

ArrayRef<StringRef> uma::accel::language::getDeviceKeywords() {
  static const StringRef keywords[] = {
      "attribute", "await",    "epilogue", "init",
      "keep_off",  "layout",   "memory",   "merge_compiler_regions",
      "pin",       "prologue", "replace",  "script",
      "strategy",  "version"};
  return keywords;
}

LogicalResult Parser::parseBool(bool &value, const Twine &what) {
  if (!token.is(Token::Identifier) ||
      (token.spelling != "true" && token.spelling != "false"))
    return unexpected("true or false " + what);
  value = token.spelling == "true";
  advance();
  return success();
}

LogicalResult Parser::parseNumber(double &value, const Twine &what) {
  if (!token.is(Token::Integer) && !token.is(Token::Float))
    return unexpected(what);
  return parseFloat(value);
}

LogicalResult Parser::parseTargetAttribute() {
  TargetAttribute attribute;
  if (failed(parseName(attribute.name, "the attribute's name")) ||
      failed(expect("=", "and the default after the attribute's name")))
    return failure();
  llvm::SMLoc loc = token.getLoc();
  bool isNegative = consumeIf("-");
  if (token.is(Token::Float))
    return fail(loc, "attribute '" + attribute.name.text +
                         "' is a fraction; attributes of a target are "
                         "integers, strings, true or false");
  if (token.is(Token::Integer)) {
    int64_t value;
    if (failed(parseInteger(value, isNegative)))
      return failure();
    attribute.value = value;
  } else if (isNegative) {
    return unexpected("an integer after '-'");
  } else if (token.is(Token::String)) {
    attribute.value = token.getString();
    advance();
  } else {
    bool value;
    if (!token.is(Token::Identifier) ||
        (token.spelling != "true" && token.spelling != "false"))
      return unexpected("the default: an integer, a string, true or false");
    if (failed(parseBool(value, "")))
      return failure();
    attribute.value = value;
  }
  accelerator.items.push_back(DeviceItem(std::move(attribute)));
  return expectEndOfStatement("the default");
}

LogicalResult Parser::parseMemoryField(Memory &memory) {
  Name field;
  if (failed(parseName(field, "size, alignment or cost")))
    return failure();
  if (!llvm::is_contained({"size", "alignment", "cost"}, field.text)) {
    std::string hint = didYouMean(field.text, {"size", "alignment", "cost"});
    return fail(
        field.loc,
        "a memory has no '" + field.text + "'" +
            (hint.empty() ? "; it has size, alignment and cost" : hint));
  }
  if (failed(expect("=", "after '" + field.text + "'")))
    return failure();
  bool isTwice = (field.text == "size" && memory.size) ||
                 (field.text == "alignment" && memory.alignment) ||
                 (field.text == "cost" && memory.cost);
  if (isTwice)
    return fail(field.loc, "'" + field.text + "' of memory '" +
                               memory.name.text + "' is given twice");
  if (field.text == "size") {
    memory.size = parseExpr();
    return success(memory.size);
  }
  if (field.text == "alignment") {
    if (!token.is(Token::Integer))
      return unexpected("the alignment in bytes");
    return parseInteger(memory.alignment.emplace());
  }
  return parseNumber(memory.cost.emplace(), "the cycles per byte");
}

/// Parses `memory NAME { size = …; alignment = …; cost = … }`.
LogicalResult Parser::parseMemory() {
  Memory memory;
  if (failed(parseName(memory.name, "the memory's name")) ||
      failed(expect("{", "after the memory's name")))
    return failure();
  skipNewlines();
  while (!token.is("}")) {
    if (token.is(Token::EndOfFile))
      return unexpected("'}' at the end of memory '" + memory.name.text + "'");
    (void)parseOrSkip([&] {
      return success(succeeded(parseMemoryField(memory)) &&
                     succeeded(expectEndOfStatement("the value")));
    });
  }
  advance();
  accelerator.items.push_back(DeviceItem(memory));
  return expectEndOfStatement("the memory");
}

/// Parses `strategy OPERATOR(inputs) [plevel N] { … }`.
LogicalResult Parser::parseStrategy(Name keyword) {
  Strategy strategy;
  strategy.level = kDefaultLevel;
  if (failed(parseName(strategy.pattern.name, "the operator")) ||
      failed(parseInputs(strategy.pattern)))
    return failure();
  if (token.is(Token::Identifier)) {
    if (token.spelling != "plevel")
      return unexpected("'plevel' or '{' after the strategy's inputs");
    advance();
    if (!token.is(Token::Integer))
      return unexpected("the level, an integer, after 'plevel'");
    if (failed(parseInteger(strategy.level)))
      return failure();
  }
  if (failed(parseBody(strategy.pattern,
                       "the strategy of '" + strategy.pattern.name.text + "'")))
    return failure();
  for (const Statement &statement : strategy.pattern.statements)
    if (auto *definition = std::get_if<Definition>(&statement))
      for (const Operator &op : definition->alternatives)
        if (op.kind.text != strategy.pattern.name.text)
          return fail(op.kind.loc, "the strategy of '" +
                                       strategy.pattern.name.text +
                                       "' implements that operator only, found "
                                       "'" +
                                       op.kind.text + "'");
  accelerator.items.push_back(DeviceItem(std::move(strategy)));
  return expectEndOfStatement("the strategy");
}

LogicalResult Parser::parsePlace(llvm::SMLoc loc, Pattern &pattern) {
  Place place;
  place.loc = loc;
  do {
    if (failed(parseName(place.tensors.emplace_back(), "a tensor to place")))
      return failure();
  } while (consumeIf(","));
  if (!token.is(Token::Identifier) || token.spelling != "in")
    return unexpected("',' or 'in' and a memory after the tensors");
  advance();
  if (failed(parseName(place.memory, "the memory's name")))
    return failure();
  pattern.statements.push_back(std::move(place));
  return expectEndOfStatement("the memory");
}

LogicalResult Parser::parseDeviceItem(Name keyword) {
  StringRef word = keyword.text;
  if (word == "attribute")
    return parseTargetAttribute();
  if (word == "memory")
    return parseMemory();
  if (word == "strategy")
    return parseStrategy(keyword);
  auto add = [&](DeviceItem item, const Twine &after) {
    accelerator.items.push_back(std::move(item));
    return expectEndOfStatement(after);
  };
  if (word == "version") {
    // Earlier statements of a newer version would be errors.
    if (!accelerator.items.empty())
      return fail(keyword.loc, "'version' is the first statement of a "
                               "description");
    Version version{token.getLoc()};
    if (!token.is(Token::Integer))
      return unexpected("the version, an integer");
    if (failed(parseInteger(version.number)))
      return failure();
    isNewer = version.number > kLanguageVersion;
    if (isNewer)
      return fail(version.loc,
                  "the description is written for version " +
                      Twine(version.number) +
                      " of the language; this uma reads up to version " +
                      Twine(kLanguageVersion));
    return add(version, "the version");
  }
  if (word == "merge_compiler_regions") {
    MergeRegions merge{keyword.loc};
    if (failed(parseBool(merge.merge, "after merge_compiler_regions")))
      return failure();
    return add(merge, "the value");
  }
  if (word == "keep_off" || word == "pin") {
    LayerGlob glob{word == "pin", {}};
    if (failed(parseText(glob.layers, "the names of layers, e.g. \"conv*\",")))
      return failure();
    return add(glob, "the names");
  }
  if (word == "script") {
    Script script;
    if (failed(parseName(script.phase, "the phase, e.g. TIR_PHASE_0,")) ||
        failed(parseText(script.file, "the name of the script's file")))
      return failure();
    return add(script, "the file");
  }
  if (word == "layout") {
    Layout layout;
    if (failed(parseName(layout.kind, "the operator, e.g. conv2d,")) ||
        failed(
            parseText(layout.data, "the layout of the data, e.g. \"NHWC\",")))
      return failure();
    if (token.is(Token::String) &&
        failed(
            parseText(layout.weights.emplace(), "the layout of the weights")))
      return failure();
    return add(layout, "the layout");
  }
  if (word == "replace") {
    Replace replace;
    if (failed(parseName(replace.callee, "the name of a C function")) ||
        failed(parseText(replace.text, "the text of its calls, e.g. "
                                       "\"CALL({0}, {1})\",")))
      return failure();
    return add(replace, "the text");
  }
  if (word == "prologue" || word == "epilogue") {
    Code code{word == "epilogue", {}};
    if (failed(parseText(code.text, "statements of C")))
      return failure();
    return add(code, "the C");
  }
  RegionCall call{word == "await", {}};
  if (failed(parseCall(call.call)))
    return failure();
  return add(std::move(call), "the call");
}
