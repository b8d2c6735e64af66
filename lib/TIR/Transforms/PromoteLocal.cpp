//===- PromoteLocal.cpp - Split local arrays into variables ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// C compilers keep a named vector in a register, but not reliably the elements
// of an array. Upstream's SROA handles scalars at constant indices of a memref,
// but not slices that are accessed as vectors. A slice that is stored once
// needs no variable at all. A scalar loaded from a vector slice becomes an
// extract.
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_PROMOTELOCALPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

namespace {
/// Load or store at a constant index.
struct Access {
  Operation *op;
  int64_t first;
  /// Type of the value: a scalar or a one-dimensional vector.
  Type type;
};
} // namespace

static int64_t getWidth(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

static std::optional<Access> getAccess(Operation *op, Value buffer) {
  auto make = [&](ValueRange indices, Type type) -> std::optional<Access> {
    std::optional<int64_t> first = indices.size() == 1
                                       ? getConstantIntValue(indices.front())
                                       : std::nullopt;
    if (!first)
      return std::nullopt;
    return Access{op, *first, type};
  };
  return TypeSwitch<Operation *, std::optional<Access>>(op)
      .Case([&](memref::LoadOp load) {
        return make(load.getIndices(), load.getType());
      })
      .Case([&](memref::StoreOp store) {
        return make(store.getIndices(), store.getValueToStore().getType());
      })
      .Case([&](vector::LoadOp load) {
        return make(load.getIndices(), load.getVectorType());
      })
      .Case([&](vector::StoreOp store) {
        return make(store.getIndices(), store.getVectorType());
      })
      .Default(std::nullopt);
}

/// Returns the accesses grouped by the first element of their slice. Returns
/// std::nullopt unless all indices are constant and any two slices are equal or
/// disjoint; scalar loads from a vector slice are allowed.
static std::optional<std::map<int64_t, SmallVector<Access>>>
collectSlices(AllocOp alloc) {
  SmallVector<Access> accesses;
  for (Operation *user : alloc.getBuffer().getUsers()) {
    std::optional<Access> access = getAccess(user, alloc.getBuffer());
    if (!access)
      return std::nullopt;
    accesses.push_back(*access);
  }
  // Handle scalar loads last, when the vector slices are known.
  auto mayBePart = [](const Access &access) {
    return isa<memref::LoadOp>(access.op);
  };
  std::map<int64_t, SmallVector<Access>> slices;
  for (bool arePart : {false, true})
    for (const Access &access : accesses) {
      if (mayBePart(access) != arePart)
        continue;
      auto around = slices.upper_bound(access.first);
      if (arePart && around != slices.begin()) {
        --around;
        SmallVector<Access> &slice = around->second;
        Type type = slice.front().type;
        if (isa<VectorType>(type) &&
            access.first < around->first + getWidth(type)) {
          slice.push_back(access);
          continue;
        }
      }
      SmallVector<Access> &slice = slices[access.first];
      if (!slice.empty() && slice.front().type != access.type)
        return std::nullopt;
      slice.push_back(access);
    }
  int64_t end = 0;
  for (const auto &[first, slice] : slices) {
    if (first < end)
      return std::nullopt;
    end = first + getWidth(slice.front().type);
  }
  // Leave out-of-bounds accesses alone.
  if (end > cast<MemRefType>(alloc.getBuffer().getType()).getNumElements())
    return std::nullopt;
  return slices;
}

/// Redirects an access to `variable`, which holds the slice from `first` on.
static void redirect(const Access &access, int64_t first, Value variable) {
  OpBuilder builder(access.op);
  Location loc = access.op->getLoc();
  if (access.op->getNumResults() == 1) {
    Value value = memref::LoadOp::create(builder, loc, variable, ValueRange());
    if (value.getType() != access.type)
      value =
          vector::ExtractOp::create(builder, loc, value, access.first - first);
    access.op->getResult(0).replaceAllUsesWith(value);
  } else {
    memref::StoreOp::create(builder, loc, access.op->getOperand(0), variable,
                            ValueRange());
  }
  access.op->erase();
}

/// Replaces a variable by its value if it has one store and all loads come
/// after the store in the same block or in nested regions. Returns true on
/// success.
static bool forward(AllocOp variable) {
  memref::StoreOp store;
  for (Operation *user : variable.getBuffer().getUsers()) {
    auto other = dyn_cast<memref::StoreOp>(user);
    if (!isa<memref::LoadOp>(user) && (!other || store))
      return false;
    if (other)
      store = other;
  }
  if (!store || store->getBlock() != variable->getBlock())
    return false;
  for (Operation *user : variable.getBuffer().getUsers()) {
    Operation *ancestor = store->getBlock()->findAncestorOpInBlock(*user);
    if (user != store && (!ancestor || !store->isBeforeInBlock(ancestor)))
      return false;
  }
  Value value = store.getValueToStore();
  for (Operation *user :
       llvm::make_early_inc_range(variable.getBuffer().getUsers())) {
    if (user == store)
      continue;
    user->getResult(0).replaceAllUsesWith(value);
    user->erase();
  }
  store.erase();
  variable.erase();
  return true;
}

namespace {
struct PromoteLocalPass
    : uma::tir::impl::PromoteLocalPassBase<PromoteLocalPass> {
  void runOnOperation() override {
    SmallVector<AllocOp> allocs;
    getOperation()->walk([&](AllocOp alloc) {
      auto type = cast<MemRefType>(alloc.getBuffer().getType());
      if (alloc.getScope() == Scope::Local && type.getRank() == 1)
        allocs.push_back(alloc);
    });
    for (AllocOp alloc : allocs) {
      auto slices = collectSlices(alloc);
      if (!slices)
        continue;
      OpBuilder builder(alloc);
      for (const auto &[first, slice] : *slices) {
        StringAttr label = alloc.getLabelAttr();
        if (label && slices->size() > 1)
          label = builder.getStringAttr(
              label.getValue() + "_" +
              Twine(first / getWidth(slice.front().type)));
        auto variable = AllocOp::create(
            builder, alloc.getLoc(), MemRefType::get({}, slice.front().type),
            Scope::Local, /*offset=*/nullptr, label);
        for (const Access &access : slice)
          redirect(access, first, variable.getBuffer());
        if (!forward(variable))
          ++numVariables;
      }
      alloc.erase();
      ++numBuffers;
    }
  }
};
} // namespace
