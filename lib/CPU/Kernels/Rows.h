//===- Rows.h - Rows and columns as vectors -*- C++ -*---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What operators along one axis have in common. Where the axis is the last one,
// vectors lie along it and their lanes are added up at the end; else vectors
// hold the elements of several columns, each of which is by itself.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CPU_KERNELS_ROWS_H
#define UMA_LIB_CPU_KERNELS_ROWS_H

#include "ContractionKernel.h"

#include "uma/CPU/Kernels/Strategies.h"

namespace uma {

/// How a reduction combines elements. The largest of numbers does without those
/// that are NaN; a maximum is NaN if one of them is.
enum class Combiner { Sum, Product, Maximum, Minimum, LargestNumber };

mlir::Value combine(LayerBuilder &builder, Combiner combiner, mlir::Value acc,
                    mlir::Value x);

/// A tensor as [outer, size, inner] around an axis, or around several that lie
/// next to each other.
struct AxisShape {
  int64_t outer = 1, size = 1, inner = 1;

  AxisShape() = default;
  AxisShape(llvm::ArrayRef<int64_t> shape, int64_t axis);
  /// Nothing if the dimensions in `isReduced` are apart from each other.
  static std::optional<AxisShape> get(llvm::ArrayRef<int64_t> shape,
                                      llvm::ArrayRef<bool> isReduced);
  bool isRow() const { return inner == 1; }
  /// Returns whether vectors pay.
  bool isLong() const;
};

/// Builds what is done with the elements of one row on a SIMD target.
class RowKernel {
public:
  RowKernel(LayerBuilder &b, int64_t size, const ISA &target)
      : b(b), size(size), target(target), lanes(target.lanes) {}

  const ISA &getTarget() const { return target; }

  using ElementFn = llvm::function_ref<mlir::Value(mlir::Value index)>;

  /// Calls `body` with the index of each element.
  void map(llvm::function_ref<void(mlir::Value index)> body) const;
  /// Combines `element` of each index. Sums are of several at a time, and so in
  /// another order than the row's.
  mlir::Value reduce(Combiner combiner, llvm::StringRef label,
                     ElementFn element) const;

private:
  /// A loop over the lanes of a vector of `width`, for index `first` and those
  /// behind it.
  void forLanes(
      int64_t width, mlir::AffineExpr first, mlir::ValueRange vars,
      llvm::function_ref<void(mlir::Value lane, mlir::Value index)> body) const;
  /// Returns the start and the width of what full vectors leave at the end.
  llvm::SmallVector<std::pair<int64_t, int64_t>> getRest() const;
  mlir::Value getLanes(mlir::Value buffer, Combiner combiner,
                       int64_t width) const;

  LayerBuilder &b;
  int64_t size;
  ISA target;
  int64_t lanes;
};

/// Reduces `element` of `size` positions, inside a loop over lanes.
mlir::Value reduceColumn(LayerBuilder &builder, int64_t size, Combiner combiner,
                         llvm::StringRef label, RowKernel::ElementFn element);

/// Builds a block per row, or per vector of columns, in a version for each SIMD
/// target. `buffers` are [outer, size, inner] of `shape`; what is reduced has
/// the size 1 instead. The last one is written, the others are read.
struct AxisKernel {
  llvm::StringRef label;
  AxisShape shape;
  llvm::SmallVector<mlir::Value> buffers;
  /// Buffers that are read by other indices than those of the shape.
  llvm::SmallVector<mlir::Value> parameters = {};

  /// Gets the row.
  using RowFn =
      llvm::function_ref<void(const RowKernel &row, mlir::Value outer)>;
  /// Gets the row and, inside a loop over lanes, the column.
  using ColumnFn =
      llvm::function_ref<void(mlir::Value outer, mlir::Value column)>;
  void build(LayerBuilder &builder, RowFn row, ColumnFn column) const;
};

/// Returns a buffer, seen with another shape of as many elements.
mlir::Value reshapeBuffer(LayerBuilder &builder, mlir::Value buffer,
                          llvm::ArrayRef<int64_t> shape);

/// True for buffers of f32 only.
bool areFloats(mlir::ValueRange buffers);

/// Adds a strategy which builds nothing and returns false if the one that was
/// there before has to do.
template <typename OpT>
void addVectorized(
    StrategyRegistry &registry,
    const std::function<bool(LayerBuilder &, OpT, mlir::ValueRange,
                             mlir::ValueRange)> &lower) {
  Strategy::LowerFn plain = registry.lookup(OpT::getOperationName())->lower;
  registry.add(
      OpT::getOperationName(),
      {[lower, plain](LayerBuilder &b, mlir::Operation *op,
                      mlir::ValueRange inputs, mlir::ValueRange outputs) {
        if (areFloats(inputs) && areFloats(outputs) &&
            lower(b, mlir::cast<OpT>(op), inputs, outputs))
          return mlir::success();
        return plain(b, op, inputs, outputs);
      }});
}

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_ROWS_H
