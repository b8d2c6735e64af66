//===- ParseOperator.cpp - Operators of a pattern -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "uma/Accel/IR/GraphOperators.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

LogicalResult PatternParser::parseOperator(Operator &op, StringAttr name) {
  StringRef what = "an operator, e.g. conv2d";
  if (isReservedWord(token.spelling))
    return unexpected(what);
  if (failed(parseName(op.kind, what)) ||
      failed(expect("(", "after the operator")))
    return failure();
  record(op.kind, NameKind::Operator);
  // Track errors of this operator separately from the rest of the statement.
  bool wasWrong = std::exchange(isWrong, false);
  auto kind = lookupOperator([&] { return error(op.kind.loc); },
                             source.getContext(), op.kind.text);
  Operands operands;
  if (succeeded(kind))
    operands.kind = *kind;
  if (failed(parseList(")", "the arguments of '" + op.kind.text + "'",
                       [&] { return parseOperand(operands); })))
    return failure();
  if (!operands.names.empty())
    op.first = operands.names.front();
  if (succeeded(kind))
    (void)verifyOperandCount([&] { return error(op.kind.loc); }, *kind,
                             operands.tensors.size());
  if (!strategyKind.empty() && op.kind.text != strategyKind)
    error(op.kind.loc) << "the strategy of '" << strategyKind
                       << "' implements that operator only, found '"
                       << op.kind.text << "'";
  if (!isWrong)
    op.value = OperatorOp::create(
        builder, at(op.kind.loc), AccelTensorType::get(source.getContext()),
        builder.getStringAttr(op.kind.text), operands.tensors, name,
        operands.attributes.empty()
            ? DictionaryAttr()
            : operands.attributes.getDictionary(source.getContext()));
  isWrong |= wasWrong;
  return success();
}

/// Parses a tensor, a number or `name = value`.
LogicalResult PatternParser::parseOperand(Operands &operands) {
  Name name{token.spelling, token.getLoc()};
  bool isNegative = consumeIf("-");
  std::optional<double> number;
  if (token.is(Token::Integer) || token.is(Token::Float)) {
    if (failed(parseFloat(number.emplace(), isNegative)))
      return failure();
  } else if (isNegative) {
    return unexpected("a number after '-'");
  } else if (failed(parseName(name, "a tensor, a number or an attribute"))) {
    return failure();
  } else if (consumeIf("=")) {
    return parseAttribute(operands, name);
  }
  if (!operands.seen.empty())
    return fail(name.loc, Twine("tensors come before attributes; move '") +
                              name.text + "' in front" +
                              (number ? "" : ", or give it a value"));
  if (number) {
    operands.names.emplace_back();
    operands.tensors.push_back(SplatOp::create(
        builder, at(name.loc), AccelTensorType::get(source.getContext()),
        builder.getF64FloatAttr(*number)));
    return success();
  }
  operands.names.push_back(name);
  operands.tensors.push_back(operands.kind ? lookupTensor(name) : Value());
  return success();
}

LogicalResult PatternParser::parseAttribute(Operands &operands, Name name) {
  llvm::SMLoc loc = token.getLoc();
  bool isInteger = token.is(Token::Integer) || token.is("-");
  Attribute value;
  SmallVector<Name> dims;
  if (failed(parseValue(value, dims, /*inList=*/false,
                        /*isPadding=*/name.text == "padding")))
    return failure();
  bool isNew = operands.seen.insert(name.text).second;
  if (!isNew)
    error(name.loc) << "attribute '" << name.text << "' is given twice";
  auto excuseAll = [&] {
    for (const Name &dim : dims)
      excuse(dim);
  };
  if (!isNew || !operands.kind) {
    excuseAll();
    return success();
  }
  RegisteredOperationName op = *operands.kind;
  StringAttr key = builder.getStringAttr(name.text);
  bool isKnown = llvm::is_contained(op.getAttributeNames(), key);
  // Accept `epsilon=1` as `epsilon=1.0`.
  auto integer = dyn_cast<IntegerAttr>(value);
  if (isInteger && integer && !canMatchAttribute(op, {key, value})) {
    Attribute number = builder.getF64FloatAttr(integer.getInt());
    if (canMatchAttribute(op, {key, number}))
      value = number;
  }
  if (failed(verifyMatchedAttribute(
          [&] { return error(isKnown ? loc : name.loc); }, op, {key, value}))) {
    excuseAll();
    return success();
  }
  Type type = isa<ArrayAttr>(value) ? Type(builder.getIndexType())
              : dims.empty()        ? Type()
                                    : getDimType(op, key);
  bool isBound = llvm::all_of(dims, [&](const Name &dim) {
    return static_cast<bool>(lookupOrCreateDim(dim, type));
  });
  if (isBound)
    operands.attributes.append(key, value);
  else
    excuseAll();
  return success();
}

LogicalResult PatternParser::parseValue(Attribute &value,
                                        SmallVectorImpl<Name> &dims,
                                        bool inList, bool isPadding) {
  bool isNegative = consumeIf("-");
  if (token.is(Token::Integer)) {
    int64_t integer = 0;
    if (failed(parseInteger(integer, isNegative)))
      return failure();
    value = builder.getI64IntegerAttr(integer);
    return success();
  }
  if (token.is(Token::Float)) {
    double number = 0;
    if (failed(parseFloat(number, isNegative)))
      return failure();
    value = builder.getF64FloatAttr(number);
    return success();
  }
  if (isNegative)
    return unexpected("a number after '-'");
  if (token.is(Token::Identifier)) {
    Name word{token.spelling, token.getLoc()};
    advance();
    if (word.text == kAnyValue || word.text == kSameValue ||
        (isPadding && word.text == kOutsideValue)) {
      value = builder.getStringAttr(word.text);
    } else if (word.text == "true" || word.text == "false") {
      value = builder.getBoolAttr(word.text == "true");
    } else if (Type type = getType(source.getContext(), word.text)) {
      value = TypeAttr::get(type);
    } else {
      value = FlatSymbolRefAttr::get(source.getContext(), word.text);
      dims.push_back(word);
    }
    return success();
  }
  if (inList)
    return unexpected("an integer or a name in the list");
  if (token.is(Token::String)) {
    value = builder.getStringAttr(token.getString());
    advance();
    return success();
  }
  if (!consumeIf("["))
    return unexpected("the attribute's value: a number, a string, a list, "
                      "true, false, same, any or a name");
  SmallVector<Attribute> elements;
  if (failed(parseList("]", "the list", [&] {
        return parseValue(elements.emplace_back(), dims, /*inList=*/true);
      })))
    return failure();
  value = builder.getArrayAttr(elements);
  return success();
}
