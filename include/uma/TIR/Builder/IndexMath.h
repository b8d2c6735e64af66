//===- IndexMath.h - Arithmetic on data-dependent indices -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TIR_BUILDER_INDEXMATH_H
#define UMA_TIR_BUILDER_INDEXMATH_H

#include "uma/TIR/Builder/LayerBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace uma {

/// Builds arithmetic on values of type index.
class IndexMath {
public:
  explicit IndexMath(LayerBuilder &b) : b(b) {}

  mlir::Value add(mlir::Value lhs, mlir::Value rhs) {
    return mlir::arith::AddIOp::create(b.builder, b.loc, lhs, rhs);
  }
  mlir::Value add(mlir::Value lhs, int64_t rhs) {
    return rhs == 0 ? lhs : add(lhs, b.index(rhs));
  }
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs) {
    return mlir::arith::SubIOp::create(b.builder, b.loc, lhs, rhs);
  }
  mlir::Value compare(mlir::arith::CmpIPredicate how, mlir::Value lhs,
                      mlir::Value rhs) {
    return mlir::arith::CmpIOp::create(b.builder, b.loc, how, lhs, rhs);
  }
  mlir::Value isNegative(mlir::Value value) {
    return compare(mlir::arith::CmpIPredicate::slt, value, b.index(0));
  }
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no) {
    return mlir::arith::SelectOp::create(b.builder, b.loc, condition, yes, no);
  }
  mlir::Value clamp(mlir::Value value, int64_t low, int64_t high) {
    value = mlir::arith::MaxSIOp::create(b.builder, b.loc, value, b.index(low));
    return mlir::arith::MinSIOp::create(b.builder, b.loc, value, b.index(high));
  }
  /// Returns `value` modulo `size`, in [0, size).
  mlir::Value wrap(mlir::Value value, int64_t size) {
    mlir::Value rest =
        mlir::arith::RemSIOp::create(b.builder, b.loc, value, b.index(size));
    return select(isNegative(rest), add(rest, size), rest);
  }
  /// Converts an integer element to an index.
  mlir::Value cast(mlir::Value element) {
    return mlir::arith::IndexCastOp::create(b.builder, b.loc,
                                            b.builder.getIndexType(), element);
  }
  /// Resolves an index read from data in a dimension of `size` elements:
  /// negative indices count from the end. Clamps first, so that the sum cannot
  /// overflow.
  mlir::Value resolve(mlir::Value element, int64_t size) {
    mlir::Value index = clamp(cast(element), -size, size - 1);
    return select(isNegative(index), add(index, size), index);
  }

private:
  LayerBuilder &b;
};

/// Builds loops over `result` around one block that computes its elements.
/// `element` takes the indices of an element and returns its value.
inline void
mapElements(LayerBuilder &b, llvm::StringRef label, mlir::Value result,
            llvm::ArrayRef<LayerBuilder::Access> reads,
            llvm::function_ref<mlir::Value(mlir::ValueRange)> element) {
  llvm::ArrayRef<int64_t> shape = getShape(result);
  llvm::SmallVector<LayerBuilder::Dim> dims;
  for (int64_t size : shape)
    dims.push_back({size});
  b.loops(shape, [&](mlir::ValueRange loopVars) {
    b.block(
        label, dims, loopVars, reads, {b.whole(result)},
        [&](mlir::ValueRange vars) { b.store(element(vars), result, vars); });
  });
}

} // namespace uma

#endif // UMA_TIR_BUILDER_INDEXMATH_H
