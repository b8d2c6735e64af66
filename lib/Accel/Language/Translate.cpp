//===- Translate.cpp - The description language to uma.accel --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Gives names their meaning and builds the operations. Everything that has a
// position in the text is checked here, at that position; the verifiers of
// uma.accel check the rest.
//
//===----------------------------------------------------------------------===//

#include "Translator.h"

#include "Parser.h"
#include "uma/Support/DidYouMean.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static bool isTensorValue(Value value) {
  return isa<AccelTensorType>(value.getType());
}

LogicalResult Translator::define(Name name, Value value) {
  if (isReservedWord(name.text))
    return error(name.loc) << "'" << name.text
                           << "' is a word of the language and names nothing";
  if (const TargetAttribute *attribute = targetAttributes.lookup(name.text)) {
    InFlightDiagnostic diagnostic =
        error(name.loc) << "'" << name.text
                        << "' is an attribute of the target and cannot name a "
                        << (isTensorValue(value) ? "tensor" : "size");
    diagnostic.attachNote(at(attribute->name.loc)) << "declared here";
    return diagnostic;
  }
  auto [entry, isNew] = names.insert({name.text, {value, name.loc}});
  if (isNew)
    return success();
  InFlightDiagnostic diagnostic =
      error(name.loc) << "'" << name.text << "' is already a "
                      << (isTensorValue(entry->second.value) ? "tensor"
                                                             : "size");
  diagnostic.attachNote(at(entry->second.loc)) << "first used here";
  return diagnostic;
}

Value Translator::lookup(Name name, StringRef what, bool isTensor, bool isDim) {
  auto *entry = names.find(name.text);
  if (entry != names.end()) {
    Value value = entry->second.value;
    if (isTensorValue(value) ? isTensor : isDim)
      return value;
    error(name.loc) << "expected " << what << ", found the "
                    << (isTensorValue(value) ? "tensor '" : "size '")
                    << name.text << "'";
    return nullptr;
  }
  if (isDim && targetAttributes.contains(name.text))
    return readAttribute(name);
  SmallVector<StringRef> candidates;
  for (auto &[known, meaning] : names)
    if (isTensorValue(meaning.value) ? isTensor : isDim)
      candidates.push_back(known);
  if (isDim)
    for (auto &[known, attribute] : targetAttributes)
      candidates.push_back(known);
  std::string hint = didYouMean(name.text, candidates);
  InFlightDiagnostic diagnostic = error(name.loc) << "undefined name '"
                                                  << name.text << "'" << hint;
  if (hint.empty() && !candidates.empty())
    diagnostic << "; defined here are " << llvm::join(candidates, ", ");
  return nullptr;
}

Value Translator::lookupOrCreateDim(Name name) {
  if (names.contains(name.text))
    return lookup(name, "a size", /*isTensor=*/false, /*isDim=*/true);
  if (targetAttributes.contains(name.text)) {
    error(name.loc) << "'" << name.text
                    << "' is an attribute of the target; a size is an integer "
                       "or a name of its own, e.g. with require size == "
                    << name.text;
    return nullptr;
  }
  Value dim =
      DimOp::create(builder, at(name.loc), builder.getIndexType(), name.text);
  if (failed(define(name, dim)))
    return nullptr;
  return dim;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

OwningOpRef<AcceleratorOp>
Translator::translate(const Accelerator &accelerator) {
  OwningOpRef<AcceleratorOp> op = AcceleratorOp::create(
      builder, at(accelerator.name.loc), accelerator.name.text,
      builder.getStringAttr(source.getFile()));
  Block &body = op->getBody().emplaceBlock();
  llvm::MapVector<StringRef, llvm::SMLoc> patterns;
  if (failed(collectAttributes(accelerator)))
    return nullptr;
  for (const Item &item : accelerator.items) {
    builder.setInsertionPointToEnd(&body);
    if (auto *include = std::get_if<Include>(&item)) {
      IncludeOp::create(builder, at(include->header.loc),
                        include->header.value);
    } else if (auto *model = std::get_if<Model>(&item)) {
      ModelOp::create(builder, at(model->file.loc), model->file.value);
    } else if (auto *link = std::get_if<Link>(&item)) {
      LinkOp::create(builder, at(link->library.loc), link->library.value);
    } else if (auto *pipeline = std::get_if<Pipeline>(&item)) {
      PipelineOp::create(builder, at(pipeline->phase.loc), pipeline->phase.text,
                         pipeline->passes.value);
    } else if (auto *device = std::get_if<DeviceItem>(&item)) {
      if (failed(translate(*device)))
        return nullptr;
    } else if (auto *transfer = std::get_if<Transfer>(&item)) {
      if (failed(translate(*transfer)))
        return nullptr;
    } else if (auto *region = std::get_if<RegionCost>(&item)) {
      if (failed(translate(*region)))
        return nullptr;
    } else {
      const auto &pattern = std::get<Pattern>(item);
      auto [first, isNew] =
          patterns.insert({pattern.name.text, pattern.name.loc});
      if (!isNew) {
        InFlightDiagnostic diagnostic =
            error(pattern.name.loc)
            << "a pattern '" << pattern.name.text
            << "' exists already; give each its own name, e.g. '"
            << pattern.name.text << "_2'";
        diagnostic.attachNote(at(first->second)) << "the other one is here";
        return nullptr;
      }
      if (failed(translate(pattern)))
        return nullptr;
    }
  }
  if (failed(verify(*op)))
    return nullptr;
  warnOfUnreadAttributes();
  return op;
}

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

LogicalResult
Translator::translateArguments(const language::Call &call,
                               SmallVectorImpl<Value> &arguments) {
  for (const Expr *argument : call.arguments) {
    Value value = translate(*argument);
    if (!value)
      return failure();
    // An attribute of the target is passed as 0 or 1.
    if (value.getDefiningOp<TargetAttributeOp>() &&
        value.getType().isInteger(1))
      value = arith::IndexCastUIOp::create(builder, at(argument->loc),
                                           builder.getIndexType(), value);
    arguments.push_back(value);
    if (value.getType().isInteger(1))
      return error(argument->loc)
             << "an argument of a call is a tensor or a number, found a "
                "condition";
  }
  return success();
}

LogicalResult Translator::translate(const language::Call &call) {
  SmallVector<Value> arguments;
  if (failed(translateArguments(call, arguments)))
    return failure();
  CallOp::create(builder, at(call.callee.loc), call.callee.text, arguments);
  return success();
}

OwningOpRef<AcceleratorOp>
uma::accel::parseDescription(llvm::SourceMgr &sourceMgr, MLIRContext *context) {
  context->loadDialect<UMADialect, arith::ArithDialect>();
  Source source(sourceMgr, context);
  Accelerator accelerator;
  if (failed(parse(source, accelerator)))
    return nullptr;
  return Translator(source).translate(accelerator);
}
