//===- QuantizedParameters.h - Scales and zero points -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Operators on integers with scales and zero points as inputs become operations
// on quantized tensors if these inputs are constants.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_ONNX_QUANTIZEDPARAMETERS_H
#define UMA_LIB_IMPORT_ONNX_QUANTIZEDPARAMETERS_H

#include "Node.h"

namespace uma::importer {

/// Returns the quantized type for storage elements `stored` of 8, 16 or 32 bits
/// by a node's inputs: one scale, or with `axis` one for each index of it, and
/// as many zero points or one. The zero point may be omitted. Returns null if
/// the inputs are computed when the model runs or are no scales.
mlir::Type getQuantizedType(Node &node, unsigned scale, unsigned zeroPoint,
                            mlir::Type stored, std::optional<int64_t> axis);

/// Returns the same bits with another element type.
mlir::Value castStorage(Node &node, mlir::Value data, mlir::Type elementType);

/// Returns an input as a quantized tensor, by the scale and zero point that are
/// the next two inputs; null as above. With `axis`, there may be one of each
/// for each index.
mlir::Value getQuantized(Node &node, unsigned index,
                         std::optional<int64_t> axis = std::nullopt);

/// Adds the constant integers `bias`, if there are any, to the sums of each
/// channel.
mlir::Value addQuantizedBias(Node &node, mlir::Value sums, mlir::Value bias);

/// Does the same and rounds the result to the type `elementType`. Returns the
/// stored integers.
mlir::Value createRequantize(Node &node, mlir::Value sums, mlir::Value bias,
                             mlir::Type elementType);

/// Returns the sums of a product of quantized tensors, a and b with their
/// parameters as the first six inputs, whose second one is a constant matrix,
/// [out, in] if `isTransposed`. Returns null for others, if the parameters are
/// no constants, or after an error.
mlir::Value createQuantizedProduct(Node &node, bool isTransposed);

/// Imports com.microsoft.QGemm whose matrices and parameters may be computed
/// when the model runs: a product of integers, which is scaled in f32.
mlir::LogicalResult importComputedQGemm(Node &node, bool transA, bool transB,
                                        double alpha);

/// Returns whether an input, a zero point of one element, is the number `zero`;
/// an omitted one is 0.
bool isZeroPoint(Node &node, unsigned index, int64_t zero);

/// Data quantized by the range that they have when the model runs.
struct DynamicQuantization {
  mlir::Value stored;           ///< ui8
  mlir::Value scale, zeroPoint; ///< of rank 0
};

/// Quantizes data of f32 so that ui8 covers their range and 0, as
/// DynamicQuantizeLinear does. Its values are null after an error.
DynamicQuantization createDynamicQuantization(Node &node, mlir::Value data);

} // namespace uma::importer

#endif // UMA_LIB_IMPORT_ONNX_QUANTIZEDPARAMETERS_H
