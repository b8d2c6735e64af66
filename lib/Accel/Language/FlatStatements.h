//===- FlatStatements.h - Table of flat statements -*- C++ -*--------------===//
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

/// Field of a flat statement: an attribute of the statement's operation.
struct FlatField {
  enum Kind {
    Word,    ///< a name, as a string attribute
    Words,   ///< names, separated by commas, as an array
    Text,    ///< a string
    Path,    ///< a string, printed relative to the description's folder
    Integer, ///< a 64-bit integer
    Bool,    ///< `true` or `false`
  };
  Kind kind;
  StringRef attribute;
  StringRef expected; ///< name in messages, e.g. `the header's name`
  bool isOptional = false;
};

/// A flat statement of an accelerator: a keyword and fields. To add one, add a
/// row to getFlatStatements(): the parser, the printer and the suggestions for
/// misspelt words use the table.
struct FlatStatement {
  StringRef keyword;
  StringRef operation; ///< operation's name without `uma.accel.`
  StringRef end;       ///< last field in messages, e.g. `the header`
  llvm::SmallVector<FlatField, 3> fields;
  unsigned located = 0; ///< field that is the operation's location
  bool hasBody = false; ///< whether the operation has a region (empty)
};

/// Returns all flat statements.
ArrayRef<FlatStatement> getFlatStatements();

/// Returns the statement with this keyword, or null if it does not exist.
const FlatStatement *findFlatStatement(StringRef keyword);

} // namespace uma::accel::language

#endif // UMA_LIB_ACCEL_LANGUAGE_FLATSTATEMENTS_H
