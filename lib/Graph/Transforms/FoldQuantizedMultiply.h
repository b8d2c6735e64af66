//===- FoldQuantizedMultiply.h - Products of quantized tensors -*- C++ -*--===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_TRANSFORMS_FOLDQUANTIZEDMULTIPLY_H
#define UMA_LIB_GRAPH_TRANSFORMS_FOLDQUANTIZEDMULTIPLY_H

#include "uma/Graph/IR/GraphOps.h"

#include <string>

namespace uma::graph {

/// Replaces `quantize` of a product of dequantized tensors by a product of
/// integers, rounded as ONNX Runtime does. Returns false if there is none; sets
/// `op` to one that stays in floats, and `reason` to why if its operands are
/// dequantized.
bool foldQuantizedMultiply(QuantizeOp quantize, mlir::Operation *&op,
                           std::string &reason);

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_FOLDQUANTIZEDMULTIPLY_H
