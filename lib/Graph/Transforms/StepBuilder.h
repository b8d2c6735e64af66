//===- StepBuilder.h - Steps of quantized tensors -*- C++ -*- ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_TRANSFORMS_STEPBUILDER_H
#define UMA_LIB_GRAPH_TRANSFORMS_STEPBUILDER_H

#include "Constants.h"
#include "DotPlan.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/QuantizedTypes.h"

namespace uma::graph {

/// Creates and keeps the steps of quantized tensors: their stored integers
/// without their zero points; see uma-graph-legalize-quantization.
class StepBuilder : public mlir::OpBuilder {
public:
  /// With `inFloats`, steps are f32, but for those of the layers of `dots`.
  /// With `inBytes` in addition, tensors of 8 bits are kept as bytes, and each
  /// reader computes their steps.
  StepBuilder(mlir::MLIRContext *context, bool inFloats, bool inBytes,
              DotPlan dots)
      : OpBuilder(context), inFloats(inFloats), inBytes(inBytes),
        dots(std::move(dots)) {}

  /// Starts a function. Without floats to round, it also converts without them.
  void startFunction(mlir::Operation *function);

  /// Creates the next operators in front of `op`, which they replace.
  void startAt(mlir::Operation *op) {
    setInsertionPoint(op);
    operation = op;
  }
  mlir::Location getLoc() { return operation->getLoc(); }

  /// Returns the type of the steps of a quantized tensor.
  mlir::Type getStepType(mlir::Value quantized);
  /// Returns the type of steps that are computed when the model runs, but not
  /// proven to be exact in f32: integers if they have more than 16 bits or are
  /// rounded without floats.
  mlir::Type getComputedStepType(mlir::Value quantized);
  /// Returns the type in which zero points are added to steps of 8 bits.
  mlir::Type getShiftType() {
    return inFloats && !inFixedPoint ? mlir::Type(getF32Type())
                                     : mlir::Type(getI32Type());
  }
  mlir::RankedTensorType getStepTensor(mlir::Value quantized) {
    return mlir::RankedTensorType::get(getTensorType(quantized).getShape(),
                                       getStepType(quantized));
  }

  /// The steps of a quantized tensor, as they were set, or null. For a tensor
  /// that is kept as bytes, these bytes.
  mlir::Value lookup(mlir::Value quantized) const {
    return steps.lookup(quantized);
  }
  /// Sets the steps of a quantized tensor, or the bytes that keep them.
  void set(mlir::Value quantized, mlir::Value value);
  /// Sets the bytes that keep a quantized tensor: its steps plus `zeroPoint`.
  void setBytes(mlir::Value quantized, mlir::Value bytes, int64_t zeroPoint) {
    steps[quantized] = bytes;
    zeroPoints[quantized] = zeroPoint;
  }
  /// Returns the zero point of the bytes that keep a quantized tensor, or
  /// std::nullopt if it is not kept as bytes.
  std::optional<int64_t> getZeroPoint(mlir::Value quantized) const {
    auto known = zeroPoints.find(quantized);
    return known == zeroPoints.end() ? std::nullopt
                                     : std::optional(known->second);
  }
  /// Returns the bytes of a quantized tensor with the elements and the zero
  /// point of `bytes`, which keep another one of the same type.
  mlir::Value getBytesLike(mlir::Value quantized, mlir::Value bytes,
                           int64_t zeroPoint);
  /// Returns the steps of a quantized tensor as elements of type `type`.
  mlir::Value getSteps(mlir::Value quantized, mlir::Type type);
  /// Returns the stored integers of a quantized tensor as elements of type
  /// `type`.
  mlir::Value getStored(mlir::Value quantized, mlir::Type type,
                        llvm::StringRef suffix);
  /// Sets the steps of `result`, the integers of `source` with another zero
  /// point.
  void shiftZeroPoint(mlir::Value source, mlir::Value result);
  /// Returns steps of the stored integers `stored`.
  mlir::Value removeZeroPoint(mlir::Value stored, mlir::Value quantized);

  mlir::Value cast(mlir::Value value, mlir::Type elementType) {
    if (getElements(value) == elementType)
      return value;
    return CastOp::create(*this, getLoc(), value, elementType);
  }
  /// The same for numbers of f32 that are known to be in the type's range.
  mlir::Value castInRange(mlir::Value value, mlir::Type elementType);

  /// Returns a constant with one number for each scale of `quantization`, which
  /// broadcasts to data of rank `rank`.
  template <typename Fn>
  mlir::Value createNumbers(mlir::Type elementType,
                            const Quantization &quantization, int64_t rank,
                            llvm::StringRef suffix, Fn getNumber) {
    HostTensor numbers(mlir::RankedTensorType::get(
        quantization.getBroadcastShape(rank), elementType));
    for (size_t i = 0, e = quantization.scales.size(); i != e; ++i)
      numbers.setDouble(i, getNumber(i));
    return createConstant(*this, operation, suffix, numbers);
  }
  /// Adds a number to integers, which may be in f32. Numbers that were added
  /// before are part of it.
  mlir::Value addNumber(mlir::Value value, int64_t number,
                        llvm::StringRef suffix);
  /// Limits steps to the stored integers [low, high], in any element type.
  mlir::Value clampSteps(mlir::Value value, mlir::Value quantized, int64_t low,
                         int64_t high);
  /// Limits, rounds and converts steps in f32.
  mlir::Value roundSteps(mlir::Value value, mlir::Value quantized, int64_t low,
                         int64_t high, llvm::StringRef rounding);

  const bool inFloats, inBytes;
  const DotPlan dots;

private:
  mlir::Operation *operation = nullptr;
  /// Whether the function rounds integers without floats.
  bool inFixedPoint = false;
  /// The steps of each quantized value, and copies of other types. Only looked
  /// up, never iterated.
  llvm::DenseMap<mlir::Value, mlir::Value> steps;
  /// The zero points of tensors that are kept as bytes.
  llvm::DenseMap<mlir::Value, int64_t> zeroPoints;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Type>, mlir::Value> copies;
  /// Operands and numbers of the sums by addNumber.
  llvm::DenseMap<mlir::Value, std::pair<mlir::Value, int64_t>> added;
  /// Tensors that are kept only with another zero point, in fewer bits.
  llvm::DenseMap<mlir::Value, mlir::Value> shifted;
};

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_STEPBUILDER_H
