//===- FoldQuantizedAdd.h - Sums of quantized tensors -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_TRANSFORMS_FOLDQUANTIZEDADD_H
#define UMA_LIB_GRAPH_TRANSFORMS_FOLDQUANTIZEDADD_H

#include "uma/Graph/IR/GraphOps.h"

namespace uma::graph {

/// Replaces `quantize` of an addition of dequantized tensors by quantized_add.
/// Returns false if the addition must stay in floats.
bool foldQuantizedAdd(QuantizeOp quantize);

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_FOLDQUANTIZEDADD_H
