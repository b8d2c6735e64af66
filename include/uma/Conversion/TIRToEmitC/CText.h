//===- CText.h - Names, comments and literals of C -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What stands in a model is arbitrary text: layer names with slashes, tensor
// names that are keywords of C, comments that end a comment. Everything that
// goes from a model into C passes through here.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CONVERSION_TIRTOEMITC_CTEXT_H
#define UMA_CONVERSION_TIRTOEMITC_CTEXT_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace uma {

/// `name` with every run of characters that C does not allow in an identifier
/// replaced by one '_', never starting with a digit or '_' (reserved) and
/// never empty. May still be a keyword; see CNameTable.
std::string toCName(llvm::StringRef name);

/// True for keywords of C and C++ and for the names that the emitted headers
/// and the printer (`v1`, `i2`) define.
bool isReservedInC(llvm::StringRef identifier);

/// Hands out identifiers that differ from one another, from keywords and from
/// the names in use.
class CNameTable {
public:
  /// Takes a name that is given, such as that of an extern function.
  void reserve(llvm::StringRef identifier) { used.insert(identifier); }
  /// An identifier after `name`: the same name where it is free, else with the
  /// first free suffix `_2`, `_3`, ...
  std::string unique(llvm::StringRef name);

private:
  llvm::StringSet<> used;
};

/// `text` as it may stand inside a comment of C: one line, no comment ends or
/// starts in it.
std::string toCComment(llvm::StringRef text);

/// `text` as a string literal of C, with its quotes.
std::string toCString(llvm::StringRef text);

/// A decimal literal of C with exactly the given value: `0.1f`, `1.0` for f64,
/// `INFINITY` and `NAN` of math.h. f32 and f64 only.
std::string toCLiteral(const llvm::APFloat &value);

/// A literal of C for a signed (`-1`) or unsigned (`255u`) integer of up to 64
/// bits.
std::string toCLiteral(const llvm::APInt &value, bool isSigned = true);

/// The type of C that stores one element of a buffer: `float`, `int8_t`;
/// `uint16_t` for f16 and bf16, `uint8_t` for i1. Empty where C has none.
llvm::StringRef getCTypeName(mlir::Type elementType);

} // namespace uma

#endif // UMA_CONVERSION_TIRTOEMITC_CTEXT_H
