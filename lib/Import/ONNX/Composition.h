//===- Composition.h - Operators composed of several operations -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Helpers for rules that import one operator as several operations. Like
// Node::create, they return null after an error and for null operands.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_ONNX_COMPOSITION_H
#define UMA_LIB_IMPORT_ONNX_COMPOSITION_H

#include "Node.h"

namespace uma::importer {

/// Creates an element-wise OpT of `data` and a scalar constant.
template <typename OpT>
mlir::Value createWith(Node &node, mlir::Value data, double number) {
  if (!data)
    return {};
  return node.create<OpT>(
      {data, node.createScalar(getElementType(data), number)});
}

/// Creates a reduction (sum, mean, max ...) along `axes`, or along all axes if
/// `axes` is empty.
template <typename OpT>
mlir::Value createReduction(Node &node, mlir::Value data,
                            llvm::ArrayRef<int64_t> axes, bool keepdims) {
  typename OpT::Properties properties;
  properties.axis = node.getBuilder().getDenseI64ArrayAttr(axes);
  properties.keepdims = node.getBuilder().getBoolAttr(keepdims);
  return node.create<OpT>({data}, properties);
}

/// Creates data * data.
inline mlir::Value createSquare(Node &node, mlir::Value data) {
  return node.create<graph::MultiplyOp>({data, data});
}

/// Returns the type that composed operators compute in: the element type of the
/// data, or f32 for 16-bit floats, to avoid rounding after each operation.
mlir::Type getWideType(mlir::Type elementType);

/// Casts `data` to another element type. Limits numbers to the finite ones of a
/// float of 8 bits first, if `saturates`. Infinities are limited, too; NaN
/// stays.
mlir::Value createSaturatedCast(Node &node, mlir::Value data,
                                mlir::Type elementType, bool saturates);

/// Creates a constant with all elements equal to `value`.
mlir::Value createFilled(Node &node, mlir::Type elementType,
                         llvm::ArrayRef<int64_t> shape, double value);

/// Creates an i64 constant of rank `rank` with the numbers 0 to `size` - 1
/// along `axis`; its other dimensions are 1.
mlir::Value createIota(Node &node, int64_t size, int64_t axis, int64_t rank);

/// Creates a concatenation of tensors along `axis`, which may be negative.
mlir::Value createConcat(Node &node, mlir::ValueRange operands, int64_t axis);

/// Creates a product with the broadcasting rules of NumPy's matmul, including
/// vectors. Integers accumulate in `outDtype`. Returns null after an error.
mlir::Value createMatMul(Node &node, mlir::Value a, mlir::Value b,
                         mlir::TypeAttr outDtype);

/// Creates the logarithm of the softmax along `axis`.
mlir::Value createLogSoftmax(Node &node, mlir::Value data, int64_t axis);

} // namespace uma::importer

#endif // UMA_LIB_IMPORT_ONNX_COMPOSITION_H
