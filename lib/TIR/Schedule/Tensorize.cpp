//===- Tensorize.cpp - tensorize ------------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// An intrinsic is a function of TIR that specifies what a C function computes
// on small buffers. It is compared with a part of another function that
// computes on tiles of large buffers: loops and body must be equal, and strides
// must be those of a tile. The C function takes the position of the tile and
// its row stride.
//
//===----------------------------------------------------------------------===//

#include "Primitives.h"

#include "uma/TIR/Schedule/Regions.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;
using namespace uma::tir::schedule;

namespace {
/// Loop nest with constant bounds around one block.
struct Nest {
  SmallVector<ForOp> loops;
  Statement block;
  /// Number of loops around the block that are outside of the nest.
  unsigned numOuter = 0;

  BlockOp getBlock() const { return cast<BlockOp>(block.op); }
};

/// Tile of the function's buffer that corresponds to a buffer of the intrinsic.
struct Tile {
  Value buffer;
  AffineExpr offset;
  SmallVector<int64_t> strides;
};

class Comparison {
public:
  Comparison(FuncOp intrinsic, Nest ours, Nest theirs)
      : intrinsic(intrinsic), ours(std::move(ours)), theirs(std::move(theirs)) {
  }
  LogicalResult run();

  /// Indexed by argument of the intrinsic.
  SmallVector<std::optional<Tile>> tiles;
  SmallVector<bool> isWritten;

private:
  InFlightDiagnostic refuse() {
    return ours.getBlock().emitOpError("does not compute what '@")
           << intrinsic.getSymName() << "' does: ";
  }
  LogicalResult compareLoops();
  LogicalResult compareBodies(Block &body, Block &other);
  LogicalResult compareAccess(Operation *op, Value buffer, ValueRange indices,
                              Value otherBuffer, ValueRange otherIndices);

  FuncOp intrinsic;
  Nest ours, theirs;
  IRMapping values;
};
} // namespace

/// Returns the loop nest at `root`. Emits an error with the reason and returns
/// std::nullopt if `root` is not a nest around one block.
static std::optional<Nest> findNest(Operation *root, StringRef what) {
  Nest nest;
  Operation *op = root;
  while (auto loop = dyn_cast<ForOp>(op)) {
    Operation *inner = nullptr;
    for (Operation &content : loop.getBody().front().without_terminator())
      if (isa<ForOp, BlockOp>(content))
        inner = &content;
    if (!inner || !holdsOnly(loop, inner) || !loop.getExtent()) {
      loop.emitOpError() << what
                         << " a loop that does not hold just one loop or "
                            "block, or whose bounds are not integers";
      return std::nullopt;
    }
    nest.loops.push_back(loop);
    op = inner;
  }
  auto block = dyn_cast<BlockOp>(op);
  if (!block) {
    op->emitOpError() << what << " neither loops nor a block";
    return std::nullopt;
  }
  nest.block = getStatement(block);
  nest.numOuter = nest.block.loops.size() - nest.loops.size();
  if (block.getPredicate() ||
      !llvm::all_of(nest.block.bindings,
                    [](AffineExpr binding) { return bool(binding); })) {
    block.emitOpError() << what
                        << " a block with a predicate or with bindings that "
                           "are not affine";
    return std::nullopt;
  }
  return nest;
}

LogicalResult Comparison::compareLoops() {
  if (ours.loops.size() != theirs.loops.size())
    return refuse() << "it has " << ours.loops.size() << " loops there, not "
                    << theirs.loops.size();
  for (unsigned i = 0; i < ours.loops.size(); ++i) {
    int64_t extent = *ours.loops[i].getExtent();
    int64_t wanted = *theirs.loops[i].getExtent();
    if (extent != wanted || ours.loops[i].getStaticLower() != 0 ||
        theirs.loops[i].getStaticLower() != 0)
      return refuse() << "loop #" << i << " has " << extent
                      << " iterations, expected " << wanted << " from 0";
    bool reduces = isReduceLoop(ours.block, ours.loops[i]);
    if (reduces != isReduceLoop(theirs.block, theirs.loops[i]))
      return refuse() << "loop #" << i
                      << (reduces ? " reduces" : " does not reduce");
  }
  BlockOp block = ours.getBlock(), other = theirs.getBlock();
  if (block.hasInit() != other.hasInit())
    return refuse() << "it has " << (block.hasInit() ? "an" : "no")
                    << " init region"
                    << (block.hasInit() ? "; call decompose_reduction first"
                                        : "");
  if (block.hasInit())
    for (ForOp loop : ArrayRef(ours.block.loops).take_front(ours.numOuter))
      if (isReduceLoop(ours.block, loop))
        return refuse() << "a loop around it reduces, too, and the init region "
                           "runs once for all its iterations";
  return success();
}

/// Returns the coefficient of each dimension, or std::nullopt if `sum` is not
/// linear.
static std::optional<SmallVector<int64_t>> getCoefficients(AffineExpr sum,
                                                           unsigned numDims) {
  SmallVector<AffineExpr> zeros(numDims,
                                getAffineConstantExpr(0, sum.getContext()));
  bool isLinear = true;
  sum.walk([&](AffineExpr part) {
    isLinear &= part.getKind() == AffineExprKind::Add ||
                part.getKind() == AffineExprKind::Mul ||
                part.getKind() == AffineExprKind::Constant ||
                part.getKind() == AffineExprKind::DimId;
  });
  if (!isLinear)
    return std::nullopt;
  auto evaluate = [&](ArrayRef<AffineExpr> dims) {
    return cast<AffineConstantExpr>(
               simplifyAffineExpr(sum.replaceDims(dims), 0, 0))
        .getValue();
  };
  int64_t base = evaluate(zeros);
  SmallVector<int64_t> coefficients;
  for (unsigned dim = 0; dim < numDims; ++dim) {
    SmallVector<AffineExpr> one = zeros;
    one[dim] = getAffineConstantExpr(1, sum.getContext());
    coefficients.push_back(evaluate(one) - base);
  }
  return coefficients;
}

LogicalResult Comparison::compareAccess(Operation *op, Value buffer,
                                        ValueRange indices, Value otherBuffer,
                                        ValueRange otherIndices) {
  auto argument = dyn_cast<BlockArgument>(otherBuffer);
  if (!argument || argument.getOwner() != &intrinsic.getBody().front())
    return intrinsic.emitOpError(
        "is no intrinsic: it touches a buffer that is no argument");
  MLIRContext *context = intrinsic.getContext();
  unsigned numDims = ours.block.loops.size();
  unsigned numInner = ours.loops.size();

  auto type = cast<MemRefType>(buffer.getType());
  AffineExpr position = getAffineConstantExpr(0, context);
  for (auto [index, size] : llvm::zip_equal(indices, type.getShape())) {
    AffineExpr expression = toAffine(index, ours.block);
    if (!expression)
      return refuse() << "an index of " << describe(op) << " is not affine";
    position = position * size + expression;
  }
  std::optional<SmallVector<int64_t>> coefficients =
      getCoefficients(position, numDims);
  if (!coefficients)
    return refuse() << "the element that " << describe(op)
                    << " touches is no sum of loop variables";
  // Number of elements that one step of each inner loop advances.
  ArrayRef<int64_t> steps = ArrayRef(*coefficients).take_back(numInner);

  auto tileType = cast<MemRefType>(otherBuffer.getType());
  Tile tile{buffer, {}, {}};
  SmallVector<bool> isUsed(numInner);
  for (auto [dim, index] : llvm::enumerate(otherIndices)) {
    AffineExpr expression = toAffine(index, theirs.block);
    auto loop = dyn_cast_or_null<AffineDimExpr>(expression);
    if (!loop && expression != getAffineConstantExpr(0, context))
      return intrinsic.emitOpError(
          "is no intrinsic: indices are single loop variables or 0");
    int64_t step = loop ? steps[loop.getPosition()] : 0;
    if (loop)
      isUsed[loop.getPosition()] = true;
    if (dim + 1 < static_cast<size_t>(tileType.getRank()))
      tile.strides.push_back(step);
    else if (loop && step != 1)
      return refuse() << "elements that are neighbours in argument #"
                      << argument.getArgNumber() << " are " << step
                      << " apart in the buffer";
  }
  for (unsigned loop = 0; loop < numInner; ++loop)
    if (!isUsed[loop] && steps[loop] != 0)
      return refuse() << "what " << describe(op) << " touches depends on loop #"
                      << loop << ", argument #" << argument.getArgNumber()
                      << " does not";
  // Position in the first iteration of the inner loops.
  SmallVector<AffineExpr> first;
  for (unsigned dim = 0; dim < numDims; ++dim)
    first.push_back(dim < ours.numOuter ? getAffineDimExpr(dim, context)
                                        : getAffineConstantExpr(0, context));
  tile.offset = simplifyAffineExpr(position.replaceDims(first), numDims, 0);

  std::optional<Tile> &known = tiles[argument.getArgNumber()];
  if (known && (known->buffer != tile.buffer || known->offset != tile.offset ||
                known->strides != tile.strides))
    return refuse() << "argument #" << argument.getArgNumber()
                    << " stands for different elements of it";
  known = tile;
  return success();
}

LogicalResult Comparison::compareBodies(Block &body, Block &other) {
  // Index arithmetic is compared with the accesses, constants with their users.
  auto getOps = [](Block &block) {
    SmallVector<Operation *> ops;
    for (Operation &op : block.without_terminator())
      if (!op.hasTrait<OpTrait::ConstantLike>() &&
          (op.getNumResults() != 1 || !op.getResult(0).getType().isIndex()))
        ops.push_back(&op);
    return ops;
  };
  SmallVector<Operation *> ourOps = getOps(body), theirOps = getOps(other);
  if (ourOps.size() != theirOps.size())
    return refuse() << "it has " << ourOps.size() << " operations, not "
                    << theirOps.size();
  for (auto [op, otherOp] : llvm::zip_equal(ourOps, theirOps)) {
    if (op->getName() != otherOp->getName() ||
        op->getResultTypes() != otherOp->getResultTypes() ||
        op->getNumRegions() != 0)
      return refuse() << "it has " << describe(op) << " where the other has "
                      << describe(otherOp);
    auto areEqual = [&](Value value, Value otherValue) {
      Attribute constant, otherConstant;
      if (matchPattern(value, m_Constant(&constant)) &&
          matchPattern(otherValue, m_Constant(&otherConstant)))
        return constant == otherConstant;
      return values.lookupOrNull(value) == otherValue;
    };
    LogicalResult result = success();
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      auto otherLoad = cast<memref::LoadOp>(otherOp);
      result = compareAccess(op, load.getMemRef(), load.getIndices(),
                             otherLoad.getMemRef(), otherLoad.getIndices());
    } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
      auto otherStore = cast<memref::StoreOp>(otherOp);
      result = compareAccess(op, store.getMemRef(), store.getIndices(),
                             otherStore.getMemRef(), otherStore.getIndices());
      if (succeeded(result) &&
          !areEqual(store.getValueToStore(), otherStore.getValueToStore()))
        return refuse() << "it stores another value";
      if (succeeded(result))
        isWritten[cast<BlockArgument>(otherStore.getMemRef()).getArgNumber()] =
            true;
    } else if (op->getAttrDictionary() != otherOp->getAttrDictionary() ||
               op->getNumOperands() != otherOp->getNumOperands() ||
               !llvm::all_of(
                   llvm::zip_equal(op->getOperands(), otherOp->getOperands()),
                   [&](auto pair) {
                     return areEqual(std::get<0>(pair), std::get<1>(pair));
                   })) {
      return refuse() << describe(op) << " has other operands or attributes";
    }
    if (failed(result))
      return failure();
    values.map(op->getResults(), otherOp->getResults());
  }
  return success();
}

LogicalResult Comparison::run() {
  tiles.resize(intrinsic.getNumArguments());
  isWritten.resize(intrinsic.getNumArguments());
  if (failed(compareLoops()))
    return failure();
  BlockOp block = ours.getBlock(), other = theirs.getBlock();
  if (block.hasInit() &&
      failed(compareBodies(block.getInit().front(), other.getInit().front())))
    return failure();
  if (failed(compareBodies(block.getBody().front(), other.getBody().front())))
    return failure();
  for (auto [number, tile] : llvm::enumerate(tiles))
    if (!tile)
      return intrinsic.emitOpError("is no intrinsic: argument #")
             << number << " is no buffer that it touches";
  return success();
}

FailureOr<CallExternOp> schedule::tensorize(RewriterBase &rewriter,
                                            Operation *root, FuncOp intrinsic) {
  auto callee = intrinsic->getAttrOfType<StringAttr>("uma.intrinsic");
  if (!callee)
    return intrinsic.emitOpError("is no intrinsic: its attribute "
                                 "'uma.intrinsic' names a C function");
  Operation *computation = nullptr;
  for (Operation &op : intrinsic.getBody().front().without_terminator())
    if (!isPure(&op) || op.getNumRegions() != 0) {
      if (computation)
        return op.emitOpError("is one thing too many: an intrinsic is one nest "
                              "of loops around a block");
      computation = &op;
    }
  if (!computation)
    return intrinsic.emitOpError("is no intrinsic: it computes nothing");
  std::optional<Nest> theirs =
      findNest(computation, "makes no intrinsic, it is");
  if (!theirs)
    return failure();
  std::optional<Nest> ours = findNest(root, "cannot be tensorized, it is");
  if (!ours)
    return failure();
  unsigned numOuter = ours->numOuter;
  SmallVector<ForOp> around(ArrayRef(ours->block.loops).take_front(numOuter));
  Comparison comparison(intrinsic, std::move(*ours), std::move(*theirs));
  if (failed(comparison.run()))
    return failure();

  Location loc = root->getLoc();
  rewriter.setInsertionPoint(root);
  SmallVector<Value> dims, arguments;
  for (ForOp loop : around)
    dims.push_back(loop.getInductionVar());
  SmallVector<int64_t> writes;
  for (auto [number, tile] : llvm::enumerate(comparison.tiles)) {
    if (comparison.isWritten[number])
      writes.push_back(arguments.size());
    arguments.push_back(tile->buffer);
    arguments.push_back(makeValue(rewriter, loc, tile->offset, dims));
    for (int64_t stride : tile->strides)
      arguments.push_back(makeIndex(rewriter, loc, stride));
  }
  auto call = CallExternOp::create(rewriter, loc, callee, arguments,
                                   rewriter.getDenseI64ArrayAttr(writes),
                                   /*no_status=*/nullptr);
  rewriter.eraseOp(root);
  return call;
}
