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

/// Returns true if the emitted C can call a function or macro of this name: an
/// identifier that is neither a keyword of C or C++ nor like a name of the
/// printer (`v1`, `i2`).
bool isFunctionNameInC(llvm::StringRef name);

/// Returns true if a struct in C and C++ can have a field of this name: an
/// identifier that is no keyword.
bool isFieldNameInC(llvm::StringRef name);

/// Returns true for names that the emitted C must not use at all: keywords of C
/// and C++, predefined macros, names that look like macros (no lower-case
/// letter, such as `EOF` or `INPUT`; single letters other than `I` are fine) or
/// like names of the printer (`v1`, `i2`), and everything that starts with
/// `uma_`.
bool isReservedInC(llvm::StringRef identifier);

/// Returns true for functions and types of the standard headers, which only
/// parameters in a prototype may hide.
bool isLibraryNameInC(llvm::StringRef identifier);

/// Returns true if a network's files cannot be called `stem`.h and `stem`.c, in
/// lower case: names of standard headers, which they would hide, and names with
/// a meaning for packages, make or Windows.
bool isReservedFileName(llvm::StringRef stem);

} // namespace uma

#endif // UMA_SUPPORT_RESERVEDNAMES_H
