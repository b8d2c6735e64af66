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

} // namespace uma::graph

#endif // UMA_GRAPH_IR_QUANTIZATIONATTRIBUTES_H
