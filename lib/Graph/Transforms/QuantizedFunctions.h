//===- QuantizedFunctions.h - Operators between DQ and Q -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Operators between dequantize and quantize that ONNX Runtime's optimizer
// replaces by its quantized operators, other than layers with sums.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_TRANSFORMS_QUANTIZEDFUNCTIONS_H
#define UMA_LIB_GRAPH_TRANSFORMS_QUANTIZEDFUNCTIONS_H

#include "uma/Graph/IR/GraphOps.h"

#include <string>

namespace uma::graph {

/// Returns the operator in front of `quantize` and of activations that have no
/// other uses; null if there is none. Sets `areImplied` to whether the
/// activations change no number that the result of `quantize` can hold.
mlir::Operation *skipActivations(QuantizeOp quantize, bool &areImplied);

/// Returns whether ONNX Runtime computes `op`, which skipActivations found,
/// with a quantized kernel: all operands are dequantized bytes of the storage
/// type of the result, and nothing else uses `op`. Otherwise sets `reason` if
/// the operands are dequantized.
bool isQuantizedFunction(mlir::Operation *op, bool areImplied,
                         QuantizeOp quantize, std::string &reason);

/// Returns the average pool or softmax in front of `quantize`, possibly with
/// reshapes around it, that ONNX Runtime computes with a quantized kernel.
/// Otherwise returns null; sets `op` to an operator of these that stays, and
/// `reason` to why it does.
mlir::Operation *findQuantizedFunction(QuantizeOp quantize,
                                       mlir::Operation *&op,
                                       std::string &reason);

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_QUANTIZEDFUNCTIONS_H
