//===- Hints.cpp - Sizes of a model beside the names of a description -----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The editor names a model. Each pattern shows how many of its layers it takes,
// and each name of a size the values in them. Hints are computed when the
// editor asks for the first time after a change.
//
//===----------------------------------------------------------------------===//

#include "Document.h"

#include "uma/Driver/ModelSizes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace uma;
using namespace uma::lsp;
using accel::NameKind;
using llvm::StringRef;
namespace json = llvm::json;

/// Number of values that a hint shows; of more, the first and the last.
static constexpr size_t kMaxValues = 3;

/// Returns the values in ascending order, each once: `3, 16, 64`.
static std::string describeValues(std::vector<int64_t> values) {
  llvm::sort(values);
  values.erase(llvm::unique(values), values.end());
  if (values.size() > kMaxValues)
    return std::to_string(values.front()) + " to " +
           std::to_string(values.back());
  return llvm::join(
      llvm::map_range(values, [](int64_t v) { return std::to_string(v); }),
      ", ");
}

std::vector<Document::Hint> Document::findHints(StringRef model) const {
  llvm::SmallString<256> path(llvm::sys::path::parent_path(file));
  if (llvm::sys::path::is_absolute(model))
    path = model;
  else
    llvm::sys::path::append(path, model);
  // Errors of the description are diagnostics already.
  auto sizes = findModelSizes(text, file, path, [](const Message &) {});
  if (mlir::failed(sizes))
    return {};
  StringRef name = llvm::sys::path::filename(model);
  std::vector<Hint> found;
  for (const accel::DescriptionNames::Scope &scope : names.scopes) {
    if (scope.kind != NameKind::Pattern)
      continue;
    unsigned layers = (*sizes)[scope.name].layers;
    found.push_back(
        {scope.begin + scope.name.size(),
         std::to_string(layers) + (layers == 1 ? " layer" : " layers"),
         "layers of " + name.str() + " that the pattern takes"});
  }
  for (const accel::DescriptionNames::Use &use : names.uses) {
    if (use.kind != NameKind::Size || !use.isDefinition ||
        use.scope == accel::DescriptionNames::kFile)
      continue;
    const auto &values = (*sizes)[names.scopes[use.scope].name].values;
    auto entry = values.find(use.text);
    if (entry != values.end())
      found.push_back({use.offset + use.text.size(),
                       "= " + describeValues(entry->second),
                       "in the layers of " + name.str()});
  }
  return found;
}

json::Value Document::getHints(StringRef model, const json::Value *range) {
  if (model.empty())
    return json::Array();
  if (hintedModel != model) {
    hints = findHints(model);
    hintedModel = model;
  }
  const json::Object *lines = range ? range->getAsObject() : nullptr;
  auto getLine = [&](StringRef end, int64_t otherwise) {
    const json::Object *position = lines ? lines->getObject(end) : nullptr;
    return position ? position->getInteger("line").value_or(otherwise)
                    : otherwise;
  };
  int64_t first = getLine("start", 0), last = getLine("end", INT64_MAX);
  json::Array result;
  for (const Hint &hint : hints) {
    json::Object position = getPosition(hint.offset);
    int64_t line = position.getInteger("line").value_or(0);
    if (line >= first && line <= last)
      result.push_back(json::Object{{"position", std::move(position)},
                                    {"label", hint.label},
                                    {"tooltip", hint.tooltip},
                                    {"paddingLeft", true}});
  }
  return result;
}
