//===- Schedule.cpp - Handles and loop kinds ------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Schedule/Schedule.h"

#include "Primitives.h"

#include "uma/Support/DidYouMean.h"
#include "uma/TIR/Schedule/Analysis.h"
#include "uma/TIR/Schedule/Regions.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;
using namespace uma::tir::schedule;

/// Returns true if `region` is the version `wanted` of `versions`.
static bool isVersion(MultiversionOp versions, Region &region,
                      const Schedule::Version &wanted) {
  unsigned number = region.getRegionNumber();
  if (number == versions.getLanes().size())
    return wanted.lanes == 1 && wanted.guard.empty();
  return versions.getLanes()[number] == wanted.lanes &&
         cast<StringAttr>(versions.getGuards()[number]).getValue() ==
             wanted.guard;
}

/// Emits an error that the function has no version `wanted`, with a note that
/// lists its versions.
static void reportNoVersion(FuncOp func, const Schedule::Version &wanted) {
  InFlightDiagnostic error = func.emitOpError("has no version lanes(")
                             << wanted.lanes << ")";
  if (!wanted.guard.empty())
    error << " guard(\"" << wanted.guard << "\")";
  func.walk([&](MultiversionOp versions) {
    Diagnostic &note = error.attachNote(versions.getLoc());
    note << "it has ";
    for (auto [lanes, guard] :
         llvm::zip_equal(versions.getLanes(),
                         versions.getGuards().getAsRange<StringAttr>())) {
      note << "lanes(" << lanes << ")";
      if (!guard.empty())
        note << " guard(" << guard << ")";
      note << ", ";
    }
    note << "and lanes(1), the default";
  });
}

FailureOr<BlockOp> Schedule::getBlock(StringRef label,
                                      std::optional<Version> version) {
  SmallVector<BlockOp> found;
  SmallVector<StringRef> labels;
  bool hasVersion = !version;
  func.walk([&](MultiversionOp versions) {
    for (Region &region : versions.getVersions())
      hasVersion |= version && isVersion(versions, region, *version);
  });
  if (!hasVersion) {
    reportNoVersion(func, *version);
    return failure();
  }
  func.walk([&](BlockOp block) {
    Region &region = *getVersion(block)->getParent();
    auto versions = dyn_cast<MultiversionOp>(region.getParentOp());
    if (version && (!versions || !isVersion(versions, region, *version)))
      return;
    labels.push_back(block.getLabel());
    if (block.getLabel() == label)
      found.push_back(block);
  });
  if (found.size() == 1)
    return found.front();
  if (found.empty())
    return func.emitOpError("has no block \"")
           << label << "\"" << didYouMean(label, labels);
  InFlightDiagnostic error = func.emitOpError("has ")
                             << found.size() << " blocks \"" << label
                             << "\", expected one: say the version, as "
                                "in lanes(8), or give them labels of their own";
  for (BlockOp block : found)
    error.attachNote(block.getLoc()) << "one of them";
  return failure();
}

SmallVector<ForOp> Schedule::getLoops(BlockOp block) {
  return getLoopsAround(block);
}

FailureOr<MultiversionOp> Schedule::multiversion(ArrayRef<int64_t> lanes) {
  Block &body = func.getBody().front();
  bool hasVersions = false;
  func.walk([&](MultiversionOp) { hasVersions = true; });
  if (hasVersions)
    return func.emitOpError("has versions already");
  int64_t wider = std::numeric_limits<int64_t>::max();
  for (int64_t width : lanes) {
    if (width < 2 || !llvm::isPowerOf2_64(width) || width >= wider)
      return func.emitOpError("cannot have versions for [")
             << lanes
             << "] lanes, expected powers of 2 from 2 on, the widest first";
    wider = width;
  }
  rewriter.setInsertionPointToStart(&body);
  auto versions =
      MultiversionOp::create(rewriter, func.getLoc(), lanes,
                             SmallVector<StringRef>(lanes.size(), StringRef()));
  for (size_t i = 0; i < lanes.size(); ++i) {
    rewriter.setInsertionPointToStart(&versions.getVersions()[i].front());
    IRMapping mapping;
    for (Operation *op = versions->getNextNode(); op != body.getTerminator();
         op = op->getNextNode())
      rewriter.clone(*op, mapping);
  }
  Operation *end = versions.getVersions().back().front().getTerminator();
  while (versions->getNextNode() != body.getTerminator())
    rewriter.moveOpBefore(versions->getNextNode(), end);
  return versions;
}

//===----------------------------------------------------------------------===//
// Loop kinds
//===----------------------------------------------------------------------===//

/// Appends the reason why iterations cannot run at the same time.
static void explain(InFlightDiagnostic &error, ForOp loop,
                    const Conflict &conflict) {
  if (!conflict.buffer) {
    error << describe(conflict.first)
          << " calls a function, and calls keep their order";
    return;
  }
  if (conflict.first == conflict.second &&
      isReduceLoop(getStatement(conflict.first), loop)) {
    error << describe(conflict.first)
          << " reduces over it: every iteration adds to the same elements";
    return;
  }
  error << describe(conflict.first) << " and " << describe(conflict.second)
        << " touch the same elements of a buffer in different iterations, and "
           "one of them writes";
  if (conflict.first == conflict.second)
    error.attachNote(conflict.buffer.getLoc())
        << "different iterations write the same elements of this buffer";
  else
    error.attachNote(conflict.buffer.getLoc()) << "the buffer is this";
}

LogicalResult Schedule::setKind(ForOp loop, ForKind kind) {
  auto refuse = [&]() {
    return loop.emitOpError("cannot be ") << stringifyForKind(kind) << ": ";
  };
  if (kind != ForKind::Parallel && !loop.getExtent())
    return refuse() << "its bounds are not integers";
  if (kind != ForKind::Unrolled) {
    if (std::optional<Conflict> conflict = findCarried(loop)) {
      InFlightDiagnostic error = refuse();
      explain(error, loop, *conflict);
      return failure();
    }
  }
  rewriter.modifyOpInPlace(loop, [&] { loop.setKind(kind); });
  return success();
}

LogicalResult Schedule::vectorize(ForOp loop) {
  return setKind(loop, ForKind::Vectorized);
}

LogicalResult Schedule::parallel(ForOp loop) {
  return setKind(loop, ForKind::Parallel);
}

LogicalResult Schedule::unroll(ForOp loop) {
  return setKind(loop, ForKind::Unrolled);
}

//===----------------------------------------------------------------------===//
// Annotations and scopes
//===----------------------------------------------------------------------===//

LogicalResult Schedule::annotate(Operation *op, StringRef name,
                                 Attribute value) {
  if (op->getInherentAttr(name))
    return op->emitOpError("cannot be annotated with '")
           << name << "': that attribute is a part of the operation";
  rewriter.modifyOpInPlace(op, [&] { op->setDiscardableAttr(name, value); });
  return success();
}

LogicalResult Schedule::setScope(BlockOp block, unsigned index, Scope scope) {
  if (index >= block.getWrites().size())
    return block.emitOpError("writes ")
           << block.getWrites().size() << " buffers, there is no #" << index;
  auto alloc = getBase(block.getWrites()[index]).getDefiningOp<AllocOp>();
  if (!alloc)
    return block.emitOpError("writes buffer #")
           << index
           << ", which is no uma.tir.alloc: its place is not for the function "
              "to choose";
  if (scope == Scope::Workspace && alloc->getParentOp() != func)
    return block.emitOpError("writes buffer #")
           << index
           << ", which lives in a loop: the workspace is planned for buffers "
              "of the whole function";
  rewriter.modifyOpInPlace(alloc, [&] { alloc.setScope(scope); });
  return success();
}

//===----------------------------------------------------------------------===//
// Primitives in other files
//===----------------------------------------------------------------------===//

FailureOr<BlockOp> Schedule::cacheRead(BlockOp block, unsigned index,
                                       Scope scope) {
  return schedule::cacheRead(func, rewriter, block, index, scope);
}

FailureOr<BlockOp> Schedule::cacheWrite(BlockOp block, unsigned index,
                                        Scope scope) {
  return schedule::cacheWrite(func, rewriter, block, index, scope);
}

LogicalResult Schedule::computeAt(BlockOp block, ForOp loop) {
  return schedule::computeAt(rewriter, block, loop);
}

LogicalResult Schedule::reverseComputeAt(BlockOp block, ForOp loop) {
  return schedule::reverseComputeAt(rewriter, block, loop);
}

LogicalResult Schedule::computeInline(BlockOp block) {
  return schedule::computeInline(rewriter, block);
}

LogicalResult Schedule::reverseComputeInline(BlockOp block) {
  return schedule::reverseComputeInline(rewriter, block);
}

FailureOr<SmallVector<ForOp>> Schedule::split(ForOp loop,
                                              ArrayRef<int64_t> wanted) {
  return schedule::split(rewriter, loop, wanted);
}

FailureOr<ForOp> Schedule::fuse(ArrayRef<ForOp> given) {
  return schedule::fuse(func, rewriter, given);
}

LogicalResult Schedule::reorder(ArrayRef<ForOp> wanted) {
  return schedule::reorder(func, rewriter, wanted);
}

FailureOr<BlockOp> Schedule::rfactor(BlockOp block, ForOp loop) {
  return schedule::rfactor(func, rewriter, block, loop);
}

FailureOr<BlockOp> Schedule::decomposeReduction(BlockOp block, ForOp loop) {
  return schedule::decomposeReduction(rewriter, block, loop);
}

FailureOr<CallExternOp> Schedule::tensorize(Operation *root, FuncOp intrinsic) {
  return schedule::tensorize(rewriter, root, intrinsic);
}
