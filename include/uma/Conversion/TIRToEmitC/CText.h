//===- CText.h - C names, comments and literals -*- C++ -*-----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Text from a model is arbitrary: layer names contain slashes, tensor names are
// C keywords, comments contain comment terminators. All text that is copied
// from a model into C is sanitised by these functions.
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

/// Returns `name` as a C identifier: each run of invalid characters becomes one
/// '_'. The result is not empty, starts with a letter, and is shortened if it
/// is long. It may still be a keyword; see CNameTable.
std::string toCName(llvm::StringRef name);

/// Returns the identifier NET that prefixes a network's files, functions and
/// macros: toCName(name), prefixed with `net_` if necessary. NET's files shadow
/// no standard header and no other file of a package. No name in `taken`
/// (identifiers and headers of devices) equals NET.h or starts with NET_,
/// ignoring case.
std::string toCNetworkName(llvm::StringRef name,
                           const llvm::StringSet<> &taken = {});

/// Allocates unique identifiers that are neither in use nor reserved in C.
class CNameTable {
public:
  enum class Kind {
    Scope,     ///< functions, objects and local variables
    Parameter, ///< parameters in prototypes
    Part,      ///< parts of longer names
  };
  explicit CNameTable(Kind kind = Kind::Scope) : kind(kind) {}
  /// Creates a scope inside of `outer`, whose names it does not use again.
  explicit CNameTable(const CNameTable *outer) : outer(outer) {}

  /// Reserves a fixed identifier, such as the name of an extern function.
  void reserve(llvm::StringRef identifier) { used.try_emplace(identifier, 2); }
  /// Returns toCName(name), with the suffix `_` if it is reserved. If that name
  /// is in use, appends the first free suffix `_2`, `_3`, ...
  std::string unique(llvm::StringRef name);

private:
  bool isReserved(llvm::StringRef identifier) const;
  /// Returns the suffix to try next after a name of an enclosing scope, or 0.
  unsigned findOuter(llvm::StringRef name) const;

  Kind kind = Kind::Scope;
  /// Not copied, since there may be thousands of functions.
  const CNameTable *outer = nullptr;
  /// Names in use, with the suffix to try next.
  llvm::StringMap<unsigned> used;
};

/// Returns `text` escaped for use inside a C comment, between blanks, or after
/// '#' in a build file: one line of printable UTF-8 without backslashes or
/// comment delimiters. Long texts are shortened.
std::string toCComment(llvm::StringRef text);

/// Returns `text` as a quoted ASCII string literal of C. Long texts are
/// shortened.
std::string toCString(llvm::StringRef text);

/// Returns a decimal C literal with exactly the given value: `0.1f`, `1.0` for
/// f64, or `INFINITY` and `NAN` from math.h. Supports f32 and f64 only.
std::string toCLiteral(const llvm::APFloat &value);

/// Returns a C literal for a signed (`-1`) or unsigned (`255u`) integer of up
/// to 64 bits.
std::string toCLiteral(const llvm::APInt &value, bool isSigned = true);

/// Returns the C type that stores one element of a buffer: `float`, `int8_t`;
/// `uint16_t` for f16 and bf16, `uint8_t` for i1 and floats of 8 bits. Returns
/// an empty string if C has no such type.
llvm::StringRef getCTypeName(mlir::Type elementType);

} // namespace uma

#endif // UMA_CONVERSION_TIRTOEMITC_CTEXT_H
