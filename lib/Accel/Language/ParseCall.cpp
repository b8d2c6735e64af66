//===- ParseCall.cpp - Calls and their arguments --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The operands of a call are tensors and numbers of the match. Structs and
// header constants become elements of `c_arguments`, which define how the
// operands are passed in C.
//
//===----------------------------------------------------------------------===//

#include "CScanner.h"
#include "Parser.h"

#include "uma/Accel/IR/CArguments.h"
#include "uma/Accel/IR/CallLocation.h"
#include "uma/Accel/IR/CodeTemplate.h"
#include "uma/Support/ReservedNames.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

Attribute ExprParser::getElement(Expr &expr) {
  if (expr.element)
    return expr.element;
  Value value = getArgument(expr);
  if (!value)
    return nullptr;
  call->values.push_back(value);
  call->locations.push_back(at(expr.loc));
  return builder.getI64IntegerAttr(call->values.size() - 1);
}

Attribute ExprParser::addSum(const Name &op, Expr &lhs, Expr &rhs) {
  if (op.text != "+") {
    error(op.loc) << "a constant of the header can only be added to another "
                     "value, found '"
                  << op.text << "'";
    return nullptr;
  }
  SmallVector<Attribute> parts;
  for (Expr *operand : {&lhs, &rhs}) {
    Attribute element = getElement(*operand);
    if (!element)
      return nullptr;
    // Flatten `A + B + C` into one sum.
    auto sum = dyn_cast<DictionaryAttr>(element);
    if (auto inner = sum ? sum.getAs<ArrayAttr>(kSumKey) : ArrayAttr())
      llvm::append_range(parts, inner);
    else
      parts.push_back(element);
  }
  return builder.getDictionaryAttr(
      builder.getNamedAttr(kSumKey, builder.getArrayAttr(parts)));
}

Attribute ExprParser::addPick(llvm::SMLoc loc, Value which,
                              MutableArrayRef<Expr> values) {
  Expr selector;
  selector.loc = loc;
  selector.value = which;
  Attribute operand = getElement(selector);
  SmallVector<Attribute> of;
  for (Expr &value : values)
    if (Attribute element = getElement(value))
      of.push_back(element);
  if (of.size() < values.size())
    return nullptr;
  return builder.getDictionaryAttr(
      {builder.getNamedAttr(kPickKey, operand),
       builder.getNamedAttr(kOfKey, builder.getArrayAttr(of))});
}

/// Parses `name {.name | [integer]}`.
LogicalResult ExprParser::parseDesignator(std::string &designator) {
  Name name;
  if (failed(parseName(name, "the name of a field")))
    return failure();
  designator = name.text.str();
  while (token.is(".") || token.is("[")) {
    if (consumeIf(".")) {
      if (failed(parseName(name, "the name of a field after '.'")))
        return failure();
      designator += "." + name.text.str();
      continue;
    }
    advance();
    int64_t index = 0;
    if (!token.is(Token::Integer))
      return unexpected("the number of an element after '['");
    if (failed(parseInteger(index)) ||
        failed(expect("]", "after the number of an element")))
      return failure();
    designator += "[" + std::to_string(index) + "]";
  }
  return success();
}

/// Parses `{designator = expression, …}` after the type of a struct.
LogicalResult ExprParser::parseStruct(Name type, bool isPointer, Expr &expr) {
  expr.loc = type.loc;
  std::string text = type.text.str();
  if (type.text == "struct") {
    if (failed(parseName(type, "the struct's name after 'struct'")))
      return failure();
    text += " " + type.text.str();
  }
  if (failed(expect("{", "and the fields after the type of a struct")))
    return failure();
  SmallVector<Attribute> fields;
  bool isWhole = true;
  auto parseField = [&]() -> LogicalResult {
    Location loc = at(token.getLoc());
    std::string designator;
    Expr value;
    if (failed(parseDesignator(designator)) ||
        failed(expect("=", "after the field '" + designator + "'")) ||
        failed(parseExpr(value)))
      return failure();
    if (value.element && getStruct(value.element)) {
      error(value.loc) << "a struct is an argument of its own; the fields of "
                          "field '"
                       << designator << "' are written '" << designator
                       << ".FIELD = ...'";
      value = Expr();
    }
    Attribute element = getElement(value);
    isWhole &= static_cast<bool>(element);
    call->fields.push_back(loc);
    fields.append({builder.getStringAttr(designator), element});
    return success();
  };
  if (failed(parseList("}", "the fields of '" + text + "'", parseField)))
    return failure();
  if (!isWhole)
    return success();
  NamedAttrList attributes;
  attributes.append(kStructKey, builder.getStringAttr(text));
  if (isPointer)
    attributes.append(kPointerKey, builder.getUnitAttr());
  attributes.append(kFieldsKey, builder.getArrayAttr(fields));
  expr.element = attributes.getDictionary(source.getContext());
  return success();
}

/// Parses the C code after `code`. The pattern's names in it become operands.
LogicalResult ExprParser::parseCode(Name /*keyword*/) {
  skipNewlines();
  if (!token.is(Token::Code))
    return unexpected("'{' and C after 'code'");
  StringRef body = token.spelling.drop_front().drop_back();
  SmallVector<Location> locations = {at(token.getLoc())};
  advance();
  if (failed(expectEndOfStatement("the C")))
    return failure();
  SmallVector<Value> operands;
  llvm::StringMap<unsigned> numbers;
  std::string text;
  visitC(body, [&](StringRef part, bool isVariable) {
    bool isOperand = isVariable && isFieldNameInC(part) &&
                     (names.contains(part) || targetAttributes.contains(part));
    if (!isOperand) {
      text += CodeTemplate::escape(part);
      return;
    }
    auto [entry, isNew] = numbers.try_emplace(part, operands.size());
    text += "{" + std::to_string(entry->second) + "}";
    Name name = {part, llvm::SMLoc::getFromPointer(part.data())};
    if (!isNew) {
      bool isAttribute = !names.contains(part);
      record(name, isAttribute ? NameKind::Attribute : NameKind::Size);
      return;
    }
    Expr expr;
    expr.name = name;
    expr.loc = expr.name.loc;
    operands.push_back(getArgument(expr));
    locations.push_back(at(expr.loc));
  });
  if (isWrong)
    return success();
  auto pattern = cast<PatternOp>(builder.getBlock()->getParentOp());
  // The pattern's name may not be an identifier in C, so add a prefix.
  auto call =
      CallOp::create(builder, makeCallLocation(source.getContext(), locations),
                     ("code_" + pattern.getSymName()).str(), operands);
  call.setCode(text);
  return success();
}

/// Parses `function(arguments)` after `call`, `configure`, `init` or `await`.
LogicalResult ExprParser::parseCall(Name keyword) {
  Name callee;
  if (failed(parseName(callee, "the name of a C function")) ||
      failed(expect("(", "after the function's name")))
    return failure();
  record(callee, NameKind::Function);
  bool isConfiguration = keyword.text == "configure";
  CallOperands operands;
  SmallVector<Attribute> elements;
  auto parseArgument = [&]() -> LogicalResult {
    llvm::SMLoc start = token.getLoc();
    Expr argument;
    call = &operands;
    LogicalResult parsed = parseExpr(argument);
    if (succeeded(parsed)) {
      bool isPlain = !argument.element;
      elements.push_back(getElement(argument));
      // The location of plain arguments is their start.
      if (isPlain && elements.back())
        operands.locations.back() = at(start);
      if (isConfiguration && !isPlain)
        error(argument.loc) << "'" << callee.text
                            << "' configures the device with numbers, found a "
                               "value of the header";
      else if (isConfiguration && elements.back() &&
               isa<AccelTensorType>(operands.values.back().getType()))
        error(argument.loc)
            << "'" << callee.text
            << "' configures the device with numbers, found a tensor";
    }
    call = nullptr;
    return parsed;
  };
  if (failed(parseList(")", "the arguments of '" + callee.text + "'",
                       parseArgument)))
    return failure();
  Name engine;
  Setting settings[] = {{"cycles"}};
  bool isInPattern = isa<PatternOp>(builder.getBlock()->getParentOp());
  if (isInPattern && keyword.text == "call" && isWord("on")) {
    advance();
    if (failed(parseName(engine, "the engine after 'on'")) ||
        failed(parseSettings(settings, "the engine", "the call")))
      return failure();
  } else if (failed(expectEndOfStatement("the call"))) {
    return failure();
  }
  if (isWrong)
    return success();
  SmallVector<Location> locations = {at(callee.loc)};
  llvm::append_range(locations, operands.locations);
  llvm::append_range(locations, operands.fields);
  Location loc = makeCallLocation(source.getContext(), locations);
  if (isConfiguration) {
    ConfigureOp::create(builder, loc, callee.text, operands.values);
    return success();
  }
  auto op = CallOp::create(builder, loc, callee.text, operands.values);
  if (!engine.text.empty()) {
    op.setEngine(engine.text);
    if (settings[0].value)
      op.getCyclesMutable().assign(settings[0].value);
  }
  // Omit `c_arguments` if all elements are operands.
  if (!llvm::all_of(elements, llvm::IsaPred<IntegerAttr>))
    op.setCArgumentsAttr(builder.getArrayAttr(elements));
  return success();
}
