//===- Composition.h - Operators made of several operations -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Short words for rules that import one operator as several operations. As
// Node::create, they return null after an error and for null operands.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_ONNX_COMPOSITION_H
#define UMA_LIB_IMPORT_ONNX_COMPOSITION_H

#include "Node.h"

namespace uma::importer {

/// lhs + rhs and so on, with a number as the second operand.
template <typename OpT>
mlir::Value createWith(Node &node, mlir::Value data, double number) {
  if (!data)
    return {};
  return node.create<OpT>(
      {data, node.createScalar(getElementType(data), number)});
}

/// Returns a reduction (sum, mean, max ...) along `axes`; all without any.
template <typename OpT>
mlir::Value createReduction(Node &node, mlir::Value data,
                            llvm::ArrayRef<int64_t> axes, bool keepdims) {
  typename OpT::Properties properties;
  properties.axis = node.getBuilder().getDenseI64ArrayAttr(axes);
  properties.keepdims = node.getBuilder().getBoolAttr(keepdims);
  return node.create<OpT>({data}, properties);
}

/// data * data
inline mlir::Value createSquare(Node &node, mlir::Value data) {
  return node.create<graph::MultiplyOp>({data, data});
}

/// Returns the type that operators made of several operations compute in: that
/// of the data, or f32 for the 16-bit floats, which would be rounded after
/// each.
mlir::Type getWideType(mlir::Type elementType);

/// Returns a constant of one repeated element.
mlir::Value createFilled(Node &node, mlir::Type elementType,
                         llvm::ArrayRef<int64_t> shape, double value);

/// Returns the i64 numbers 0, 1, ... along `axis` of a tensor of rank `rank`
/// whose other dimensions are 1.
mlir::Value createIota(Node &node, int64_t size, int64_t axis, int64_t rank);

/// Returns the logarithm of the softmax along `axis`.
mlir::Value createLogSoftmax(Node &node, mlir::Value data, int64_t axis);

} // namespace uma::importer

#endif // UMA_LIB_IMPORT_ONNX_COMPOSITION_H
