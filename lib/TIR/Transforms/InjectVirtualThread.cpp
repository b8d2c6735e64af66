//===- InjectVirtualThread.cpp - Interleave the copies of a loop's body ---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// For devices that load and compute at the same time, places the load of one
// thread next to the computation of another. Each statement of the body becomes
// one copy per thread; loops and conditions that are the same for all threads
// are not duplicated, but contain the copies.
//
// Iterations are reordered, so the pass checks that no thread accesses a
// location that another one writes.
//
//===----------------------------------------------------------------------===//

#include "BufferAccesses.h"
#include "IndexRange.h"

#include "uma/TIR/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_INJECTVIRTUALTHREADPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

static bool isDefinedIn(Value value, ForOp loop) {
  return loop.getBody().isAncestor(value.getParentRegion());
}

/// Returns true if accesses at these indices of one dimension never overlap in
/// different iterations of `loop`: all indices advance by the same step, and
/// their spread is smaller than the step.
static bool isDisjoint(ArrayRef<Value> indices, ForOp loop) {
  std::optional<LinearForm> outside;
  std::optional<IndexRange> spread;
  int64_t step = 0;
  for (Value index : indices) {
    std::optional<LinearForm> expr = LinearForm::get(index);
    if (!expr)
      return false;
    int64_t here = expr->getCoefficient(loop.getInductionVar());
    LinearForm constant, inside;
    if (!inside.add(expr->getConstant()))
      return false;
    for (auto [variable, coefficient] :
         expr->without(loop.getInductionVar()).getTerms())
      if (!(isDefinedIn(variable, loop) ? inside : constant)
               .addTerm(variable, coefficient))
        return false;
    std::optional<IndexRange> range = getIndexRange(inside);
    if (!range || here == 0 || (spread && here != step) ||
        (outside && !(*outside == constant)))
      return false;
    step = here;
    outside = constant;
    spread = spread ? IndexRange{std::min(spread->min, range->min),
                                 std::max(spread->max, range->max)}
                    : *range;
  }
  int64_t width;
  return spread && step != std::numeric_limits<int64_t>::min() &&
         !llvm::SubOverflow(spread->max, spread->min, width) &&
         width < std::abs(step);
}

/// Returns true if no iteration accesses an element of `buffer` that another
/// one writes.
static bool isIndependent(Value buffer, ForOp loop) {
  SmallVector<SmallVector<Value>> indices; // by dimension
  indices.resize(cast<MemRefType>(buffer.getType()).getRank());
  for (Operation *user : buffer.getUsers()) {
    if (!loop->isAncestor(user))
      continue;
    ValueRange at;
    if (auto load = dyn_cast<memref::LoadOp>(user))
      at = load.getIndices();
    else if (auto store = dyn_cast<memref::StoreOp>(user))
      at = store.getIndices();
    else
      return false;
    for (auto [index, ofDimension] : llvm::zip(at, indices))
      ofDimension.push_back(index);
  }
  return llvm::any_of(indices, [&](const SmallVector<Value> &ofDimension) {
    return isDisjoint(ofDimension, loop);
  });
}

static LogicalResult checkLegality(ForOp loop, int64_t maxThreads) {
  auto error = [&] {
    return loop.emitOpError("is a loop of virtual threads, ");
  };
  if (!loop.getExtent())
    return error() << "whose number is unknown; give it bounds that are "
                      "integers";
  if (*loop.getExtent() > maxThreads)
    return error() << "but has " << *loop.getExtent()
                   << " of them, more than max-threads, which is "
                   << maxThreads;
  if (loop.getKind() != ForKind::Serial && loop.getKind() != ForKind::Parallel)
    return error() << "but of kind " << stringifyForKind(loop.getKind())
                   << "; it is one or the other";
  BufferAccesses accesses = BufferAccesses::get(loop);
  if (accesses.unknown) {
    InFlightDiagnostic diag =
        error() << "whose order cannot be changed for an operation in it";
    diag.attachNote(accesses.unknown->getLoc())
        << "this is '" << accesses.unknown->getName()
        << "', which configures a device or whose buffers cannot be told";
    return diag;
  }
  for (Value buffer : accesses.writes)
    if (!isDefinedIn(buffer, loop) && !isIndependent(buffer, loop)) {
      InFlightDiagnostic diag =
          error() << "but one may touch what another one writes: the elements "
                     "of a buffer are not provably those of one iteration";
      diag.attachNote(buffer.getLoc()) << "this is the buffer";
      return diag;
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {
/// Clones code for several threads, statement by statement.
class Interleaver {
public:
  Interleaver(OpBuilder &builder, size_t numThreads)
      : builder(builder), threads(numThreads) {}

  IRMapping &getThread(size_t index) { return threads[index]; }
  void copy(Block &block) {
    for (Operation &op : block.without_terminator())
      copy(&op);
  }

private:
  void copy(Operation *op);
  void copyLoop(ForOp loop);
  void copyCondition(scf::IfOp condition);

  /// Returns true if the operands are the same for all threads.
  bool isShared(ValueRange operands) {
    return llvm::all_of(operands, [&](Value operand) {
      Value first = threads.front().lookupOrDefault(operand);
      return llvm::all_of(threads, [&](IRMapping &thread) {
        return thread.lookupOrDefault(operand) == first;
      });
    });
  }
  void mapAll(Value from, Value to) {
    for (IRMapping &thread : threads)
      thread.map(from, to);
  }

  OpBuilder &builder;
  SmallVector<IRMapping> threads;
};
} // namespace

void Interleaver::copyLoop(ForOp loop) {
  auto lookup = [&](OpFoldResult bound) -> OpFoldResult {
    auto value = dyn_cast<Value>(bound);
    return value ? OpFoldResult(threads.front().lookupOrDefault(value)) : bound;
  };
  auto shared = ForOp::create(builder, loop.getLoc(), lookup(loop.getLower()),
                              lookup(loop.getUpper()), loop.getKind());
  shared.setLabelAttr(loop.getLabelAttr());
  shared->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  mapAll(loop.getInductionVar(), shared.getInductionVar());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(shared.getBody().front().getTerminator());
  copy(loop.getBody().front());
}

void Interleaver::copyCondition(scf::IfOp condition) {
  auto shared = scf::IfOp::create(
      builder, condition.getLoc(),
      threads.front().lookupOrDefault(condition.getCondition()),
      /*withElseRegion=*/!condition.getElseRegion().empty());
  for (auto [from, to] :
       llvm::zip(condition.getRegions(), shared.getRegions())) {
    if (from->empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(to->front().getTerminator());
    copy(from->front());
  }
}

void Interleaver::copy(Operation *op) {
  auto condition = dyn_cast<scf::IfOp>(op);
  if (isShared(op->getOperands())) {
    if (auto loop = dyn_cast<ForOp>(op))
      return copyLoop(loop);
    if (condition && condition.getNumResults() == 0)
      return copyCondition(condition);
    if (isPure(op) && op->getNumRegions() == 0) {
      Operation *shared = builder.clone(*op, threads.front());
      for (auto [from, to] : llvm::zip(op->getResults(), shared->getResults()))
        mapAll(from, to);
      return;
    }
  }
  for (IRMapping &thread : threads)
    builder.clone(*op, thread);
}

namespace {
struct InjectVirtualThreadPass
    : uma::tir::impl::InjectVirtualThreadPassBase<InjectVirtualThreadPass> {
  using InjectVirtualThreadPassBase::InjectVirtualThreadPassBase;

  void runOnOperation() override {
    // Inner loops first: their copies are statements of the outer ones.
    SmallVector<ForOp> loops;
    getOperation()->walk([&](ForOp loop) {
      if (loop->hasAttr(kVirtualThreadAttrName))
        loops.push_back(loop);
    });
    for (ForOp loop : loops)
      if (failed(checkLegality(loop, maxThreads)))
        return signalPassFailure();
    for (ForOp loop : loops) {
      OpBuilder builder(loop);
      int64_t extent = *loop.getExtent();
      if (extent > 0) {
        Interleaver interleaver(builder, extent);
        for (int64_t i = 0; i < extent; ++i)
          interleaver.getThread(i).map(
              loop.getInductionVar(),
              arith::ConstantIndexOp::create(builder, loop.getLoc(),
                                             loop.getStaticLower() + i)
                  .getResult());
        interleaver.copy(loop.getBody().front());
      }
      loop.erase();
      ++numInjected;
    }
  }
};
} // namespace
