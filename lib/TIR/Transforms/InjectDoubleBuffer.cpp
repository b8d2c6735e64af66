//===- InjectDoubleBuffer.cpp - Load ahead of the computation -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
//   for i { load(i) -> buffer; compute(i, buffer) }
//
// becomes, with two buffers A and B,
//
//   load(0) -> A
//   for pairs i, i + 1 {
//     load(i + 1) -> B; compute(i, A); load(i + 2) -> A; compute(i + 1, B)
//   }
//
// and the last one or two iterations. There are two allocations and the loop is
// unrolled by two, rather than one allocation indexed by iteration parity,
// because calls to devices take whole buffers.
//
//===----------------------------------------------------------------------===//

#include "BufferAccesses.h"

#include "uma/TIR/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_INJECTDOUBLEBUFFERPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

namespace {
/// Loop whose body has a load stage, which writes the marked buffers, and a
/// compute stage, which uses them.
class Pipeline {
public:
  explicit Pipeline(ForOp loop) : loop(loop) {}

  LogicalResult analyze();
  void rewrite();

private:
  InFlightDiagnostic error(Operation *at) {
    return at->emitOpError("stands in the way of double buffering: ");
  }
  LogicalResult checkOrder();
  void addSlice(Operation *op);
  void cloneLoad(OpBuilder &builder, OpFoldResult iteration, unsigned half);
  void cloneCompute(OpBuilder &builder, OpFoldResult iteration, unsigned half);
  IRMapping getMapping(OpBuilder &builder, OpFoldResult iteration,
                       unsigned half);

  ForOp loop;
  SmallVector<AllocOp> allocs;
  /// Operations of the body that write the buffers, and their backward slice.
  llvm::SetVector<Operation *> loads, slice;
  SmallVector<Value> halves[2];
};

struct InjectDoubleBufferPass
    : uma::tir::impl::InjectDoubleBufferPassBase<InjectDoubleBufferPass> {
  LogicalResult inject();
  void runOnOperation() override {
    if (failed(inject()))
      signalPassFailure();
  }
};
} // namespace

static bool isMarked(AllocOp alloc) {
  return alloc->hasAttr(kDoubleBufferAttrName);
}

void Pipeline::addSlice(Operation *op) {
  // Nested operations may use values of the body, too.
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (def && def->getBlock() == &loop.getBody().front() &&
          !isa<AllocOp>(def) && !slice.contains(def) && !loads.contains(def)) {
        slice.insert(def);
        addSlice(def);
      }
    }
  });
}

LogicalResult Pipeline::analyze() {
  Block &body = loop.getBody().front();
  llvm::SmallPtrSet<Value, 4> buffers;
  for (auto alloc : body.getOps<AllocOp>())
    if (isMarked(alloc)) {
      allocs.push_back(alloc);
      buffers.insert(alloc.getBuffer());
    }
  for (Operation &op : body.without_terminator()) {
    BufferAccesses accesses = BufferAccesses::get(&op);
    if (llvm::any_of(accesses.writes,
                     [&](Value buffer) { return buffers.contains(buffer); }))
      loads.insert(&op);
  }
  for (AllocOp alloc : allocs)
    if (llvm::none_of(loads, [&](Operation *op) {
          return BufferAccesses::get(op).writes.contains(alloc.getBuffer());
        }))
      return alloc.emitOpError("is to be double-buffered, but nothing in the "
                               "loop loads into it");
  for (Operation *op : llvm::to_vector(loads))
    addSlice(op);
  return checkOrder();
}

LogicalResult Pipeline::checkOrder() {
  auto isMarkedBuffer = [&](Value buffer) {
    auto alloc = buffer.getDefiningOp<AllocOp>();
    return alloc && isMarked(alloc) && llvm::is_contained(allocs, alloc);
  };
  BufferAccesses loaded, computed;
  bool isComputing = false;
  for (Operation &op : loop.getBody().front().without_terminator()) {
    BufferAccesses accesses = BufferAccesses::get(&op);
    if (accesses.unknown)
      return error(&op) << "it configures a device, or the buffers that it "
                           "touches cannot be told";
    bool isLoad = loads.contains(&op);
    if (slice.contains(&op) && !accesses.writes.empty())
      return error(&op) << "the loads need its result, and it writes to memory";
    if (!isLoad && !slice.contains(&op)) {
      isComputing |= llvm::any_of(accesses.reads, isMarkedBuffer);
      computed.add(accesses);
      continue;
    }
    if (isLoad && isComputing)
      return error(&op) << "it loads after the computation has begun";
    // A call may accumulate, but not into a buffer that was never written.
    bool readsOwn = llvm::any_of(accesses.reads, [&](Value buffer) {
      return isMarkedBuffer(buffer) && !accesses.writes.contains(buffer);
    });
    if (readsOwn)
      return error(&op) << "it loads from one of the buffers to another";
    for (Value buffer : accesses.writes)
      if (!isMarkedBuffer(buffer))
        return error(&op) << "it writes to another buffer, too";
    loaded.add(accesses);
  }
  for (Value buffer : computed.writes)
    if (loaded.reads.contains(buffer) && !isMarkedBuffer(buffer)) {
      InFlightDiagnostic diag =
          loop.emitOpError("has a computation that writes to what the next "
                           "iteration loads, so its buffers cannot be "
                           "double-buffered");
      diag.attachNote(buffer.getLoc()) << "this is the buffer";
      return diag;
    }
  return success();
}

IRMapping Pipeline::getMapping(OpBuilder &builder, OpFoldResult iteration,
                               unsigned half) {
  IRMapping mapping;
  auto value = dyn_cast<Value>(iteration);
  if (!value)
    value = arith::ConstantIndexOp::create(
        builder, loop.getLoc(),
        cast<IntegerAttr>(cast<Attribute>(iteration)).getInt());
  mapping.map(loop.getInductionVar(), value);
  for (auto [alloc, buffer] : llvm::zip(allocs, halves[half]))
    mapping.map(alloc.getBuffer(), buffer);
  return mapping;
}

void Pipeline::cloneLoad(OpBuilder &builder, OpFoldResult iteration,
                         unsigned half) {
  IRMapping mapping = getMapping(builder, iteration, half);
  for (Operation &op : loop.getBody().front())
    if (loads.contains(&op) || slice.contains(&op))
      builder.clone(op, mapping);
}

void Pipeline::cloneCompute(OpBuilder &builder, OpFoldResult iteration,
                            unsigned half) {
  IRMapping mapping = getMapping(builder, iteration, half);
  for (Operation &op : loop.getBody().front().without_terminator()) {
    if (loads.contains(&op) || llvm::is_contained(allocs, &op))
      continue;
    Operation *copy = builder.clone(op, mapping);
    // Erase clones that only the loads needed.
    if (op.use_empty())
      continue;
    bool isNeeded = llvm::any_of(op.getUsers(), [&](Operation *user) {
      Operation *at = loop.getBody().front().findAncestorOpInBlock(*user);
      return !loads.contains(at);
    });
    if (!isNeeded && isMemoryEffectFree(copy))
      copy->erase();
  }
}

void Pipeline::rewrite() {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  for (unsigned half : {0, 1})
    for (AllocOp alloc : allocs) {
      auto copy = cast<AllocOp>(builder.clone(*alloc));
      copy->removeAttr(kDoubleBufferAttrName);
      if (half == 1 && alloc.getLabel())
        copy.setLabel((*alloc.getLabel() + "_next").str());
      halves[half].push_back(copy.getBuffer());
    }
  int64_t first = loop.getStaticLower(), extent = *loop.getExtent();
  auto at = [&](int64_t offset) -> OpFoldResult {
    return builder.getIndexAttr(first + offset);
  };
  cloneLoad(builder, at(0), 0);
  int64_t numPairs = (extent - 1) / 2;
  if (numPairs > 0) {
    auto pairs = ForOp::create(builder, loc, builder.getIndexAttr(0),
                               builder.getIndexAttr(numPairs));
    pairs.setLabelAttr(loop.getLabelAttr());
    pairs->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(pairs.getBody().front().getTerminator());
    Value two = arith::ConstantIndexOp::create(builder, loc, 2);
    Value twice =
        arith::MulIOp::create(builder, loc, pairs.getInductionVar(), two);
    auto plus = [&](int64_t offset) -> Value {
      Value constant =
          arith::ConstantIndexOp::create(builder, loc, first + offset);
      return arith::AddIOp::create(builder, loc, twice, constant);
    };
    Value even = plus(0), odd = plus(1), next = plus(2);
    cloneLoad(builder, odd, 1);
    cloneCompute(builder, even, 0);
    cloneLoad(builder, next, 0);
    cloneCompute(builder, odd, 1);
  }
  // The first remaining iteration is already loaded.
  if (extent % 2 == 0) {
    cloneLoad(builder, at(extent - 1), 1);
    cloneCompute(builder, at(extent - 2), 0);
    cloneCompute(builder, at(extent - 1), 1);
  } else {
    cloneCompute(builder, at(extent - 1), 0);
  }
  loop.erase();
}

LogicalResult InjectDoubleBufferPass::inject() {
  // Inner loops first, so that copies of outer ones contain the result.
  llvm::SetVector<Operation *> loops;
  WalkResult result = getOperation()->walk([&](AllocOp alloc) {
    if (!isMarked(alloc))
      return WalkResult::advance();
    auto loop = dyn_cast<ForOp>(alloc->getParentOp());
    if (!loop || !loop.getExtent() || loop.getKind() != ForKind::Serial) {
      alloc.emitOpError("is to be double-buffered, so it must be in the body "
                        "of a serial uma.tir.for whose bounds are integers");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  getOperation()->walk([&](ForOp loop) {
    if (llvm::any_of(loop.getBody().getOps<AllocOp>(), isMarked))
      loops.insert(loop);
  });
  for (Operation *op : loops) {
    auto loop = cast<ForOp>(op);
    Pipeline pipeline(loop);
    if (failed(pipeline.analyze()))
      return failure();
    if (*loop.getExtent() > 1) {
      pipeline.rewrite();
      ++numInjected;
      continue;
    }
    // A loop with a single iteration has nothing to load ahead.
    for (auto alloc : loop.getBody().getOps<AllocOp>())
      alloc->removeAttr(kDoubleBufferAttrName);
  }
  return success();
}
