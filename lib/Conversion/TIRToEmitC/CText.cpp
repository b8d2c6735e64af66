//===- CText.cpp - Names, comments and literals of C ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Conversion/TIRToEmitC/CText.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <charconv>

using namespace mlir;
using llvm::formatv;
using llvm::isAlnum;
using llvm::isDigit;
using llvm::isPrint;

std::string uma::toCName(StringRef name) {
  std::string result;
  for (char c : name) {
    if (isAlnum(c))
      result += c;
    // One '_' per run: two in a row are reserved in C++.
    else if (!result.empty() && result.back() != '_')
      result += '_';
  }
  while (!result.empty() && result.back() == '_')
    result.pop_back();
  if (result.empty())
    return "unnamed";
  if (isDigit(result.front()))
    result.insert(0, "n");
  return result;
}

bool uma::isReservedInC(StringRef identifier) {
  // Keywords of C99, C11, C++20, then what <stdint.h>, <stddef.h>,
  // <stdbool.h> and <math.h> may define as macros and the emitted code uses.
  static const StringRef names[] = {"INFINITY",
                                    "NAN",
                                    "NULL",
                                    "alignas",
                                    "alignof",
                                    "and",
                                    "and_eq",
                                    "asm",
                                    "auto",
                                    "bitand",
                                    "bitor",
                                    "bool",
                                    "break",
                                    "case",
                                    "catch",
                                    "char",
                                    "char16_t",
                                    "char32_t",
                                    "char8_t",
                                    "class",
                                    "co_await",
                                    "co_return",
                                    "co_yield",
                                    "compl",
                                    "concept",
                                    "const",
                                    "const_cast",
                                    "consteval",
                                    "constexpr",
                                    "constinit",
                                    "continue",
                                    "decltype",
                                    "default",
                                    "delete",
                                    "do",
                                    "double",
                                    "dynamic_cast",
                                    "else",
                                    "enum",
                                    "errno",
                                    "explicit",
                                    "export",
                                    "extern",
                                    "false",
                                    "float",
                                    "for",
                                    "friend",
                                    "goto",
                                    "if",
                                    "inline",
                                    "int",
                                    "long",
                                    "main",
                                    "memcpy",
                                    "memmove",
                                    "mutable",
                                    "namespace",
                                    "new",
                                    "noexcept",
                                    "not",
                                    "not_eq",
                                    "nullptr",
                                    "operator",
                                    "or",
                                    "or_eq",
                                    "private",
                                    "protected",
                                    "ptrdiff_t",
                                    "public",
                                    "register",
                                    "reinterpret_cast",
                                    "requires",
                                    "restrict",
                                    "return",
                                    "short",
                                    "signed",
                                    "size_t",
                                    "sizeof",
                                    "static",
                                    "static_assert",
                                    "static_cast",
                                    "struct",
                                    "switch",
                                    "template",
                                    "this",
                                    "thread_local",
                                    "throw",
                                    "true",
                                    "try",
                                    "typedef",
                                    "typeid",
                                    "typename",
                                    "typeof",
                                    "union",
                                    "unsigned",
                                    "using",
                                    "virtual",
                                    "void",
                                    "volatile",
                                    "wchar_t",
                                    "while",
                                    "xor",
                                    "xor_eq"};
  if (llvm::is_contained(names, identifier))
    return true;
  // int32_t and its relatives.
  if (identifier.ends_with("_t") && identifier.contains("int"))
    return true;
  // EmitC's printer names values v1, v2, ... and loop variables i1 to u9.
  return identifier.size() > 1 &&
         (identifier.front() == 'v' ||
          (identifier.front() >= 'i' && identifier.front() <= 'u')) &&
         llvm::all_of(identifier.drop_front(), isDigit);
}

std::string uma::CNameTable::unique(StringRef name) {
  std::string base = toCName(name);
  if (isReservedInC(base))
    base += "_";
  std::string candidate = base;
  // "x" and "x_2" may both be names of the model, so every candidate is tried.
  for (int suffix = 2; !used.insert(candidate).second; ++suffix)
    candidate =
        formatv("{0}{1}{2}", base, base.back() == '_' ? "" : "_", suffix);
  return candidate;
}

std::string uma::toCComment(StringRef text) {
  std::string result;
  for (char c : text) {
    char previous = result.empty() ? '\0' : result.back();
    if ((previous == '*' && c == '/') || (previous == '/' && c == '*') ||
        (previous == '?' && c == '?'))
      result += ' ';
    // A backslash at the end of a line would join lines.
    bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    result += control ? ' ' : c == '\\' ? '/' : c;
  }
  return result;
}

std::string uma::toCString(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (isPrint(c) && c != '"' && c != '\\' && c != '?')
      result += c;
    else
      // Three octal digits end an escape sequence whatever follows; '?' might
      // start a trigraph.
      result += formatv("\\{0}{1}{2}", (c >> 6) & 3, (c >> 3) & 7, c & 7).str();
  }
  return result + "\"";
}

/// The shortest decimal text that reads back as `value`.
template <typename T>
static std::string shortest(T value) {
  char buffer[64];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  if (error != std::errc())
    return "0";
  std::string text(buffer, end);
  if (StringRef(text).find_first_of(".e") == StringRef::npos)
    text += ".0";
  return text;
}

std::string uma::toCLiteral(const APFloat &value) {
  bool isDouble = &value.getSemantics() == &APFloat::IEEEdouble();
  if (value.isNaN())
    return "NAN";
  if (value.isInfinity())
    return value.isNegative() ? "(-INFINITY)" : "INFINITY";
  return isDouble ? shortest(value.convertToDouble())
                  : shortest(value.convertToFloat()) + "f";
}

std::string uma::toCLiteral(const APInt &value, bool isSigned) {
  if (!isSigned)
    return llvm::toString(value, 10, /*Signed=*/false) + "u";
  // C has no negative literals: the operand of '-' must fit its own type.
  if (value.getBitWidth() >= 32 && value.isMinSignedValue())
    return "(" + llvm::toString(value + 1, 10, /*Signed=*/true) + " - 1)";
  return llvm::toString(value, 10, /*Signed=*/true);
}

StringRef uma::getCTypeName(mlir::Type elementType) {
  if (elementType.isF32())
    return "float";
  if (elementType.isF64())
    return "double";
  if (elementType.isF16() || elementType.isBF16())
    return "uint16_t";
  auto integer = dyn_cast<mlir::IntegerType>(elementType);
  if (!integer)
    return "";
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return "uint8_t";
  case 8:
    return isUnsigned ? "uint8_t" : "int8_t";
  case 16:
    return isUnsigned ? "uint16_t" : "int16_t";
  case 32:
    return isUnsigned ? "uint32_t" : "int32_t";
  case 64:
    return isUnsigned ? "uint64_t" : "int64_t";
  default:
    return "";
  }
}
