//===- Reduction.cpp - decompose_reduction --------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Primitives.h"

#include "uma/TIR/Schedule/Regions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;
using namespace uma::tir::schedule;

/// Clones the computation of `value`, with loop variables replaced by
/// `mapping`.
static Value recompute(RewriterBase &rewriter, Value value,
                       IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || isa<FuncOp, MultiversionOp>(op->getParentOp()))
    return value;
  for (Value operand : op->getOperands())
    mapping.map(operand, recompute(rewriter, operand, mapping));
  rewriter.clone(*op, mapping);
  return mapping.lookup(value);
}

/// Adds the conjuncts of a predicate that may be false in the first iteration
/// of the loops that are not copied to `open`.
static void addOpenConditions(Value predicate, const Statement &own,
                              ArrayRef<AffineExpr> dims,
                              SmallVectorImpl<Value> &open) {
  if (auto both = predicate.getDefiningOp<arith::AndIOp>()) {
    addOpenConditions(both.getLhs(), own, dims, open);
    addOpenConditions(both.getRhs(), own, dims, open);
    return;
  }
  SmallVector<AffineExpr> conditions;
  addConditions(predicate, own.loops, conditions);
  for (AffineExpr condition : conditions) {
    std::optional<IndexRange> range =
        getRange(condition.replaceDims(dims), own.loops);
    if (!range || range->low < 0)
      return open.push_back(predicate);
  }
}

/// Checks that the block can be decomposed at the loop number `depth`.
static LogicalResult checkDecomposition(const Statement &own, unsigned depth) {
  auto block = cast<BlockOp>(own.op);
  auto refuse = [&]() {
    return block.emitOpError("cannot be decomposed at that loop: ");
  };
  for (Operation *parent = block->getParentOp(); parent != own.loops[depth];
       parent = parent->getParentOp())
    if (!isa<ForOp>(parent))
      return refuse() << "something other than loops is around it: "
                      << describe(parent);
  SmallVector<AffineExpr> conditions;
  if (block.getPredicate() &&
      !addConditions(block.getPredicate(), own.loops, conditions))
    return refuse() << "its predicate is not affine";
  for (auto [number, binding] : llvm::enumerate(own.bindings)) {
    if (!binding)
      return refuse() << "the binding of iteration variable #" << number
                      << " is not affine";
    for (unsigned dim = 0; dim < own.loops.size(); ++dim) {
      if (!binding.isFunctionOfDim(dim))
        continue;
      bool isReduce = isReduceLoop(own, own.loops[dim]);
      if (isReduce && block.getIterKind(number) == IterKind::Spatial)
        return refuse() << "a loop counts both a spatial and a reduce variable";
      if (isReduce && dim < depth) {
        InFlightDiagnostic error = refuse();
        error << "an outer loop reduces, and would start again in every "
                 "iteration";
        error.attachNote(own.loops[dim]->getLoc()) << "this loop";
        return failure();
      }
    }
  }
  for (const BufferRegion &region : block.getWriteRegions())
    for (AffineExpr index : region.first.getResults())
      for (unsigned i = 0; i < own.bindings.size(); ++i)
        if (block.getIterKind(i) == IterKind::Reduce &&
            index.isFunctionOfDim(i))
          return refuse() << "what it writes depends on a reduce variable";
  for (ForOp loop : ArrayRef(own.loops).drop_front(depth))
    if (!getRange(loop))
      return refuse() << "the bounds of its loops are not integers";
  for (const Statement &statement : getStatements(own.loops[depth]))
    for (const Access &theirs : statement.accesses)
      for (const Access &ours : own.accesses)
        if (statement.op != block && ours.isWrite &&
            mayAlias(getBase(theirs.buffer), getBase(ours.buffer))) {
          InFlightDiagnostic error = refuse();
          error << describe(statement.op)
                << " in the loop touches what it writes, too";
          error.attachNote(statement.op->getLoc()) << "here";
          return failure();
        }
  return success();
}

FailureOr<BlockOp> schedule::decomposeReduction(RewriterBase &rewriter,
                                                BlockOp block, ForOp loop) {
  auto refuse = [&]() {
    return block.emitOpError("cannot be decomposed at that loop: ");
  };
  if (!block.hasInit())
    return refuse() << "it has no init region";
  Statement own = getStatement(block);
  const auto *position = llvm::find(own.loops, loop);
  if (position == own.loops.end())
    return refuse() << "it is not in that loop";
  unsigned depth = position - own.loops.begin();
  if (failed(checkDecomposition(own, depth)))
    return failure();

  Location loc = block.getLoc();
  std::string label = makeLabel(block, block.getLabel() + "_init");
  rewriter.setInsertionPoint(loop);
  IRMapping mapping;
  SmallVector<AffineExpr> first;
  for (unsigned dim = 0; dim < own.loops.size(); ++dim) {
    ForOp inner = own.loops[dim];
    first.push_back(rewriter.getAffineDimExpr(dim));
    if (dim < depth)
      continue;
    bool isSpatial = false;
    for (auto [number, binding] : llvm::enumerate(own.bindings))
      isSpatial |= block.getIterKind(number) == IterKind::Spatial &&
                   binding.isFunctionOfDim(dim);
    if (!isSpatial) {
      first.back() = rewriter.getAffineConstantExpr(inner.getStaticLower());
      mapping.map(inner.getInductionVar(),
                  makeIndex(rewriter, loc, inner.getStaticLower()));
      continue;
    }
    auto copy = ForOp::create(rewriter, loc, inner.getLower(), inner.getUpper(),
                              inner.getKind());
    if (std::optional<StringRef> name = inner.getLabel())
      copy.setLabel((*name + "_init").str());
    mapping.map(inner.getInductionVar(), copy.getInductionVar());
    rewriter.setInsertionPointToStart(&copy.getBody().front());
  }

  SmallVector<IterVar> variables;
  SmallVector<AffineExpr> dims;
  for (const IterVar &variable : block.getIterVars()) {
    if (variable.kind == IterKind::Reduce) {
      dims.push_back(rewriter.getAffineConstantExpr(0));
      continue;
    }
    dims.push_back(rewriter.getAffineDimExpr(variables.size()));
    variables.push_back({variable.kind,
                         recompute(rewriter, variable.binding, mapping),
                         variable.extent});
  }
  Value predicate;
  SmallVector<Value> open;
  if (block.getPredicate())
    addOpenConditions(block.getPredicate(), own, first, open);
  for (Value condition : open) {
    Value again = recompute(rewriter, condition, mapping);
    predicate = makeAnd(rewriter, loc, predicate, again);
  }
  SmallVector<BufferRegion> writes = block.getWriteRegions();
  for (BufferRegion &region : writes)
    region.first = region.first.replaceDimsAndSymbols(
        dims, {}, variables.size(), /*numResultSyms=*/0);
  auto init = BlockOp::create(rewriter, loc, label, variables,
                              ArrayRef<BufferRegion>(), writes,
                              /*hasInit=*/false, predicate);

  Block &from = block.getInit().front(), &to = init.getBody().front();
  SmallVector<Value> arguments;
  unsigned next = 0;
  for (unsigned i = 0; i < block.getBindings().size(); ++i)
    arguments.push_back(block.getIterKind(i) == IterKind::Reduce
                            ? makeIndex(rewriter, loc, 0)
                            : Value(to.getArgument(next++)));
  rewriter.eraseOp(from.getTerminator());
  rewriter.inlineBlockBefore(&from, to.getTerminator(), arguments);
  return init;
}
