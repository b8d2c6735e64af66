//===- RecurrentMath.h - Functions of recurrent layers -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TIR_BUILDER_RECURRENTMATH_H
#define UMA_TIR_BUILDER_RECURRENTMATH_H

#include "uma/Graph/IR/Recurrent.h"
#include "uma/TIR/Builder/LayerBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace uma {

/// Shorthands that build arithmetic on floats of type `type`.
struct FloatMath {
  mlir::Value constant(double value) { return b.constant(type, value); }
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs) {
    return mlir::arith::SubFOp::create(b.builder, b.loc, lhs, rhs);
  }
  mlir::Value div(mlir::Value lhs, mlir::Value rhs) {
    return mlir::arith::DivFOp::create(b.builder, b.loc, lhs, rhs);
  }
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no) {
    return mlir::arith::SelectOp::create(b.builder, b.loc, condition, yes, no);
  }
  /// Builds alpha * x + beta.
  mlir::Value affine(double alpha, mlir::Value x, double beta);
  /// Clamps x to [low, high]; NaN stays NaN.
  mlir::Value clamp(mlir::Value x, double low, double high);
  /// Clamps x to [-limit, limit] if there is a limit.
  mlir::Value clip(mlir::Value x, std::optional<llvm::APFloat> limit);
  /// Applies `function` to `x`, which is clamped to [-limit, limit] first if
  /// `limit` is given.
  mlir::Value activate(const graph::RecurrentActivation &function,
                       mlir::Value x,
                       std::optional<llvm::APFloat> limit = std::nullopt);

  LayerBuilder &b;
  mlir::Type type;
};

} // namespace uma

#endif // UMA_TIR_BUILDER_RECURRENTMATH_H
