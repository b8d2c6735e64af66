//===- ComputeAt.cpp - compute_at, reverse_compute_at ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The moved block gets new loops over the region that one iteration of the
// target loop needs or produces. It may then compute elements repeatedly, which
// is legal if it computes the same value each time.
//
//===----------------------------------------------------------------------===//

#include "Primitives.h"

#include "uma/TIR/Schedule/Regions.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;
using namespace uma::tir::schedule;

using Accesses = SmallVector<std::pair<const Statement *, const Access *>>;

namespace {
/// State that both primitives share: the block, the target loop, and checks.
struct Move {
  Move(BlockOp block, ForOp loop, StringRef how)
      : block(block), loop(loop), how(how) {}

  BlockOp block;
  ForOp loop;
  /// Name of the transformation in error messages.
  StringRef how;
  Block *scope = nullptr;
  /// Ancestors of the block and of the loop in `scope`.
  Operation *blockNest = nullptr, *loopNest = nullptr;
  /// Loops around the block after the move.
  SmallVector<ForOp> outer;
  std::vector<Statement> inLoop;
  Statement own;

  LogicalResult initialize();
  InFlightDiagnostic refuse() {
    return block.emitOpError("cannot be ") << how << ": ";
  }
  /// Checks that the block has no dependence on the statements that it is moved
  /// across, nor on those in the loop's nest and in later iterations, except
  /// for accesses that satisfy `excepted`.
  LogicalResult
  checkWay(function_ref<bool(const Statement &, const Access &, const Access &)>
               excepted);
  /// Checks that parallel and vectorized loops carry no dependence after the
  /// move, with the accesses of `moved` in each iteration.
  LogicalResult checkParallel(Statement moved);
};
} // namespace

static bool readsResult(BlockOp block) {
  bool result = false;
  block.getBody().walk([&](memref::LoadOp load) {
    result |= llvm::is_contained(block.getWrites(), load.getMemRef());
  });
  return result;
}

LogicalResult Move::initialize() {
  if (loop->isAncestor(block))
    return refuse() << "it is in that loop";
  for (Operation *parent = loop->getParentOp(); parent;
       parent = parent->getParentOp()) {
    for (Region &region : parent->getRegions())
      for (Block &candidate : region)
        if (!scope && (blockNest = getAncestorIn(&candidate, block)))
          if ((loopNest = getAncestorIn(&candidate, loop)))
            scope = &candidate;
    if (scope)
      break;
  }
  for (Operation *parent : {block->getParentOp(), loop->getParentOp()})
    for (; parent != scope->getParentOp(); parent = parent->getParentOp())
      if (!isa<ForOp>(parent))
        return refuse() << "something other than loops is around it or "
                           "around the loop";
  if (!block.hasInit() && readsResult(block))
    return refuse() << "it has no init region and reads what it writes, and "
                       "would do so again where it computes twice";
  outer = getLoopsAround(loop);
  outer.push_back(loop);
  inLoop = getStatements(loop);
  own = getStatement(block);
  if (!isComplete(own))
    return refuse() << "its loops do not run for exactly the values of its "
                       "iteration variables";
  return success();
}

LogicalResult Move::checkWay(
    function_ref<bool(const Statement &, const Access &, const Access &)>
        excepted) {
  Operation *first =
      blockNest->isBeforeInBlock(loopNest) ? blockNest : loopNest;
  Operation *last = first == blockNest ? loopNest : blockNest;
  for (Operation *op = first;; op = op->getNextNode()) {
    for (const Statement &statement : getStatements(op)) {
      if (statement.op == block)
        continue;
      for (const Access &theirs : statement.accesses)
        for (const Access &ours : own.accesses) {
          if ((!theirs.isWrite && !ours.isWrite) ||
              !mayAlias(getBase(theirs.buffer), getBase(ours.buffer)) ||
              excepted(statement, theirs, ours))
            continue;
          InFlightDiagnostic error = refuse();
          error << describe(statement.op) << " on the way "
                << (theirs.isWrite ? "writes" : "reads") << " a buffer that it "
                << (ours.isWrite ? "writes" : "reads");
          error.attachNote(statement.op->getLoc()) << "here";
          return failure();
        }
    }
    if (op == last)
      return success();
  }
}

LogicalResult Move::checkParallel(Statement moved) {
  moved.op = block;
  moved.loops = outer;
  moved.conditions.clear();
  for (ForOp parallel : outer) {
    if (parallel.getKind() != ForKind::Parallel &&
        parallel.getKind() != ForKind::Vectorized)
      continue;
    std::vector<Statement> statements = getStatements(parallel);
    llvm::erase_if(statements, [&](const Statement &statement) {
      return statement.op == block;
    });
    statements.push_back(moved);
    if (findCarried(statements, parallel, getLoopsAround(parallel)))
      return refuse() << "iterations of a loop that is "
                      << stringifyForKind(parallel.getKind())
                      << " would depend on each other";
  }
  return success();
}

/// Returns the accesses of the statements to `buffer`.
static Accesses getAccesses(ArrayRef<Statement> statements, Value buffer,
                            bool isWrite) {
  Accesses accesses;
  for (const Statement &statement : statements)
    for (const Access &access : statement.accesses)
      if (access.isWrite == isWrite &&
          mayAlias(getBase(access.buffer), getBase(buffer)))
        accesses.push_back({&statement, &access});
  return accesses;
}

/// Returns the whole domain of each iteration variable.
static SmallVector<Interval> getDomains(BlockOp block) {
  SmallVector<Interval> domains;
  for (int64_t extent : block.getExtents())
    domains.push_back({getAffineConstantExpr(0, block.getContext()), extent});
  return domains;
}

/// Narrows the values of the variables that index the buffer at `point` to
/// `region`.
static void narrow(SmallVectorImpl<Interval> &values,
                   ArrayRef<PointIndex> point, ArrayRef<Interval> region) {
  for (auto [index, interval] : llvm::zip_equal(point, region))
    if (index.variable && interval.size < values[*index.variable].size)
      values[*index.variable] = interval;
}

/// Returns an access to the elements of `region` for all `values` of the
/// iteration variables.
static Access makeAccess(const BufferRegion &region, ArrayRef<Interval> values,
                         bool isWrite) {
  Access access{region.buffer, isWrite, SmallVector<AffineExpr>(), {}};
  std::optional<SmallVector<PointIndex>> point = getPoint(region);
  if (!point) {
    access.first = std::nullopt;
    return access;
  }
  for (const PointIndex &index : *point) {
    access.first->push_back(
        index.variable
            ? values[*index.variable].low
            : getAffineConstantExpr(index.constant, region.first.getContext()));
    access.extents.push_back(index.variable ? values[*index.variable].size : 1);
  }
  return access;
}

static Statement makeStatement(BlockOp block, ArrayRef<Interval> values) {
  Statement statement;
  for (const BufferRegion &region : block.getReadRegions())
    statement.accesses.push_back(makeAccess(region, values, /*isWrite=*/false));
  for (const BufferRegion &region : block.getWriteRegions())
    statement.accesses.push_back(makeAccess(region, values, /*isWrite=*/true));
  return statement;
}

LogicalResult schedule::computeAt(RewriterBase &rewriter, BlockOp block,
                                  ForOp loop) {
  Move move(block, loop, "computed at that loop");
  if (failed(move.initialize()))
    return failure();
  if (!move.blockNest->isBeforeInBlock(move.loopNest))
    return move.refuse() << "it comes after the loop";
  SmallVector<BufferRegion> writes = block.getWriteRegions();
  std::optional<SmallVector<PointIndex>> point;
  if (writes.size() == 1)
    point = getPoint(writes.front());
  if (!point)
    return move.refuse() << "it does not write one element of one buffer "
                            "for each value of its iteration variables";
  SmallVector<bool> isIndex(block.getBindings().size());
  for (const PointIndex &index : *point)
    if (index.variable)
      isIndex[*index.variable] = true;
  for (auto [number, variable] : llvm::enumerate(block.getIterVars()))
    if (isIndex[number] != (variable.kind == IterKind::Spatial))
      return move.refuse() << "iteration variable #" << number << " is "
                           << stringifyIterKind(variable.kind) << " and is "
                           << (isIndex[number] ? "an" : "no")
                           << " index of what it writes";

  Value buffer = writes.front().buffer;
  if (!getBase(buffer).getDefiningOp<AllocOp>() || getBase(buffer) != buffer)
    return move.refuse() << "what it writes is no buffer of the function "
                            "(uma.tir.alloc), and may be read elsewhere";
  for (Operation *user : buffer.getUsers())
    if (!block->isAncestor(user) && !loop->isAncestor(user)) {
      InFlightDiagnostic error = move.refuse();
      error << "what it writes is used outside of the loop, too";
      error.attachNote(user->getLoc()) << "here";
      return failure();
    }
  if (failed(move.checkWay([&](const Statement &statement, const Access &theirs,
                               const Access &ours) {
        return ours.isWrite && !theirs.isWrite &&
               loop->isAncestor(statement.op);
      })))
    return failure();

  Accesses reads = getAccesses(move.inLoop, buffer, /*isWrite=*/false);
  if (reads.empty())
    return move.refuse() << "nothing in the loop reads what it writes";
  SmallVector<Interval> values = getDomains(block);
  narrow(
      values, *point,
      getRegion(reads, cast<MemRefType>(buffer.getType()), move.outer.size()));
  if (failed(move.checkParallel(makeStatement(block, values))))
    return failure();

  Operation *consumer = nullptr;
  for (auto [statement, access] : reads) {
    Operation *op = getAncestorIn(&loop.getBody().front(), statement->op);
    if (!consumer || op->isBeforeInBlock(consumer))
      consumer = op;
  }
  moveBlock(rewriter, block, consumer, values, move.outer);
  return success();
}

/// Returns true if a producer that writes at `written` computes all elements
/// that the consumer reads at `read`.
static bool covers(BlockOp producer, ArrayRef<PointIndex> written,
                   BlockOp consumer, ArrayRef<PointIndex> read) {
  for (auto [from, to] : llvm::zip_equal(written, read)) {
    int64_t low = from.variable ? 0 : from.constant;
    int64_t high =
        from.variable ? producer.getExtents()[*from.variable] : low + 1;
    int64_t first = to.variable ? 0 : to.constant;
    int64_t last =
        to.variable ? consumer.getExtents()[*to.variable] : first + 1;
    if (first < low || last > high)
      return false;
  }
  return true;
}

LogicalResult schedule::reverseComputeAt(RewriterBase &rewriter, BlockOp block,
                                         ForOp loop) {
  Move move(block, loop, "computed at the end of that loop");
  if (failed(move.initialize()))
    return failure();
  if (move.blockNest->isBeforeInBlock(move.loopNest))
    return move.refuse() << "it comes before the loop";
  if (!isSpatial(block))
    return move.refuse() << "it reduces, and would do so more than once";

  SmallVector<Interval> values = getDomains(block);
  SmallVector<Value> produced;
  for (const BufferRegion &region : block.getReadRegions()) {
    Accesses writes = getAccesses(move.inLoop, region.buffer, /*isWrite=*/true);
    if (writes.empty())
      continue;
    std::optional<SmallVector<PointIndex>> point = getPoint(region);
    if (!point)
      return move.refuse() << "it does not read one element for each value "
                              "of its iteration variables";
    for (auto [statement, access] : writes) {
      auto producer = dyn_cast<BlockOp>(statement->op);
      std::optional<unsigned> number =
          producer ? findRegion(producer.getWriteRegions(), region.buffer)
                   : std::nullopt;
      std::optional<SmallVector<PointIndex>> written;
      if (number && isComplete(*statement))
        written = getPoint(producer.getWriteRegions()[*number]);
      if (!written || !covers(producer, *written, block, *point))
        return move.refuse()
               << describe(statement->op)
               << " does not write every element that it reads, each for "
                  "values of its iteration variables of its own";
      for (ForOp around : move.outer)
        if (!around->isAncestor(move.blockNest) &&
            isReduceLoop(*statement, around)) {
          InFlightDiagnostic error = move.refuse();
          error << describe(producer)
                << " reduces over a loop that is around it there: its results "
                   "are not complete";
          error.attachNote(around.getLoc()) << "this loop";
          return failure();
        }
    }
    narrow(values, *point,
           getRegion(writes, cast<MemRefType>(region.buffer.getType()),
                     move.outer.size()));
    produced.push_back(region.buffer);
  }
  if (produced.empty())
    return move.refuse() << "nothing in the loop writes what it reads";
  if (produced.size() > 1)
    return move.refuse() << "it reads " << produced.size()
                         << " buffers that are written in the loop, "
                            "expected one";
  if (failed(move.checkWay([&](const Statement &statement, const Access &theirs,
                               const Access &ours) {
        return theirs.isWrite && !ours.isWrite &&
               ours.buffer == produced.front() &&
               loop->isAncestor(statement.op);
      })) ||
      failed(move.checkParallel(makeStatement(block, values))))
    return failure();
  moveBlock(rewriter, block, loop.getBody().front().getTerminator(), values,
            move.outer);
  return success();
}
