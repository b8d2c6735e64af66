//===- FormExpressions.cpp - Merge operations into C expressions ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Upstream's patterns merge every pure operation with one use into its user,
// and the printer emits only the parentheses that C requires. Under -Wall,
// compilers demand more of them (`a << b + c`, `a && b
// c`), so operations that would cause such a warning keep a separate variable.
//
//===----------------------------------------------------------------------===//

#include "FunctionConverter.h"

#include "mlir/Dialect/EmitC/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace uma;

static bool isBitwise(Operation *op) {
  return isa<emitc::BitwiseAndOp, emitc::BitwiseOrOp, emitc::BitwiseXorOp,
             emitc::BitwiseLeftShiftOp, emitc::BitwiseRightShiftOp>(op);
}

static bool isArithmetic(Operation *op) {
  return isa<emitc::AddOp, emitc::SubOp, emitc::MulOp, emitc::DivOp,
             emitc::RemOp>(op);
}

static bool isAndOr(Operation *op) {
  return isa<emitc::LogicalAndOp, emitc::LogicalOrOp>(op);
}

/// Returns true if merging the operation into its user causes a warning: it
/// binds more tightly, so that the printer emits no parentheses, but the
/// precedence is not obvious.
static bool isWarnedAboutIn(Operation *op, Operation *user) {
  if (isBitwise(user))
    return isBitwise(op) || isArithmetic(op) || isa<emitc::CmpOp>(op);
  if (isa<emitc::CmpOp>(user))
    return isa<emitc::CmpOp>(op);
  return isAndOr(user) && isAndOr(op);
}

/// Returns the number of operations that merging `op` adds to an expression.
static unsigned getSize(Operation *op,
                        const llvm::DenseMap<Operation *, unsigned> &sizes) {
  unsigned size = 1;
  for (Value operand : op->getOperands())
    if (Operation *def = operand.getDefiningOp(); def && operand.hasOneUse())
      size += sizes.lookup(def);
  return size;
}

/// Merges equal operands of an expression. Upstream creates one operand per
/// use, and the printed form names block arguments after operands, so that a
/// value used twice would not parse.
static void mergeOperands(emitc::ExpressionOp expression) {
  Block &body = expression.getRegion().front();
  for (unsigned i = 0; i < expression->getNumOperands(); ++i) {
    for (unsigned j = expression->getNumOperands() - 1; j > i; --j) {
      if (expression->getOperand(i) != expression->getOperand(j))
        continue;
      body.getArgument(j).replaceAllUsesWith(body.getArgument(i));
      body.eraseArgument(j);
      expression->eraseOperand(j);
    }
  }
}

LogicalResult uma::formExpressions(emitc::FuncOp function) {
  // Erase unused operations, since compilers warn about unused variables. Go
  // backwards: users come after their operands.
  SmallVector<Operation *> candidates;
  function.walk([&](Operation *op) { candidates.push_back(op); });
  llvm::DenseSet<Operation *> erased;
  for (Operation *op : llvm::reverse(candidates)) {
    auto expression = dyn_cast<emitc::CExpressionInterface>(op);
    if (op->use_empty() &&
        (isa<emitc::LiteralOp, emitc::GetGlobalOp, emitc::SubscriptOp>(op) ||
         (expression &&
          (!expression.hasSideEffects() || isa<emitc::LoadOp>(op))))) {
      erased.insert(op);
      op->erase();
    }
  }

  // Limits the length of lines.
  constexpr unsigned maxSize = 12;
  llvm::DenseMap<Operation *, unsigned> sizes;
  OpBuilder builder(function.getContext());
  for (Operation *op : candidates) {
    if (erased.contains(op) || !isa<emitc::CExpressionInterface>(op) ||
        op->getNumResults() != 1)
      continue;
    // The printer has no precedence for this operation.
    if (isa<emitc::AddressOfOp>(op))
      continue;
    Value result = op->getResult(0);
    unsigned size = getSize(op, sizes);
    // An operation that is not merged keeps a variable.
    if (result.hasOneUse() &&
        (size > maxSize || isWarnedAboutIn(op, *result.getUsers().begin())))
      continue;
    emitc::ExpressionOp expression = emitc::createExpression(op, builder);
    mergeOperands(expression);
    sizes[expression] = size;
  }

  RewritePatternSet patterns(function.getContext());
  emitc::populateExpressionPatterns(patterns);
  return applyPatternsGreedily(function, std::move(patterns));
}
