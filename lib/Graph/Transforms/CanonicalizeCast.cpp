//===- CanonicalizeCast.cpp - Fewer casts, and each beside its user -------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A cast that widens is cheap to compute and expensive to store. Next to each
// user it is fused away; between the users and the operator before them it is a
// tensor in memory, and a wide one.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"

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

/// True for integers whose negative half is read as large positive numbers; a
/// truth value is 0 or 1.
static bool isUnsigned(IntegerType type) {
  return type.isUnsigned() || type.getWidth() == 1;
}

/// True when every value of type `from` has an equal one of type `to`.
static bool keepsValues(Type from, Type to) {
  if (from == to)
    return true;
  auto fromFloat = dyn_cast<FloatType>(from), toFloat = dyn_cast<FloatType>(to);
  auto fromInt = dyn_cast<IntegerType>(from), toInt = dyn_cast<IntegerType>(to);
  if (fromFloat && toFloat) {
    const llvm::fltSemantics &narrow = fromFloat.getFloatSemantics();
    const llvm::fltSemantics &wide = toFloat.getFloatSemantics();
    return llvm::APFloat::isRepresentableBy(narrow, wide);
  }
  if (!fromInt || (!toFloat && !toInt))
    return false;
  unsigned magnitude = fromInt.getWidth() - (isUnsigned(fromInt) ? 0 : 1);
  if (toFloat) // The most negative number is a power of 2.
    return magnitude <= toFloat.getFPMantissaWidth() &&
           llvm::APFloat::semanticsMaxExponent(toFloat.getFloatSemantics()) >=
               int(fromInt.getWidth());
  if (isUnsigned(toInt) && !isUnsigned(fromInt))
    return false;
  return magnitude <= toInt.getWidth() - (isUnsigned(toInt) ? 0 : 1);
}

/// True when casting `from` to `through` and that to `to` gives what casting
/// `from` to `to` at once gives.
static bool canSkip(Type from, Type through, Type to) {
  if (!keepsValues(from, through))
    return false;
  // From a float a value out of range becomes the nearest integer, from an
  // integer its low bits.
  bool sameRule = isa<FloatType>(from) == isa<FloatType>(through);
  return sameRule || isa<FloatType>(to) || to.isInteger(1) ||
         keepsValues(from, to);
}

/// True when `op` makes more bits of fewer.
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
  /// Takes `outer` around the casts before it. Returns true when `outer` is
  /// gone; erases the casts that nothing needs any more.
  bool skipInner(CastOp outer);
  void copyToUsers(CastOp cast);
};
} // namespace

bool CanonicalizeCastPass::skipInner(CastOp outer) {
  Type to = getElementType(outer.getResult());
  // Casts before this one went around theirs already: one step is enough.
  if (auto inner = outer.getData().getDefiningOp<CastOp>()) {
    Type through = getElementType(inner.getResult());
    if (canSkip(getElementType(inner.getData()), through, to)) {
      outer.getDataMutable().set(inner.getData());
      ++numRemoved;
      // What stands earlier in the text has been visited.
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
  // The list of uses starts with the last one; a user is in it for each
  // operand.
  SmallVector<Operation *> users(cast->getUsers());
  llvm::SetVector<Operation *> unique(users.rbegin(), users.rend());
  if (unique.size() < 2)
    return;
  auto takesCopy = [&](Operation *user) {
    return user->hasTrait<Elementwise>() &&
           user->getBlock() == cast->getBlock();
  };
  // The original serves the first user unless somebody else keeps it.
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
