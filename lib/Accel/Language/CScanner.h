//===- CScanner.h - Scanner for C code in descriptions -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_LANGUAGE_CSCANNER_H
#define UMA_LIB_ACCEL_LANGUAGE_CSCANNER_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace uma::accel::language {

/// Returns the offset of the `}` that closes a brace opened before `text`, or
/// npos if it is not closed. Ignores braces in comments, strings and character
/// literals.
size_t findEndOfC(llvm::StringRef text);

/// Splits C code into parts and calls `visit` for each in order. `isVariable`
/// is true for identifiers that may be variables, false for the text between
/// them. Members (`.x`, `->x`) and functions (`x(`) are not variables.
void visitC(
    llvm::StringRef text,
    llvm::function_ref<void(llvm::StringRef part, bool isVariable)> visit);

} // namespace uma::accel::language

#endif // UMA_LIB_ACCEL_LANGUAGE_CSCANNER_H
