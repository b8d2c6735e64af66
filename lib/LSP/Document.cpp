//===- Document.cpp - A description in an editor --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Document.h"

#include "Documentation.h"

#include "uma/Accel/IR/AccelOps.h"
#include "uma/Driver/CheckText.h"
#include "uma/IR/UMADialect.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace uma;
using namespace uma::lsp;
using accel::NameKind;
using llvm::StringRef;
namespace json = llvm::json;

static bool isPart(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Returns the path of a `file:` URI; for others, the text after the scheme.
static std::string getPath(StringRef uri) {
  size_t colon = uri.find(':');
  StringRef rest = colon == StringRef::npos ? uri : uri.drop_front(colon + 1);
  rest.consume_front("//");
  std::string path;
  for (size_t i = 0; i < rest.size(); ++i) {
    unsigned byte = 0;
    if (rest[i] == '%' && i + 2 < rest.size() &&
        !rest.substr(i + 1, 2).getAsInteger(16, byte)) {
      path += static_cast<char>(byte);
      i += 2;
    } else {
      path += rest[i];
    }
  }
  return path;
}

static std::string getURI(StringRef path) {
  std::string uri = "file://";
  for (char c : path)
    if (llvm::isAlnum(c) || StringRef("/._-~").contains(c))
      uri += c;
    else
      uri += "%" + llvm::utohexstr(static_cast<unsigned char>(c), false, 2);
  return uri;
}

/// Returns the number of UTF-16 units of a text in UTF-8.
static size_t countUnits(StringRef text) {
  size_t units = 0;
  for (unsigned char c : text)
    units += (c & 0xC0) != 0x80 ? 1 + (c >= 0xF0) : 0;
  return units;
}

Document::Document(std::string uri, std::string contents)
    : uri(std::move(uri)), file(getPath(this->uri)), text(std::move(contents)),
      lines{0} {
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n')
      lines.push_back(i + 1);
}

json::Object Document::getPosition(size_t offset) const {
  size_t line = llvm::upper_bound(lines, offset) - lines.begin() - 1;
  if (lastOffset < lines[line] || lastOffset > offset) {
    lastOffset = lines[line];
    lastUnits = 0;
  }
  lastUnits += countUnits(StringRef(text).slice(lastOffset, offset));
  lastOffset = std::min(offset, text.size());
  return json::Object{{"line", static_cast<int64_t>(line)},
                      {"character", static_cast<int64_t>(lastUnits)}};
}

json::Object Document::getRange(size_t begin, size_t end) const {
  return json::Object{{"start", getPosition(begin)}, {"end", getPosition(end)}};
}

std::optional<size_t> Document::getOffset(const json::Value *position) const {
  const json::Object *object = position ? position->getAsObject() : nullptr;
  auto line = object ? object->getInteger("line") : std::nullopt;
  auto character = object ? object->getInteger("character") : std::nullopt;
  if (!line || !character || *line < 0 || *character < 0 ||
      static_cast<size_t>(*line) >= lines.size())
    return std::nullopt;
  // A character after the end of the line is its end.
  size_t offset = lines[*line];
  for (int64_t units = 0;
       units < *character && offset < text.size() && text[offset] != '\n';) {
    units += 1 + (static_cast<unsigned char>(text[offset]) >= 0xF0);
    do
      ++offset;
    while (offset < text.size() && (text[offset] & 0xC0) == 0x80);
  }
  return offset;
}

json::Object Document::getWordRange(size_t line, size_t column) const {
  if (line == 0 || line > lines.size())
    return getRange(0, 0);
  size_t begin =
      std::min(lines[line - 1] + std::max<size_t>(column, 1) - 1, text.size());
  size_t end = begin;
  while (end < text.size() && isPart(text[end]))
    ++end;
  if (end == begin && end < text.size() && text[end] != '\n')
    ++end;
  return getRange(begin, end);
}

json::Value Document::check(bool withHeader) {
  json::Array diagnostics;
  names = {};
  checkText(text, file, withHeader, names, [&](const Message &message) {
    // FILE:LINE:COL; the file may have colons.
    auto [head, columnText] = StringRef(message.where).rsplit(':');
    auto [path, lineText] = head.rsplit(':');
    size_t line = 1, column = 1;
    bool isHere = path == file && !lineText.getAsInteger(10, line) &&
                  !columnText.getAsInteger(10, column);
    std::string where = isHere ? "" : message.where + ": ";
    if (message.severity == Severity::Note && !diagnostics.empty()) {
      json::Object &last = *diagnostics.back().getAsObject();
      last["message"] =
          last.getString("message")->str() + "\n" +
          (isHere ? "line " + std::to_string(line) + ": " : where) +
          message.text;
      return;
    }
    if (!isHere)
      line = column = 1;
    diagnostics.push_back(json::Object{
        {"range", getWordRange(line, column)},
        {"severity", message.severity == Severity::Error     ? 1
                     : message.severity == Severity::Warning ? 2
                                                             : 3},
        {"source", "uma"},
        {"message",
         json::fixUTF8((isHere || message.where.empty() || message.where == file
                            ? ""
                            : where) +
                       message.text)}});
  });
  return diagnostics;
}

json::Value Document::getHover(size_t offset) const {
  size_t begin = offset, end = offset;
  while (begin > 0 && isPart(text[begin - 1]))
    --begin;
  while (end < text.size() && isPart(text[end]))
    ++end;
  StringRef word = StringRef(text).slice(begin, end);
  const accel::DescriptionNames::Use *use = names.find(begin);
  std::string markdown;
  if (use && use->kind == NameKind::Operator)
    markdown = getOperatorDocumentation(use->text);
  else if (!use)
    markdown = getStatementDocumentation(word);
  if (markdown.empty())
    return nullptr;
  return json::Object{
      {"contents", json::Object{{"kind", "markdown"}, {"value", markdown}}},
      {"range", getRange(begin, end)}};
}

void Document::visitHeaders(
    llvm::function_ref<void(StringRef, StringRef)> visit) const {
  llvm::SmallVector<StringRef> all;
  StringRef(text).split(all, '\n');
  for (StringRef line : all) {
    line = line.trim();
    if (!line.consume_front("include"))
      continue;
    llvm::SmallString<256> path(llvm::sys::path::parent_path(file));
    llvm::sys::path::append(path, line.split('"').second.split('"').first);
    if (auto buffer = llvm::MemoryBuffer::getFile(path);
        buffer && json::isUTF8((*buffer)->getBuffer()))
      visit(path, (*buffer)->getBuffer());
  }
}

json::Value Document::getDefinition(size_t offset) const {
  const accel::DescriptionNames::Use *use = names.find(offset);
  if (!use)
    return nullptr;
  if (use->kind != NameKind::Function) {
    const auto *definition = names.findDefinition(*use);
    if (!definition)
      return nullptr;
    return json::Object{
        {"uri", uri},
        {"range", getRange(definition->offset,
                           definition->offset + definition->text.size())}};
  }
  json::Value result = nullptr;
  visitHeaders([&](StringRef path, StringRef header) {
    for (StringRef name : getFunctions(header))
      if (name == use->text && result.getAsNull()) {
        size_t begin = name.data() - header.data();
        result = json::Object{
            {"uri", getURI(path)},
            {"range",
             Document("", header.str()).getRange(begin, begin + name.size())}};
      }
  });
  return result;
}

llvm::Expected<json::Value> Document::rename(size_t offset,
                                             StringRef newName) const {
  auto fail = [](const llvm::Twine &message) {
    return llvm::createStringError(message);
  };
  const accel::DescriptionNames::Use *use = names.find(offset);
  bool isRenameable =
      use && use->kind != NameKind::Operator && use->kind != NameKind::Function;
  if (!isRenameable || !names.findDefinition(*use))
    return fail("only names of tensors, sizes and attributes can be renamed");
  if (newName.empty() || llvm::isDigit(newName.front()) ||
      !llvm::all_of(newName, isPart) || accel::isReserved(newName))
    return fail("'" + newName +
                "' cannot be a name: expected letters, digits "
                "and _ that are no word of the language");
  for (const auto &other : names.uses)
    if (other.text == newName && newName != use->text &&
        (other.scope == use->scope ||
         other.scope == accel::DescriptionNames::kFile ||
         use->scope == accel::DescriptionNames::kFile) &&
        other.kind != NameKind::Operator && other.kind != NameKind::Function)
      return fail("'" + newName + "' is already a name here");
  for (const auto &[index, scope] : llvm::enumerate(names.scopes))
    if (!scope.isWhole &&
        (use->scope == index || use->scope == accel::DescriptionNames::kFile))
      return fail("pattern '" + scope.name +
                  "' has errors; correct them before renaming");
  json::Array edits;
  for (size_t at : names.findAll(*use))
    edits.push_back(json::Object{{"range", getRange(at, at + use->text.size())},
                                 {"newText", newName.str()}});
  return json::Object{{"changes", json::Object{{uri, std::move(edits)}}}};
}

json::Value Document::getSymbols() const {
  json::Array symbols;
  for (const auto &scope : names.scopes)
    symbols.push_back(json::Object{
        {"name", scope.name},
        {"kind", 12},
        {"range", getRange(scope.begin, std::max(scope.begin, scope.end))},
        {"selectionRange",
         getRange(scope.begin, scope.begin + scope.name.size())}});
  return symbols;
}

json::Value Document::format() const {
  std::string formatted;
  if (!formatText(text, formatted))
    return nullptr;
  if (formatted == text)
    return json::Array();
  return json::Array{json::Object{{"range", getRange(0, text.size())},
                                  {"newText", formatted}}};
}

json::Value Document::getCompletions(size_t offset) const {
  using accel::Cursor;
  mlir::MLIRContext context;
  context.disableMultithreading();
  context.loadDialect<UMADialect>();
  Cursor cursor = accel::describeCursor(text, offset, &context);
  json::Array items;
  llvm::StringSet<> seen;
  auto add = [&](StringRef label, int kind, StringRef detail = "") {
    if (label.starts_with(cursor.prefix) && seen.insert(label).second)
      items.push_back(json::Object{
          {"label", label.str()}, {"kind", kind}, {"detail", detail.str()}});
  };
  enum { Function = 3, Variable = 6, Property = 10, Value = 12, Keyword = 14 };
  auto addNames = [&](bool tensors, bool sizes) {
    size_t scope = accel::DescriptionNames::kFile;
    for (const auto &[index, other] : llvm::enumerate(names.scopes))
      if (other.begin <= offset)
        scope = index;
    for (const auto &use : names.uses)
      if ((use.scope == scope && ((tensors && use.kind == NameKind::Tensor) ||
                                  (sizes && use.kind == NameKind::Size))) ||
          (sizes && use.kind == NameKind::Attribute))
        add(use.text, Variable);
  };
  switch (cursor.kind) {
  case Cursor::Nowhere:
    break;
  case Cursor::Item:
    for (StringRef word : accel::getItemKeywords())
      add(word, Keyword);
    break;
  case Cursor::Statement:
    for (StringRef word : accel::getStatementKeywords())
      add(word, Keyword);
    break;
  case Cursor::Operator:
    for (const auto &[name, summary] : getOperators())
      add(name, Function, summary);
    break;
  case Cursor::Operand:
    addNames(/*tensors=*/true, /*sizes=*/false);
    if (auto op = mlir::RegisteredOperationName::lookup(
            "uma.graph." + cursor.operation, &context))
      for (mlir::StringAttr name : op->getAttributeNames())
        add(name.getValue(), Property);
    break;
  case Cursor::Value:
    for (StringRef word : accel::getValueWords())
      add(word, Value);
    addNames(/*tensors=*/false, /*sizes=*/true);
    break;
  case Cursor::Function:
    visitHeaders([&](StringRef path, StringRef header) {
      for (StringRef name : getFunctions(header))
        add(name, Function, llvm::sys::path::filename(path));
    });
    break;
  case Cursor::Expression:
    addNames(/*tensors=*/true, /*sizes=*/true);
    break;
  case Cursor::ElementType:
    for (StringRef word : accel::getElementTypeNames())
      add(word, Keyword);
    break;
  case Cursor::Phase:
    for (StringRef word : accel::getPhases())
      add(word, Value);
    break;
  }
  return items;
}
