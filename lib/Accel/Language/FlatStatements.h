//===- FlatStatements.h - Statements of keyword and fields -*- C++ -*------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_LANGUAGE_FLATSTATEMENTS_H
#define UMA_LIB_ACCEL_LANGUAGE_FLATSTATEMENTS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace uma::accel::language {

using llvm::ArrayRef;
using llvm::StringRef;

/// A field of a flat statement, which is an attribute of its operation.
struct FlatField {
  enum Kind {
    Word,    ///< a name, as a string attribute
    Words,   ///< names, separated by commas, as an array
    Text,    ///< a string
    Path,    ///< a string, printed relative to the description's folder
    Integer, ///< 64 bits
    Bool,    ///< `true` or `false`
  };
  Kind kind;
  StringRef attribute;
  StringRef expected; ///< in messages, e.g. `the header's name`
  bool isOptional = false;
};

/// A statement of an accelerator that is a keyword and fields. A row in
/// getFlatStatements() is all that one needs: it is parsed, printed and offered
/// for misspelt words.
struct FlatStatement {
  StringRef keyword;
  StringRef operation; ///< without `uma.accel.`
  StringRef end;       ///< the last field in messages, e.g. `the header`
  llvm::SmallVector<FlatField, 3> fields;
  unsigned located = 0; ///< field whose position the operation has
  bool hasBody = false; ///< whether the operation has a region, left empty
};

/// Returns all flat statements.
ArrayRef<FlatStatement> getFlatStatements();

/// Returns the statement with this keyword; null if it is none.
const FlatStatement *findFlatStatement(StringRef keyword);

} // namespace uma::accel::language

#endif // UMA_LIB_ACCEL_LANGUAGE_FLATSTATEMENTS_H
