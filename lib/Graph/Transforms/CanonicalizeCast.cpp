//===- CanonicalizeCast.cpp - Fewer casts, and each beside its user -------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A widening cast is cheap to compute and expensive to store. A copy next to
// each user can be fused with it; a single cast with several users is stored as
// a tensor of the wider type.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"

#include "uma/Support/Float8.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_CANONICALIZECASTPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

static Type getElementType(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

/// Returns whether values of `type` are unsigned. i1 is a truth value: 0 or 1.
static bool isUnsigned(IntegerType type) {
  return type.isUnsigned() || type.getWidth() == 1;
}

/// Returns whether type `to` can represent every value of type `from`.
static bool keepsValues(Type from, Type to) {
  if (from == to)
    return true;
  auto fromFloat = dyn_cast<FloatType>(from), toFloat = dyn_cast<FloatType>(to);
  auto fromInt = dyn_cast<IntegerType>(from), toInt = dyn_cast<IntegerType>(to);
  if (fromFloat && toFloat) {
    // Some formats of 8 bits have neither infinities nor -0.
    if (isFloat8(to))
      return false;
    const llvm::fltSemantics &narrow = fromFloat.getFloatSemantics();
    const llvm::fltSemantics &wide = toFloat.getFloatSemantics();
    return llvm::APFloat::isRepresentableBy(narrow, wide);
  }
  if (!fromInt || (!toFloat && !toInt))
    return false;
  unsigned magnitude = fromInt.getWidth() - (isUnsigned(fromInt) ? 0 : 1);
  if (toFloat) // The most negative value is a power of 2.
    return magnitude <= toFloat.getFPMantissaWidth() &&
           llvm::APFloat::semanticsMaxExponent(toFloat.getFloatSemantics()) >=
               int(fromInt.getWidth());
  if (isUnsigned(toInt) && !isUnsigned(fromInt))
    return false;
  return magnitude <= toInt.getWidth() - (isUnsigned(toInt) ? 0 : 1);
}

/// Returns whether casting `from` to `through` and then to `to` gives the same
/// result as casting `from` to `to`.
static bool canSkip(Type from, Type through, Type to) {
  if (!keepsValues(from, through))
    return false;
  // Casts from floats saturate; casts from integers keep the low bits.
  bool sameRule = isa<FloatType>(from) == isa<FloatType>(through);
  return sameRule || isa<FloatType>(to) || to.isInteger(1) ||
         keepsValues(from, to);
}

/// Returns whether the result of `op` has a wider element type than its data.
static bool isWidening(CastOp op) {
  return getElementType(op.getData()).getIntOrFloatBitWidth() <
         getElementType(op.getResult()).getIntOrFloatBitWidth();
}

namespace {
struct CanonicalizeCastPass
    : uma::graph::impl::CanonicalizeCastPassBase<CanonicalizeCastPass> {
  using CanonicalizeCastPassBase::CanonicalizeCastPassBase;

  void runOnOperation() override {
    for (Operation *op : getGraphOps(getOperation())) {
      auto cast = dyn_cast<CastOp>(op);
      if (!cast || skipInner(cast))
        continue;
      if (pushDown && isWidening(cast))
        copyToUsers(cast);
    }
    eraseUnusedConstants(getOperation());
  }

private:
  /// Makes `outer` skip the cast that defines its data, if possible, and erases
  /// casts that become unused. Returns true if `outer` was erased.
  bool skipInner(CastOp outer);
  void copyToUsers(CastOp cast);
};
} // namespace

bool CanonicalizeCastPass::skipInner(CastOp outer) {
  Type to = getElementType(outer.getResult());
  // Earlier casts have already been visited, so one step is enough.
  if (auto inner = outer.getData().getDefiningOp<CastOp>()) {
    Type through = getElementType(inner.getResult());
    if (canSkip(getElementType(inner.getData()), through, to)) {
      outer.getDataMutable().set(inner.getData());
      ++numRemoved;
      // `inner` has been visited, because it comes earlier in the block.
      if (inner.getResult().use_empty() &&
          inner->getBlock() == outer->getBlock())
        inner.erase();
    }
  }
  if (getElementType(outer.getData()) != to)
    return false;
  outer.getResult().replaceAllUsesWith(outer.getData());
  outer.erase();
  return true;
}

void CanonicalizeCastPass::copyToUsers(CastOp cast) {
  // The use list is in reverse order and has one entry per operand.
  SmallVector<Operation *> users(cast->getUsers());
  llvm::SetVector<Operation *> unique(users.rbegin(), users.rend());
  if (unique.size() < 2)
    return;
  auto takesCopy = [&](Operation *user) {
    return user->hasTrait<Elementwise>() &&
           user->getBlock() == cast->getBlock();
  };
  // The first user takes the original unless other operations need it.
  bool isFree = llvm::all_of(unique, takesCopy);
  for (Operation *user : unique) {
    if (!takesCopy(user))
      continue;
    if (std::exchange(isFree, false)) {
      cast->moveBefore(user);
      continue;
    }
    OpBuilder builder(user);
    auto copy = llvm::cast<CastOp>(builder.clone(*cast));
    user->replaceUsesOfWith(cast.getResult(), copy.getResult());
    ++numCopied;
  }
}
