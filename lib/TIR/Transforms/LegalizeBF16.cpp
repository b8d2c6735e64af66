//===- LegalizeBF16.cpp - Compute with f32 what is stored as bf16 ---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// An f32 has more than twice the digits of a bf16, so that a sum, product,
// quotient or root rounded to f32 first is the bf16 that one rounding gives.
// That is not so for integers, which upstream's
// -arith-emulate-unsupported-floats rounds twice, and which need f64.
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

/// `type` with other elements, if it has any.
static Type withElements(Type type, Type elements) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(elements)) : elements;
}

/// Returns true if the operation computes with bf16, which C cannot.
static bool computes(Operation *op) {
  if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
          op->getDialect()) ||
      isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp, arith::ExtFOp,
          arith::TruncFOp>(op))
    return false;
  return llvm::any_of(op->getOperandTypes(), isBF16) ||
         llvm::any_of(op->getResultTypes(), isBF16);
}

/// Returns the float that every value of the operand of a cast from integers
/// fits.
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
