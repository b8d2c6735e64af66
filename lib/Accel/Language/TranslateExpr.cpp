//===- TranslateExpr.cpp - Attributes and expressions ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// The encoding of `matched_attributes` in AccelOps.td, but for floats that are
/// written as integers. Null after an error.
Attribute Translator::translate(const AttrValue &value) {
  switch (value.kind) {
  case AttrValue::Integer:
    return builder.getI64IntegerAttr(value.integer);
  case AttrValue::Float:
    return builder.getF64FloatAttr(value.number);
  case AttrValue::String:
    return builder.getStringAttr(value.text);
  case AttrValue::List: {
    SmallVector<Attribute> elements;
    for (const AttrValue &element : value.elements)
      if (!elements.emplace_back(translate(element)))
        return nullptr;
    return builder.getArrayAttr(elements);
  }
  case AttrValue::Word:
    break;
  }
  if (value.text == kAnyValue || value.text == kSameValue)
    return builder.getStringAttr(value.text);
  if (value.text == "true" || value.text == "false")
    return builder.getBoolAttr(value.text == "true");
  if (Type type = getType(source.getContext(), value.text))
    return TypeAttr::get(type);
  return FlatSymbolRefAttr::get(source.getContext(), value.text);
}

/// Calls `visit` for every word of the value, alone or in a list.
static LogicalResult
forEachWord(const AttrValue &value,
            function_ref<LogicalResult(const AttrValue &)> visit) {
  if (value.kind == AttrValue::Word)
    return visit(value);
  for (const AttrValue &element : value.elements)
    if (failed(forEachWord(element, visit)))
      return failure();
  return success();
}

FailureOr<Attribute> Translator::translate(const Attr &attr,
                                           RegisteredOperationName op) {
  Attribute value = translate(attr.value);
  StringAttr name = builder.getStringAttr(attr.name.text);
  bool isKnown = llvm::is_contained(op.getAttributeNames(), name);
  // `epsilon=1` says the same as `epsilon=1.0`.
  auto integer = dyn_cast<IntegerAttr>(value);
  if (integer && attr.value.kind == AttrValue::Integer &&
      !canMatchAttribute(op, {name, value})) {
    Attribute number = builder.getF64FloatAttr(integer.getInt());
    if (canMatchAttribute(op, {name, number}))
      value = number;
  }
  auto emitError = [&] {
    return error(isKnown ? attr.value.loc : attr.name.loc);
  };
  if (failed(verifyMatchedAttribute(emitError, op, {name, value})))
    return failure();
  LogicalResult bound = forEachWord(attr.value, [&](const AttrValue &word) {
    if (!isa<FlatSymbolRefAttr>(translate(word)))
      return success();
    Value dim = lookupOrCreateDim({word.text, word.loc});
    return success(static_cast<bool>(dim));
  });
  if (failed(bound))
    return failure();
  return value;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// What a value is, in words.
static StringRef describe(Value value) {
  if (isa<AccelTensorType>(value.getType()))
    return "a tensor";
  if (isa<FloatType>(value.getType()))
    return "a fraction";
  return value.getType().isInteger(1) ? "a condition" : "a number";
}

Value Translator::translate(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Integer:
    return arith::ConstantIndexOp::create(builder, at(expr.loc), expr.integer);
  case Expr::Float:
    return arith::ConstantOp::create(builder, at(expr.loc),
                                     builder.getF64FloatAttr(expr.number));
  case Expr::String:
    error(expr.loc) << "a string can only be compared with a string attribute "
                       "of the target, by == or !=";
    return nullptr;
  case Expr::Name:
    return lookup({expr.spelling, expr.loc}, "a tensor or a size",
                  /*isTensor=*/true, /*isDim=*/true);
  case Expr::Unary:
    return translateUnary(expr);
  case Expr::Binary:
  case Expr::MinMax:
    return translateBinary(expr);
  }
  return nullptr;
}

/// Translates an operand of `expr` that must be a number, else a condition.
Value Translator::translateOperand(const Expr &expr, const Expr &operand,
                                   bool isNumber) {
  Value value = translate(operand);
  if (!value ||
      (isNumber ? value.getType().isIndex() : value.getType().isInteger(1)))
    return value;
  error(expr.loc) << "'" << expr.spelling << "' takes "
                  << (isNumber ? "whole numbers" : "conditions") << ", found "
                  << describe(value);
  return nullptr;
}

Value Translator::translateUnary(const Expr &expr) {
  bool isNegation = expr.spelling == "-";
  Location loc = at(expr.loc);
  const Expr &operand = *expr.operands.front();
  // A negative fraction is a constant of its own: there is no arithmetic on
  // them.
  if (isNegation && operand.kind == Expr::Float)
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF64FloatAttr(-operand.number));
  Value value = translateOperand(expr, operand, isNegation);
  if (!value)
    return nullptr;
  if (isNegation) {
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    return arith::SubIOp::create(builder, loc, zero, value);
  }
  Value yes =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  return arith::XOrIOp::create(builder, loc, value, yes);
}

Value Translator::translateBinary(const Expr &expr) {
  StringRef op = expr.spelling;
  if (llvm::any_of(expr.operands, [](const Expr *operand) {
        return operand->kind == Expr::String;
      }))
    return translateTextComparison(expr);
  bool isLogic = op == "&&" || op == "||";
  Value lhs = translateOperand(expr, *expr.operands[0], !isLogic);
  Value rhs = lhs ? translateOperand(expr, *expr.operands[1], !isLogic) : lhs;
  if (!rhs)
    return nullptr;
  Location loc = at(expr.loc);
  if (op == "&&")
    return arith::AndIOp::create(builder, loc, lhs, rhs);
  if (op == "||")
    return arith::OrIOp::create(builder, loc, lhs, rhs);
  if (op == "+")
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  if (op == "-")
    return arith::SubIOp::create(builder, loc, lhs, rhs);
  if (op == "*")
    return arith::MulIOp::create(builder, loc, lhs, rhs);
  if (op == "/")
    return arith::DivSIOp::create(builder, loc, lhs, rhs);
  if (op == "%")
    return arith::RemSIOp::create(builder, loc, lhs, rhs);
  if (op == "min")
    return arith::MinSIOp::create(builder, loc, lhs, rhs);
  if (op == "max")
    return arith::MaxSIOp::create(builder, loc, lhs, rhs);
  auto predicate = llvm::StringSwitch<arith::CmpIPredicate>(op)
                       .Case("==", arith::CmpIPredicate::eq)
                       .Case("!=", arith::CmpIPredicate::ne)
                       .Case("<", arith::CmpIPredicate::slt)
                       .Case("<=", arith::CmpIPredicate::sle)
                       .Case(">", arith::CmpIPredicate::sgt)
                       .Default(arith::CmpIPredicate::sge);
  return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
}
