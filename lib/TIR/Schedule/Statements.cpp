//===- Statements.cpp - Statements and their accesses ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The regions that a block lists are not trusted: other accesses in its body,
// and those of operations outside of blocks, are collected as well.
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Schedule/Analysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;
using namespace uma::tir::schedule;

Value schedule::getBase(Value buffer) {
  if (!buffer)
    return buffer;
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

bool schedule::mayAlias(Value lhs, Value rhs) {
  if (lhs == rhs)
    return true;
  if (!lhs || !rhs)
    return false;
  auto lhsGlobal = lhs.getDefiningOp<memref::GetGlobalOp>();
  auto rhsGlobal = rhs.getDefiningOp<memref::GetGlobalOp>();
  if (lhsGlobal && rhsGlobal)
    return lhsGlobal.getName() == rhsGlobal.getName();
  // Arguments do not overlap, as `restrict` promises in C.
  auto isKnown = [](Value buffer) {
    Operation *op = buffer.getDefiningOp();
    return op ? isa<AllocOp, memref::GetGlobalOp>(op)
              : isa<FuncOp>(buffer.getParentBlock()->getParentOp());
  };
  return !isKnown(lhs) || !isKnown(rhs);
}

/// Adds the accesses of `op`: loads and stores with their indices; other users
/// of a buffer may access all of it.
static void addAccesses(Operation *op, ArrayRef<ForOp> loops,
                        SmallVectorImpl<Access> &accesses) {
  auto addElement = [&](Value buffer, ValueRange indices, bool isWrite) {
    Access access{buffer, isWrite, SmallVector<AffineExpr>(), {}};
    for (Value index : indices) {
      AffineExpr expression = toAffine(index, loops);
      if (!expression) {
        access.first = std::nullopt;
        break;
      }
      access.first->push_back(expression);
      access.extents.push_back(1);
    }
    accesses.push_back(std::move(access));
  };
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return addElement(load.getMemRef(), load.getIndices(), /*isWrite=*/false);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return addElement(store.getMemRef(), store.getIndices(), /*isWrite=*/true);
  if (isa<ViewLikeOpInterface, AllocOp>(op))
    return;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  // Calls, and operations with unknown effects, may change the state of a
  // device.
  if (isa<CallExternOp>(op) ||
      (!effects && !isPure(op) && op->getNumRegions() == 0))
    accesses.push_back({Value(), /*isWrite=*/true, std::nullopt, {}});
  for (Value operand : op->getOperands())
    if (isa<MemRefType>(operand.getType())) {
      if (!effects || effects.getEffectOnValue<MemoryEffects::Read>(operand))
        accesses.push_back({operand, /*isWrite=*/false, std::nullopt, {}});
      if (!effects || effects.getEffectOnValue<MemoryEffects::Write>(operand))
        accesses.push_back({operand, /*isWrite=*/true, std::nullopt, {}});
    }
}

static void addBlockAccesses(BlockOp block, Statement &statement) {
  // Regions are affine only if all bindings are.
  bool isAffine = llvm::all_of(
      statement.bindings, [](AffineExpr binding) { return bool(binding); });
  auto addRegion = [&](const BufferRegion &region, bool isWrite) {
    Access access{region.buffer, isWrite, std::nullopt, region.extents};
    if (isAffine) {
      access.first.emplace();
      for (AffineExpr first : region.first.getResults())
        access.first->push_back(first.replaceDims(statement.bindings));
    }
    statement.accesses.push_back(std::move(access));
  };
  for (const BufferRegion &region : block.getReadRegions())
    addRegion(region, /*isWrite=*/false);
  for (const BufferRegion &region : block.getWriteRegions())
    addRegion(region, /*isWrite=*/true);

  SmallVector<Access> inside;
  block->walk([&](Operation *op) {
    if (op != block && !isa<BlockOp>(op))
      addAccesses(op, {}, inside);
  });
  for (const Access &access : inside) {
    Operation *alloc =
        access.buffer ? getBase(access.buffer).getDefiningOp() : nullptr;
    if (alloc && block->isAncestor(alloc))
      continue;
    // The accumulator of a reduction need not be listed as read.
    bool isListed = llvm::any_of(block.getWrites(), [&](Value buffer) {
      return buffer == access.buffer;
    });
    isListed |=
        !access.isWrite && llvm::is_contained(block.getReads(), access.buffer);
    if (!isListed)
      statement.accesses.push_back(
          {access.buffer, access.isWrite, std::nullopt, {}});
  }
}

Statement schedule::getStatement(Operation *op) {
  Statement statement;
  statement.op = op;
  statement.loops = getLoopsAround(op);
  auto block = dyn_cast<BlockOp>(op);
  if (!block) {
    addAccesses(op, statement.loops, statement.accesses);
    return statement;
  }
  for (const IterVar &variable : block.getIterVars()) {
    AffineExpr binding = toAffine(variable.binding, statement.loops);
    statement.bindings.push_back(binding);
    // A block only runs for values in its domain.
    if (binding) {
      statement.conditions.push_back(binding);
      statement.conditions.push_back(variable.extent - 1 - binding);
    }
  }
  if (Value predicate = block.getPredicate())
    addConditions(predicate, statement.loops, statement.conditions);
  addBlockAccesses(block, statement);
  return statement;
}

std::vector<Statement> schedule::getStatements(Operation *root) {
  std::vector<Statement> statements;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<BlockOp>(op)) {
      statements.push_back(getStatement(op));
      return WalkResult::skip();
    }
    if (op->getNumRegions() == 0 && !isMemoryEffectFree(op) &&
        !isa<AllocOp>(op))
      statements.push_back(getStatement(op));
    return WalkResult::advance();
  });
  return statements;
}

//===----------------------------------------------------------------------===//
// Properties of blocks
//===----------------------------------------------------------------------===//

static bool isCommutative(Operation *op) {
  return isa<arith::AddFOp, arith::AddIOp, arith::MulFOp, arith::MulIOp,
             arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp,
             arith::MinNumFOp, arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp,
             arith::MinUIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op);
}

bool schedule::isCommutativeReduction(BlockOp block) {
  memref::StoreOp store;
  for (Operation &op : block.getBody().front()) {
    if (auto next = dyn_cast<memref::StoreOp>(op)) {
      if (store)
        return false;
      store = next;
    } else if (!isa<memref::LoadOp, YieldOp>(op) && !isPure(&op)) {
      return false;
    }
  }
  Operation *update = store ? store.getValue().getDefiningOp() : nullptr;
  if (!update || !isCommutative(update) ||
      update->getBlock() != store->getBlock())
    return false;
  unsigned found = 0;
  for (Operation &op : block.getBody().front()) {
    auto load = dyn_cast<memref::LoadOp>(op);
    if (!load ||
        !mayAlias(getBase(load.getMemRef()), getBase(store.getMemRef())))
      continue;
    // The loaded element must only be used by the update.
    if (load.getMemRef() != store.getMemRef() ||
        load.getIndices() != store.getIndices() || !load->hasOneUse() ||
        *load->user_begin() != update)
      return false;
    ++found;
  }
  return found == 1;
}

bool schedule::isReduceLoop(const Statement &statement, ForOp loop) {
  auto block = dyn_cast<BlockOp>(statement.op);
  const auto *position = llvm::find(statement.loops, loop);
  if (!block || position == statement.loops.end())
    return false;
  unsigned dim = position - statement.loops.begin();
  for (auto [index, binding] : llvm::enumerate(statement.bindings))
    if (block.getIterKind(index) == IterKind::Reduce &&
        (!binding || binding.isFunctionOfDim(dim)))
      return true;
  return false;
}

bool schedule::isIndependent(Operation *op, Operation *other) {
  std::vector<Statement> statements = getStatements(op);
  for (const Statement &theirs : getStatements(other))
    for (const Access &access : theirs.accesses)
      for (const Statement &ours : statements)
        for (const Access &own : ours.accesses)
          if ((access.isWrite || own.isWrite) &&
              mayAlias(getBase(access.buffer), getBase(own.buffer)))
            return false;
  return true;
}

std::string schedule::describe(Operation *op) {
  if (auto block = dyn_cast<BlockOp>(op))
    return ("block \"" + block.getLabel() + "\"").str();
  return ("'" + op->getName().getStringRef() + "'").str();
}

bool schedule::holdsOnly(ForOp loop, Operation *inner) {
  return llvm::all_of(
      loop.getBody().front().without_terminator(), [&](Operation &op) {
        return &op == inner || (isPure(&op) && op.getNumRegions() == 0);
      });
}

void schedule::eraseEmptyLoops(RewriterBase &rewriter, Operation *loop) {
  while (isa<ForOp>(loop) && holdsOnly(cast<ForOp>(loop), nullptr)) {
    Operation *parent = loop->getParentOp();
    rewriter.eraseOp(loop);
    loop = parent;
  }
}
