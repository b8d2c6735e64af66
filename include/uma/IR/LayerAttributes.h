//===- LayerAttributes.h - Attributes with layer information -*- C++ -*----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// See also `uma.layer` and `uma.layers` in UMADialect.h. If one function
// computes several layers, `uma.layers` is on the calls to it.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IR_LAYERATTRIBUTES_H
#define UMA_IR_LAYERATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace uma {

/// Discardable attribute on functions in TIR that were merged from equal ones:
/// an array of the names of their layers.
inline constexpr llvm::StringLiteral kMergedLayersAttrName =
    "uma.merged_layers";

/// Discardable attribute on functions in TIR: the workload that the schedule
/// was chosen for, as a dictionary, if there was a choice; see Workload.
inline constexpr llvm::StringLiteral kWorkloadAttrName = "uma.workload";

/// Discardable attribute on functions in TIR: the multiply-accumulates of the
/// layer in a run of the network, if there are any.
inline constexpr llvm::StringLiteral kMACsAttrName = "uma.macs";

/// Discardable attribute on arguments of functions in TIR: an array [position
/// of another argument, bytes]. If no operation reads the other buffer after
/// the call, this buffer may overlap it, provided that it begins at least so
/// many bytes before it, and a multiple of 64. Valid only without threads.
inline constexpr llvm::StringLiteral kInPlaceAttrName = "uma.in_place";

/// Discardable attribute on verbatim operations in EmitC whose text belongs to
/// the next function.
inline constexpr llvm::StringLiteral kFunctionTextAttrName =
    "uma.function_text";

} // namespace uma

#endif // UMA_IR_LAYERATTRIBUTES_H
