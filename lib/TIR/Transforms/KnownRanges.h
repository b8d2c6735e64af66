//===- KnownRanges.h - Comparisons with known results -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_TIR_TRANSFORMS_KNOWNRANGES_H
#define UMA_LIB_TIR_TRANSFORMS_KNOWNRANGES_H

#include "mlir/IR/PatternMatch.h"

namespace uma::tir {

/// Adds patterns that fold comparisons, minima and maxima of converted integers
/// and constants, if the range of the integers determines the result: C
/// compilers warn about comparisons that are always false.
void populateKnownRangePatterns(mlir::RewritePatternSet &patterns);

} // namespace uma::tir

#endif // UMA_LIB_TIR_TRANSFORMS_KNOWNRANGES_H
