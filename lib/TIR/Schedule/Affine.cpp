//===- Affine.cpp - Index arithmetic as affine expressions ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Converts the `arith` operations of TIR's index arithmetic to affine
// expressions, which the primitives analyse, and back.
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Schedule/Analysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;
using namespace uma::tir::schedule;

SmallVector<ForOp> schedule::getLoopsAround(Operation *op) {
  SmallVector<ForOp> loops;
  for (auto loop = op->getParentOfType<ForOp>(); loop;
       loop = loop->getParentOfType<ForOp>())
    loops.push_back(loop);
  return SmallVector<ForOp>(llvm::reverse(loops));
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

std::optional<IndexRange> schedule::getRange(ForOp loop) {
  std::optional<int64_t> extent = loop.getExtent();
  if (!extent || *extent < 1)
    return std::nullopt;
  return IndexRange{static_cast<int64_t>(loop.getStaticLower()),
                    static_cast<int64_t>(loop.getStaticUpper()) - 1};
}

std::optional<IndexRange>
schedule::getRange(AffineExpr expression,
                   ArrayRef<std::optional<IndexRange>> dims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return IndexRange{constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return dims[dim.getPosition()];
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary)
    return std::nullopt;
  std::optional<IndexRange> lhs = getRange(binary.getLHS(), dims);
  std::optional<IndexRange> rhs = getRange(binary.getRHS(), dims);
  if (!lhs || !rhs)
    return std::nullopt;
  if (binary.getKind() == AffineExprKind::Add) {
    IndexRange sum;
    if (llvm::AddOverflow(lhs->low, rhs->low, sum.low) ||
        llvm::AddOverflow(lhs->high, rhs->high, sum.high))
      return std::nullopt;
    return sum;
  }
  // The right-hand side of the other kinds is a constant.
  int64_t factor = rhs->low;
  if (binary.getKind() == AffineExprKind::Mul) {
    IndexRange product;
    if (llvm::MulOverflow(lhs->low, factor, product.low) ||
        llvm::MulOverflow(lhs->high, factor, product.high))
      return std::nullopt;
    if (factor < 0)
      std::swap(product.low, product.high);
    return product;
  }
  if (factor < 1)
    return std::nullopt;
  if (binary.getKind() == AffineExprKind::FloorDiv)
    return IndexRange{llvm::divideFloorSigned(lhs->low, factor),
                      llvm::divideFloorSigned(lhs->high, factor)};
  if (binary.getKind() == AffineExprKind::CeilDiv)
    return IndexRange{llvm::divideCeilSigned(lhs->low, factor),
                      llvm::divideCeilSigned(lhs->high, factor)};
  if (llvm::divideFloorSigned(lhs->low, factor) ==
      llvm::divideFloorSigned(lhs->high, factor))
    return IndexRange{llvm::mod(lhs->low, factor),
                      llvm::mod(lhs->high, factor)};
  return IndexRange{0, factor - 1};
}

std::optional<IndexRange> schedule::getRange(AffineExpr expression,
                                             ArrayRef<ForOp> loops) {
  SmallVector<std::optional<IndexRange>> dims;
  for (ForOp loop : loops)
    dims.push_back(getRange(loop));
  return getRange(expression, dims);
}

//===----------------------------------------------------------------------===//
// Conversion from operations
//===----------------------------------------------------------------------===//

AffineExpr schedule::toAffine(Value value, ValueRange dims,
                              ArrayRef<std::optional<IndexRange>> ranges) {
  MLIRContext *context = value.getContext();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 64)
    return getAffineConstantExpr(constant.getSExtValue(), context);
  for (auto [position, dim] : llvm::enumerate(dims))
    if (dim == value)
      return getAffineDimExpr(position, context);
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp,
                       arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp,
                       arith::RemSIOp, arith::RemUIOp>(op))
    return nullptr;
  AffineExpr lhs = toAffine(op->getOperand(0), dims, ranges);
  AffineExpr rhs = lhs ? toAffine(op->getOperand(1), dims, ranges) : nullptr;
  if (!rhs)
    return nullptr;
  if (isa<arith::AddIOp>(op))
    return lhs + rhs;
  if (isa<arith::SubIOp>(op))
    return lhs - rhs;
  if (isa<arith::MulIOp>(op))
    return lhs.isSymbolicOrConstant() || rhs.isSymbolicOrConstant() ? lhs * rhs
                                                                    : nullptr;
  auto divisor = dyn_cast<AffineConstantExpr>(rhs);
  if (!divisor || divisor.getValue() < 1)
    return nullptr;
  // The other divisions round towards 0 or treat negative numbers as large.
  if (!isa<arith::FloorDivSIOp>(op)) {
    std::optional<IndexRange> range = getRange(lhs, ranges);
    if (!range || range->low < 0)
      return nullptr;
  }
  return isa<arith::RemSIOp, arith::RemUIOp>(op) ? lhs % divisor.getValue()
                                                 : lhs.floorDiv(rhs);
}

AffineExpr schedule::toAffine(Value value, ArrayRef<ForOp> loops) {
  SmallVector<Value> dims;
  SmallVector<std::optional<IndexRange>> ranges;
  for (ForOp loop : loops) {
    dims.push_back(loop.getInductionVar());
    ranges.push_back(getRange(loop));
  }
  return toAffine(value, dims, ranges);
}

AffineExpr schedule::toAffine(Value index, const Statement &statement) {
  auto block = cast<BlockOp>(statement.op);
  Region &region = block.getInit().isAncestor(index.getParentRegion())
                       ? block.getInit()
                       : block.getBody();
  SmallVector<std::optional<IndexRange>> ranges;
  for (int64_t extent : block.getExtents())
    ranges.push_back(IndexRange{0, extent - 1});
  SmallVector<Value> dims(region.getArguments());
  AffineExpr expression = toAffine(index, dims, ranges);
  if (!expression || llvm::is_contained(statement.bindings, AffineExpr()))
    return nullptr;
  return expression.replaceDims(statement.bindings);
}

bool schedule::addConditions(Value value, ArrayRef<ForOp> loops,
                             SmallVectorImpl<AffineExpr> &conditions) {
  if (auto both = value.getDefiningOp<arith::AndIOp>()) {
    bool lhs = addConditions(both.getLhs(), loops, conditions);
    bool rhs = addConditions(both.getRhs(), loops, conditions);
    return lhs && rhs;
  }
  auto compare = value.getDefiningOp<arith::CmpIOp>();
  AffineExpr lhs = compare ? toAffine(compare.getLhs(), loops) : nullptr;
  AffineExpr rhs = lhs ? toAffine(compare.getRhs(), loops) : nullptr;
  if (!rhs)
    return false;
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::slt:
    conditions.push_back(rhs - lhs - 1);
    return true;
  case arith::CmpIPredicate::sle:
    conditions.push_back(rhs - lhs);
    return true;
  case arith::CmpIPredicate::sgt:
    conditions.push_back(lhs - rhs - 1);
    return true;
  case arith::CmpIPredicate::sge:
    conditions.push_back(lhs - rhs);
    return true;
  case arith::CmpIPredicate::eq:
    conditions.push_back(lhs - rhs);
    conditions.push_back(rhs - lhs);
    return true;
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Conversion to operations
//===----------------------------------------------------------------------===//

Value schedule::makeIndex(OpBuilder &builder, Location loc, int64_t value) {
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto func = dyn_cast<FuncOp>(parent);
  if (!func)
    func = parent->getParentOfType<FuncOp>();
  Block &entry = func.getBody().front();
  Operation *point = &entry.front();
  for (Operation &op : entry) {
    point = &op;
    auto constant = dyn_cast<arith::ConstantOp>(op);
    if (!constant)
      break;
    if (constant.getValue() == builder.getIndexAttr(value))
      return constant;
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(point);
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value schedule::makeValue(OpBuilder &builder, Location loc,
                          AffineExpr expression, ValueRange dims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return makeIndex(builder, loc, constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return dims[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  Value lhs = makeValue(builder, loc, binary.getLHS(), dims);
  Value rhs = makeValue(builder, loc, binary.getRHS(), dims);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return builder.createOrFold<arith::AddIOp>(loc, lhs, rhs);
  case AffineExprKind::Mul:
    return builder.createOrFold<arith::MulIOp>(loc, lhs, rhs);
  case AffineExprKind::FloorDiv:
    return builder.createOrFold<arith::FloorDivSIOp>(loc, lhs, rhs);
  case AffineExprKind::CeilDiv:
    return builder.createOrFold<arith::CeilDivSIOp>(loc, lhs, rhs);
  default: {
    Value quotient = builder.createOrFold<arith::FloorDivSIOp>(loc, lhs, rhs);
    Value multiple = builder.createOrFold<arith::MulIOp>(loc, quotient, rhs);
    return builder.createOrFold<arith::SubIOp>(loc, lhs, multiple);
  }
  }
}

Value schedule::makeAnd(OpBuilder &builder, Location loc, Value lhs,
                        Value rhs) {
  return lhs ? arith::AndIOp::create(builder, loc, lhs, rhs).getResult() : rhs;
}
