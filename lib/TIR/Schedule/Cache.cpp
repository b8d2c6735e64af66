//===- Cache.cpp - cache_read, cache_write --------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// As in TVM, whole buffers are copied, outside of all loops. compute_at and
// reverse_compute_at reduce the copy to a tile per iteration, and
// uma-tir-compact-buffer-allocation shrinks the new buffer to a tile.
//
//===----------------------------------------------------------------------===//

#include "Primitives.h"

#include "uma/TIR/Schedule/Regions.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;
using namespace uma::tir::schedule;

/// Returns the name of a buffer, for the labels of its copies.
static std::string getName(Value buffer) {
  if (auto alloc = buffer.getDefiningOp<AllocOp>())
    return alloc.getLabel().value_or("buffer").str();
  if (auto global = buffer.getDefiningOp<memref::GetGlobalOp>())
    return global.getName().str();
  auto argument = dyn_cast<BlockArgument>(buffer);
  if (!argument)
    return "buffer";
  auto func = cast<FuncOp>(argument.getOwner()->getParentOp());
  if (auto name = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                    kTensorNameAttrName))
    return name.str();
  return "arg" + std::to_string(argument.getArgNumber());
}

/// Creates a block in a new loop nest that copies `extents` elements from
/// `first` on.
static BlockOp makeCopy(RewriterBase &rewriter, FuncOp func, Location loc,
                        StringRef label, Value from, Value to,
                        ArrayRef<int64_t> first, ArrayRef<int64_t> extents) {
  SmallVector<IterVar> variables;
  SmallVector<AffineExpr> indices;
  SmallVector<Value> bindings;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    if (first[dim] != 0) {
      indices.push_back(rewriter.getAffineConstantExpr(first[dim]));
      continue;
    }
    auto loop = ForOp::create(rewriter, loc, rewriter.getIndexAttr(0),
                              rewriter.getIndexAttr(extent));
    loop.setLabel(("ax" + Twine(dim)).str());
    rewriter.setInsertionPointToStart(&loop.getBody().front());
    indices.push_back(rewriter.getAffineDimExpr(variables.size()));
    variables.push_back({IterKind::Spatial, loop.getInductionVar(), extent});
  }
  AffineMap map =
      AffineMap::get(variables.size(), 0, indices, rewriter.getContext());
  SmallVector<int64_t> ones(extents.size(), 1);
  auto block = BlockOp::create(rewriter, loc, label, variables,
                               BufferRegion{from, map, ones},
                               BufferRegion{to, map, ones});
  rewriter.setInsertionPointToStart(&block.getBody().front());
  SmallVector<Value> dims(block.getBodyVars()), elements;
  for (AffineExpr index : indices)
    elements.push_back(makeValue(rewriter, loc, index, dims));
  Value element = memref::LoadOp::create(rewriter, loc, from, elements);
  memref::StoreOp::create(rewriter, loc, element, to, elements);
  return block;
}

/// Buffer that a block accesses, and the insertion point of its copy.
namespace {
struct Place {
  Value buffer;
  /// Ancestor of the block in the scope of the buffer.
  Operation *nest;
};
} // namespace

static FailureOr<Place> findPlace(BlockOp block, OperandRange buffers,
                                  unsigned index, Scope scope, FuncOp func,
                                  StringRef verb) {
  if (index >= buffers.size())
    return block.emitOpError() << verb << " " << buffers.size()
                               << " buffers, there is no #" << index;
  Value buffer = buffers[index];
  if (scope == Scope::Workspace && func.isPrivate())
    return block.emitOpError()
           << "can have no copy in the workspace: it is planned for public "
              "functions, and this one is private";
  // Buffers of the function are copied outside of all loops.
  return Place{buffer, getNest(buffer, block)};
}

static AllocOp makeBuffer(RewriterBase &rewriter, Location loc, Value like,
                          Scope scope, StringRef label) {
  return AllocOp::create(rewriter, loc, cast<MemRefType>(like.getType()), scope,
                         /*offset=*/nullptr, rewriter.getStringAttr(label));
}

namespace {
/// Copy of a buffer, allocated before the loops of a block.
struct LocalCopy {
  std::string label;
  Value buffer;
};
} // namespace

/// Allocates the copy, and sets the insertion point behind it.
static LocalCopy makeLocalCopy(RewriterBase &rewriter, BlockOp block,
                               const Place &place, Scope scope) {
  std::string label =
      makeLabel(block, getName(place.buffer) + "_" + stringifyScope(scope));
  rewriter.setInsertionPoint(place.nest);
  Value buffer =
      makeBuffer(rewriter, block.getLoc(), place.buffer, scope, label);
  return {label, buffer};
}

/// Returns the first operation in the nest with an access to `place.buffer` or
/// a potential alias for which `isMeant` returns true, or null if there is
/// none.
static Operation *
findAccess(const Place &place,
           function_ref<bool(const Statement &, const Access &)> isMeant) {
  for (const Statement &statement : getStatements(place.nest))
    for (const Access &access : statement.accesses)
      if (isMeant(statement, access) &&
          mayAlias(getBase(access.buffer), getBase(place.buffer)))
        return statement.op;
  return nullptr;
}

/// Appends a conflicting operation and what it does to an error.
static LogicalResult blame(InFlightDiagnostic error, Operation *other,
                           StringRef does) {
  error << describe(other) << " in the same loops " << does;
  error.attachNote(other->getLoc()) << "here";
  return failure();
}

/// Replaces the buffer `from` by `to` in the block.
static void replaceBuffer(RewriterBase &rewriter, BlockOp block, Value from,
                          Value to) {
  rewriter.replaceUsesWithIf(from, to, [&](OpOperand &use) {
    return block->isAncestor(use.getOwner());
  });
}

FailureOr<BlockOp> schedule::cacheRead(FuncOp func, RewriterBase &rewriter,
                                       BlockOp block, unsigned index,
                                       Scope scope) {
  FailureOr<Place> place =
      findPlace(block, block.getReads(), index, scope, func, "reads");
  if (failed(place))
    return failure();
  Value buffer = place->buffer;
  if (Operation *writer =
          findAccess(*place, [](const Statement &, const Access &access) {
            return access.isWrite;
          }))
    return blame(block.emitOpError("cannot read a copy of buffer #")
                     << index << ": ",
                 writer, "writes it");

  Location loc = block.getLoc();
  LocalCopy copy = makeLocalCopy(rewriter, block, *place, scope);
  ArrayRef<int64_t> shape = cast<MemRefType>(buffer.getType()).getShape();
  BlockOp copying =
      makeCopy(rewriter, func, loc, copy.label, buffer, copy.buffer,
               SmallVector<int64_t>(shape.size(), 0), shape);
  replaceBuffer(rewriter, block, buffer, copy.buffer);
  return copying;
}

FailureOr<BlockOp> schedule::cacheWrite(FuncOp func, RewriterBase &rewriter,
                                        BlockOp block, unsigned index,
                                        Scope scope) {
  FailureOr<Place> place =
      findPlace(block, block.getWrites(), index, scope, func, "writes");
  if (failed(place))
    return failure();
  Value buffer = place->buffer;
  auto refuse = [&]() {
    return block.emitOpError("cannot write buffer #")
           << index << " through a buffer of its own: ";
  };
  // All elements that are copied back must have been computed by the block.
  Statement own = getStatement(block);
  std::optional<SmallVector<PointIndex>> point =
      getPoint(block.getWriteRegions()[index]);
  if (!point || !isComplete(own))
    return refuse() << "it does not write one element for each value of its "
                       "iteration variables";
  bool readsOld = false;
  block.getBody().walk(
      [&](memref::LoadOp load) { readsOld |= load.getMemRef() == buffer; });
  if (readsOld && !block.hasInit())
    return refuse() << "it adds to what the buffer holds; call cache_write "
                       "before decompose_reduction";
  if (Operation *other =
          findAccess(*place, [&](const Statement &statement, const Access &) {
            return statement.op != block;
          }))
    return blame(refuse(), other, "touches the buffer, too");

  Location loc = block.getLoc();
  LocalCopy copy = makeLocalCopy(rewriter, block, *place, scope);
  replaceBuffer(rewriter, block, buffer, copy.buffer);
  SmallVector<int64_t> first, extents;
  for (const PointIndex &dim : *point) {
    first.push_back(dim.constant);
    extents.push_back(dim.variable ? block.getExtents()[*dim.variable] : 1);
  }
  rewriter.setInsertionPointAfter(place->nest);
  std::string copyLabel =
      makeLabel(block, block.getLabel() + "_" + stringifyScope(scope));
  return makeCopy(rewriter, func, loc, copyLabel, copy.buffer, buffer, first,
                  extents);
}
