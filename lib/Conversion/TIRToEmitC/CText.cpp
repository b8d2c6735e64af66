//===- CText.cpp - C names, comments and literals -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Conversion/TIRToEmitC/CText.h"

#include "uma/Support/Float8.h"
#include "uma/Support/PrintableText.h"

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

/// Length limits in bytes. C99 guarantees only 4095 characters in a line or a
/// string, file systems 255 bytes in a name.
static constexpr size_t kMaxIdentifier = 240;
static constexpr size_t kMaxNetwork = 100;
static constexpr size_t kMaxText = 500;

/// Returns `name` with invalid characters of an identifier replaced by `_`.
static std::string toIdentifier(StringRef name) {
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

std::string uma::toCName(StringRef name) {
  return shorten(toIdentifier(name), kMaxIdentifier, "_");
}

std::string uma::toCNetworkName(StringRef name, const StringSet<> &taken) {
  std::string result = shorten(toIdentifier(name), kMaxNetwork, "_");
  auto isTaken = [&] {
    std::string stem = StringRef(result).lower();
    return isReservedFileName(stem) || any_of(taken.keys(), [&](StringRef key) {
             std::string other = key.lower();
             StringRef rest = other;
             return rest.consume_front(stem) &&
                    (rest == ".h" || rest.starts_with("_"));
           });
  };
  while (isTaken())
    result.insert(0, "net_");
  return result;
}

std::string uma::CNameTable::unique(StringRef name) {
  std::string base = toCName(name);
  if (isReserved(base))
    base += "_";
  auto [entry, isNew] = used.try_emplace(base, 2);
  if (isNew) {
    entry->second = findOuter(base);
    if (entry->second == 0) {
      entry->second = 2;
      return base;
    }
  }
  // "x" and "x_2" may both be names of the model, so try every candidate.
  for (unsigned &suffix = entry->second;; ++suffix) {
    std::string candidate =
        formatv("{0}{1}{2}", base, base.back() == '_' ? "" : "_", suffix);
    if (findOuter(candidate) == 0 && used.try_emplace(candidate, 2).second)
      return candidate;
  }
}

unsigned uma::CNameTable::findOuter(StringRef name) const {
  for (const CNameTable *scope = outer; scope; scope = scope->outer)
    if (unsigned suffix = scope->used.lookup(name))
      return suffix;
  return 0;
}

bool uma::CNameTable::isReserved(StringRef identifier) const {
  switch (kind) {
  case Kind::Part:
    return false;
  case Kind::Parameter:
    return isReservedInC(identifier);
  case Kind::Scope:
    return isReservedInC(identifier) || isLibraryNameInC(identifier);
  }
  llvm_unreachable("every kind has rules");
}

std::string uma::toCComment(StringRef text) {
  std::string visible = replaceInvisible(
      shorten(text, kMaxText), [](uint32_t value, bool isByte) {
        if (isByte)
          return formatv("<0x{0:X-2}>", value).str();
        // Line ends, tabs and other control characters of ASCII.
        return value < 0x80 ? std::string(" ")
                            : formatv("<U+{0:X-4}>", value).str();
      });
  std::string result;
  for (char c : visible) {
    // A backslash at the end of a line would join lines.
    if (c == '\\')
      c = '/';
    char previous = result.empty() ? '\0' : result.back();
    if ((previous == '*' && c == '/') || (previous == '/' && c == '*') ||
        (previous == '?' && c == '?'))
      result += ' ';
    result += c;
  }
  return result;
}

std::string uma::toCString(StringRef text) {
  std::string result = "\"";
  for (char c : shorten(text, kMaxText)) {
    if (isPrint(c) && c != '"' && c != '\\' && c != '?')
      result += c;
    else
      // Three octal digits always end an escape sequence; '?' might start a
      // trigraph.
      result += formatv("\\{0}{1}{2}", (c >> 6) & 3, (c >> 3) & 7, c & 7).str();
  }
  return result + "\"";
}

/// Returns the shortest decimal text that parses to `value`.
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
  if (isFloat8(elementType))
    return "uint8_t";
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
