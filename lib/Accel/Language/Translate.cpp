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
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// What a name is, in words.
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
  if (isNew)
    return success();
  InFlightDiagnostic diagnostic = error(name.loc)
                                  << "'" << name.text << "' is already a "
                                  << describeName(entry->second.value);
  diagnostic.attachNote(at(entry->second.loc)) << "first used here";
  return diagnostic;
}

Value Translator::lookup(Name name, StringRef what, bool isTensor, bool isDim) {
  auto *entry = names.find(name.text);
  if (entry != names.end()) {
    Value value = entry->second.value;
    ++entry->second.numUses;
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

OwningOpRef<AcceleratorOp>
uma::accel::parseDescription(llvm::SourceMgr &sourceMgr, MLIRContext *context) {
  context->loadDialect<UMADialect, arith::ArithDialect>();
  Source source(sourceMgr, context);
  Accelerator accelerator;
  if (failed(parse(source, accelerator)))
    return nullptr;
  return Translator(source).translate(accelerator);
}
