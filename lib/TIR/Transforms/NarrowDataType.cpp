//===- NarrowDataType.cpp - Narrow integer arithmetic to 32 bits ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Upstream's integer range analysis gives the range of each operand and result,
// including loop variables. (Upstream's patterns of -arith-int-range-narrowing
// narrow every operation or none, and drop the no-overflow flags, without which
// C must compute in unsigned types.)
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Transforms/Passes.h"

#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_NARROWDATATYPEPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(op);
}

/// Returns true if the operation is only equivalent in fewer bits for
/// non-negative values.
static bool isUnsigned(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compare.getPredicate() >= arith::CmpIPredicate::ult;
  return isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp, arith::MaxUIOp,
             arith::MinUIOp>(op);
}

static bool isCandidate(Operation *op, bool allIndices) {
  if (!isDivision(op) &&
      !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MaxSIOp,
           arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp, arith::CmpIOp>(op))
    return false;
  Type type = op->getOperand(0).getType();
  // Addresses are computed in the width of pointers at no cost, whereas the
  // cost of a division depends on its width.
  return type.isInteger(64) ||
         (type.isIndex() && (allIndices || isDivision(op)));
}

namespace {
struct NarrowDataTypePass
    : uma::tir::impl::NarrowDataTypePassBase<NarrowDataTypePass> {
  using NarrowDataTypePassBase::NarrowDataTypePassBase;

  /// Returns `value` truncated to 32 bits.
  Value narrow(Value value, OpBuilder &builder);
  void rewrite(Operation *op, OpBuilder &builder);
  void runOnOperation() override;

  /// Maps values of type i64 or index to their 32-bit versions.
  llvm::DenseMap<Value, Value> narrowed;
};
} // namespace

/// Returns true if all operands and results of the operation fit in 32 bits.
static bool fits(Operation *op, const DataFlowSolver &solver) {
  auto isNarrow = [&](Value value) {
    if (value.getType().isInteger(1))
      return true;
    const auto *lattice =
        solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
    if (!lattice || lattice->getValue().isUninitialized())
      return false;
    const ConstantIntRanges &range = lattice->getValue().getValue();
    return range.smin().getSignificantBits() <= 32 &&
           range.smax().getSignificantBits() <= 32 &&
           (!isUnsigned(op) || range.smin().isNonNegative());
  };
  return llvm::all_of(op->getOperands(), isNarrow) &&
         isNarrow(op->getResult(0));
}

Value NarrowDataTypePass::narrow(Value value, OpBuilder &builder) {
  Value &result = narrowed[value];
  if (result)
    return result;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(value);
  Location loc = value.getLoc();
  Type type = builder.getI32Type();
  Operation *def = value.getDefiningOp();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return result = arith::ConstantIntOp::create(builder, loc, type,
                                                 constant.getSExtValue());
  if (isa_and_nonnull<arith::ExtSIOp, arith::IndexCastOp>(def)) {
    Value source = def->getOperand(0);
    if (source.getType() == type)
      return result = source;
    if (source.getType().isInteger() &&
        source.getType().getIntOrFloatBitWidth() < 32)
      return result = arith::ExtSIOp::create(builder, loc, type, source);
  }
  if (value.getType().isIndex())
    return result = arith::IndexCastOp::create(builder, loc, type, value);
  return result = arith::TruncIOp::create(builder, loc, type, value);
}

void NarrowDataTypePass::rewrite(Operation *op, OpBuilder &builder) {
  builder.setInsertionPoint(op);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(narrow(operand, builder));
  builder.setInsertionPoint(op);
  Value old = op->getResult(0);
  bool isCompare = isa<arith::CmpIOp>(op);
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(isCompare ? old.getType() : builder.getI32Type());
  state.addAttributes(op->getAttrs());
  Operation *copy = builder.create(state);
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(copy))
    copy->setAttr(flags.getIntegerOverflowAttrName(),
                  arith::IntegerOverflowFlagsAttr::get(
                      op->getContext(), arith::IntegerOverflowFlags::nsw));
  Value result = copy->getResult(0);
  if (!isCompare) {
    Value wide;
    if (old.getType().isIndex())
      wide = arith::IndexCastOp::create(builder, op->getLoc(), old.getType(),
                                        result);
    else
      wide =
          arith::ExtSIOp::create(builder, op->getLoc(), old.getType(), result);
    narrowed[wide] = result;
    result = wide;
  }
  narrowed.erase(old);
  old.replaceAllUsesWith(result);
  op->erase();
  ++numNarrowed;
}

void NarrowDataTypePass::runOnOperation() {
  FuncOp func = getOperation();
  // Callers are not analysed: this is a function pass.
  DataFlowSolver solver(DataFlowConfig().setInterprocedural(false));
  solver.load<dataflow::DeadCodeAnalysis>();
  solver.load<dataflow::IntegerRangeAnalysis>();
  if (failed(solver.initializeAndRun(func))) {
    func.emitError("the ranges of its integers cannot be analysed");
    return signalPassFailure();
  }
  SmallVector<Operation *> operations;
  func.walk([&](Operation *op) {
    if (isCandidate(op, allIndices) && fits(op, solver))
      operations.push_back(op);
  });
  narrowed.clear();
  OpBuilder builder(func.getContext());
  for (Operation *op : operations)
    rewrite(op, builder);
  // Erase casts to 64 bits that only narrowed operations used.
  func.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isa<arith::ExtSIOp, arith::IndexCastOp, arith::ConstantOp>(op) &&
        op->use_empty())
      op->erase();
  });
}
