//===- QuantizedRounding.h - Roundings of quantized numbers -*- C++ -*- --===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_TRANSFORMS_QUANTIZEDROUNDING_H
#define UMA_LIB_GRAPH_TRANSFORMS_QUANTIZEDROUNDING_H

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/QuantizedTypes.h"

namespace uma::graph {

/// Creates operators that round `value`, a quotient of f32, to an integer, as
/// `uma.graph.quantize` with this rounding demands. They belong to the layer of
/// `op`.
mlir::Value roundQuotient(mlir::OpBuilder &builder, mlir::Operation *op,
                          mlir::Value value, llvm::StringRef rounding);

/// Creates operators that multiply the steps `number` by the factors of
/// `uma.graph.requantize` in fixed point. The result has elements of i64.
mlir::Value scaleFixedPoint(mlir::OpBuilder &builder, mlir::Operation *op,
                            mlir::Value number, const Quantization &from,
                            const Quantization &to);

/// Returns whether `uma.graph.quantized_add` with the float formula rounds some
/// pair of integers of 8 bits to another result if a product is rounded before
/// it is added. C compilers fuse both only for some processors.
bool needsExactProducts(QuantizedAddOp op);

/// Creates operators that compute `integers * factor + addend`. With `isExact`,
/// they round once also without fused multiply-adds; the integers are f32 with
/// at most 8 bits.
mlir::Value createMultiplyAdd(mlir::OpBuilder &builder, mlir::Operation *op,
                              mlir::Value integers, float factor,
                              mlir::Value addend, llvm::StringRef name,
                              bool isExact);

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_QUANTIZEDROUNDING_H
