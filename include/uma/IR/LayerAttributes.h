//===- LayerAttributes.h - What functions say of layers -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Beside `uma.layer` and `uma.layers` (UMADialect.h). Where one function
// computes several layers, `uma.layers` stands on its calls.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IR_LAYERATTRIBUTES_H
#define UMA_IR_LAYERATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace uma {

/// Discardable attribute on functions in TIR that stand for several equal ones:
/// an array of the names of their layers.
inline constexpr llvm::StringLiteral kMergedLayersAttrName =
    "uma.merged_layers";

/// Discardable attribute on functions in TIR: a dictionary that tells what the
/// schedule was chosen for, if there is a choice; see Workload.
inline constexpr llvm::StringLiteral kWorkloadAttrName = "uma.workload";

/// Discardable attribute on arguments of functions in TIR, an array of the
/// position of another argument and of bytes: a call that nobody reads that
/// other buffer after may let this one overlap it, if it begins a multiple of
/// 64 bytes, and at least so many, before it. Holds without threads only.
inline constexpr llvm::StringLiteral kInPlaceAttrName = "uma.in_place";

/// Discardable attribute on verbatim operations in EmitC whose text belongs to
/// the function behind them.
inline constexpr llvm::StringLiteral kFunctionTextAttrName =
    "uma.function_text";

} // namespace uma

#endif // UMA_IR_LAYERATTRIBUTES_H
