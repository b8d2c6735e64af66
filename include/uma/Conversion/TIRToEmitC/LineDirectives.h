//===- LineDirectives.h - Lines of descriptions in C -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CONVERSION_TIRTOEMITC_LINEDIRECTIVES_H
#define UMA_CONVERSION_TIRTOEMITC_LINEDIRECTIVES_H

#include "llvm/ADT/StringRef.h"

namespace uma {

/// Stands behind C that has the `#line` of a description: the file's own lines
/// go on. What they are is known when the file is put together.
inline constexpr llvm::StringLiteral kOwnLines = "/* uma: own lines */";

} // namespace uma

#endif // UMA_CONVERSION_TIRTOEMITC_LINEDIRECTIVES_H
