//===- Nesting.h - Limits on nesting depth -*- C++ -*----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_NESTING_H
#define UMA_SUPPORT_NESTING_H

#include "llvm/ADT/StringRef.h"

namespace uma {

/// Returns the offset of the first bracket that is nested deeper than `limit`,
/// or npos. Protects recursive parsers from stack overflow. `open` and `close`
/// are the brackets of the language, in the same order. Ignores brackets in
/// strings and the arrow `->`.
size_t findTooDeep(llvm::StringRef text, llvm::StringRef open,
                   llvm::StringRef close, unsigned limit);

/// Returns the position of an offset as `LINE:COL`, both starting at 1.
std::string getLineAndColumn(llvm::StringRef text, size_t offset);

} // namespace uma

#endif // UMA_SUPPORT_NESTING_H
