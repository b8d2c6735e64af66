//===- FixedPoint.h - TensorFlow Lite's integer kernels -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Operators of TensorFlow Lite as its reference kernels compute them in
// integers. Each function returns the quantized result, or null if the import
// does not round as these kernels do, there is no such kernel for the types of
// the tensors, or an error was reported. Activations have 8 or 16 bits and one
// scale; 16 bits have the zero point 0.
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

enum class LayerKind { Convolution, Depthwise, FullyConnected };

/// Creates the operation of a layer from data and weights. `sums` is the type
/// in which plain integers are summed; null for other operands.
using MakeLayerFn = llvm::function_ref<mlir::Value(
    mlir::Value data, mlir::Value weights, mlir::Type sums)>;

/// Creates a convolution or fully connected layer on stored integers. `outAxis`
/// is the dimension of the weights that counts output channels.
mlir::Value createFixedPointLayer(Node &node, int64_t outAxis, LayerKind kind,
                                  MakeLayerFn makeLayer,
                                  schema::ActivationFunctionType activation,
                                  LayerOperands operands = {});

/// Reshapes a filter of floats, or one whose last dimension, which stays, may
/// have a scale for each index.
mlir::Value reshapeFilter(Node &node, mlir::Value filter,
                          llvm::ArrayRef<int64_t> shape);

/// Adds or subtracts the operands, both rescaled to 28 bits. If the scales of
/// 16-bit tensors are powers of two and `shiftsPowers`, one operand is shifted
/// instead.
mlir::Value createFixedPointSum(Node &node, bool subtracts, bool shiftsPowers,
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

/// Computes the products of slices of up to 64 elements.
mlir::Value createFixedPointProd(Node &node, llvm::ArrayRef<int64_t> axes,
                                 bool keepdims);

/// Applies an activation.
mlir::Value
createFixedPointActivation(Node &node,
                           schema::ActivationFunctionType activation);

/// Functions of one operand. For 8 bits, they become tables of 256 integers.
mlir::Value createFixedPointAbs(Node &node);
mlir::Value createFixedPointLogistic(Node &node);
mlir::Value createFixedPointTanh(Node &node);
mlir::Value createFixedPointHardSwish(Node &node);
mlir::Value createFixedPointElu(Node &node);
mlir::Value createFixedPointLeakyRelu(Node &node, float slope);

/// Computes `softmax(beta * data)` along the last dimension.
mlir::Value createFixedPointSoftmax(Node &node, float beta);

/// The same functions of 16 bits, which interpolate between table entries.
mlir::Value createWideLogistic(Node &node);
mlir::Value createWideTanh(Node &node);
mlir::Value createWideSoftmax(Node &node, float beta);

/// Positions of the operands of an LSTM. Those of gates are in the order input,
/// forget, cell, output; a layer without the first one couples the input gate
/// to the forget gate.
enum LSTMOperand : unsigned {
  kInputWeights = 1,
  kRecurrentWeights = 5,
  kPeephole = 9, // input, forget, output
  kBias = 12,
  kProjection = 16,
  kProjectionBias,
  kOutputState,
  kCellState,
  kNorm
};

/// Computes a sequence of an LSTM with four gates, whose activation is tanh, on
/// data of 8 bits and a cell state of 16 bits, and assigns its states. Returns
/// null for long sequences, since each step has operators of its own.
mlir::Value createFixedPointLSTM(Node &node, float cellClip, bool timeMajor);

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

/// Rescales quantized integers to the type of the result. A result of 32 bits
/// is rescaled so with every rounding, since floats do not hold its integers.
mlir::Value createFixedPointRequantize(Node &node);

//===----------------------------------------------------------------------===//
// Parts of the above
//===----------------------------------------------------------------------===//

/// Returns whether a type is quantized to `width` bits with one scale; 16 bits
/// have the zero point 0.
bool hasOneScale(mlir::Type elementType, unsigned width);

/// Returns whether an operand is quantized to 8 bits with one scale.
bool isSimple(Node &node, unsigned index);

/// Returns whether a quantized type stores 16 bits.
bool isWide(mlir::Type elementType);

/// Returns the type of the first result if the import rounds in fixed point,
/// and the result and the first `count` operands are quantized to 8 bits with
/// one scale; otherwise null. With `takesWide`, all of them may also have 16
/// bits and the zero point 0.
mlir::RankedTensorType getFixedPointType(Node &node, unsigned count,
                                         bool takesWide = false);

/// Returns the stored integers that an activation leaves; std::nullopt if it is
/// not computed by bounds.
std::optional<std::pair<int64_t, int64_t>>
getBounds(const Quantization &type, schema::ActivationFunctionType activation);

/// Returns the quantization of a tensor.
Quantization getQuantization(mlir::Value value);

/// Returns the exponent of a scale that is a power of two up to 0.07 %, as the
/// kernels see it.
std::optional<int64_t> getExponent(float scale);

/// Returns the number of leading zeros, of 32 bits, of positive numbers of i32
/// whose last dimension is 1.
mlir::Value countLeadingZeros(Node &node, mlir::Value numbers);

/// Apply the kernels' functions on 16 bits to numbers of i32 with the scale
/// 1 / (3 * 2^12). The scale of the result is 2^-15.
mlir::Value createLogisticSteps(Node &node, mlir::Value data);
mlir::Value createTanhSteps(Node &node, mlir::Value data);

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

/// Multiplies numbers of i64 by one factor or one for each index of the last
/// dimension. Only 15 bits of its multiplier count, and halves are rounded up.
/// Returns numbers of i32.
mlir::Value createWideMultiply(Node &node, mlir::Value data,
                               llvm::ArrayRef<FixedPointFactor> factors);

/// Adds the zero point of a quantized type to steps of i32 and stores them
/// within bounds.
mlir::Value storeSteps(Node &node, mlir::Value steps, mlir::Type elementType,
                       std::pair<int64_t, int64_t> bounds);

} // namespace uma::tflite

#endif // UMA_LIB_IMPORT_TFLITE_FIXEDPOINT_H
