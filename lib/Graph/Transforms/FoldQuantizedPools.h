//===- FoldQuantizedPools.h - Means of stored integers -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_TRANSFORMS_FOLDQUANTIZEDPOOLS_H
#define UMA_LIB_GRAPH_TRANSFORMS_FOLDQUANTIZEDPOOLS_H

#include "uma/Graph/IR/GraphOps.h"

namespace uma::graph {

/// Returns the tensor of 8 bits whose dequantized elements a global average
/// pool gives to `quantize`, which stores 8 bits, too. Returns null for other
/// operators in front of `quantize`, or if its sums may exceed i32.
mlir::Value getPooledBytes(QuantizeOp quantize);

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_FOLDQUANTIZEDPOOLS_H
