//===- TranslatePattern.cpp - Patterns to uma.accel ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Translator.h"

#include "Parser.h"
#include "uma/Support/DidYouMean.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

LogicalResult Translator::translate(const Pattern &pattern) {
  names.clear();
  auto op = PatternOp::create(builder, at(pattern.name.loc), pattern.name.text);
  builder.setInsertionPointToEnd(&op.getBody().emplaceBlock());
  for (const Input &input : pattern.inputs)
    if (failed(translate(input)))
      return failure();
  for (const Statement &statement : pattern.statements)
    if (failed(std::visit([&](auto &s) { return translate(s); }, statement)))
      return failure();
  return success();
}

Type uma::accel::language::getType(MLIRContext *context, StringRef name) {
  Builder builder(context);
  return llvm::StringSwitch<Type>(name)
      .Case("f16", builder.getF16Type())
      .Case("bf16", builder.getBF16Type())
      .Case("f32", builder.getF32Type())
      .Case("f64", builder.getF64Type())
      .Case("i1", builder.getI1Type())
      .Case("i8", builder.getI8Type())
      .Case("u8", builder.getIntegerType(8, /*isSigned=*/false))
      .Case("i16", builder.getI16Type())
      .Case("i32", builder.getI32Type())
      .Case("i64", builder.getI64Type())
      .Default(nullptr);
}

LogicalResult Translator::translate(const Input &input) {
  TypeAttr elementType;
  if (input.type) {
    Type type = getType(source.getContext(), input.type->text);
    if (!type) {
      std::string hint = didYouMean(input.type->text, getTypeNames());
      return error(input.type->loc)
             << "unknown element type '" << input.type->text << "'"
             << (hint.empty()
                     ? "; types are " + llvm::join(getTypeNames(), ", ")
                     : hint);
    }
    elementType = TypeAttr::get(type);
  }
  SmallVector<int64_t> sizes;
  SmallVector<Value> dims;
  if (input.shape)
    for (const Size &size : *input.shape) {
      if (size.name.empty()) {
        if (size.integer < 1)
          return error(size.loc) << "size " << size.integer << " of input '"
                                 << input.name.text << "' is not positive";
        sizes.push_back(size.integer);
        continue;
      }
      Value dim = lookupOrCreateDim({size.name, size.loc});
      if (!dim)
        return failure();
      sizes.push_back(ShapedType::kDynamic);
      dims.push_back(dim);
    }
  auto op = InputOp::create(builder, at(input.name.loc),
                            AccelTensorType::get(source.getContext()),
                            builder.getStringAttr(input.name.text), elementType,
                            input.shape ? UnitAttr() : builder.getUnitAttr(),
                            dims, builder.getDenseI64ArrayAttr(sizes));
  return define(input.name, op);
}

LogicalResult Translator::translate(const Operator &op) {
  auto registered = lookupOperator([&] { return error(op.kind.loc); },
                                   source.getContext(), op.kind.text);
  if (failed(registered))
    return failure();
  SmallVector<Value> operands;
  for (Name name : op.operands)
    if (!operands.emplace_back(lookup(name, "a tensor", /*isTensor=*/true,
                                      /*isDim=*/false)))
      return failure();
  if (failed(verifyOperandCount([&] { return error(op.kind.loc); }, *registered,
                                operands.size())))
    return failure();
  NamedAttrList attributes;
  for (const Attr &attr : op.attributes) {
    if (attributes.get(attr.name.text))
      return error(attr.name.loc)
             << "attribute '" << attr.name.text << "' is given twice";
    auto value = translate(attr, *registered);
    if (failed(value))
      return failure();
    attributes.append(attr.name.text, *value);
  }
  auto result = OpOp::create(
      builder, at(op.kind.loc), AccelTensorType::get(source.getContext()),
      builder.getStringAttr(op.kind.text), operands,
      builder.getStringAttr(op.result.text),
      attributes.empty() ? DictionaryAttr()
                         : attributes.getDictionary(source.getContext()));
  return define(op.result, result);
}

LogicalResult Translator::translate(const Require &require) {
  Value condition = translate(*require.condition);
  if (!condition)
    return failure();
  if (!condition.getType().isInteger(1))
    return error(require.condition->loc)
           << "a requirement is a condition, e.g. n <= 64, found a "
           << (isTensorValue(condition) ? "tensor" : "number");
  RequireOp::create(builder, at(require.loc), condition, require.reason.value,
                    builder.getStringAttr(require.source));
  return success();
}

LogicalResult Translator::translate(const language::Call &call) {
  SmallVector<Value> arguments;
  for (const Expr *argument : call.arguments) {
    Value value = arguments.emplace_back(translate(*argument));
    if (!value)
      return failure();
    if (value.getType().isInteger(1))
      return error(argument->loc)
             << "an argument of a call is a tensor or a number, found a "
                "condition";
  }
  CallOp::create(builder, at(call.callee.loc), call.callee.text, arguments);
  return success();
}
