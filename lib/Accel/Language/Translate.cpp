//===- Translate.cpp - The description language to uma.accel --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Resolves names and builds the operations. Checks everything that has a
// position in the text, at that position; the verifiers of uma.accel check the
// rest.
//
//===----------------------------------------------------------------------===//

#include "Translator.h"

#include "Parser.h"
#include "uma/Accel/IR/VerifyAccelerator.h"
#include "uma/Support/DidYouMean.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Returns the kind of a name in messages.
static StringRef describeName(Value value) {
  if (isTensorValue(value))
    return "tensor";
  return value.getType().isIndex() ? "size" : "number";
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
  if (!isNew && !entry->second.value)
    entry->second = {value, name.loc};
  else if (!isNew)
    return reportTwice(name, entry->second);
  return success();
}

LogicalResult Translator::reportTwice(Name name, const Meaning &first) {
  InFlightDiagnostic diagnostic = error(name.loc)
                                  << "'" << name.text << "' is already a "
                                  << describeName(first.value);
  diagnostic.attachNote(at(first.loc)) << "first used here";
  return diagnostic;
}

Value Translator::lookup(Name name, StringRef what, bool isTensor, bool isDim) {
  auto *entry = names.find(name.text);
  if (entry != names.end()) {
    Value value = entry->second.value;
    ++entry->second.numUses;
    if (!value)
      return nullptr;
    if (isTensorValue(value) ? isTensor : isDim)
      return value;
    error(name.loc) << "expected " << what << ", found the "
                    << describeName(value) << " '" << name.text << "'";
    return nullptr;
  }
  if (isDim && targetAttributes.contains(name.text))
    return readAttribute(name);
  SmallVector<StringRef> candidates;
  for (auto &[known, meaning] : names)
    if (meaning.value && (isTensorValue(meaning.value) ? isTensor : isDim))
      candidates.push_back(known);
  if (isDim)
    for (auto &[known, attribute] : targetAttributes)
      candidates.push_back(known);
  std::string hint = didYouMean(name.text, candidates);
  InFlightDiagnostic diagnostic = error(name.loc) << "undefined name '"
                                                  << name.text << "'" << hint;
  if (hint.empty() && !candidates.empty())
    diagnostic << "; defined here are " << llvm::join(candidates, ", ");
  // Report each name only once.
  excuse(name);
  return nullptr;
}

Value Translator::lookupOrCreateDim(Name name, Type type) {
  if (auto *entry = names.find(name.text); entry != names.end()) {
    Value dim = lookup(name, "a size", /*isTensor=*/false, /*isDim=*/true);
    if (!dim || dim.getType() == type)
      return dim;
    InFlightDiagnostic diagnostic =
        error(name.loc) << "'" << name.text << "' is "
                        << describeNumberType(dim.getType()) << ", here stands "
                        << describeNumberType(type);
    diagnostic.attachNote(at(entry->second.loc)) << "first used here";
    return nullptr;
  }
  if (targetAttributes.contains(name.text)) {
    error(name.loc) << "'" << name.text
                    << "' is an attribute of the target; a size is an integer "
                       "or a name of its own, e.g. with require size == "
                    << name.text;
    return nullptr;
  }
  Value dim = DimOp::create(builder, at(name.loc), type, name.text);
  if (failed(define(name, dim)))
    return nullptr;
  ++names[name.text].numUses;
  return dim;
}

//===----------------------------------------------------------------------===//
// Names of statements with errors
//===----------------------------------------------------------------------===//

void Translator::excuse(Name name) {
  if (!isReservedWord(name.text))
    names.insert({name.text, {nullptr, name.loc}});
}

void Translator::excuse(const AttrValue &value) {
  if (value.kind == AttrValue::Word)
    excuse(Name{value.word, value.loc});
  for (const AttrValue &element : value.elements)
    excuse(element);
}

void Translator::excuse(const Definition &definition) {
  excuse(definition.result);
  for (const Operator &op : definition.alternatives)
    for (const Attr &attr : op.attributes)
      excuse(attr.value);
}

void Translator::excuse(const Input &input) {
  excuse(input.name);
  if (input.shape)
    for (const Size &size : *input.shape)
      if (!size.name.empty())
        excuse(Name{size.name, size.loc});
}

void Translator::excuse(const Broken &broken) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (StringRef rest = broken.text; !rest.empty();) {
    StringRef word = rest.take_while(isPart);
    if (!word.empty() && !llvm::isDigit(word.front()) &&
        !targetAttributes.contains(word))
      excuse(Name{word, llvm::SMLoc::getFromPointer(word.data())});
    rest = rest.drop_front(std::max<size_t>(word.size(), 1));
  }
}

void Translator::excuse(const Statement &statement) {
  if (auto *definition = std::get_if<Definition>(&statement))
    excuse(*definition);
  else if (auto *broken = std::get_if<Broken>(&statement))
    excuse(*broken);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

LogicalResult Translator::translate(const Include &include) {
  IncludeOp::create(builder, at(include.header.loc), include.header.value);
  return success();
}

LogicalResult Translator::translate(const Model &model) {
  ModelOp::create(builder, at(model.file.loc), model.file.value);
  return success();
}

LogicalResult Translator::translate(const Link &link) {
  LinkOp::create(builder, at(link.library.loc), link.library.value);
  return success();
}

LogicalResult Translator::translate(const Pipeline &pipeline) {
  PipelineOp::create(builder, at(pipeline.phase.loc), pipeline.phase.text,
                     pipeline.passes.value);
  return success();
}

LogicalResult Translator::translate(const Broken &) { return failure(); }

LogicalResult Translator::translate(const Item &item) {
  return std::visit([&](auto &statement) { return translate(statement); },
                    item);
}

OwningOpRef<AcceleratorOp> Translator::translate(const Accelerator &accelerator,
                                                 bool isWhole) {
  OwningOpRef<AcceleratorOp> op = AcceleratorOp::create(
      builder, at(accelerator.name.loc), accelerator.name.text,
      builder.getStringAttr(source.getFile()));
  Block &body = op->getBody().emplaceBlock();
  bool hasDeclarations = succeeded(collectAttributes(accelerator));
  for (const Item &item : accelerator.items)
    if (auto *text = std::get_if<Broken>(&item))
      broken.push_back(*text);
  hasDeclarations &= broken.empty();
  isWhole &= hasDeclarations;
  for (const Item &item : accelerator.items) {
    builder.setInsertionPointToEnd(&body);
    Operation *last = body.empty() ? nullptr : &body.back();
    if (succeeded(translate(item)))
      continue;
    isWhole = false;
    // Other items refer to memories: without one, skip checks across items.
    if (auto *device = std::get_if<DeviceItem>(&item))
      hasDeclarations &= !std::holds_alternative<language::Memory>(*device);
    while (!body.empty() && &body.back() != last)
      body.back().erase();
  }
  AcceleratorParts parts = isWhole           ? AcceleratorParts::All
                           : hasDeclarations ? AcceleratorParts::NotAllPatterns
                                             : AcceleratorParts::Some;
  if (failed(verifyAccelerator(*op, parts)) || !isWhole)
    return nullptr;
  warnOfUnreadAttributes();
  return op;
}

OwningOpRef<AcceleratorOp>
uma::accel::parseDescription(llvm::SourceMgr &sourceMgr, MLIRContext *context) {
  context->loadDialect<UMADialect, arith::ArithDialect>();
  Source source(sourceMgr, context);
  Accelerator accelerator;
  bool isWhole = succeeded(parse(source, accelerator));
  // Nothing can be checked without a name.
  if (!isWhole && accelerator.name.text.empty())
    return nullptr;
  return Translator(source).translate(accelerator, isWhole);
}
