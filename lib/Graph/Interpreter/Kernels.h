//===- Kernels.h - Evaluation of single operators -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Private to the interpreter. Each operator has one implementation for elements
// of type T: double for all floats, int64_t or uint64_t for integers. Whole
// tensors are converted before and after, so that inner loops are simple.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_INTERPRETER_KERNELS_H
#define UMA_LIB_GRAPH_INTERPRETER_KERNELS_H

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/HostTensor.h"

#include <type_traits>
#include <vector>

namespace uma::graph::kernels {

using Operands = llvm::ArrayRef<HostTensor>;
using Result = mlir::FailureOr<HostTensor>;
using Results = mlir::FailureOr<llvm::SmallVector<HostTensor>>;

//===----------------------------------------------------------------------===//
// Operators, one overload each
//===----------------------------------------------------------------------===//

// MathOps.cpp
/// Evaluates any operator with the trait Elementwise.
Result runElementwise(mlir::Operation *op, Operands operands,
                      EmitErrorFn emitError);

// NNOps.cpp
Result run(DenseOp op, Operands operands, EmitErrorFn emitError);
Result run(BiasAddOp op, Operands operands, EmitErrorFn emitError);
Result run(BatchNormOp op, Operands operands, EmitErrorFn emitError);
Result run(SoftmaxOp op, Operands operands, EmitErrorFn emitError);

// ConvOps.cpp
Result run(Conv2dOp op, Operands operands, EmitErrorFn emitError);
Result run(Conv3dOp op, Operands operands, EmitErrorFn emitError);
Result run(Conv2dTransposeOp op, Operands operands, EmitErrorFn emitError);
Result run(Conv3dTransposeOp op, Operands operands, EmitErrorFn emitError);
Result run(DeformableConv2dOp op, Operands operands, EmitErrorFn emitError);
Result run(Col2ImOp op, Operands operands, EmitErrorFn emitError);

// QuantOps.cpp
Result run(QuantizeOp op, Operands operands, EmitErrorFn emitError);
Result run(DequantizeOp op, Operands operands, EmitErrorFn emitError);
/// Return the quotients of a quantize before they are rounded, and its result
/// for rounded ones.
HostTensor startQuantize(QuantizeOp op, const HostTensor &data);
HostTensor finishQuantize(QuantizeOp op, const HostTensor &rounded);
Result run(RequantizeOp op, Operands operands, EmitErrorFn emitError);
Result run(QuantizedAddOp op, Operands operands, EmitErrorFn emitError);
Result run(StorageCastOp op, Operands operands, EmitErrorFn emitError);
Result run(BitcastOp op, Operands operands, EmitErrorFn emitError);

// PoolOps.cpp
Result run(MaxPool2dOp op, Operands operands, EmitErrorFn emitError);
Result run(MaxPool3dOp op, Operands operands, EmitErrorFn emitError);
Result run(MaxPoolIndicesOp op, Operands operands, EmitErrorFn emitError);
Result run(AvgPool2dOp op, Operands operands, EmitErrorFn emitError);
Result run(AvgPool3dOp op, Operands operands, EmitErrorFn emitError);
Result run(LpPoolOp op, Operands operands, EmitErrorFn emitError);
Result run(GlobalAvgPool2dOp op, Operands operands, EmitErrorFn emitError);
Result run(GlobalMaxPool2dOp op, Operands operands, EmitErrorFn emitError);

// SignalOps.cpp
Result run(DFTOp op, Operands operands, EmitErrorFn emitError);

// RecurrentOps.cpp
Results runAll(LSTMOp op, Operands operands, EmitErrorFn emitError);
Results runAll(GRUOp op, Operands operands, EmitErrorFn emitError);
Results runAll(RNNOp op, Operands operands, EmitErrorFn emitError);

// MatrixOps.cpp
Result run(AttentionOp op, Operands operands, EmitErrorFn emitError);
Result run(BatchMatmulOp op, Operands operands, EmitErrorFn emitError);
Result run(EinsumOp op, Operands operands, EmitErrorFn emitError);
Result run(DetOp op, Operands operands, EmitErrorFn emitError);

// NormalizationOps.cpp
Result run(LogSoftmaxOp op, Operands operands, EmitErrorFn emitError);
Result run(LayerNormOp op, Operands operands, EmitErrorFn emitError);
Result run(RMSNormOp op, Operands operands, EmitErrorFn emitError);
Result run(GroupNormOp op, Operands operands, EmitErrorFn emitError);
Result run(LRNOp op, Operands operands, EmitErrorFn emitError);

// ReduceOps.cpp
Result run(SumOp op, Operands operands, EmitErrorFn emitError);
Result run(MeanOp op, Operands operands, EmitErrorFn emitError);
Result run(ProdOp op, Operands operands, EmitErrorFn emitError);
Result run(MaxOp op, Operands operands, EmitErrorFn emitError);
Result run(MinOp op, Operands operands, EmitErrorFn emitError);
Result run(ArgMaxOp op, Operands operands, EmitErrorFn emitError);
Result run(ArgMinOp op, Operands operands, EmitErrorFn emitError);
Result run(TopKOp op, Operands operands, EmitErrorFn emitError);
Result run(CumsumOp op, Operands operands, EmitErrorFn emitError);

// ShapeOps.cpp
Result run(ReshapeOp op, Operands operands, EmitErrorFn emitError);
Result run(BatchFlattenOp op, Operands operands, EmitErrorFn emitError);
Result run(TransposeOp op, Operands operands, EmitErrorFn emitError);
Result run(ConcatenateOp op, Operands operands, EmitErrorFn emitError);
Result run(PadOp op, Operands operands, EmitErrorFn emitError);

// ImageOps.cpp
Result run(InterpolateOp op, Operands operands, EmitErrorFn emitError);
Result run(GridSampleOp op, Operands operands, EmitErrorFn emitError);
Result run(RoiAlignOp op, Operands operands, EmitErrorFn emitError);
Result run(NonMaxSuppressionOp op, Operands operands, EmitErrorFn emitError);

// IndexOps.cpp
Result run(StridedSliceOp op, Operands operands, EmitErrorFn emitError);
Result run(BroadcastToOp op, Operands operands, EmitErrorFn emitError);
Result run(TriluOp op, Operands operands, EmitErrorFn emitError);
Result run(ReverseSequenceOp op, Operands operands, EmitErrorFn emitError);
Result run(TakeOp op, Operands operands, EmitErrorFn emitError);
Result run(GatherOp op, Operands operands, EmitErrorFn emitError);
Result run(GatherNDOp op, Operands operands, EmitErrorFn emitError);
Result run(ScatterElementsOp op, Operands operands, EmitErrorFn emitError);
Result run(ScatterNDOp op, Operands operands, EmitErrorFn emitError);
Result run(OneHotOp op, Operands operands, EmitErrorFn emitError);

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Calls `fn` with a zero of the type in which elements of `type` are computed.
template <typename Fn>
auto withComputeType(mlir::Type type, Fn fn) {
  if (mlir::isa<mlir::FloatType>(type))
    return fn(double());
  mlir::Type stored = getStorageElementType(type);
  if (stored.isUnsignedInteger() || stored.isInteger(1))
    return fn(uint64_t());
  return fn(int64_t());
}

template <typename T>
std::vector<T> load(const HostTensor &tensor) {
  std::vector<T> values(tensor.getNumElements());
  for (size_t i = 0, e = values.size(); i != e; ++i) {
    if constexpr (std::is_same_v<T, double>)
      values[i] = tensor.getDouble(i);
    else
      values[i] = static_cast<T>(tensor.getInt(i));
  }
  return values;
}

/// Loads the factors of products: quantized elements without their zero point.
template <typename T>
std::vector<T> loadFactors(const HostTensor &tensor) {
  std::vector<T> values = load<T>(tensor);
  if (!isQuantized(tensor.getElementType()))
    return values;
  Quantization quantization = Quantization::of(tensor.getElementType());
  int64_t inner = 1;
  if (quantization.axis)
    for (int64_t size : tensor.getShape().drop_front(*quantization.axis + 1))
      inner *= size;
  for (size_t i = 0, e = values.size(); i != e; ++i)
    values[i] -= static_cast<T>(
        quantization.zeroPoints[i / inner % quantization.zeroPoints.size()]);
  return values;
}

/// Returns a tensor of `values`, rounded (floats) or wrapped (integers) to the
/// element type.
template <typename T>
HostTensor store(mlir::RankedTensorType type, const std::vector<T> &values) {
  HostTensor tensor(type);
  for (size_t i = 0, e = values.size(); i != e; ++i) {
    if constexpr (std::is_same_v<T, double>)
      tensor.setDouble(i, values[i]);
    else
      tensor.setInt(i, static_cast<int64_t>(values[i]));
  }
  return tensor;
}

// Integers wrap; C++ defines this for unsigned types only.
template <typename T>
T add(T lhs, T rhs) {
  if constexpr (std::is_same_v<T, double>)
    return lhs + rhs;
  else
    return static_cast<T>(uint64_t(lhs) + uint64_t(rhs));
}
template <typename T>
T subtract(T lhs, T rhs) {
  if constexpr (std::is_same_v<T, double>)
    return lhs - rhs;
  else
    return static_cast<T>(uint64_t(lhs) - uint64_t(rhs));
}
template <typename T>
T multiply(T lhs, T rhs) {
  if constexpr (std::is_same_v<T, double>)
    return lhs * rhs;
  else
    return static_cast<T>(uint64_t(lhs) * uint64_t(rhs));
}
/// Integers round towards zero. An integer `rhs` must not be 0.
template <typename T>
T divide(T lhs, T rhs) {
  if constexpr (std::is_same_v<T, int64_t>)
    if (rhs == -1)
      return subtract<T>(0, lhs); // Avoids the overflow of INT64_MIN / -1.
  return lhs / rhs;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// Returns the row-major strides of `shape`, in elements.
inline llvm::SmallVector<int64_t> getStrides(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t d = int64_t(shape.size()) - 2; d >= 0; --d)
    strides[d] = strides[d + 1] * shape[d + 1];
  return strides;
}

/// Calls `fn(index)` for every index into `shape`, in row-major order.
template <typename Fn>
void forEachIndex(llvm::ArrayRef<int64_t> shape, Fn fn) {
  if (llvm::is_contained(shape, 0))
    return;
  llvm::SmallVector<int64_t> index(shape.size(), 0);
  while (true) {
    fn(llvm::ArrayRef<int64_t>(index));
    int64_t d = int64_t(shape.size()) - 1;
    while (d >= 0 && ++index[d] == shape[d])
      index[d--] = 0;
    if (d < 0)
      return;
  }
}

/// View of a shape around one axis: `outer` blocks of `size` rows of `inner`
/// elements.
struct AxisView {
  int64_t outer = 1, size = 1, inner = 1;

  AxisView(llvm::ArrayRef<int64_t> shape, int64_t axis) {
    if (axis < 0)
      axis += shape.size();
    for (auto [d, extent] : llvm::enumerate(shape))
      (int64_t(d) < axis ? outer : int64_t(d) > axis ? inner : size) *= extent;
  }
};

/// Returns the result type of an operator with one result.
template <typename OpT>
mlir::RankedTensorType getResultType(OpT op) {
  return mlir::cast<mlir::RankedTensorType>(op.getResult().getType());
}

} // namespace uma::graph::kernels

#endif // UMA_LIB_GRAPH_INTERPRETER_KERNELS_H
