//===- FixedPoint.h - TensorFlow Lite's integer kernels -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Operators of TensorFlow Lite as its reference kernels compute them in
// integers. Each function returns the quantized result,
// or null if the import does not round as these kernels do, the tensors are not
// quantized to 8 bits with one scale, or an error was reported.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_TFLITE_FIXEDPOINT_H
#define UMA_LIB_IMPORT_TFLITE_FIXEDPOINT_H

#include "Node.h"

namespace uma::tflite {

/// Creates a convolution or fully connected layer on stored integers, with the
/// bias that is the third operand. `makeLayer` creates the operation from data
/// and weights. `outAxis` is the dimension of the weights that counts output
/// channels; it has a scale for each of them if `isConv`.
mlir::Value createFixedPointLayer(
    Node &node, int64_t outAxis, bool isConv,
    llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> makeLayer,
    schema::ActivationFunctionType activation);

/// Reshapes a filter of floats, or one whose last dimension, which stays, may
/// have a scale for each index.
mlir::Value reshapeFilter(Node &node, mlir::Value filter,
                          llvm::ArrayRef<int64_t> shape);

/// Adds or subtracts the operands, both rescaled to 28 bits.
mlir::Value createFixedPointSum(Node &node, bool subtracts,
                                schema::ActivationFunctionType activation);

/// Rounds `means`, the means of stored integers over windows of at most `count`
/// elements, half away from zero.
mlir::Value createFixedPointMean(Node &node, mlir::Value means, int64_t count,
                                 schema::ActivationFunctionType activation);

/// Returns the stored integers of the first operand as floats; null as above,
/// also if its scale is not that of the result.
mlir::Value getStoredAsFloats(Node &node);

} // namespace uma::tflite

#endif // UMA_LIB_IMPORT_TFLITE_FIXEDPOINT_H
