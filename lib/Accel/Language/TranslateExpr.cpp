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

/// Returns the encoding of `matched_attributes` in AccelOps.td, except that
/// floats written as integers stay integers. Returns null after an error.
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
  // `epsilon=1` means the same as `epsilon=1.0`.
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
    Type type = attr.value.kind == AttrValue::List ? builder.getIndexType()
                                                   : getDimType(op, name);
    return success(
        static_cast<bool>(lookupOrCreateDim({word.text, word.loc}, type)));
  });
  if (failed(bound))
    return failure();
  return value;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// Returns the kind of a value in messages.
static StringRef describe(Value value) {
  if (isTensorValue(value))
    return "a tensor";
  if (isa<FloatType>(value.getType()))
    return "a float";
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
    return translateBinary(expr);
  case Expr::Function:
    return translateFunction(expr);
  }
  return nullptr;
}

Value Translator::translateCondition(const Expr &expr, const Expr &operand) {
  Value value = translate(operand);
  if (!value || value.getType().isInteger(1))
    return value;
  error(expr.loc) << "'" << expr.spelling << "' takes conditions, found "
                  << describe(value);
  return nullptr;
}

Value Translator::translateNumber(const Expr &expr, const Expr &operand) {
  Value value = translate(operand);
  if (!value || value.getType().isIndex() || value.getType().isF64())
    return value;
  if (isFlag(value))
    return arith::IndexCastUIOp::create(builder, at(operand.loc),
                                        builder.getIndexType(), value);
  error(expr.loc) << "'" << expr.spelling << "' takes numbers, found "
                  << describe(value);
  return nullptr;
}

Value Translator::toFloat(Value number) {
  if (number.getType().isF64())
    return number;
  Location loc = number.getLoc();
  Value integer =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), number);
  return arith::SIToFPOp::create(builder, loc, builder.getF64Type(), integer);
}

Value Translator::translateUnary(const Expr &expr) {
  Location loc = at(expr.loc);
  const Expr &operand = *expr.operands.front();
  if (expr.spelling == "!") {
    Value value = translateCondition(expr, operand);
    if (!value)
      return nullptr;
    Value yes =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    return arith::XOrIOp::create(builder, loc, value, yes);
  }
  // A constant keeps its written form.
  if (operand.kind == Expr::Float)
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF64FloatAttr(-operand.number));
  Value value = translateNumber(expr, operand);
  if (!value)
    return nullptr;
  if (value.getType().isF64())
    return arith::NegFOp::create(builder, loc, value);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  return arith::SubIOp::create(builder, loc, zero, value);
}

/// Builds the integer operation for the operator `spelling`.
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

/// Builds the floating-point operation for the operator `spelling`.
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
  // Same as in C: only "not equal" holds for NaN.
  auto predicate = llvm::StringSwitch<arith::CmpFPredicate>(spelling)
                       .Case("==", arith::CmpFPredicate::OEQ)
                       .Case("!=", arith::CmpFPredicate::UNE)
                       .Case("<", arith::CmpFPredicate::OLT)
                       .Case("<=", arith::CmpFPredicate::OLE)
                       .Case(">", arith::CmpFPredicate::OGT)
                       .Default(arith::CmpFPredicate::OGE);
  return arith::CmpFOp::create(builder, loc, predicate, lhs, rhs);
}

Value Translator::translateBinary(const Expr &expr) {
  if (llvm::any_of(expr.operands, [](const Expr *operand) {
        return operand->kind == Expr::String;
      }))
    return translateTextComparison(expr);
  StringRef op = expr.spelling;
  Location loc = at(expr.loc);
  if (op == "&&" || op == "||") {
    Value lhs = translateCondition(expr, *expr.operands[0]);
    Value rhs = translateCondition(expr, *expr.operands[1]);
    if (!lhs || !rhs)
      return nullptr;
    if (op == "&&")
      return arith::AndIOp::create(builder, loc, lhs, rhs);
    return arith::OrIOp::create(builder, loc, lhs, rhs);
  }
  Value lhs = translateNumber(expr, *expr.operands[0]);
  Value rhs = translateNumber(expr, *expr.operands[1]);
  if (!lhs || !rhs)
    return nullptr;
  if (lhs.getType().isIndex() && rhs.getType().isIndex())
    return buildInteger(builder, loc, op, lhs, rhs);
  if (op == "%") {
    error(expr.loc) << "'%' takes whole numbers, found a float";
    return nullptr;
  }
  lhs = toFloat(lhs);
  rhs = toFloat(rhs);
  return buildFloat(builder, loc, op, lhs, rhs);
}

Value Translator::translateFunction(const Expr &expr) {
  StringRef name = expr.spelling;
  Location loc = at(expr.loc);
  if (name == "min" || name == "max")
    return translateBinary(expr);
  Type index = builder.getIndexType();
  if (name == "macs")
    return MacsOp::create(builder, loc, index);
  const Expr &argument = *expr.operands.front();
  if (argument.kind != Expr::Name) {
    error(argument.loc) << "'" << name << "' takes a tensor by its name";
    return nullptr;
  }
  Value tensor = lookup({argument.spelling, argument.loc}, "a tensor",
                        /*isTensor=*/true, /*isDim=*/false);
  if (!tensor)
    return nullptr;
  if (name == "bytes")
    return BytesOp::create(builder, loc, index, tensor);
  if (name == "elements")
    return ElementsOp::create(builder, loc, index, tensor);
  if (name == "rank")
    return RankOp::create(builder, loc, index, tensor);
  if (name == "present")
    return PresentOp::create(builder, loc, builder.getI1Type(), tensor);
  return WhichOp::create(builder, loc, index, tensor);
}
