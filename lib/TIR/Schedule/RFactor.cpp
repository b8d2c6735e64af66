//===- RFactor.cpp - rfactor ----------------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One loop of a reduction becomes spatial and enumerates partial results. These
// start with the neutral element; a second block combines them, starting with
// the initial value of the original reduction.
//
//===----------------------------------------------------------------------===//

#include "Primitives.h"

#include "uma/TIR/Schedule/Regions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;
using namespace uma::tir::schedule;

namespace {
class Factoring {
public:
  Factoring(FuncOp func, BlockOp block, ForOp loop, RewriterBase &rewriter)
      : func(func), block(block), loop(loop), own(getStatement(block)),
        rewriter(rewriter) {}
  LogicalResult check();
  BlockOp makePartials();
  void makeCombination();

private:
  InFlightDiagnostic refuse() {
    return block.emitOpError("cannot be factored by that loop: ");
  }
  LogicalResult checkLoops();
  LogicalResult checkUse();
  /// Returns the variables of the original block as expressions of the new
  /// block's variables.
  SmallVector<AffineExpr> getVariables(unsigned partial);

  FuncOp func;
  BlockOp block;
  ForOp loop;
  Statement own;
  RewriterBase &rewriter;

  /// Other loops of the reduction.
  SmallVector<ForOp> reduceLoops;
  SmallVector<PointIndex> point;
  memref::StoreOp store;
  Operation *update = nullptr;
  TypedAttr neutral;
  Operation *nest = nullptr;
  AllocOp partials;
};
} // namespace

LogicalResult Factoring::checkLoops() {
  if (!llvm::is_contained(own.loops, loop))
    return refuse() << "it is not in that loop";
  if (!isReduceLoop(own, loop))
    return refuse() << "it does not reduce over it";
  if (!isComplete(own))
    return refuse() << "its loops do not run for exactly the values of its "
                       "iteration variables";
  SmallVector<AffineExpr> conditions;
  if (block.getPredicate())
    addConditions(block.getPredicate(), own.loops, conditions);
  for (unsigned dim = 0; dim < own.loops.size(); ++dim) {
    ForOp around = own.loops[dim];
    if (!isReduceLoop(own, around))
      continue;
    std::optional<IndexRange> range = getRange(around);
    if (!range || range->low != 0)
      return refuse() << "its loops do not start at 0, or end at no integer";
    for (auto [number, binding] : llvm::enumerate(own.bindings))
      if (block.getIterKind(number) == IterKind::Spatial &&
          binding.isFunctionOfDim(dim))
        return refuse() << "a loop counts both a spatial and a reduce variable";
    for (AffineExpr condition : conditions)
      if (condition.isFunctionOfDim(dim))
        return refuse() << "its predicate leaves out a part of the reduction: "
                           "partial results could have no start";
    if (around != loop)
      reduceLoops.push_back(around);
  }
  for (unsigned dim = 0; dim < own.loops.size(); ++dim)
    for (auto [number, binding] : llvm::enumerate(own.bindings))
      if (block.getIterKind(number) == IterKind::Reduce &&
          binding.isFunctionOfDim(dim) && own.loops[dim] != loop &&
          !llvm::is_contained(reduceLoops, own.loops[dim]))
        return refuse() << "a loop counts both a spatial and a reduce variable";
  return success();
}

LogicalResult Factoring::checkUse() {
  Value buffer = store.getMemRef();
  nest = getNest(buffer, block);
  for (const Statement &statement : getStatements(nest))
    for (const Access &access : statement.accesses)
      if (statement.op != block &&
          mayAlias(getBase(access.buffer), getBase(buffer))) {
        InFlightDiagnostic error = refuse();
        error << describe(statement.op)
              << " in the same loops touches what it writes, too";
        error.attachNote(statement.op->getLoc()) << "here";
        return failure();
      }
  return success();
}

LogicalResult Factoring::check() {
  if (!block.hasInit() || !isCommutativeReduction(block) ||
      block.getWrites().size() != 1)
    return refuse() << "it does not start with an init region and add up into "
                       "one element by one operation";
  if (failed(checkLoops()))
    return failure();
  std::optional<SmallVector<PointIndex>> written =
      getPoint(block.getWriteRegions().front());
  if (!written)
    return refuse() << "it does not write one element for each value of its "
                       "iteration variables";
  point = *written;
  for (const PointIndex &index : point)
    if (index.variable &&
        block.getIterKind(*index.variable) != IterKind::Spatial)
      return refuse() << "what it writes depends on a reduce variable";
  for (Operation &op : block.getBody().front())
    if (auto found = dyn_cast<memref::StoreOp>(op))
      store = found;
  update = store.getValueToStore().getDefiningOp();
  std::optional<TypedAttr> element = arith::getNeutralElement(update);
  if (!element)
    return refuse() << describe(update) << " has no neutral element";
  neutral = *element;
  return checkUse();
}

SmallVector<AffineExpr> Factoring::getVariables(unsigned partial) {
  // Order of the new variables: spatial ones, the partial result's, then one
  // per remaining reduction loop.
  MLIRContext *context = block.getContext();
  SmallVector<AffineExpr> loops(own.loops.size(),
                                getAffineConstantExpr(0, context));
  unsigned next = partial;
  for (unsigned dim = 0; dim < own.loops.size(); ++dim) {
    if (own.loops[dim] == loop)
      loops[dim] = getAffineDimExpr(partial, context);
    else if (llvm::is_contained(reduceLoops, own.loops[dim]))
      loops[dim] = getAffineDimExpr(++next, context);
  }
  SmallVector<AffineExpr> variables;
  unsigned spatial = 0;
  for (unsigned i = 0; i < own.bindings.size(); ++i)
    variables.push_back(block.getIterKind(i) == IterKind::Spatial
                            ? getAffineDimExpr(spatial++, context)
                            : own.bindings[i].replaceDims(loops));
  return variables;
}

BlockOp Factoring::makePartials() {
  Location loc = block.getLoc();
  Value buffer = store.getMemRef();
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> shape = {*loop.getExtent()};
  llvm::append_range(shape, type.getShape());
  std::string label = makeLabel(block, block.getLabel() + "_rf");
  rewriter.setInsertionPoint(nest);
  partials = AllocOp::create(
      rewriter, loc, MemRefType::get(shape, type.getElementType()),
      Scope::Local, /*offset=*/nullptr, rewriter.getStringAttr(label));

  SmallVector<IterVar> variables;
  for (const IterVar &variable : block.getIterVars())
    if (variable.kind == IterKind::Spatial)
      variables.push_back(variable);
  unsigned partial = variables.size();
  variables.push_back(
      {IterKind::Spatial, loop.getInductionVar(), *loop.getExtent()});
  for (ForOp other : reduceLoops)
    variables.push_back(
        {IterKind::Reduce, other.getInductionVar(), *other.getExtent()});
  SmallVector<AffineExpr> map = getVariables(partial);
  SmallVector<BufferRegion> reads = block.getReadRegions();
  for (BufferRegion &region : reads)
    region.first =
        region.first.replaceDimsAndSymbols(map, {}, variables.size(), 0);
  BufferRegion write = block.getWriteRegions().front();
  SmallVector<AffineExpr> indices = {rewriter.getAffineDimExpr(partial)};
  for (AffineExpr index : write.first.getResults())
    indices.push_back(index.replaceDims(map));
  write = {partials,
           AffineMap::get(variables.size(), 0, indices, rewriter.getContext()),
           SmallVector<int64_t>(indices.size(), 1)};

  rewriter.setInsertionPoint(block);
  auto result = BlockOp::create(rewriter, loc, label, variables, reads, write,
                                /*hasInit=*/true, block.getPredicate());
  auto getIndices = [&](ValueRange dims) {
    SmallVector<Value> values;
    for (AffineExpr index : indices)
      values.push_back(makeValue(rewriter, loc, index, dims));
    return values;
  };
  rewriter.setInsertionPointToStart(&result.getInit().front());
  SmallVector<Value> initDims(result.getInitVars());
  Value start = arith::ConstantOp::create(rewriter, loc, neutral);
  SmallVector<Value> first = getIndices(initDims);
  memref::StoreOp::create(rewriter, loc, start, partials, first);

  rewriter.setInsertionPointToStart(&result.getBody().front());
  SmallVector<Value> dims(result.getBodyVars());
  IRMapping mapping;
  for (auto [variable, expression] : llvm::zip_equal(block.getBodyVars(), map))
    mapping.map(variable, makeValue(rewriter, loc, expression, dims));
  SmallVector<Value> element = getIndices(dims);
  for (Operation &op : block.getBody().front().without_terminator()) {
    auto load = dyn_cast<memref::LoadOp>(op);
    if (load && load.getMemRef() == buffer)
      mapping.map(
          load.getResult(),
          memref::LoadOp::create(rewriter, loc, partials, element).getResult());
    else if (&op == store)
      memref::StoreOp::create(rewriter, loc,
                              mapping.lookup(store.getValueToStore()), partials,
                              element);
    else
      rewriter.clone(op, mapping);
  }
  return result;
}

void Factoring::makeCombination() {
  Location loc = block.getLoc();
  Value buffer = store.getMemRef();
  rewriter.setInsertionPointAfter(nest);
  SmallVector<IterVar> variables;
  auto addLoop = [&](IterKind kind, int64_t extent) {
    auto around = ForOp::create(rewriter, loc, rewriter.getIndexAttr(0),
                                rewriter.getIndexAttr(extent));
    around.setLabel(("ax" + Twine(variables.size())).str());
    variables.push_back({kind, around.getInductionVar(), extent});
    rewriter.setInsertionPointToStart(&around.getBody().front());
  };
  SmallVector<AffineExpr> map;
  for (const IterVar &variable : block.getIterVars()) {
    if (variable.kind == IterKind::Reduce) {
      map.push_back(rewriter.getAffineConstantExpr(0));
      continue;
    }
    map.push_back(rewriter.getAffineDimExpr(variables.size()));
    addLoop(IterKind::Spatial, variable.extent);
  }
  unsigned partial = variables.size();
  addLoop(IterKind::Reduce, *loop.getExtent());
  BufferRegion write = block.getWriteRegions().front();
  write.first = write.first.replaceDimsAndSymbols(map, {}, variables.size(), 0);
  SmallVector<AffineExpr> indices = {rewriter.getAffineDimExpr(partial)};
  llvm::append_range(indices, write.first.getResults());
  BufferRegion read = {
      partials,
      AffineMap::get(variables.size(), 0, indices, rewriter.getContext()),
      SmallVector<int64_t>(indices.size(), 1)};
  auto result = BlockOp::create(rewriter, loc, block.getLabel(), variables,
                                read, write, /*hasInit=*/true);

  Block &init = result.getInit().front();
  SmallVector<Value> arguments;
  for (AffineExpr variable : map) {
    rewriter.setInsertionPointToStart(&init);
    SmallVector<Value> dims(init.getArguments());
    arguments.push_back(makeValue(rewriter, loc, variable, dims));
  }
  Block &old = block.getInit().front();
  rewriter.eraseOp(old.getTerminator());
  rewriter.inlineBlockBefore(&old, init.getTerminator(), arguments);

  rewriter.setInsertionPointToStart(&result.getBody().front());
  SmallVector<Value> dims(result.getBodyVars()), values;
  for (AffineExpr index : indices)
    values.push_back(makeValue(rewriter, loc, index, dims));
  ArrayRef<Value> element = ArrayRef(values).drop_front();
  Value sum = memref::LoadOp::create(rewriter, loc, buffer, element);
  Value part = memref::LoadOp::create(rewriter, loc, partials, values);
  IRMapping mapping;
  for (Value operand : update->getOperands()) {
    auto load = operand.getDefiningOp<memref::LoadOp>();
    mapping.map(operand, load && load.getMemRef() == buffer ? sum : part);
  }
  Value combined = rewriter.clone(*update, mapping)->getResult(0);
  memref::StoreOp::create(rewriter, loc, combined, buffer, element);
  rewriter.eraseOp(block);
}

FailureOr<BlockOp> schedule::rfactor(FuncOp func, RewriterBase &rewriter,
                                     BlockOp block, ForOp loop) {
  Factoring factoring(func, block, loop, rewriter);
  if (failed(factoring.check()))
    return failure();
  BlockOp result = factoring.makePartials();
  factoring.makeCombination();
  return result;
}
