//===- ReservedNames.h - Names reserved in C -*- C++ -*--------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_RESERVEDNAMES_H
#define UMA_SUPPORT_RESERVEDNAMES_H

#include "llvm/ADT/StringRef.h"

namespace uma {

/// Returns whether the emitted C can call a function or macro of this name: an
/// identifier that is neither a keyword of C or C++ nor resembles a name of the
/// printer (`v1`, `i2`).
bool isFunctionNameInC(llvm::StringRef name);

/// Returns whether a struct in C and C++ can have a field of this name: an
/// identifier that is not a keyword.
bool isFieldNameInC(llvm::StringRef name);

/// Returns whether the emitted C must not use the name at all: keywords of C
/// and C++, predefined macros, names that look like macros (no lower-case
/// letter, such as `EOF` or `INPUT`; single letters other than `I` are fine) or
/// like names of the printer (`v1`, `i2`), and names that start with `uma_`.
bool isReservedInC(llvm::StringRef identifier);

/// Returns whether the name is a function or type of the standard headers. Only
/// parameters in a prototype may hide those.
bool isLibraryNameInC(llvm::StringRef identifier);

/// Returns whether a network's files must not be called `stem`.h and `stem`.c
/// (in lower case): they would hide a standard header, or the name has a
/// meaning for packages, make or Windows.
bool isReservedFileName(llvm::StringRef stem);

} // namespace uma

#endif // UMA_SUPPORT_RESERVEDNAMES_H
