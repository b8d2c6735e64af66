//===- LegalizeBF16.cpp - Compute bf16 arithmetic in f32 ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// An f32 has more than twice as many significant bits as a bf16, so rounding a
// sum, product, quotient or root to f32 first and then to bf16 equals rounding
// once. That does not hold for integers: upstream's
// -arith-emulate-unsupported-floats rounds them twice, so they are converted
// through f64.
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_LEGALIZEBF16PASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

static bool isBF16(Type type) { return getElementTypeOrSelf(type).isBF16(); }

/// Returns `type` with its element type, or itself if scalar, replaced by
/// `elements`.
static Type withElements(Type type, Type elements) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(elements)) : elements;
}

/// Returns true if the operation computes in bf16, which C cannot.
static bool computes(Operation *op) {
  if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
          op->getDialect()) ||
      isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp, arith::ExtFOp,
          arith::TruncFOp>(op))
    return false;
  return llvm::any_of(op->getOperandTypes(), isBF16) ||
         llvm::any_of(op->getResultTypes(), isBF16);
}

/// Returns the float type in which `op` computes: f64 for conversions from wide
/// integers, so that they are exact, otherwise f32.
static Type getWideType(Operation *op, OpBuilder &builder) {
  if (!isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return builder.getF32Type();
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  return from.getIntOrFloatBitWidth() <= 16 ? Type(builder.getF32Type())
                                            : Type(builder.getF64Type());
}

static void legalize(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Type wide = getWideType(op, builder);
  OperationState state(loc, op->getName());
  for (Value operand : op->getOperands()) {
    if (isBF16(operand.getType()))
      operand = arith::ExtFOp::create(
          builder, loc, withElements(operand.getType(), wide), operand);
    state.addOperands(operand);
  }
  for (Type type : op->getResultTypes())
    state.addTypes(isBF16(type) ? withElements(type, wide) : type);
  state.addAttributes(op->getAttrs());
  Operation *copy = builder.create(state);
  for (auto [from, to] : llvm::zip(op->getResults(), copy->getResults())) {
    Value result = to;
    if (isBF16(from.getType()))
      result = arith::TruncFOp::create(builder, loc, from.getType(), result);
    from.replaceAllUsesWith(result);
  }
  op->erase();
}

namespace {
struct LegalizeBF16Pass
    : uma::tir::impl::LegalizeBF16PassBase<LegalizeBF16Pass> {
  void runOnOperation() override {
    SmallVector<Operation *> operations;
    getOperation()->walk([&](Operation *op) {
      if (computes(op))
        operations.push_back(op);
    });
    for (Operation *op : operations)
      legalize(op);
    numLegalized += operations.size();
  }
};
} // namespace
