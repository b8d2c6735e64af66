//===- Inline.cpp - compute_inline, reverse_compute_inline ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Primitives.h"

#include "uma/TIR/Schedule/Regions.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;
using namespace uma::tir::schedule;

namespace {
/// Block that computes one element from others: loads, operations without
/// effect, and one store at the end.
struct ElementBlock {
  BlockOp block;
  memref::StoreOp store;
  SmallVector<memref::LoadOp> loads;
};
} // namespace

/// Returns the parts of `block`, or emits an error and returns std::nullopt if
/// it does not have this form.
static std::optional<ElementBlock> getElementBlock(BlockOp block,
                                                   StringRef how) {
  auto refuse = [&]() {
    return block.emitOpError("cannot be ") << how << ": ";
  };
  ElementBlock result{block, nullptr, {}};
  if (!isSpatial(block) || block.hasInit()) {
    refuse() << "it reduces";
    return std::nullopt;
  }
  if (!isComplete(getStatement(block))) {
    refuse() << "its loops do not run for exactly the values of its iteration "
                "variables";
    return std::nullopt;
  }
  for (Operation &op : block.getBody().front().without_terminator()) {
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      result.loads.push_back(load);
    } else if (auto store = dyn_cast<memref::StoreOp>(op);
               store && !result.store) {
      result.store = store;
    } else if (!isPure(&op)) {
      refuse() << describe(&op)
               << " in it is neither a load, its only store nor without effect";
      return std::nullopt;
    }
  }
  if (!result.store || block.getWrites().size() != 1 ||
      block.getWrites()[0] != result.store.getMemRef()) {
    refuse() << "it does not store one element of one buffer";
    return std::nullopt;
  }
  return result;
}

/// Maps each iteration variable that is an index in `indices` to the
/// corresponding value. Returns false unless each variable occurs exactly once.
static bool mapVariables(BlockOp block, ValueRange indices, ValueRange values,
                         IRMapping &mapping) {
  for (auto [index, value] : llvm::zip_equal(indices, values)) {
    auto variable = dyn_cast<BlockArgument>(index);
    if (!variable || variable.getOwner() != &block.getBody().front())
      continue;
    if (mapping.contains(variable))
      return false;
    mapping.map(variable, value);
  }
  return llvm::all_of(block.getBodyVars(), [&](Value variable) {
    return mapping.contains(variable);
  });
}

static void addRegion(SmallVectorImpl<BufferRegion> &regions,
                      const BufferRegion &region) {
  bool isKnown = llvm::any_of(regions, [&](const BufferRegion &other) {
    return other.buffer == region.buffer && other.first == region.first &&
           other.extents == region.extents;
  });
  if (!isKnown)
    regions.push_back(region);
}

/// Adds the regions `added` of the inlined block to `regions`, with their maps
/// rewritten: `at` is the region of the intermediate buffer, and `point` its
/// index in terms of the inlined block's variables.
static void addRegions(BlockOp inlined, ArrayRef<BufferRegion> added,
                       ArrayRef<PointIndex> point, const BufferRegion &at,
                       SmallVectorImpl<BufferRegion> &regions) {
  MLIRContext *context = inlined.getContext();
  unsigned numDims = at.first.getNumDims();
  // First value and range of each iteration variable of the inlined block.
  SmallVector<AffineExpr> first(inlined.getBindings().size(),
                                getAffineConstantExpr(0, context));
  SmallVector<std::optional<IndexRange>> span(first.size(), IndexRange{0, 0});
  for (auto [dim, index] : llvm::enumerate(point))
    if (index.variable) {
      first[*index.variable] = at.first.getResult(dim);
      span[*index.variable] = IndexRange{0, at.extents[dim] - 1};
    }
  bool isElement =
      llvm::all_of(span, [](auto range) { return range->high == 0; });
  for (const BufferRegion &region : added) {
    BufferRegion moved{region.buffer, {}, {}};
    SmallVector<AffineExpr> results;
    ArrayRef<int64_t> shape =
        cast<MemRefType>(region.buffer.getType()).getShape();
    for (auto [dim, result] : llvm::enumerate(region.first.getResults())) {
      // If several elements are read, the extent of a sum grows by the range of
      // its variables.
      std::optional<IndexRange> range = getRange(result, span);
      bool isSum = true;
      result.walk([&](AffineExpr part) {
        isSum &= part.getKind() == AffineExprKind::Add ||
                 part.getKind() == AffineExprKind::Constant ||
                 part.getKind() == AffineExprKind::DimId;
      });
      int64_t extent = region.extents[dim];
      AffineExpr moving = result.replaceDims(first);
      if (!isElement) {
        std::optional<IndexRange> base =
            getRange(result, SmallVector<std::optional<IndexRange>>(
                                 span.size(), IndexRange{0, 0}));
        extent = range && base && isSum ? extent + range->high - base->high
                                        : shape[dim] + 1;
      }
      if (extent > shape[dim]) {
        moving = getAffineConstantExpr(0, context);
        extent = shape[dim];
      }
      results.push_back(moving);
      moved.extents.push_back(extent);
    }
    moved.first = AffineMap::get(numDims, 0, results, context);
    addRegion(regions, moved);
  }
}

/// Erases the block, and the buffer if it has no uses left.
static void eraseBlock(RewriterBase &rewriter, BlockOp block, AllocOp buffer) {
  Operation *parent = block->getParentOp();
  rewriter.eraseOp(block);
  eraseEmptyLoops(rewriter, parent);
  if (buffer.use_empty())
    rewriter.eraseOp(buffer);
}

/// Returns the first statement from the nest of `block` to the last nest of
/// `to` that writes a buffer which `block` reads, or null if there is none.
static Operation *findWriter(BlockOp block, ArrayRef<BlockOp> to) {
  Statement own = getStatement(block);
  Block *scope = getVersion(block);
  Operation *first = getAncestorIn(scope, block), *last = first;
  for (BlockOp other : to) {
    Operation *nest = getAncestorIn(scope, other);
    if (last->isBeforeInBlock(nest))
      last = nest;
  }
  for (Operation *op = first;; op = op->getNextNode()) {
    for (const Statement &statement : getStatements(op))
      for (const Access &theirs : statement.accesses)
        for (const Access &ours : own.accesses)
          if (theirs.isWrite && !ours.isWrite &&
              mayAlias(getBase(theirs.buffer), getBase(ours.buffer)))
            return statement.op;
    if (op == last)
      return nullptr;
  }
}

LogicalResult schedule::computeInline(RewriterBase &rewriter, BlockOp block) {
  StringRef how = "inlined";
  auto refuse = [&]() { return block.emitOpError("cannot be inlined: "); };
  std::optional<ElementBlock> element = getElementBlock(block, how);
  if (!element)
    return failure();
  Value buffer = element->store.getMemRef();
  auto alloc = buffer.getDefiningOp<AllocOp>();
  if (!alloc)
    return refuse() << "what it writes is no buffer of the function "
                       "(uma.tir.alloc), and may be read elsewhere";
  std::optional<SmallVector<PointIndex>> point =
      getPoint(block.getWriteRegions().front());
  IRMapping probe;
  if (!point || !mapVariables(block, element->store.getIndices(),
                              element->store.getIndices(), probe))
    return refuse() << "its iteration variables do not follow from the indices "
                       "of what it writes";
  SmallVector<memref::LoadOp> reads;
  SmallVector<BlockOp> consumers;
  for (Operation *user : buffer.getUsers()) {
    if (user == block || user == element->store)
      continue;
    auto load = dyn_cast<memref::LoadOp>(user);
    auto consumer = dyn_cast<BlockOp>(user);
    if (load && load->getParentOfType<BlockOp>() != block &&
        load->getParentOfType<BlockOp>()) {
      reads.push_back(load);
    } else if (consumer && !llvm::is_contained(consumer.getWrites(), buffer)) {
      if (!llvm::is_contained(consumers, consumer))
        consumers.push_back(consumer);
    } else {
      InFlightDiagnostic error = refuse();
      error << "what it writes is used by something other than loads in blocks";
      error.attachNote(user->getLoc()) << "here";
      return failure();
    }
  }
  for (memref::LoadOp load : reads)
    if (!llvm::is_contained(consumers, load->getParentOfType<BlockOp>()))
      return load->getParentOfType<BlockOp>().emitOpError(
          "reads a buffer that it does not list, and that is to be inlined");
  if (Operation *writer = findWriter(block, consumers)) {
    InFlightDiagnostic error = refuse();
    error << describe(writer) << " changes what it reads before its results "
          << "are used";
    error.attachNote(writer->getLoc()) << "here";
    return failure();
  }

  for (memref::LoadOp load : reads) {
    IRMapping mapping;
    mapVariables(block, element->store.getIndices(), load.getIndices(),
                 mapping);
    rewriter.setInsertionPoint(load);
    for (Operation &op : block.getBody().front().without_terminator())
      if (&op != element->store)
        rewriter.clone(op, mapping);
    rewriter.replaceOp(
        load, mapping.lookupOrDefault(element->store.getValueToStore()));
  }
  for (BlockOp consumer : consumers) {
    SmallVector<BufferRegion> regions;
    for (const BufferRegion &region : consumer.getReadRegions())
      if (region.buffer == buffer)
        addRegions(block, block.getReadRegions(), *point, region, regions);
      else
        addRegion(regions, region);
    rewriter.modifyOpInPlace(consumer,
                             [&] { consumer.setReadRegions(regions); });
  }
  eraseBlock(rewriter, block, alloc);
  return success();
}

/// Redirects `producer`, a reduction into `sum` (a buffer of one element), to
/// accumulate directly in the element to which `copy` stores the sum.
static LogicalResult inlineCopy(RewriterBase &rewriter, ElementBlock &copy,
                                BlockOp producer, AllocOp sum) {
  BlockOp block = copy.block;
  auto refuse = [&]() {
    return block.emitOpError("cannot be inlined into its producer, which "
                             "reduces: ");
  };
  if (copy.loads.size() != 1 ||
      copy.store.getValueToStore() != copy.loads.front().getResult())
    return refuse() << "it does more than copy";
  if (cast<MemRefType>(sum.getBuffer().getType()).getRank() != 0)
    return refuse() << "the sum is not in a buffer of one element (rank 0)";
  Operation *nest = getAncestorIn(sum->getBlock(), producer);
  if (block->getBlock() != sum->getBlock() || !nest->isBeforeInBlock(block))
    return refuse() << "it does not stand behind the producer's loops, where "
                       "the sum is allocated";
  if (producer.getPredicate())
    return refuse() << "the producer has a predicate";
  for (ForOp loop : getLoopsAround(block))
    if (loop.getKind() != ForKind::Serial)
      return refuse() << "a loop around it is "
                      << stringifyForKind(loop.getKind());

  // Finds the producer's iteration variables with the same bindings.
  Statement own = getStatement(block), theirs = getStatement(producer);
  Value target = copy.store.getMemRef();
  std::optional<SmallVector<PointIndex>> point =
      getPoint(block.getWriteRegions().front());
  if (!point)
    return refuse() << "it does not list what it writes element by element";
  MLIRContext *context = block.getContext();
  SmallVector<AffineExpr> indices;
  for (const PointIndex &index : *point) {
    if (!index.variable) {
      indices.push_back(getAffineConstantExpr(index.constant, context));
      continue;
    }
    AffineExpr binding = own.bindings[*index.variable];
    for (auto [number, other] : llvm::enumerate(theirs.bindings))
      if (binding && other == binding &&
          producer.getIterKind(number) == IterKind::Spatial) {
        indices.push_back(getAffineDimExpr(number, context));
        break;
      }
  }
  if (indices.size() != point->size())
    return refuse() << "its iteration variables are not the producer's";
  for (Operation *op = nest; op != block; op = op->getNextNode())
    for (const Statement &statement : getStatements(op))
      for (const Access &access : statement.accesses)
        if (mayAlias(getBase(access.buffer), getBase(target))) {
          InFlightDiagnostic error = refuse();
          error << describe(statement.op) << " touches what it writes";
          error.attachNote(statement.op->getLoc()) << "here";
          return failure();
        }

  auto replaceIn = [&](Region &region) {
    region.walk([&](Operation *op) {
      auto load = dyn_cast<memref::LoadOp>(op);
      auto store = dyn_cast<memref::StoreOp>(op);
      if ((load    ? load.getMemRef()
           : store ? store.getMemRef()
                   : Value()) != sum.getBuffer())
        return;
      rewriter.setInsertionPoint(op);
      SmallVector<Value> place;
      for (AffineExpr index : indices)
        if (auto dim = dyn_cast<AffineDimExpr>(index))
          place.push_back(region.getArgument(dim.getPosition()));
        else
          place.push_back(
              makeIndex(rewriter, block.getLoc(),
                        cast<AffineConstantExpr>(index).getValue()));
      if (load)
        rewriter.replaceOpWithNewOp<memref::LoadOp>(load, target, place);
      else
        rewriter.replaceOpWithNewOp<memref::StoreOp>(
            store, store.getValueToStore(), target, place);
    });
  };
  if (producer.hasInit())
    replaceIn(producer.getInit());
  replaceIn(producer.getBody());
  auto moveRegions = [&](SmallVector<BufferRegion> regions) {
    for (BufferRegion &region : regions)
      if (region.buffer == sum.getBuffer())
        region = {
            target,
            AffineMap::get(producer.getBindings().size(), 0, indices, context),
            SmallVector<int64_t>(indices.size(), 1)};
    return regions;
  };
  rewriter.modifyOpInPlace(producer, [&] {
    producer.setReadRegions(moveRegions(producer.getReadRegions()));
    producer.setWriteRegions(moveRegions(producer.getWriteRegions()));
  });
  eraseBlock(rewriter, block, sum);
  return success();
}

LogicalResult schedule::reverseComputeInline(RewriterBase &rewriter,
                                             BlockOp block) {
  StringRef how = "inlined into its producer";
  auto refuse = [&]() {
    return block.emitOpError("cannot be ") << how << ": ";
  };
  std::optional<ElementBlock> element = getElementBlock(block, how);
  if (!element)
    return failure();
  // Find the operand whose producer the block is inlined into.
  memref::LoadOp operand;
  BlockOp producer;
  memref::StoreOp store;
  for (memref::LoadOp load : element->loads) {
    if (!load.getMemRef().getDefiningOp<AllocOp>())
      continue;
    for (Operation *user : load.getMemRef().getUsers()) {
      auto candidate = dyn_cast<memref::StoreOp>(user);
      if (!candidate || !candidate->getParentOfType<BlockOp>())
        continue;
      // Several stores may belong to one producer.
      if (store && candidate->getParentOfType<BlockOp>() != producer)
        return refuse() << "more than one block gives what it reads";
      operand = load;
      store = candidate;
      producer = store->getParentOfType<BlockOp>();
    }
  }
  if (!store)
    return refuse() << "no block writes a buffer of the function that it reads";
  Value buffer = store.getMemRef();
  auto alloc = buffer.getDefiningOp<AllocOp>();
  for (Operation *user : buffer.getUsers())
    if (!producer->isAncestor(user) && !block->isAncestor(user)) {
      InFlightDiagnostic error = refuse();
      error << "what it reads is used elsewhere, too";
      error.attachNote(user->getLoc()) << "here";
      return failure();
    }
  if (!isSpatial(producer))
    return inlineCopy(rewriter, *element, producer, alloc);
  std::optional<ElementBlock> source =
      getElementBlock(producer, "inlined into");
  if (!source)
    return failure();
  for (memref::LoadOp load : source->loads)
    if (load.getMemRef() == buffer)
      return refuse() << "its producer reads what it writes";
  IRMapping mapping;
  if (!mapVariables(block, operand.getIndices(), store.getIndices(), mapping))
    return refuse() << "its iteration variables do not follow from the indices "
                       "of what it reads";
  std::optional<unsigned> read = findRegion(block.getReadRegions(), buffer);
  std::optional<unsigned> written =
      findRegion(producer.getWriteRegions(), buffer);
  std::optional<SmallVector<PointIndex>> point, place;
  if (read && written) {
    point = getPoint(block.getReadRegions()[*read]);
    place = getPoint(producer.getWriteRegions()[*written]);
  }
  if (!point || !place)
    return refuse() << "its operand is not written, or not listed, element by "
                       "element";
  for (auto [to, from] : llvm::zip_equal(*point, *place))
    if (to.variable &&
        (from.variable ? producer.getExtents()[*from.variable]
                       : from.constant + 1) != block.getExtents()[*to.variable])
      return refuse() << "its producer computes other elements than it reads";
  for (memref::LoadOp load : element->loads)
    if (load.getMemRef() == buffer && load.getIndices() != operand.getIndices())
      return refuse() << "it reads more than one element of its operand";
  // The block's other operands must be available when the producer runs, and no
  // statement in between may access what the block writes.
  Block *scope = getVersion(block);
  Operation *first = getAncestorIn(scope, producer);
  Operation *last = getAncestorIn(scope, block);
  Statement own = getStatement(block);
  for (Operation *op = first;; op = op->getNextNode()) {
    for (const Statement &statement : getStatements(op))
      for (const Access &theirs : statement.accesses)
        for (const Access &ours : own.accesses)
          if (statement.op != block && theirs.buffer != buffer &&
              (theirs.isWrite || ours.isWrite) &&
              mayAlias(getBase(theirs.buffer), getBase(ours.buffer))) {
            InFlightDiagnostic error = refuse();
            error << describe(statement.op)
                  << " comes between, and touches a buffer that it needs";
            error.attachNote(statement.op->getLoc()) << "here";
            return failure();
          }
    if (op == last)
      break;
  }

  rewriter.setInsertionPoint(store);
  for (memref::LoadOp load : element->loads)
    if (load.getMemRef() == buffer)
      mapping.map(load.getResult(), store.getValueToStore());
  for (Operation &op : block.getBody().front().without_terminator()) {
    auto load = dyn_cast<memref::LoadOp>(op);
    if (!load || load.getMemRef() != buffer)
      rewriter.clone(op, mapping);
  }
  rewriter.eraseOp(store);
  SmallVector<BufferRegion> reads = producer.getReadRegions(), writes, others;
  BufferRegion at = producer.getWriteRegions()[*written];
  for (const BufferRegion &region : block.getReadRegions())
    if (region.buffer != buffer)
      others.push_back(region);
  addRegions(block, others, *point, at, reads);
  addRegions(block, block.getWriteRegions(), *point, at, writes);
  rewriter.modifyOpInPlace(producer, [&] {
    producer.setReadRegions(reads);
    producer.setWriteRegions(writes);
  });
  eraseBlock(rewriter, block, alloc);
  return success();
}
