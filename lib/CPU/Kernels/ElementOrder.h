//===- ElementOrder.h - Order of elements for selections -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Common code of operators that select elements by their size. NaN precedes all
// numbers, as in NumPy.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CPU_KERNELS_ELEMENTORDER_H
#define UMA_LIB_CPU_KERNELS_ELEMENTORDER_H

#include "uma/TIR/Builder/LayerBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace uma {

/// Emits comparisons of elements, without regard to their positions.
struct ElementOrder {
  LayerBuilder &b;
  /// Whether larger elements precede smaller ones.
  bool isMax = true;

  mlir::Value compare(mlir::arith::CmpFPredicate how, mlir::Value lhs,
                      mlir::Value rhs) const {
    return mlir::arith::CmpFOp::create(b.builder, b.loc, how, lhs, rhs);
  }
  mlir::Value both(mlir::Value lhs, mlir::Value rhs) const {
    return mlir::arith::AndIOp::create(b.builder, b.loc, lhs, rhs);
  }
  mlir::Value either(mlir::Value lhs, mlir::Value rhs) const {
    return mlir::arith::OrIOp::create(b.builder, b.loc, lhs, rhs);
  }
  mlir::Value select(mlir::Value condition, mlir::Value yes,
                     mlir::Value no) const {
    return mlir::arith::SelectOp::create(b.builder, b.loc, condition, yes, no);
  }
  /// Returns an index as an integer of 32 bits.
  mlir::Value toInteger(mlir::Value index) const {
    return mlir::arith::IndexCastOp::create(b.builder, b.loc,
                                            b.builder.getI32Type(), index);
  }
  /// Returns whether `x` precedes `y`.
  mlir::Value precedes(mlir::Value x, mlir::Value y) const {
    mlir::Value isBetter = isMax ? b.lessThan(y, x) : b.lessThan(x, y);
    mlir::Value isNaN = compare(mlir::arith::CmpFPredicate::UNE, x, x);
    mlir::Value isNumber = compare(mlir::arith::CmpFPredicate::OEQ, y, y);
    return either(isBetter, both(isNaN, isNumber));
  }
  /// Returns whether neither element precedes the other one.
  mlir::Value isEqual(mlir::Value x, mlir::Value y) const {
    mlir::Value xIsNaN = compare(mlir::arith::CmpFPredicate::UNE, x, x);
    mlir::Value yIsNaN = compare(mlir::arith::CmpFPredicate::UNE, y, y);
    return either(compare(mlir::arith::CmpFPredicate::OEQ, x, y),
                  both(xIsNaN, yIsNaN));
  }
};

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_ELEMENTORDER_H
