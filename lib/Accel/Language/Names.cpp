//===- Names.cpp - Names of a pattern -------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "uma/Support/DidYouMean.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

bool language::isReservedWord(StringRef word) {
  static const StringRef words[] = {"same",   "any", "true", "false",
                                    "min",    "max", "call", "require",
                                    "return", "cost"};
  return llvm::is_contained(words, word) ||
         llvm::is_contained(getTypeNames(), word);
}

static bool isTensorValue(Value value) {
  return isa<AccelTensorType>(value.getType());
}

/// Returns the kind of a name for messages.
static StringRef describeName(Value value) {
  if (isTensorValue(value))
    return "tensor";
  return value.getType().isIndex() ? "size" : "number";
}

void TokenParser::record(Name name, NameKind kind, bool isDefinition) {
  DescriptionNames *all = source.getNames();
  if (!all)
    return;
  auto offset = static_cast<size_t>(name.text.data() - source.getText().data());
  // Callers pass texts that are not part of the file, e.g. `bytes`.
  if (offset + name.text.size() > source.getText().size())
    return;
  size_t scope = all->scopes.empty() || kind == NameKind::Attribute
                     ? DescriptionNames::kFile
                     : all->scopes.size() - 1;
  all->uses.push_back({name.text.str(), kind, offset, scope, isDefinition});
}

void TokenParser::recordError() {
  if (DescriptionNames *all = source.getNames(); all && !all->scopes.empty())
    all->scopes.back().isWhole = false;
}

void TokenParser::openScope(Name name, NameKind kind) {
  DescriptionNames *all = source.getNames();
  if (!all)
    return;
  const char *text = source.getText().data();
  size_t begin = name.text.data() - text;
  all->scopes.push_back({name.text.str(), kind, begin, begin + name.text.size(),
                         /*isWhole=*/true});
}

void TokenParser::closeScope() {
  if (DescriptionNames *all = source.getNames(); all && !all->scopes.empty())
    all->scopes.back().end = token.spelling.begin() - source.getText().data();
}

bool NameParser::define(Name name, Value value) {
  record(name, isTensorValue(value) ? NameKind::Tensor : NameKind::Size,
         /*isDefinition=*/true);
  if (isReservedWord(name.text)) {
    error(name.loc) << "'" << name.text
                    << "' is a word of the language and names nothing";
    return false;
  }
  if (auto *attribute = targetAttributes.find(name.text);
      attribute != targetAttributes.end()) {
    InFlightDiagnostic diagnostic =
        error(name.loc) << "'" << name.text
                        << "' is an attribute of the target and cannot name a "
                        << (isTensorValue(value) ? "tensor" : "size");
    diagnostic.attachNote(at(attribute->second.name.loc)) << "declared here";
    excuse(name);
    return false;
  }
  auto [entry, isNew] = names.insert({name.text, {value, name.loc}});
  if (isNew)
    return true;
  Meaning &first = entry->second;
  if (!first.value) {
    first = {value, name.loc};
    return true;
  }
  InFlightDiagnostic diagnostic = error(name.loc)
                                  << "'" << name.text << "' is already a "
                                  << describeName(first.value);
  diagnostic.attachNote(at(first.loc)) << "first used here";
  return false;
}

Value NameParser::lookup(Name name, StringRef what, bool isTensor, bool isDim) {
  if (auto *entry = names.find(name.text); entry != names.end()) {
    Value value = entry->second.value;
    ++entry->second.numUses;
    record(name,
           value && isTensorValue(value) ? NameKind::Tensor : NameKind::Size);
    if (!value)
      isWrong = true;
    if (!value || (isTensorValue(value) ? isTensor : isDim))
      return value;
    error(name.loc) << "expected " << what << ", found the "
                    << describeName(value) << " '" << name.text << "'";
    return nullptr;
  }
  if (isDim && targetAttributes.contains(name.text))
    return readAttribute(name);
  // Report nothing for a name at the end of truncated text: the missing text is
  // the error.
  if (token.is(Token::EndOfFile)) {
    isWrong = true;
    return nullptr;
  }
  SmallVector<StringRef> candidates;
  for (auto &[known, meaning] : names)
    if (meaning.value && (isTensorValue(meaning.value) ? isTensor : isDim))
      candidates.push_back(known);
  if (isDim)
    for (auto &[known, attribute] : targetAttributes)
      candidates.push_back(known);
  if (call)
    llvm::append_range(candidates, constants);
  std::string hint = didYouMean(name.text, candidates);
  InFlightDiagnostic diagnostic = error(name.loc) << "undefined name '"
                                                  << name.text << "'" << hint;
  if (hint.empty() && !candidates.empty())
    diagnostic << "; defined here are " << llvm::join(candidates, ", ");
  // Report each name only once.
  excuse(name);
  return nullptr;
}

Value NameParser::lookupOrCreateDim(Name name, Type type) {
  if (auto *entry = names.find(name.text); entry != names.end()) {
    llvm::SMLoc first = entry->second.loc;
    Value dim = lookup(name, "a size", /*isTensor=*/false, /*isDim=*/true);
    if (!dim || dim.getType() == type)
      return dim;
    InFlightDiagnostic diagnostic =
        error(name.loc) << "'" << name.text << "' is "
                        << describeNumberType(dim.getType()) << ", here stands "
                        << describeNumberType(type);
    diagnostic.attachNote(at(first)) << "first used here";
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
  if (!define(name, dim))
    return nullptr;
  ++names[name.text].numUses;
  return dim;
}

/// Warns of names that are used only once, and of unused inputs, which it
/// erases. A leading underscore marks a name as intentionally unused.
void NameParser::warnOfUnusedNames() {
  SmallVector<StringRef> unused;
  // Remove excused names, whose definitions may have errors.
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
