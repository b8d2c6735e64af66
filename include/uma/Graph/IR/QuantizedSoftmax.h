//===- QuantizedSoftmax.h - Softmax of stored integers -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_QUANTIZEDSOFTMAX_H
#define UMA_GRAPH_IR_QUANTIZEDSOFTMAX_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace uma::graph {

/// Creates the operators that compute softmax along `axis` by the formula of
/// ONNX Runtime's QLinearSoftmax: a table holds the exponentials in f32, with
/// that of the largest element of each row last. `stored` holds integers of 8
/// bits with the quantized type `from`. Returns the integers of `to`, a type of
/// the same storage.
mlir::Value createQuantizedSoftmax(mlir::OpBuilder &builder, mlir::Location loc,
                                   mlir::Value stored, int64_t axis,
                                   mlir::Type from, mlir::Type to);

} // namespace uma::graph

#endif // UMA_GRAPH_IR_QUANTIZEDSOFTMAX_H
