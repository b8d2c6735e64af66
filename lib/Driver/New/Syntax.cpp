//===- Syntax.cpp - Statements of the description language ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// All knowledge of drafts about the syntax of the description language.
//
//===----------------------------------------------------------------------===//

#include "Draft.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace uma::draft;

/// Maximum line width of a description in columns; longer calls are wrapped.
static constexpr size_t kColumns = 110;

bool uma::draft::isNameInDescription(StringRef name) {
  static const StringRef words[] = {"same", "any",  "true",    "false",  "min",
                                    "max",  "call", "require", "return", "cost",
                                    "f16",  "bf16", "f32",     "f64",    "i1",
                                    "i8",   "u8",   "i16",     "i32",    "i64"};
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; }) &&
         !llvm::is_contained(words, name);
}

std::string uma::draft::printTensor(StringRef type,
                                    ArrayRef<std::string> shape) {
  std::string text = type.str();
  if (!shape.empty())
    text += "[" + llvm::join(shape, ", ") + "]";
  return text;
}

std::string uma::draft::printWhich(StringRef tensor,
                                   ArrayRef<std::string> values) {
  return ("which(" + tensor + ", " + llvm::join(values, ", ") + ")").str();
}

std::string uma::draft::printConstants(ArrayRef<std::string> names) {
  std::string text = "constant ";
  size_t column = text.size();
  for (const std::string &name : names) {
    // A new line starts a new statement.
    if (&name != &names.front()) {
      bool isLong = column + name.size() > kColumns;
      text += isLong ? "\nconstant " : ", ";
      column = isLong ? 0 : column;
    }
    text += name;
    column += name.size() + 2;
  }
  return text;
}

/// Joins parts with commas, wrapping lines at kColumns.
static std::string wrap(std::string text, ArrayRef<std::string> parts,
                        StringRef indent) {
  size_t column = text.size();
  for (const std::string &part : parts) {
    bool isFirst = &part == &parts.front();
    if (!isFirst && column + part.size() > kColumns) {
      text += ("," + ("\n" + indent)).str();
      column = indent.size();
    } else if (!isFirst) {
      text += ", ";
      column += 2;
    }
    text += part;
    column += part.size();
  }
  return text;
}

std::string uma::draft::printCall(const Signature &signature) {
  auto printValue = [&](size_t slot) {
    const std::string &value = signature.slots[slot].value;
    return value.empty() ? std::string("0") : value;
  };
  std::vector<std::string> parts;
  for (const Argument &argument : signature.arguments) {
    if (argument.record && argument.fields.empty()) {
      parts.push_back(argument.name);
      continue;
    }
    if (!argument.record) {
      parts.push_back(printValue(argument.slot));
      continue;
    }
    std::vector<std::string> fields;
    for (size_t field : argument.fields)
      fields.push_back(signature.slots[field].name + " = " + printValue(field));
    std::string start =
        (argument.isPointer ? "&" : "") + argument.record->text + "{";
    // Lines may break within braces as between arguments.
    fields.front() = start + fields.front();
    fields.back() += "}";
    parts.insert(parts.end(), fields.begin(), fields.end());
  }
  return wrap("call " + signature.function.name + "(", parts, "    ") + ")";
}

//===----------------------------------------------------------------------===//
// Patterns and the whole description
//===----------------------------------------------------------------------===//

void PatternText::addInput(StringRef input, StringRef type,
                           ArrayRef<std::string> shape, bool isConst,
                           StringRef layout) {
  inputs.push_back((input + ": " + (isConst ? "const " : "")).str() +
                   printTensor(type, shape) +
                   (layout.empty() ? "" : " as " + layout.str()));
}

/// Appends `text` with `indent` in front of each of its lines.
static void append(std::string &result, StringRef text, StringRef indent) {
  for (StringRef line : llvm::split(text, '\n'))
    result += (indent + line + "\n").str();
}

void PatternText::guess(const llvm::Twine &text) {
  std::string line = "# guess: " + text.str();
  if (!llvm::is_contained(body, line))
    body.push_back(line);
}

size_t PatternText::getSize() const {
  return llvm::count_if(body, [](StringRef statement) {
    return !statement.starts_with("#") && statement.contains(" = ") &&
           !statement.starts_with("call ");
  });
}

std::string PatternText::print() const {
  std::string text;
  bool isShort = place.size() + prototype.size() < kColumns;
  append(text, "# " + place + ": " + (isShort ? prototype : function), "  ");
  for (const std::string &question : questions)
    append(text, ("# " + kOpen + ": " + question).str(), "  ");
  // A pattern with open questions becomes a comment.
  StringRef indent = isComplete() ? "  " : "  # ";
  append(text, wrap("pattern " + name + "(", inputs, "    ") + ") {", indent);
  for (StringRef statement : body) {
    std::string typed = statement.str();
    if (!resultType.empty() && statement.consume_front("y = "))
      typed = "y: " + resultType + " = " + statement.str();
    append(text, typed, (indent + "  ").str());
  }
  append(text, "}", indent);
  return text;
}

std::string Draft::printDescription() const {
  std::string text =
      "# The first draft of " + name + ", from " + header +
      ".\n"
      "# Lines with 'guess' say what was read from names: check them. Lines "
      "with '" +
      kOpen.str() +
      "' ask for\n# what no header says. 'uma check' and 'uma test' find "
      "mistakes.\n";
  text += "accelerator " + name + " {\n";
  append(text, "include \"" + header + "\"\nmodel \"" + name + "_model.c\"",
         "  ");
  if (!constants.empty()) {
    append(text, printConstants(constants), "  ");
  }
  for (const std::string &statement : statements)
    append(text, statement, "  ");
  for (const PatternText &pattern : patterns)
    text += "\n" + pattern.print();
  if (!notes.empty())
    text += "\n";
  for (const std::string &note : notes)
    append(text, "# " + note, "  ");
  return text + "}\n";
}
