//===- LineDirectives.h - Marker for #line directives -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CONVERSION_TIRTOEMITC_LINEDIRECTIVES_H
#define UMA_CONVERSION_TIRTOEMITC_LINEDIRECTIVES_H

#include "llvm/ADT/StringRef.h"

namespace uma {

/// Marker after C code that has the `#line` of a description. The package
/// writer replaces it by a `#line` of the generated file, whose line numbers
/// are known only then.
inline constexpr llvm::StringLiteral kOwnLines = "/* uma: own lines */";

} // namespace uma

#endif // UMA_CONVERSION_TIRTOEMITC_LINEDIRECTIVES_H
