//===- Header.cpp - Declarations of a C header ----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Header.h"

using namespace uma::draft;

StringRef CType::getElementName() const {
  if (kind == Float)
    return bits == 16 ? "f16" : bits == 32 ? "f32" : bits == 64 ? "f64" : "";
  if (kind == Bool)
    return "i1";
  if (kind != Integer)
    return "";
  switch (bits) {
  case 8:
    return isSigned ? "i8" : "u8";
  case 16:
    return isSigned ? "i16" : "";
  case 32:
    return isSigned ? "i32" : "";
  case 64:
    return isSigned ? "i64" : "";
  default:
    return "";
  }
}

/// Returns a declaration of `name`: `float *x`, `int n`.
static std::string declare(StringRef type, StringRef name) {
  return (type + (type.ends_with("*") ? "" : " ") + name).str();
}

std::string Function::getPrototype(size_t columns) const {
  std::string text = declare(result.text, name) + "(";
  size_t start = 0;
  for (const Variable &parameter : parameters) {
    std::string declared = declare(parameter.type.text, parameter.name);
    if (&parameter != &parameters.front()) {
      bool isLong = text.size() - start + declared.size() + 3 > columns;
      text += isLong ? ",\n    " : ", ";
      start = isLong ? text.size() - 4 : start;
    }
    text += declared;
  }
  if (isVariadic)
    return text + ", ...)";
  return text + (parameters.empty() ? "void)" : ")");
}
