//===- CScanner.h - Tokens of C in a description -*- C++ -*----------------===//
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

/// Returns the size of the C in front of the `}` that closes a brace before
/// `text`; npos if there is none. Braces in comments, strings and characters
/// are none.
size_t findEndOfC(llvm::StringRef text);

/// Calls `visit` for each part of C in order: for identifiers that may be
/// variables with `isVariable`, for all text between them without. Members,
/// `.x` and `->x`, and functions, `x(`, are no variables.
void visitC(
    llvm::StringRef text,
    llvm::function_ref<void(llvm::StringRef part, bool isVariable)> visit);

} // namespace uma::accel::language

#endif // UMA_LIB_ACCEL_LANGUAGE_CSCANNER_H
