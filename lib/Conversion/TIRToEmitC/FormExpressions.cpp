//===- FormExpressions.cpp - Merge operations into C expressions -*- C++
//-*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Upstream's patterns merge every pure operation with one use into its user,
// and the printer writes only the parentheses that C needs. Compilers ask for
// more of them (`a << b + c`, `a && b || c`) under -Wall, so operations whose
// place in the user would be warned about keep a variable of their own.
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

static bool isLogical(Operation *op) {
  return isa<emitc::LogicalAndOp, emitc::LogicalOrOp, emitc::LogicalNotOp>(op);
}

/// True where the operation inside its user, without parentheses, makes
/// compilers warn.
static bool isWarnedAboutIn(Operation *op, Operation *user) {
  if (isBitwise(user))
    return isBitwise(op) || isArithmetic(op) || isa<emitc::CmpOp>(op) ||
           isLogical(op);
  if (isa<emitc::CmpOp, emitc::LogicalNotOp>(user))
    return isa<emitc::CmpOp>(op) || isBitwise(op) || isLogical(op);
  if (isLogical(user))
    return isLogical(op) || isBitwise(op);
  if (isArithmetic(user))
    return isBitwise(op);
  return false;
}

/// The number of operations that `op` would bring into an expression.
static unsigned getSize(Operation *op,
                        const llvm::DenseMap<Operation *, unsigned> &sizes) {
  unsigned size = 1;
  for (Value operand : op->getOperands())
    if (Operation *def = operand.getDefiningOp(); def && operand.hasOneUse())
      size += sizes.lookup(def);
  return size;
}

LogicalResult uma::formExpressions(emitc::FuncOp function) {
  // Nothing is left for C to compute that nobody uses: compilers warn about
  // unused variables. Users come after what they use, so go backwards.
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

  // Longer lines than this are hard to read.
  constexpr unsigned maxSize = 12;
  llvm::DenseMap<Operation *, unsigned> sizes;
  OpBuilder builder(function.getContext());
  for (Operation *op : candidates) {
    if (erased.contains(op) || !isa<emitc::CExpressionInterface>(op) ||
        op->getNumResults() != 1)
      continue;
    // The printer has no precedence for it.
    if (isa<emitc::AddressOfOp>(op))
      continue;
    Value result = op->getResult(0);
    unsigned size = getSize(op, sizes);
    // Without an expression of its own the operation keeps a variable.
    if (result.hasOneUse() &&
        (size > maxSize || isWarnedAboutIn(op, *result.getUsers().begin())))
      continue;
    sizes[emitc::createExpression(op, builder)] = size;
  }

  RewritePatternSet patterns(function.getContext());
  emitc::populateExpressionPatterns(patterns);
  return applyPatternsGreedily(function, std::move(patterns));
}
