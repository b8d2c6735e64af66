//===- ParseAttribute.cpp - Target attributes -----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Expressions may read an attribute before its statement, so all attributes are
// collected before parsing.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "uma/Support/DidYouMean.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

void NameParser::collectAttributes() {
  Lexer ahead(source);
  ahead.setQuiet(true);
  Token next = ahead.lex(), before;
  auto advanceAhead = [&] {
    before = next;
    return next = ahead.lex();
  };
  while (!next.is(Token::EndOfFile)) {
    bool isStatement =
        next.is(Token::Identifier) && next.spelling == "attribute" &&
        (before.is(Token::Newline) || before.is("{") || isFirstOnLine(next));
    advanceAhead();
    if (!isStatement || !next.is(Token::Identifier))
      continue;
    TargetAttribute attribute;
    attribute.name = {next.spelling, next.getLoc()};
    if (!advanceAhead().is("="))
      continue;
    bool isNegative = advanceAhead().is("-");
    if (isNegative)
      advanceAhead();
    int64_t integer = 0;
    std::string digits = (isNegative ? "-" : "") + next.spelling.str();
    if (next.is(Token::Integer) && !StringRef(digits).getAsInteger(10, integer))
      attribute.value = builder.getI64IntegerAttr(integer);
    else if (next.is(Token::String) && !isNegative)
      attribute.value = builder.getStringAttr(next.getString());
    else if (next.is(Token::Identifier) &&
             (next.spelling == "true" || next.spelling == "false"))
      attribute.value = builder.getBoolAttr(next.spelling == "true");
    if (attribute.value)
      if (Attribute chosen = getOverride(attribute.name.text, attribute.value))
        attribute.value = chosen;
    if (!isReservedWord(attribute.name.text))
      targetAttributes.insert({attribute.name.text, attribute});
  }
}

/// Returns the value that an option gives an attribute, or null. Invalid values
/// are reported when they are set.
Attribute NameParser::getOverride(StringRef name, Attribute value) {
  for (StringRef setting : source.getSettings()) {
    auto [key, text] = setting.split('=');
    int64_t integer = 0;
    if (key == name && isa<IntegerAttr>(value) && !isa<BoolAttr>(value) &&
        !text.getAsInteger(10, integer))
      return builder.getI64IntegerAttr(integer);
  }
  return nullptr;
}

FailureOr<int64_t> NameParser::readConstant(Name name, StringRef what) {
  auto *entry = targetAttributes.find(name.text);
  auto value = entry == targetAttributes.end()
                   ? IntegerAttr()
                   : dyn_cast_or_null<IntegerAttr>(entry->second.value);
  if (!value || isa<BoolAttr>(value)) {
    SmallVector<StringRef> known;
    for (auto &[other, attribute] : targetAttributes)
      if (isa_and_present<IntegerAttr>(attribute.value))
        known.push_back(other);
    error(name.loc) << what << " is an integer or an integer attribute of the "
                    << "target, found '" << name.text << "'"
                    << didYouMean(name.text, known);
    return failure();
  }
  entry->second.isRead = entry->second.isFixed = true;
  record(name, NameKind::Attribute);
  return value.getInt();
}

LogicalResult NameParser::parseTargetAttribute() {
  Name name;
  if (failed(parseName(name, "the attribute's name")) ||
      failed(expect("=", "and the default after the attribute's name")))
    return failure();
  record(name, NameKind::Attribute, /*isDefinition=*/true);
  llvm::SMLoc loc = token.getLoc();
  bool isNegative = consumeIf("-");
  if (token.is(Token::Float))
    return fail(loc, "attribute '" + name.text +
                         "' is a fraction; attributes of a target are "
                         "integers, strings, true or false");
  Attribute value;
  if (token.is(Token::Integer)) {
    int64_t integer = 0;
    if (failed(parseInteger(integer, isNegative)))
      return failure();
    value = builder.getI64IntegerAttr(integer);
  } else if (isNegative) {
    return unexpected("an integer after '-'");
  } else if (token.is(Token::String)) {
    value = builder.getStringAttr(token.getString());
    advance();
  } else {
    if (!isWord("true") && !isWord("false"))
      return unexpected("the default: an integer, a string, true or false");
    bool isTrue = false;
    if (failed(parseBool(isTrue, "")))
      return failure();
    value = builder.getBoolAttr(isTrue);
  }
  if (failed(expectEndOfStatement("the default")))
    return failure();
  if (isReservedWord(name.text)) {
    error(name.loc) << "'" << name.text
                    << "' is a word of the language and names nothing";
    return success();
  }
  const Name &first = targetAttributes.lookup(name.text).name;
  if (first.loc != name.loc) {
    InFlightDiagnostic diagnostic = error(name.loc)
                                    << "the description has the attribute '"
                                    << name.text << "' twice";
    diagnostic.attachNote(at(first.loc)) << "the first one is here";
    return success();
  }
  if (Attribute chosen = getOverride(name.text, value))
    value = chosen;
  AttributeOp::create(builder, at(name.loc), builder.getStringAttr(name.text),
                      value, /*fixed=*/nullptr);
  return success();
}

void NameParser::warnOfUnreadAttributes() {
  for (auto &[name, attribute] : targetAttributes)
    if (!attribute.isRead)
      mlir::emitWarning(at(attribute.name.loc))
          << "nothing reads the attribute '" << name << "'";
}

Value NameParser::readAttribute(Name name) {
  record(name, NameKind::Attribute);
  TargetAttribute &attribute = targetAttributes[name.text];
  attribute.isRead = true;
  if (!attribute.value) {
    isWrong = true;
    return nullptr;
  }
  if (auto text = dyn_cast<StringAttr>(attribute.value)) {
    error(name.loc) << "attribute '" << name.text
                    << "' is a string, which can only be compared: "
                    << name.text << " == " << text;
    return nullptr;
  }
  bool isCondition = isa<BoolAttr>(attribute.value);
  return TargetAttributeOp::create(builder, at(name.loc),
                                   isCondition ? Type(builder.getI1Type())
                                               : builder.getIndexType(),
                                   name.text);
}

/// Builds the comparison of a string attribute: `mode == "fast"` or `mode !=
/// "fast"`.
Value NameParser::compareText(const Name &op, const Expr &lhs,
                              const Expr &rhs) {
  const Expr &text = lhs.text ? lhs : rhs, &other = lhs.text ? rhs : lhs;
  bool isComparison = op.text == "==" || op.text == "!=";
  if (!isComparison || other.name.text.empty()) {
    error(op.loc) << "a string can only be compared with a string "
                     "attribute of the target, by == or !=";
    return nullptr;
  }
  auto *found = targetAttributes.find(other.name.text);
  if (found == targetAttributes.end() ||
      !isa_and_present<StringAttr>(found->second.value)) {
    SmallVector<StringRef> known;
    for (auto &[name, attribute] : targetAttributes)
      if (isa_and_present<StringAttr>(attribute.value))
        known.push_back(name);
    error(other.loc) << "'" << other.name.text
                     << "' is no string attribute of the target"
                     << didYouMean(other.name.text, known);
    return nullptr;
  }
  found->second.isRead = true;
  Location loc = at(op.loc);
  Value equal = AttributeIsOp::create(builder, loc, builder.getI1Type(),
                                      builder.getStringAttr(other.name.text),
                                      builder.getStringAttr(*text.text));
  if (op.text == "==")
    return equal;
  Value yes =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  return arith::XOrIOp::create(builder, loc, equal, yes);
}
