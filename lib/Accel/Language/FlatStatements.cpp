//===- FlatStatements.cpp - Table of flat statements ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The table has one row for each statement. The operations' verifiers check
// everything that a row cannot express.
//
//===----------------------------------------------------------------------===//

#include "FlatStatements.h"

#include "Parser.h"

#include "uma/Accel/IR/AccelOps.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

ArrayRef<FlatStatement> language::getFlatStatements() {
  using Field = FlatField;
  static const FlatStatement statements[] = {
      {"include",
       "include",
       "the header",
       {{Field::Text, "header", "the header's name"}}},
      {"model",
       "model",
       "the file",
       {{Field::Path, "file", "the name of the C source file"}}},
      {"link",
       "link",
       "the library",
       {{Field::Text, "library", "the library's name"}}},
      {"pass",
       "pipeline",
       "the passes",
       {{Field::Word, "phase", "the phase, e.g. TIR_PHASE_1,"},
        {Field::Text, "passes", "the passes"}}},
      {"script",
       "script",
       "the file",
       {{Field::Word, "phase", "the phase, e.g. TIR_PHASE_0,"},
        {Field::Path, "file", "the name of the script's file"}},
       /*located=*/1,
       /*hasBody=*/true},
      {"keep_off",
       "keep_off",
       "the names",
       {{Field::Text, "layers", "the names of layers, e.g. \"conv*\","}}},
      {"pin",
       "pin",
       "the names",
       {{Field::Text, "layers", "the names of layers, e.g. \"conv*\","}}},
      {"layout",
       "layout",
       "the layout",
       {{Field::Word, "kind", "the operator, e.g. conv2d,"},
        {Field::Text, "data", "the layout of the data, e.g. \"NHWC\","},
        {Field::Text, "weights", "the layout of the weights",
         /*isOptional=*/true}}},
      {"merge_compiler_regions",
       "merge_compiler_regions",
       "the value",
       {{Field::Bool, "merge", "after merge_compiler_regions"}}},
      {"version",
       "version",
       "the version",
       {{Field::Integer, "number", "the version, an integer"}}},
      {"constant",
       "constants",
       "the constants",
       {{Field::Words, "names", "a constant of the header, e.g. NPU_SAME,"}}},
      {"replace",
       "replace",
       "the text",
       {{Field::Word, "callee", "the name of a C function"},
        {Field::Text, "text",
         "the text of its calls, e.g. \"CALL({0}, {1})\","}}},
      {"prologue",
       "prologue",
       "the C",
       {{Field::Text, "code", "statements of C"}}},
      {"epilogue",
       "epilogue",
       "the C",
       {{Field::Text, "code", "statements of C"}}},
  };
  return statements;
}

const FlatStatement *language::findFlatStatement(StringRef keyword) {
  const auto *found =
      llvm::find_if(getFlatStatements(), [&](const FlatStatement &statement) {
        return statement.keyword == keyword;
      });
  return found == getFlatStatements().end() ? nullptr : found;
}

LogicalResult Parser::parseFlat(const FlatStatement &statement, Name keyword) {
  llvm::SMLoc located = keyword.loc;
  OperationState state(at(keyword.loc),
                       ("uma.accel." + statement.operation).str());
  for (auto [index, field] : llvm::enumerate(statement.fields)) {
    llvm::SMLoc loc = token.getLoc();
    bool isThere = token.is(Token::String);
    if (field.isOptional && !isThere)
      break;
    Attribute value;
    switch (field.kind) {
    case FlatField::Word: {
      Name name;
      if (failed(parseName(name, field.expected)))
        return failure();
      value = builder.getStringAttr(name.text);
      break;
    }
    case FlatField::Words: {
      SmallVector<StringRef> names;
      Name name;
      do {
        if (!names.empty())
          skipNewlines();
        if (failed(parseName(name, field.expected)))
          return failure();
        names.push_back(name.text);
      } while (consumeIf(","));
      value = builder.getStrArrayAttr(names);
      break;
    }
    case FlatField::Text:
    case FlatField::Path: {
      Text text;
      if (failed(parseText(text, field.expected)))
        return failure();
      value = builder.getStringAttr(text.value);
      break;
    }
    case FlatField::Integer: {
      int64_t number = 0;
      if (!token.is(Token::Integer))
        return unexpected(field.expected);
      if (failed(parseInteger(number)))
        return failure();
      value = builder.getI64IntegerAttr(number);
      break;
    }
    case FlatField::Bool: {
      bool isTrue = false;
      if (failed(parseBool(isTrue, field.expected)))
        return failure();
      value = builder.getBoolAttr(isTrue);
      break;
    }
    }
    state.addAttribute(field.attribute, value);
    if (index == statement.located)
      located = loc;
  }
  state.location = at(located);
  if (statement.hasBody)
    state.addRegion();
  Operation *op = builder.create(state);
  if (auto declared = dyn_cast<ConstantsOp>(op))
    for (StringRef name : declared.getNames().getAsValueRange<StringAttr>())
      constants.insert(name);
  if (auto version = dyn_cast<VersionOp>(op))
    if (failed(checkVersion(keyword.loc, located, version.getNumber())))
      return failure();
  return expectEndOfStatement(statement.end);
}
