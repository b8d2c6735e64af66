//===- Rows.h - Vectorised rows and columns -*- C++ -*---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Common code of operators along one axis. If the axis is the last one, vectors
// lie along it, and their lanes are combined at the end. Otherwise each lane
// holds an element of a separate column.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CPU_KERNELS_ROWS_H
#define UMA_LIB_CPU_KERNELS_ROWS_H

#include "ContractionKernel.h"

#include "uma/CPU/Kernels/Strategies.h"

namespace uma {

/// Combining function of a reduction. LargestNumber ignores NaN; Maximum and
/// Minimum propagate it.
enum class Combiner { Sum, Product, Maximum, Minimum, LargestNumber };

mlir::Value combine(LayerBuilder &builder, Combiner combiner, mlir::Value acc,
                    mlir::Value x);

/// Returns the value with which a combination of elements of `type`, f32 if it
/// is null, starts. Integers can only be added.
mlir::Value getStart(LayerBuilder &builder, Combiner combiner,
                     mlir::Type type = {});

/// A tensor viewed as [outer, size, inner] around an axis, or around several
/// adjacent ones.
struct AxisShape {
  int64_t outer = 1, size = 1, inner = 1;
  /// Extent of the dimension before the axis, a factor of `outer`: the rows of
  /// each matrix.
  int64_t lastOuter = 1;

  AxisShape() = default;
  AxisShape(llvm::ArrayRef<int64_t> shape, int64_t axis);
  /// Returns std::nullopt if the reduced dimensions are not adjacent.
  static std::optional<AxisShape> get(llvm::ArrayRef<int64_t> shape,
                                      llvm::ArrayRef<bool> isReduced);
  bool isRow() const { return inner == 1; }
  /// Returns whether there are enough elements for vectors.
  bool isLong() const;
};

/// Emits code for the elements of one row, for one instruction set.
class RowKernel {
public:
  /// Elements have `type`, or f32 if it is null.
  RowKernel(LayerBuilder &b, int64_t size, const ISA &target,
            mlir::Type type = {})
      : b(b), size(size), target(target), lanes(target.lanes),
        type(type ? type : b.builder.getF32Type()) {}

  const ISA &getTarget() const { return target; }

  using ElementFn = llvm::function_ref<mlir::Value(mlir::Value index)>;

  /// Emits `body` for the index of each element.
  void map(llvm::function_ref<void(mlir::Value index)> body) const;
  /// Emits the reduction of `element` over all indices. Uses several
  /// accumulators, so that sums are not in the order of the row.
  mlir::Value reduce(Combiner combiner, llvm::StringRef label,
                     ElementFn element) const {
    return reduce(combiner, label, 1, [&](mlir::Value, mlir::Value index) {
      return element(index);
    });
  }
  /// Emits the reduction over `rows` rows together.
  mlir::Value
  reduce(Combiner combiner, llvm::StringRef label, int64_t rows,
         llvm::function_ref<mlir::Value(mlir::Value row, mlir::Value index)>
             element) const;

private:
  /// Emits a loop over the lanes of a vector of `width`, whose elements have
  /// the indices from `first` on.
  void forLanes(
      int64_t width, mlir::AffineExpr first, mlir::ValueRange vars,
      llvm::function_ref<void(mlir::Value lane, mlir::Value index)> body) const;
  /// Returns start and width of the vectors after the last full one.
  llvm::SmallVector<std::pair<int64_t, int64_t>> getRest() const;
  mlir::Value getLanes(mlir::Value buffer, Combiner combiner,
                       int64_t width) const;

  LayerBuilder &b;
  int64_t size;
  ISA target;
  int64_t lanes;
  mlir::Type type;
};

/// Emits the reduction of `element` over `size` positions, inside of a loop
/// over lanes.
mlir::Value reduceColumn(LayerBuilder &builder, int64_t size, Combiner combiner,
                         llvm::StringRef label, RowKernel::ElementFn element,
                         mlir::Type type = {});

/// Builds a block per row, or per vector of columns, in a version for each
/// instruction set. `buffers` are [outer, size, inner] of `shape`, or [outer,
/// 1, inner] if reduced. The last one is written, the others are read.
struct AxisKernel {
  llvm::StringRef label;
  AxisShape shape;
  llvm::SmallVector<mlir::Value> buffers;
  /// Read buffers with indices other than those of the shape.
  llvm::SmallVector<mlir::Value> parameters = {};
  /// Type of the elements of rows; f32 if it is null.
  mlir::Type type = {};

  /// Receives the row.
  using RowFn =
      llvm::function_ref<void(const RowKernel &row, mlir::Value outer)>;
  /// Receives the row and, inside of a loop over lanes, the column.
  using ColumnFn =
      llvm::function_ref<void(mlir::Value outer, mlir::Value column)>;
  void build(LayerBuilder &builder, RowFn row, ColumnFn column) const;
};

/// Returns a view of a buffer with another shape of the same size.
mlir::Value reshapeBuffer(LayerBuilder &builder, mlir::Value buffer,
                          llvm::ArrayRef<int64_t> shape);

/// Returns whether all buffers have elements of `type` and are not empty.
bool areOfType(mlir::ValueRange buffers, mlir::Type type);
/// Returns whether all buffers are f32 and not empty.
bool areFloats(mlir::ValueRange buffers);

/// Adds a strategy that calls `lower`. If `lower` builds nothing and returns
/// false, the previous strategy is used.
template <typename OpT>
void addStrategy(StrategyRegistry &registry,
                 const std::function<bool(LayerBuilder &, OpT, mlir::ValueRange,
                                          mlir::ValueRange)> &lower) {
  Strategy::LowerFn plain = registry.lookup(OpT::getOperationName())->lower;
  registry.add(
      OpT::getOperationName(),
      {[lower, plain](LayerBuilder &b, mlir::Operation *op,
                      mlir::ValueRange inputs, mlir::ValueRange outputs) {
        if (lower(b, mlir::cast<OpT>(op), inputs, outputs))
          return mlir::success();
        return plain(b, op, inputs, outputs);
      }});
}

/// Adds a strategy as addStrategy does, for buffers of f32 only.
template <typename OpT>
void addVectorized(
    StrategyRegistry &registry,
    const std::function<bool(LayerBuilder &, OpT, mlir::ValueRange,
                             mlir::ValueRange)> &lower) {
  addStrategy<OpT>(registry,
                   [lower](LayerBuilder &b, OpT op, mlir::ValueRange inputs,
                           mlir::ValueRange outputs) {
                     return areFloats(inputs) && areFloats(outputs) &&
                            lower(b, op, inputs, outputs);
                   });
}

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_ROWS_H
