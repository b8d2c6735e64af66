//===- QuantizationAttributes.h - Notes on quantized layers -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_QUANTIZATIONATTRIBUTES_H
#define UMA_GRAPH_IR_QUANTIZATIONATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace uma::graph {

/// Discardable attribute on layers between dequantize and quantize: the reason
/// that they are computed on floats, as a string. uma-graph-fold-quantization
/// sets it, `uma explain` prints it.
inline constexpr llvm::StringLiteral kInFloatsAttrName = "uma.in_floats";

/// Discardable attribute with the range of each result of an operation, or of
/// an argument of a function: a lower and an upper bound for each, as `f64`.
/// `uma quantize` sets it, uma-graph-quantize reads and removes it.
inline constexpr llvm::StringLiteral kRangeAttrName = "uma.range";

/// Discardable unit attribute on layers that uma-graph-quantize does not
/// quantize.
inline constexpr llvm::StringLiteral kKeepFloatAttrName = "uma.keep_float";

} // namespace uma::graph

#endif // UMA_GRAPH_IR_QUANTIZATIONATTRIBUTES_H
