//===- ParseExpr.cpp - Parser of expressions ------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "uma/Accel/IR/NumberFunctionOpInterface.h"
#include "uma/Support/DidYouMean.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

/// Returns the precedence of a binary operator as in C, or 0 for other tokens.
static unsigned getPrecedence(const Token &token) {
  if (!token.is(Token::Punctuation))
    return 0;
  return llvm::StringSwitch<unsigned>(token.spelling)
      .Case("||", 1)
      .Case("&&", 2)
      .Cases({"==", "!="}, 3)
      .Cases({"<", "<=", ">", ">="}, 4)
      .Cases({"+", "-"}, 5)
      .Cases({"*", "/", "%"}, 6)
      .Default(0);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Returns the kind of a value for messages.
static StringRef describe(Value value) {
  if (isa<AccelTensorType>(value.getType()))
    return "a tensor";
  if (isa<FloatType>(value.getType()))
    return "a float";
  return value.getType().isInteger(1) ? "a condition" : "a number";
}

/// Returns whether the value is a condition that converts to a number (1 or 0):
/// a boolean attribute or the presence of an operator, but not a comparison.
static bool isFlag(Value value) {
  Operation *op = value.getDefiningOp();
  return value.getType().isInteger(1) && op && isInFamily<AccelFamily>(op) &&
         !isa<AttributeIsOp>(op);
}

Value ExprParser::getValue(Expr &expr) {
  if (expr.element)
    error(expr.loc) << "only the C compiler knows the value of a constant of "
                       "the header, so only arguments of calls, sums of them "
                       "and which(...) name one";
  if (expr.text)
    error(expr.loc) << "a string can only be compared with a string attribute "
                       "of the target, by == or !=";
  if (!expr.name.text.empty())
    expr.value = lookup(std::exchange(expr.name, {}), "a tensor or a size",
                        /*isTensor=*/true, /*isDim=*/true);
  expr.text.reset();
  expr.element = nullptr;
  return expr.value;
}

Value ExprParser::getArgument(Expr &expr) {
  Value value = getValue(expr);
  if (!value || !value.getType().isInteger(1))
    return value;
  if (isFlag(value))
    return arith::IndexCastUIOp::create(builder, at(expr.loc),
                                        builder.getIndexType(), value);
  error(expr.loc)
      << "an argument of a call is a tensor or a number, found a condition";
  return nullptr;
}

Value ExprParser::getCondition(Expr &operand, const Name &op) {
  Value value = getValue(operand);
  if (!value || value.getType().isInteger(1))
    return value;
  error(op.loc) << "'" << op.text << "' takes conditions, found "
                << describe(value);
  return nullptr;
}

Value ExprParser::getNumber(Expr &operand, const Name &op) {
  Value value = getValue(operand);
  if (!value || value.getType().isIndex() || value.getType().isF64())
    return value;
  if (isFlag(value))
    return arith::IndexCastUIOp::create(builder, at(operand.loc),
                                        builder.getIndexType(), value);
  error(op.loc) << "'" << op.text << "' takes numbers, found "
                << describe(value);
  return nullptr;
}

Value ExprParser::toFloat(Value number) {
  if (number.getType().isF64())
    return number;
  Location loc = number.getLoc();
  Value integer =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), number);
  return arith::SIToFPOp::create(builder, loc, builder.getF64Type(), integer);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Value ExprParser::buildUnary(const Name &op, Expr &operand) {
  Location loc = at(op.loc);
  if (op.text == "!") {
    Value value = getCondition(operand, op);
    if (!value)
      return nullptr;
    Value yes =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    return arith::XOrIOp::create(builder, loc, value, yes);
  }
  Value value = getNumber(operand, op);
  if (!value)
    return nullptr;
  if (!value.getType().isF64()) {
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    return arith::SubIOp::create(builder, loc, zero, value);
  }
  // Fold the negation of a constant, so that it prints as it was written.
  if (auto constant = value.getDefiningOp<arith::ConstantOp>()) {
    double number = cast<FloatAttr>(constant.getValue()).getValueAsDouble();
    constant.erase();
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF64FloatAttr(-number));
  }
  return arith::NegFOp::create(builder, loc, value);
}

/// Builds the operation on whole numbers for the operator `spelling`.
static Value buildInteger(OpBuilder &builder, Location loc, StringRef spelling,
                          Value lhs, Value rhs) {
  if (spelling == "+")
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  if (spelling == "-")
    return arith::SubIOp::create(builder, loc, lhs, rhs);
  if (spelling == "*")
    return arith::MulIOp::create(builder, loc, lhs, rhs);
  if (spelling == "/")
    return arith::DivSIOp::create(builder, loc, lhs, rhs);
  if (spelling == "%")
    return arith::RemSIOp::create(builder, loc, lhs, rhs);
  if (spelling == "min")
    return arith::MinSIOp::create(builder, loc, lhs, rhs);
  if (spelling == "max")
    return arith::MaxSIOp::create(builder, loc, lhs, rhs);
  auto predicate = llvm::StringSwitch<arith::CmpIPredicate>(spelling)
                       .Case("==", arith::CmpIPredicate::eq)
                       .Case("!=", arith::CmpIPredicate::ne)
                       .Case("<", arith::CmpIPredicate::slt)
                       .Case("<=", arith::CmpIPredicate::sle)
                       .Case(">", arith::CmpIPredicate::sgt)
                       .Default(arith::CmpIPredicate::sge);
  return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
}

/// Builds the operation on floats for the operator `spelling`.
static Value buildFloat(OpBuilder &builder, Location loc, StringRef spelling,
                        Value lhs, Value rhs) {
  if (spelling == "+")
    return arith::AddFOp::create(builder, loc, lhs, rhs);
  if (spelling == "-")
    return arith::SubFOp::create(builder, loc, lhs, rhs);
  if (spelling == "*")
    return arith::MulFOp::create(builder, loc, lhs, rhs);
  if (spelling == "/")
    return arith::DivFOp::create(builder, loc, lhs, rhs);
  if (spelling == "min")
    return arith::MinimumFOp::create(builder, loc, lhs, rhs);
  if (spelling == "max")
    return arith::MaximumFOp::create(builder, loc, lhs, rhs);
  // Compare as in C: only "not equal" holds for NaN.
  auto predicate = llvm::StringSwitch<arith::CmpFPredicate>(spelling)
                       .Case("==", arith::CmpFPredicate::OEQ)
                       .Case("!=", arith::CmpFPredicate::UNE)
                       .Case("<", arith::CmpFPredicate::OLT)
                       .Case("<=", arith::CmpFPredicate::OLE)
                       .Case(">", arith::CmpFPredicate::OGT)
                       .Default(arith::CmpFPredicate::OGE);
  return arith::CmpFOp::create(builder, loc, predicate, lhs, rhs);
}

Value ExprParser::buildBinary(const Name &op, Expr &lhs, Expr &rhs) {
  if (lhs.text || rhs.text)
    return compareText(op, lhs, rhs);
  Location loc = at(op.loc);
  if (op.text == "&&" || op.text == "||") {
    Value left = getCondition(lhs, op), right = getCondition(rhs, op);
    if (!left || !right)
      return nullptr;
    if (op.text == "&&")
      return arith::AndIOp::create(builder, loc, left, right);
    return arith::OrIOp::create(builder, loc, left, right);
  }
  Value left = getNumber(lhs, op), right = getNumber(rhs, op);
  if (!left || !right)
    return nullptr;
  if (left.getType().isIndex() && right.getType().isIndex())
    return buildInteger(builder, loc, op.text, left, right);
  if (op.text == "%") {
    error(op.loc) << "'%' takes whole numbers, found a float";
    return nullptr;
  }
  left = toFloat(left);
  right = toFloat(right);
  return buildFloat(builder, loc, op.text, left, right);
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// Parses an expression of operators with at least `minPrecedence`, by
/// precedence climbing.
LogicalResult ExprParser::parseExpr(Expr &expr, unsigned minPrecedence) {
  if (failed(parseUnary(expr)))
    return failure();
  while (getPrecedence(token) >= minPrecedence) {
    Token op = token;
    advance();
    skipNewlines();
    // Look up operands in order, except for names of string attributes in
    // comparisons.
    if (!token.is(Token::String) && !expr.text && !expr.element)
      (void)getValue(expr);
    Expr rhs;
    if (failed(parseExpr(rhs, getPrecedence(op) + 1)))
      return failure();
    Expr lhs = std::exchange(expr, {});
    Name name{op.spelling, op.getLoc()};
    expr.loc = op.getLoc();
    expr.depth = std::max(lhs.depth, rhs.depth) + 1;
    if (expr.depth > kMaxDepth)
      return fail(expr.loc, "the expression is nested too deeply");
    if (call && (lhs.element || rhs.element))
      expr.element = addSum(name, lhs, rhs);
    else
      expr.value = buildBinary(name, lhs, rhs);
  }
  if (token.is("|"))
    return fail(token.getLoc(), "unexpected '|'; did you mean '||'?");
  return success();
}

LogicalResult ExprParser::parseUnary(Expr &expr) {
  if (++depth > kMaxDepth)
    return fail(token.getLoc(), "the expression is nested too deeply");
  if (token.is("-") || token.is("!")) {
    Name op{token.spelling, token.getLoc()};
    advance();
    Expr operand;
    if (failed(parseUnary(operand)))
      return failure();
    expr.loc = op.loc;
    expr.depth = operand.depth + 1;
    expr.value = buildUnary(op, operand);
  } else if (failed(parsePrimary(expr))) {
    return failure();
  }
  --depth;
  return success();
}

LogicalResult ExprParser::parsePrimary(Expr &expr) {
  expr.loc = token.getLoc();
  if (token.is(Token::Integer)) {
    int64_t number = 0;
    if (failed(parseInteger(number)))
      return failure();
    expr.value = arith::ConstantIndexOp::create(builder, at(expr.loc), number);
    return success();
  }
  if (token.is(Token::Float)) {
    double number = 0;
    if (failed(parseFloat(number)))
      return failure();
    expr.value = arith::ConstantOp::create(builder, at(expr.loc),
                                           builder.getF64FloatAttr(number));
    return success();
  }
  if (token.is(Token::String)) {
    expr.text = token.getString();
    advance();
    return success();
  }
  if (token.is(Token::Identifier)) {
    Name name{token.spelling, expr.loc};
    advance();
    if (token.is("("))
      return parseFunction(name, expr);
    if (call && (token.is("{") || name.text == "struct"))
      return parseStruct(name, /*isPointer=*/false, expr);
    if (constants.contains(name.text) && !names.contains(name.text))
      expr.element = builder.getStringAttr(name.text);
    else
      expr.name = name;
    return success();
  }
  if (call && token.is("&")) {
    Name type;
    advance();
    if (failed(parseName(type, "the type of a struct after '&'")))
      return failure();
    return parseStruct(type, /*isPointer=*/true, expr);
  }
  if (!consumeIf("("))
    return unexpected("a number, a name or '('");
  if (failed(parseExpr(expr)))
    return failure();
  return expect(")", "to close the parenthesis");
}

//===----------------------------------------------------------------------===//
// Settings
//===----------------------------------------------------------------------===//

/// Parses `name = value` for one of `settings` that is not yet given.
LogicalResult ExprParser::parseSetting(MutableArrayRef<Setting> settings,
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

/// Parses `{ setting … }`, separated by line breaks or semicolons.
LogicalResult ExprParser::parseSettings(MutableArrayRef<Setting> settings,
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
