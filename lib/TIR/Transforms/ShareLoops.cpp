//===- ShareLoops.cpp - Choose the loops that threads share ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Kernels mark the loops that threads may share. Waking a thread takes about
// as long as a small layer, so short loops are computed by one, unless their
// data already lies in the caches of several. Plain loops have no marks: the
// pass marks the outermost one whose iterations provably write separate
// elements.
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Transforms/Passes.h"

#include "BufferAccesses.h"
#include "IndexRange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_SHARELOOPSPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// Returns the iterations of a loop, estimated if its bounds are not constant.
static double getTrips(ForOp loop) {
  constexpr double unknown = 4;
  std::optional<int64_t> extent = loop.getExtent();
  return extent ? double(*extent) : unknown;
}

/// Returns whether an operation is mostly free in C: index arithmetic becomes a
/// part of addresses, small local buffers become registers.
static bool isFree(Operation *op) {
  if (isa<arith::ConstantOp, AllocOp>(op) ||
      op->hasTrait<OpTrait::IsTerminator>())
    return true;
  if (op->getNumResults() == 1 && op->getResult(0).getType().isIndex())
    return isa<arith::ArithDialect>(op->getDialect());
  return llvm::any_of(op->getOperands(), [](Value operand) {
    auto buffer = operand.getDefiningOp<AllocOp>();
    return buffer && buffer.getScope() == Scope::Local;
  });
}

/// Returns the estimated instructions of an operation, with nested ones.
static double getWork(Operation *op) {
  // Calls of the C library, and polynomials in their place.
  constexpr double function = 16;
  if (isFree(op))
    return 0;
  double work = isa<math::MathDialect>(op->getDialect()) ? function : 1;
  // Versions are alternatives; the first one is for the widest vectors.
  auto regions = op->getRegions();
  if (isa<MultiversionOp>(op))
    regions = regions.take_front(1);
  for (Region &region : regions)
    for (Operation &nested : region.getOps())
      work +=
          getWork(&nested) * (isa<ForOp>(op) ? getTrips(cast<ForOp>(op)) : 1.0);
  return work;
}

static double getBytes(MemRefType type) {
  Type element = type.getElementType();
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return double(type.getNumElements()) * llvm::divideCeil(bits, 8u);
}

//===----------------------------------------------------------------------===//
// Independence
//===----------------------------------------------------------------------===//

namespace {
/// Accesses to one buffer in a loop: linear forms of the first index, and of
/// the last one of a vector.
struct Footprint {
  /// The coefficient of the loop's variable in all accesses, and the terms of
  /// variables that are defined outside of the loop.
  int64_t stride = 0;
  LinearForm outside;
  /// Range of the rest.
  IndexRange range{0, 0};
  bool isEmpty = true;
};
} // namespace

/// Adds an access of `width` elements at `index`. Returns false if it has
/// another stride or other terms than those before.
static bool addAccess(Footprint &footprint, ForOp loop, Value index,
                      int64_t width) {
  std::optional<LinearForm> form = LinearForm::get(index);
  if (!form)
    return false;
  Value variable = loop.getInductionVar();
  int64_t stride = form->getCoefficient(variable);
  LinearForm outside, inside(form->getConstant());
  for (auto [value, coefficient] : form->getTerms()) {
    if (value == variable)
      continue;
    bool isInside = loop->isAncestor(value.getParentBlock()->getParentOp());
    if (!(isInside ? inside : outside).addTerm(value, coefficient))
      return false;
  }
  std::optional<IndexRange> range = getIndexRange(inside);
  if (!range)
    return false;
  range->max += width - 1;
  if (footprint.isEmpty) {
    footprint = {stride, outside, *range, false};
    return true;
  }
  footprint.range.min = std::min(footprint.range.min, range->min);
  footprint.range.max = std::max(footprint.range.max, range->max);
  return footprint.stride == stride && footprint.outside == outside;
}

/// Returns whether each iteration writes elements that no other one accesses.
static bool areIndependent(ForOp loop) {
  BufferAccesses accesses = BufferAccesses::get(loop);
  if (accesses.unknown)
    return false;
  llvm::SmallDenseSet<Value> written;
  for (Value buffer : accesses.writes) {
    // Buffers of an iteration are its own.
    Value base = getBaseBuffer(buffer);
    if (!loop->isAncestor(base.getParentBlock()->getParentOp()))
      written.insert(base);
  }
  llvm::SmallDenseMap<Value, Footprint> footprints;
  auto add = [&](Value buffer, ValueRange indices, Type element) {
    Value base = getBaseBuffer(buffer);
    if (!written.contains(base))
      return true;
    auto vector = dyn_cast<VectorType>(element);
    return base == buffer && indices.size() == 1 &&
           addAccess(footprints[base], loop, indices.front(),
                     vector ? vector.getNumElements() : 1);
  };
  WalkResult result = loop->walk([&](Operation *op) {
    bool isKnown =
        TypeSwitch<Operation *, bool>(op)
            .Case([&](memref::LoadOp load) {
              return add(load.getMemRef(), load.getIndices(), load.getType());
            })
            .Case([&](memref::StoreOp store) {
              return add(store.getMemRef(), store.getIndices(),
                         store.getValue().getType());
            })
            .Case([&](vector::LoadOp load) {
              return add(load.getBase(), load.getIndices(), load.getType());
            })
            .Case([&](vector::StoreOp store) {
              return add(store.getBase(), store.getIndices(),
                         store.getValueToStore().getType());
            })
            // Others that write are not analysed.
            .Default([&](Operation *other) {
              return llvm::none_of(
                  BufferAccesses::get(other).writes, [&](Value buffer) {
                    return other->getNumRegions() == 0 &&
                           written.contains(getBaseBuffer(buffer));
                  });
            });
    return isKnown ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return false;
  return llvm::all_of(footprints, [](const auto &entry) {
    const Footprint &footprint = entry.second;
    return footprint.range.max - footprint.range.min <
           std::abs(footprint.stride);
  });
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

namespace {
struct ShareLoopsPass : uma::tir::impl::ShareLoopsPassBase<ShareLoopsPass> {
  using ShareLoopsPassBase::ShareLoopsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (leastWork >= 0)
      return success();
    return emitError(UnknownLoc::get(context))
           << "uma-tir-share-loops: least-work is " << leastWork.getValue()
           << ", expected 0 or more";
  }

  void runOnOperation() override {
    llvm::SmallDenseSet<FuncOp> near = findNear();
    for (FuncOp function : getOperation().getOps<FuncOp>()) {
      least = double(leastWork);
      if (near.contains(function))
        least *= kLoopShare;
      visit(function);
    }
  }

private:
  /// A single thread fetches data that several wrote from the caches of the
  /// others, which takes as long as so many instructions per byte. So a smaller
  /// part of the least work is enough to share it, for the function and for
  /// each loop.
  static constexpr double kByteWork = 0.5, kNearShare = 1.0 / 8,
                          kLoopShare = 1.0 / 256;

  /// Returns the functions that access data that threads share with enough
  /// work.
  llvm::SmallDenseSet<FuncOp> findNear() {
    llvm::SmallDenseSet<FuncOp> near;
    SymbolTable symbols(getOperation());
    llvm::DenseMap<FuncOp, double> works;
    for (FuncOp caller : getOperation().getOps<FuncOp>()) {
      llvm::SmallDenseSet<Value> shared;
      caller->walk([&](CallOp call) {
        auto callee = symbols.lookup<FuncOp>(call.getCallee());
        if (!callee || callee.isExternal())
          return;
        double &work = works.try_emplace(callee, 0).first->second;
        if (work == 0)
          work = getWork(callee);
        SmallVector<Value> buffers;
        for (Value argument : call.getArguments())
          if (Value root = getBaseBuffer(argument);
              isa_and_present<AllocOp>(root.getDefiningOp()))
            buffers.push_back(root);
        double bytes = 0;
        for (Value buffer : buffers)
          if (shared.contains(buffer))
            bytes += getBytes(cast<MemRefType>(buffer.getType()));
        bool isNear = bytes != 0 && work + bytes * kByteWork >=
                                        double(leastWork) * kNearShare;
        if (isNear)
          near.insert(callee);
        for (Value buffer : buffers)
          if (isNear || work >= double(leastWork))
            shared.insert(buffer);
          else
            shared.erase(buffer);
      });
    }
    return near;
  }

  static bool hasShared(ForOp loop) {
    return loop
        ->walk([](ForOp nested) {
          return nested.getKind() == ForKind::Parallel ? WalkResult::interrupt()
                                                       : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Visits the outermost loops in `op`.
  void visit(Operation *op) {
    for (Region &region : op->getRegions())
      for (Operation &nested : region.getOps()) {
        if (auto loop = dyn_cast<ForOp>(nested))
          choose(loop);
        else
          visit(&nested);
      }
  }

  /// Returns the loop in the body of a loop if nothing else there accesses
  /// memory.
  static ForOp getOnlyLoop(ForOp loop) {
    ForOp only;
    for (Operation &op : loop.getBody().front()) {
      if (auto inner = dyn_cast<ForOp>(op)) {
        if (only)
          return {};
        only = inner;
      } else if (!op.hasTrait<OpTrait::IsTerminator>() &&
                 !isMemoryEffectFree(&op)) {
        return {};
      }
    }
    return only;
  }

  /// Visits the loops inside of one that is not shared, each iteration of which
  /// wakes the threads.
  void visitBody(ForOp loop) {
    llvm::SaveAndRestore bound(least,
                               std::max(least, double(leastWork) * kNearShare));
    visit(loop);
  }

  void choose(ForOp loop) {
    if (getWork(loop) < least) {
      loop->walk([&](ForOp nested) {
        nested->removeDiscardableAttr(kTeamAttrName);
        if (nested.getKind() != ForKind::Parallel)
          return;
        nested.setKind(ForKind::Serial);
        ++numSerial;
      });
      return;
    }
    if (loop.getKind() == ForKind::Parallel)
      return;
    bool isShared = hasShared(loop);
    // The work of all loops inside is shared at once.
    if (isShared && loop->hasAttr(kTeamAttrName))
      return;
    if (loop.getKind() != ForKind::Serial || isShared)
      return visitBody(loop);
    // Few iterations divide badly: prefer a loop inside that has more.
    constexpr int64_t enough = 8;
    int64_t extent = loop.getExtent().value_or(1);
    bool isIndependent = extent > 1 && areIndependent(loop);
    if (isIndependent && extent >= enough)
      return share(loop);
    if (ForOp inner = isIndependent ? getOnlyLoop(loop) : ForOp()) {
      // Iterations of both are independent, so all threads may run this one.
      llvm::SaveAndRestore bound(least, least / double(extent));
      choose(inner);
      if (inner.getKind() == ForKind::Parallel || inner->hasAttr(kTeamAttrName))
        loop->setAttr(kTeamAttrName, UnitAttr::get(&getContext()));
    } else {
      visitBody(loop);
    }
    if (isIndependent && !hasShared(loop))
      share(loop);
  }

  void share(ForOp loop) {
    loop.setKind(ForKind::Parallel);
    ++numShared;
  }

  /// Least work of the loops of the current function.
  double least = 0;
};
} // namespace
