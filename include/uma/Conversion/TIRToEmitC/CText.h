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

#include "uma/Support/ReservedNames.h"

#include "mlir/IR/Types.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace uma {

/// Returns `name` with every run of characters that C does not allow in an
/// identifier replaced by one '_', never starting with a digit or '_'
/// (reserved) and never empty. Long names are shortened. The result may still
/// be a keyword; see CNameTable.
std::string toCName(llvm::StringRef name);

/// Returns the identifier NET that starts the names of a network's files,
/// functions and macros: usually toCName(name), otherwise that behind `net_`.
/// Its files hide no standard header and no other file of a package, and no
/// name in `taken` (identifiers and headers of devices) is NET.h or starts with
/// NET_, whatever the case.
std::string toCNetworkName(llvm::StringRef name,
                           const llvm::StringSet<> &taken = {});

/// Hands out identifiers that differ from one another, from the names that are
/// reserved where they stand and from those in use.
class CNameTable {
public:
  enum class Kind {
    Scope,     ///< functions, objects and local variables
    Parameter, ///< parameters in prototypes
    Part,      ///< parts of longer names
  };
  explicit CNameTable(Kind kind = Kind::Scope) : kind(kind) {}

  /// Takes a name that is given, such as that of an extern function.
  void reserve(llvm::StringRef identifier) { used.try_emplace(identifier, 2); }
  /// Returns toCName(name) if it is free, otherwise with the suffix `_` for
  /// reserved names, and the first free suffix `_2`, `_3`, ...
  std::string unique(llvm::StringRef name);

private:
  bool isReserved(llvm::StringRef identifier) const;

  Kind kind;
  /// The names in use and the suffix to try next.
  llvm::StringMap<unsigned> used;
};

/// Returns `text` as it may stand inside a comment of C, between blanks, or
/// behind '#' in a build file: one line without backslashes in which no comment
/// ends or starts, printable UTF-8. Long texts are shortened.
std::string toCComment(llvm::StringRef text);

/// Returns `text` as a string literal of C in ASCII, with its quotes. Long
/// texts are shortened.
std::string toCString(llvm::StringRef text);

/// Returns a decimal literal of C with exactly the given value: `0.1f`, `1.0`
/// for f64, `INFINITY` and `NAN` of math.h. f32 and f64 only.
std::string toCLiteral(const llvm::APFloat &value);

/// Returns a literal of C for a signed (`-1`) or unsigned (`255u`) integer of
/// up to 64 bits.
std::string toCLiteral(const llvm::APInt &value, bool isSigned = true);

/// Returns the type of C that stores one element of a buffer: `float`,
/// `int8_t`; `uint16_t` for f16 and bf16, `uint8_t` for i1. Empty if C has
/// none.
llvm::StringRef getCTypeName(mlir::Type elementType);

} // namespace uma

#endif // UMA_CONVERSION_TIRTOEMITC_CTEXT_H
