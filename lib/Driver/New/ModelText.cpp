//===- ModelText.cpp - Functions of a device in plain C -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ModelText.h"

#include "Draft.h"
#include "llvm/ADT/StringExtras.h"

using namespace uma::draft;
using llvm::Twine;

/// Line width of prototypes in columns.
static constexpr size_t kModelColumns = 100;

ModelText::ModelText(const Signature &signature) : signature(signature) {
  for (const Variable &parameter : signature.function.parameters)
    taken.insert(parameter.name);
}

void ModelText::add(const Twine &line) {
  text += std::string(2 * size_t(depth), ' ') + line.str() + "\n";
}

void ModelText::open(const Twine &line) {
  add(line + " {");
  ++depth;
}

void ModelText::close() {
  --depth;
  add("}");
}

void ModelText::loop(StringRef index, const Twine &end) {
  open("for (ptrdiff_t " + index + " = 0; " + index + " < " + end + "; ++" +
       index + ")");
}

std::string ModelText::local(StringRef name) const {
  std::string result = name.str();
  while (taken.contains(result))
    result += "_";
  return result;
}

std::string ModelText::declare(StringRef name, const Twine &value,
                               bool isConst) {
  std::string result = local(name);
  taken.insert(result);
  add(Twine(isConst ? "const " : "") + "ptrdiff_t " + result + " = " + value +
      ";");
  return result;
}

std::string ModelText::tensor(Role role) const {
  const Slot *slot = signature.find(role);
  if (!slot)
    return "";
  if (slot->type.isPointer() && slot->type.elements.front().kind == CType::Void)
    return (Twine("((") +
            (slot->type.elements.front().isConst ? "const " : "") + "float *)" +
            slot->access + ")")
        .str();
  return slot->access;
}

StringRef ModelText::getSumType() const {
  const Slot *slot = signature.find(Role::Output);
  if (!slot || !slot->type.isPointer())
    return "float";
  const CType &element = slot->type.elements.front();
  if (element.kind == CType::Integer)
    return element.bits > 32 ? "int64_t" : "int32_t";
  return element.bits == 64 ? "double" : "float";
}

std::string ModelText::getReturn(bool isSuccess) const {
  const CType &type = signature.function.result;
  if (type.kind == CType::Void)
    return "return;";
  if (type.kind == CType::Enum)
    for (const Constant &constant : signature.header.constants)
      if (constant.owner == type.index && (constant.value == 0) == isSuccess)
        return "return " + constant.name + ";";
  return isSuccess ? "return 0;" : "return 1;";
}

/// Returns whether a text contains `word` as a whole word.
static bool hasWord(StringRef text, StringRef word) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t at = text.find(word); at != StringRef::npos;
       at = text.find(word, at + 1)) {
    size_t end = at + word.size();
    if ((at == 0 || !isPart(text[at - 1])) &&
        (end == text.size() || !isPart(text[end])))
      return true;
  }
  return false;
}

std::string ModelText::print() const {
  std::string body;
  for (const Variable &parameter : signature.function.parameters)
    if (!hasWord(text, parameter.name))
      body += "  (void)" + parameter.name + ";\n";
  body += text;
  for (unsigned open = depth; open > 1; --open)
    body += std::string(2 * size_t(open - 1), ' ') + "}\n";
  return signature.function.getPrototype(kModelColumns) + " {\n" + body + "  " +
         succeed() + "\n}\n";
}

std::string ModelText::printStub(const Signature &signature,
                                 StringRef question) {
  ModelText model(signature);
  std::string text = signature.function.getPrototype(kModelColumns) +
                     " {\n  /* " + kOpen.str() + ": " + question.str() +
                     " */\n";
  for (const Variable &parameter : signature.function.parameters)
    text += "  (void)" + parameter.name + ";\n";
  return text + "  " + model.fail() + "\n}\n";
}
