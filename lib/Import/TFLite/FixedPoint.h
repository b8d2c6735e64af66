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

#include "uma/Graph/IR/Window.h"
#include "uma/Support/QuantizedTypes.h"

#include <optional>
#include <utility>

namespace uma::tflite {

/// Indices of the operands of a layer.
struct LayerOperands {
  unsigned data = 0, weights = 1, bias = 2;
};

/// Creates a convolution or fully connected layer on stored integers.
/// `makeLayer` creates the operation from data and weights. `outAxis` is the
/// dimension of the weights that counts output channels; it has a scale for
/// each of them if `isConv`.
mlir::Value createFixedPointLayer(
    Node &node, int64_t outAxis, bool isConv,
    llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> makeLayer,
    schema::ActivationFunctionType activation, LayerOperands operands = {});

/// Reshapes a filter of floats, or one whose last dimension, which stays, may
/// have a scale for each index.
mlir::Value reshapeFilter(Node &node, mlir::Value filter,
                          llvm::ArrayRef<int64_t> shape);

/// Adds or subtracts the operands, both rescaled to 28 bits.
mlir::Value createFixedPointSum(Node &node, bool subtracts,
                                schema::ActivationFunctionType activation);

/// Multiplies the operands.
mlir::Value createFixedPointProduct(Node &node,
                                    schema::ActivationFunctionType activation);

/// Computes the means of the stored integers in the window of a pool, NHWC;
/// halves are rounded away from zero.
mlir::Value createFixedPointPool(Node &node, const graph::Window &window,
                                 schema::ActivationFunctionType activation);

/// Computes the sums or means of slices.
mlir::Value createFixedPointReduction(Node &node, llvm::ArrayRef<int64_t> axes,
                                      bool keepdims, bool isMean);

/// Applies an activation.
mlir::Value
createFixedPointActivation(Node &node,
                           schema::ActivationFunctionType activation);

/// Functions of one operand. They become tables of 256 integers.
mlir::Value createFixedPointLogistic(Node &node);
mlir::Value createFixedPointTanh(Node &node);
mlir::Value createFixedPointHardSwish(Node &node);
mlir::Value createFixedPointElu(Node &node);
mlir::Value createFixedPointLeakyRelu(Node &node, float slope);

/// Computes `softmax(beta * data)` along the last dimension.
mlir::Value createFixedPointSoftmax(Node &node, float beta);

/// Resizes [N, H, W, C] data to [N, sizes, C].
mlir::Value createFixedPointResize(Node &node, llvm::ArrayRef<int64_t> sizes,
                                   bool alignsCorners, bool hasHalfPixels);

/// Multiplies matrices.
mlir::Value createFixedPointMatmul(Node &node, bool transposeX,
                                   bool transposeY);

/// Multiplies negative numbers by slopes.
mlir::Value createFixedPointPRelu(Node &node);

/// Squares the difference of the operands, both rescaled to 15 bits.
mlir::Value createFixedPointSquaredDifference(Node &node);

//===----------------------------------------------------------------------===//
// Parts of the above
//===----------------------------------------------------------------------===//

/// Returns whether an operand is quantized to 8 bits with one scale.
bool isSimple(Node &node, unsigned index);

/// Returns the type of the first result if the import rounds in fixed point,
/// and the result and the first `count` operands are quantized to 8 bits with
/// one scale; otherwise null.
mlir::RankedTensorType getFixedPointType(Node &node, unsigned count);

/// Returns the stored integers that an activation leaves; std::nullopt if it is
/// not computed by bounds.
std::optional<std::pair<int64_t, int64_t>>
getBounds(const Quantization &type, schema::ActivationFunctionType activation);

/// Returns the quantization of a tensor.
Quantization getQuantization(mlir::Value value);

/// Returns the stored integers of an operand as i32.
mlir::Value getIntegers(Node &node, unsigned index);

/// Returns an operand's stored integers minus its zero point, as i32.
mlir::Value getSteps(Node &node, unsigned index);

/// Looks up the elements of a table by `integers` of i32; the first one is for
/// `first`.
mlir::Value lookUp(Node &node, mlir::Value integers, int64_t first,
                   const HostTensor &table);

/// Returns the same bits with another element type.
mlir::Value castStorage(Node &node, mlir::Value data, mlir::Type elementType);

/// Multiplies numbers of i32 by a factor.
mlir::Value createFixedPointMultiply(Node &node, mlir::Value data,
                                     const FixedPointFactor &factor);

/// Adds the zero point of a quantized type to steps of i32 and stores them
/// within bounds.
mlir::Value storeSteps(Node &node, mlir::Value steps, mlir::Type elementType,
                       std::pair<int64_t, int64_t> bounds);

} // namespace uma::tflite

#endif // UMA_LIB_IMPORT_TFLITE_FIXEDPOINT_H
