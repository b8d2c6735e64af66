//===- TranslatePattern.cpp - Patterns to uma.accel ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Translator.h"

#include "Parser.h"
#include "uma/Accel/IR/CallLocation.h"
#include "uma/Support/DidYouMean.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

LogicalResult Translator::translate(const Pattern &pattern) {
  names.clear();
  bool isTopLevel = isa<AcceleratorOp>(builder.getBlock()->getParentOp());
  auto [first, isNew] =
      isTopLevel ? patterns.insert({pattern.name.text, pattern.name.loc})
                 : std::make_pair(patterns.end(), true);
  if (!isNew) {
    InFlightDiagnostic diagnostic =
        error(pattern.name.loc)
        << "a pattern '" << pattern.name.text
        << "' exists already; give each its own name, e.g. '"
        << pattern.name.text << "_2'";
    diagnostic.attachNote(at(first->second)) << "the other one is here";
  }
  auto op = PatternOp::create(builder, at(pattern.name.loc), pattern.name.text);
  builder.setInsertionPointToEnd(&op.getBody().emplaceBlock());
  bool hasErrors = !isNew;
  for (const Broken &text : broken)
    excuse(text);
  // Inputs with a syntax error are defined before all their users.
  for (const Statement &statement : pattern.statements)
    if (auto *text = std::get_if<Broken>(&statement))
      excuse(*text);
  for (const Input &input : pattern.inputs)
    if (failed(translate(input))) {
      excuse(input);
      hasErrors = true;
    }
  for (const Statement &statement : pattern.statements)
    if (failed(std::visit([&](auto &s) { return translate(s); }, statement))) {
      excuse(statement);
      hasErrors = true;
    }
  if (hasErrors)
    return failure();
  warnOfUnused();
  return success();
}

/// Warns about names used by only one shape or attribute, and about unused
/// inputs, which are removed. A leading underscore silences the warning.
void Translator::warnOfUnused() {
  SmallVector<StringRef> unused;
  // Text with an error may define these names.
  names.remove_if([](const auto &entry) { return !entry.second.value; });
  for (auto &[name, meaning] : names)
    if (auto input = meaning.value.getDefiningOp<InputOp>();
        input && input->use_empty()) {
      mlir::emitWarning(at(meaning.loc))
          << "nothing uses input '" << name << "'; it is left out";
      SmallVector<Value> dims(input.getDims());
      input->erase();
      unused.push_back(name);
      for (Value dim : dims)
        --names[dim.getDefiningOp<DimOp>().getName()].numUses;
    }
  for (StringRef name : unused)
    names.erase(name);
  for (auto &[name, meaning] : names) {
    if (isTensorValue(meaning.value))
      continue;
    if (meaning.numUses == 0)
      meaning.value.getDefiningOp()->erase();
    else if (meaning.numUses == 1 && !name.starts_with("_"))
      mlir::emitWarning(at(meaning.loc))
          << "nothing uses '" << name
          << "'; where it may be anything, write 'any'";
  }
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
  SmallVector<Attribute> types;
  for (Name name : input.types) {
    Type type = getType(source.getContext(), name.text);
    if (!type) {
      SmallVector<StringRef> known(getTypeNames());
      known.push_back("const");
      std::string hint = didYouMean(name.text, known);
      return error(name.loc)
             << "unknown element type '" << name.text << "'"
             << (hint.empty()
                     ? "; types are " + llvm::join(getTypeNames(), ", ")
                     : hint);
    }
    Attribute attribute = TypeAttr::get(type);
    if (llvm::is_contained(types, attribute))
      return error(name.loc)
             << "element type '" << name.text << "' is given twice";
    types.push_back(attribute);
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
      if (size.name == kAnyValue) {
        sizes.push_back(InputOp::kAnySize);
        continue;
      }
      Value dim =
          lookupOrCreateDim({size.name, size.loc}, builder.getIndexType());
      if (!dim)
        return failure();
      sizes.push_back(ShapedType::kDynamic);
      dims.push_back(dim);
    }
  auto op = InputOp::create(
      builder, at(input.name.loc), AccelTensorType::get(source.getContext()),
      builder.getStringAttr(input.name.text),
      input.isConstant ? builder.getUnitAttr() : UnitAttr(),
      types.empty() ? ArrayAttr() : builder.getArrayAttr(types),
      input.shape ? UnitAttr() : builder.getUnitAttr(), dims,
      builder.getDenseI64ArrayAttr(sizes));
  return define(input.name, op);
}

Value Translator::translate(const Operand &operand) {
  if (!operand.number)
    return lookup(operand.name, "a tensor", /*isTensor=*/true,
                  /*isDim=*/false);
  return SplatOp::create(builder, at(operand.name.loc),
                         AccelTensorType::get(source.getContext()),
                         builder.getF64FloatAttr(*operand.number));
}

Value Translator::translate(const Operator &op, StringAttr name) {
  auto registered = lookupOperator([&] { return error(op.kind.loc); },
                                   source.getContext(), op.kind.text);
  if (failed(registered))
    return nullptr;
  SmallVector<Value> operands;
  bool hasErrors = false;
  for (const Operand &operand : op.operands)
    hasErrors |= !operands.emplace_back(translate(operand));
  hasErrors |= failed(verifyOperandCount([&] { return error(op.kind.loc); },
                                         *registered, operands.size()));
  NamedAttrList attributes;
  llvm::StringSet<> seen;
  for (const Attr &attr : op.attributes) {
    if (!seen.insert(attr.name.text).second) {
      error(attr.name.loc) << "attribute '" << attr.name.text
                           << "' is given twice";
      hasErrors = true;
      continue;
    }
    auto value = translate(attr, *registered);
    if (succeeded(value))
      attributes.append(attr.name.text, *value);
    else
      hasErrors = true;
  }
  if (hasErrors)
    return nullptr;
  return OpOp::create(
      builder, at(op.kind.loc), AccelTensorType::get(source.getContext()),
      builder.getStringAttr(op.kind.text), operands, name,
      attributes.empty() ? DictionaryAttr()
                         : attributes.getDictionary(source.getContext()));
}

LogicalResult Translator::translate(const Definition &definition) {
  StringAttr name = builder.getStringAttr(definition.result.text);
  const Operator &first = definition.alternatives.front();
  bool isChoice = definition.isOptional || definition.alternatives.size() > 1;
  SmallVector<Value> alternatives;
  bool hasErrors = false;
  for (const Operator &op : definition.alternatives)
    hasErrors |= !alternatives.emplace_back(
        translate(op, isChoice ? StringAttr() : name));
  if (hasErrors)
    return failure();
  if (!isChoice)
    return define(definition.result, alternatives.front());
  Value otherwise;
  if (definition.isOptional) {
    // The operand that replaces the result if the operator is absent. It must
    // be the same for all alternatives, or one would not be optional.
    for (const Operator &op : definition.alternatives) {
      if (op.operands.empty() || op.operands.front().number)
        return error(op.kind.loc)
               << "'" << op.kind.text
               << "' cannot be optional: its first operand is what '"
               << definition.result.text
               << "' stands for without it, and must be a tensor";
      if (op.operands.front().name.text != first.operands.front().name.text)
        return error(op.operands.front().name.loc)
               << "all alternatives of what is optional have one first "
                  "operand, which '"
               << definition.result.text
               << "' stands for where none is there; expected '"
               << first.operands.front().name.text << "'";
    }
    otherwise = alternatives.front().getDefiningOp<OpOp>().getOperands_()[0];
  }
  auto choice = ChoiceOp::create(builder, at(definition.result.loc),
                                 AccelTensorType::get(source.getContext()),
                                 alternatives, otherwise, name);
  return define(definition.result, choice);
}

LogicalResult Translator::translate(const Return &returned) {
  SmallVector<Value> outputs;
  for (Name name : returned.tensors)
    if (!outputs.emplace_back(lookup(name, "a tensor", /*isTensor=*/true,
                                     /*isDim=*/false)))
      return failure();
  ReturnOp::create(builder, at(returned.loc), outputs);
  return success();
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

LogicalResult
Translator::translateArguments(const language::Call &call,
                               SmallVectorImpl<Value> &arguments) {
  bool hasErrors = false;
  for (const Expr *argument : call.arguments) {
    Value value = translate(*argument);
    if (value && isFlag(value))
      value = arith::IndexCastUIOp::create(builder, at(argument->loc),
                                           builder.getIndexType(), value);
    arguments.push_back(value);
    hasErrors |= !value;
    if (value && value.getType().isInteger(1))
      hasErrors |= failed(error(argument->loc)
                          << "an argument of a call is a tensor or a number, "
                             "found a condition");
  }
  return failure(hasErrors);
}

Location Translator::getCallLocation(const language::Call &call) {
  SmallVector<Location> locations = {at(call.callee.loc)};
  for (llvm::SMLoc loc : call.locs)
    locations.push_back(at(loc));
  return makeCallLocation(source.getContext(), locations);
}

LogicalResult Translator::translate(const language::Call &call) {
  SmallVector<Value> arguments;
  if (failed(translateArguments(call, arguments)))
    return failure();
  CallOp::create(builder, getCallLocation(call), call.callee.text, arguments);
  return success();
}
