//===- Header.h - Declarations of a C header -*- C++ -*--------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Declarations that a draft is made from. Independent of libclang's types: only
// ReadHeader.cpp uses libclang.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_NEW_HEADER_H
#define UMA_LIB_DRIVER_NEW_HEADER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <cstdint>
#include <string>
#include <vector>

namespace uma::draft {

using llvm::ArrayRef;
using llvm::StringRef;

/// A C type, as far as the draft depends on it.
struct CType {
  enum Kind { Void, Bool, Integer, Float, Enum, Record, Pointer, Other };

  Kind kind = Other;
  std::string text; ///< C spelling, with `const` and the typedef's name
  bool isConst = false;
  bool isSigned = false;
  unsigned bits = 0;
  int index = -1;              ///< index of the enum or record in the header
  std::vector<CType> elements; ///< pointee of a pointer, at most one

  bool isInteger() const { return kind == Integer || kind == Bool; }
  bool isPointer() const { return kind == Pointer && !elements.empty(); }
  /// Returns the element type of a tensor in the description language; empty if
  /// the language has none.
  StringRef getElementName() const;
};

/// A parameter of a function or a field of a struct.
struct Variable {
  std::string name;
  CType type;
};

struct Record {
  std::string text; ///< C spelling: `struct cfg`, or a typedef's name
  std::vector<Variable> fields;
  bool isStruct = true; ///< a struct with known fields, not a union or opaque
};

/// A constant of an enum, or a macro whose text is a number.
struct Constant {
  std::string name;
  int64_t value = 0;
  int owner = -1; ///< index of the enum; -1 for a macro
};

struct Function {
  std::string name;
  std::string comment; ///< lower case, without blanks
  std::string place;   ///< `FILE:LINE`
  CType result;
  std::vector<Variable> parameters;
  bool isVariadic = false;
  bool isDefined = false; ///< inline, with a body in the header

  /// Returns the C prototype without a semicolon, in lines of about `columns`
  /// columns.
  std::string getPrototype(size_t columns = SIZE_MAX) const;
};

struct Header {
  std::vector<Function> functions;
  std::vector<Record> records;
  std::vector<std::string> enums;
  std::vector<Constant> constants;
  /// Whether the header's text mentions these image layouts.
  bool namesNCHW = false, namesNHWC = false;
  std::vector<std::string> files; ///< all but the system's
};

} // namespace uma::draft

#endif // UMA_LIB_DRIVER_NEW_HEADER_H
