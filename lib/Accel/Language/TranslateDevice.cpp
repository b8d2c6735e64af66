//===- TranslateDevice.cpp - Statements that describe the device ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Translator.h"

#include "Parser.h"
#include "uma/Support/DidYouMean.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

//===----------------------------------------------------------------------===//
// Target attributes
//===----------------------------------------------------------------------===//

LogicalResult Translator::collectAttributes(const Accelerator &accelerator) {
  bool hasErrors = false;
  for (const Item &item : accelerator.items) {
    auto *device = std::get_if<DeviceItem>(&item);
    auto *attribute = device ? std::get_if<TargetAttribute>(device) : nullptr;
    if (!attribute)
      continue;
    Name name = attribute->name;
    if (isReservedWord(name.text)) {
      error(name.loc) << "'" << name.text
                      << "' is a word of the language and names nothing";
      hasErrors = true;
      continue;
    }
    auto [first, isNew] = targetAttributes.insert({name.text, attribute});
    if (isNew)
      continue;
    InFlightDiagnostic diagnostic = error(name.loc)
                                    << "the description has the attribute '"
                                    << name.text << "' twice";
    diagnostic.attachNote(at(first->second->name.loc))
        << "the first one is here";
    hasErrors = true;
  }
  return failure(hasErrors);
}

void Translator::warnOfUnreadAttributes() {
  for (auto &[name, attribute] : targetAttributes)
    if (!readAttributes.contains(name))
      mlir::emitWarning(at(attribute->name.loc))
          << "nothing reads the attribute '" << name << "'";
}

Value Translator::readAttribute(Name name) {
  const TargetAttribute &attribute = *targetAttributes.lookup(name.text);
  readAttributes.insert(name.text);
  if (std::holds_alternative<std::string>(attribute.value)) {
    error(name.loc) << "attribute '" << name.text
                    << "' is a string, which can only be compared: "
                    << name.text << " == \""
                    << std::get<std::string>(attribute.value) << "\"";
    return nullptr;
  }
  bool isCondition = std::holds_alternative<bool>(attribute.value);
  return TargetAttributeOp::create(builder, at(name.loc),
                                   isCondition ? Type(builder.getI1Type())
                                               : builder.getIndexType(),
                                   name.text);
}

/// Translates `mode == "fast"` and `mode != "fast"`.
Value Translator::translateTextComparison(const Expr &expr) {
  const Expr *lhs = expr.operands[0], *rhs = expr.operands[1];
  if (lhs->kind == Expr::String)
    std::swap(lhs, rhs);
  bool isComparison = expr.spelling == "==" || expr.spelling == "!=";
  if (!isComparison || lhs->kind != Expr::Name) {
    error(expr.loc) << "a string can only be compared with a string attribute "
                       "of the target, by == or !=";
    return nullptr;
  }
  auto *attribute = targetAttributes.find(lhs->spelling);
  bool isText = attribute != targetAttributes.end() &&
                std::holds_alternative<std::string>(attribute->second->value);
  if (!isText) {
    SmallVector<StringRef> known;
    for (auto &[name, other] : targetAttributes)
      if (std::holds_alternative<std::string>(other->value))
        known.push_back(name);
    error(lhs->loc) << "'" << lhs->spelling
                    << "' is no string attribute of the target"
                    << didYouMean(lhs->spelling, known);
    return nullptr;
  }
  readAttributes.insert(lhs->spelling);
  Location loc = at(expr.loc);
  Value equal = AttributeIsOp::create(builder, loc, builder.getI1Type(),
                                      builder.getStringAttr(lhs->spelling),
                                      builder.getStringAttr(rhs->text));
  if (expr.spelling == "==")
    return equal;
  Value yes =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  return arith::XOrIOp::create(builder, loc, equal, yes);
}

LogicalResult Translator::translate(const TargetAttribute &attribute) {
  Attribute value;
  if (auto *integer = std::get_if<int64_t>(&attribute.value))
    value = builder.getI64IntegerAttr(*integer);
  else if (auto *condition = std::get_if<bool>(&attribute.value))
    value = builder.getBoolAttr(*condition);
  else
    value = builder.getStringAttr(std::get<std::string>(attribute.value));
  AttributeOp::create(builder, at(attribute.name.loc),
                      builder.getStringAttr(attribute.name.text), value);
  return success();
}

//===----------------------------------------------------------------------===//
// Other statements
//===----------------------------------------------------------------------===//

LogicalResult Translator::translate(const language::Version &version) {
  VersionOp::create(builder, at(version.loc), version.number);
  return success();
}

LogicalResult Translator::translate(const MergeRegions &merge) {
  MergeCompilerRegionsOp::create(builder, at(merge.loc), merge.merge);
  return success();
}

LogicalResult Translator::translate(const LayerGlob &glob) {
  if (glob.isPin)
    PinOp::create(builder, at(glob.layers.loc), glob.layers.value);
  else
    KeepOffOp::create(builder, at(glob.layers.loc), glob.layers.value);
  return success();
}

LogicalResult Translator::translate(const Script &script) {
  ScriptOp::create(builder, at(script.file.loc),
                   builder.getStringAttr(script.phase.text),
                   builder.getStringAttr(script.file.value));
  return success();
}

LogicalResult Translator::translate(const Layout &layout) {
  StringAttr weights;
  if (layout.weights)
    weights = builder.getStringAttr(layout.weights->value);
  LayoutOp::create(builder, at(layout.kind.loc),
                   builder.getStringAttr(layout.kind.text),
                   builder.getStringAttr(layout.data.value), weights);
  return success();
}

LogicalResult Translator::translate(const Replace &replace) {
  ReplaceOp::create(builder, at(replace.callee.loc), replace.callee.text,
                    replace.text.value);
  return success();
}

LogicalResult Translator::translate(const Code &code) {
  if (code.isEpilogue)
    EpilogueOp::create(builder, at(code.text.loc), code.text.value);
  else
    PrologueOp::create(builder, at(code.text.loc), code.text.value);
  return success();
}

LogicalResult Translator::translate(const RegionCall &call) {
  names.clear();
  Location loc = at(call.call.callee.loc);
  Region *body;
  if (call.isAwait)
    body = &AwaitOp::create(builder, loc).getBody();
  else
    body = &InitOp::create(builder, loc).getBody();
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(body);
  return translate(call.call);
}

LogicalResult Translator::translate(const language::Memory &memory) {
  names.clear();
  IntegerAttr alignment;
  if (memory.alignment)
    alignment = builder.getI64IntegerAttr(*memory.alignment);
  FloatAttr cost;
  if (memory.cost)
    cost = builder.getF64FloatAttr(*memory.cost);
  auto op = MemoryOp::create(builder, at(memory.name.loc),
                             builder.getStringAttr(memory.name.text), alignment,
                             cost);
  if (!memory.size)
    return success();
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&op.getSize());
  Value size = translate(*memory.size);
  if (!size)
    return failure();
  if (!size.getType().isIndex())
    return error(memory.size->loc) << "the size of memory '" << memory.name.text
                                   << "' is a whole number of bytes";
  YieldOp::create(builder, at(memory.name.loc), size);
  return success();
}

LogicalResult Translator::translate(const Strategy &strategy) {
  auto op = StrategyOp::create(builder, at(strategy.pattern.name.loc),
                               strategy.level);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&op.getBody());
  return translate(strategy.pattern);
}

LogicalResult Translator::translate(const DeviceItem &item) {
  return std::visit([&](auto &statement) { return translate(statement); },
                    item);
}

//===----------------------------------------------------------------------===//
// Statements of patterns
//===----------------------------------------------------------------------===//

LogicalResult Translator::translate(const Configure &configure) {
  SmallVector<Value> arguments;
  bool hasErrors = failed(translateArguments(configure.call, arguments));
  for (auto [expr, value] :
       llvm::zip_equal(configure.call.arguments, arguments))
    if (value && isTensorValue(value))
      hasErrors |=
          failed(error(expr->loc)
                 << "'" << configure.call.callee.text
                 << "' configures the device with numbers, found a tensor");
  if (hasErrors)
    return failure();
  ConfigureOp::create(builder, getCallLocation(configure.call),
                      configure.call.callee.text, arguments);
  return success();
}

LogicalResult Translator::translate(const Lower &lower) {
  LowerOp::create(builder, at(lower.loc));
  return success();
}

LogicalResult Translator::translate(const Place &place) {
  SmallVector<Value> tensors;
  bool hasErrors = false;
  for (Name name : place.tensors)
    hasErrors |= !tensors.emplace_back(
        lookup(name, "a tensor", /*isTensor=*/true, /*isDim=*/false));
  if (hasErrors)
    return failure();
  PlaceOp::create(builder, at(place.memory.loc), tensors, place.memory.text);
  return success();
}
