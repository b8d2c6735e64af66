//===- SinkAwaits.cpp - Overlap devices with other layers -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A device that is launched works while the host does something else. Launches
// move up to the layers whose results they need, and waits move down to the
// first layer that needs what the device does.
//
//===----------------------------------------------------------------------===//

#include "BufferAccesses.h"

#include "uma/IR/DeviceAttributes.h"
#include "uma/IR/UMADialect.h"
#include "uma/TIR/Transforms/Passes.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_SINKAWAITSPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

namespace {
/// Whether each argument of a function is written.
using Writes = SmallVector<bool>;

struct SinkAwaitsPass : uma::tir::impl::SinkAwaitsPassBase<SinkAwaitsPass> {
  using SinkAwaitsPassBase::SinkAwaitsPassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto function : getOperation().getOps<FuncOp>()) {
      SmallVector<std::pair<CallOp, CallOp>> pairs;
      CallOp last;
      for (auto call : function.getOps<CallOp>()) {
        auto callee = symbols.lookup<FuncOp>(call.getCallee());
        if (callee && last && callee->hasAttr(kAwaitAttrName))
          pairs.emplace_back(last, call);
        last = call;
      }
      for (auto [launch, await] : pairs) {
        while (raise(symbols, launch, await))
          ++numRaised;
        while (sink(symbols, launch, await))
          ++numSunk;
      }
    }
  }

private:
  /// Returns which arguments a function writes; all if it is unknown.
  const Writes &getWrites(FuncOp function) {
    auto [entry, isNew] = writes.try_emplace(function);
    if (isNew)
      entry->second = getWrittenArguments(function);
    return entry->second;
  }

  /// Returns whether two calls access a buffer that one of them writes.
  bool conflict(const SymbolTable &symbols, CallOp lhs, CallOp rhs) {
    DenseMap<Value, bool> buffers;
    auto forEach = [&](CallOp call, auto visit) {
      auto callee = symbols.lookup<FuncOp>(call.getCallee());
      const Writes *known =
          callee && !callee.getBody().empty() ? &getWrites(callee) : nullptr;
      for (auto [index, argument] : llvm::enumerate(call.getArguments()))
        if (isa<BaseMemRefType>(argument.getType()))
          visit(getBaseBuffer(argument), !known || (*known)[index]);
    };
    forEach(lhs,
            [&](Value buffer, bool isWrite) { buffers[buffer] |= isWrite; });
    bool result = false;
    forEach(rhs, [&](Value buffer, bool isWrite) {
      auto found = buffers.find(buffer);
      result |= found != buffers.end() && (found->second || isWrite);
    });
    return result;
  }

  /// Returns the target of a call's function, or null if it is the CPU.
  static TargetAttr getTarget(const SymbolTable &symbols, CallOp call) {
    auto callee = symbols.lookup<FuncOp>(call.getCallee());
    return callee ? callee->getAttrOfType<TargetAttr>(kTargetAttrName)
                  : TargetAttr();
  }

  /// Returns whether an operation may change places with a launched region.
  bool mayPass(const SymbolTable &symbols, CallOp launch, Operation *op) {
    auto call = dyn_cast<CallOp>(op);
    if (!call)
      return isa<AllocOp>(op) ||
             (isMemoryEffectFree(op) && op->getNumRegions() == 0);
    TargetAttr own = getTarget(symbols, launch),
               other = getTarget(symbols, call);
    if (other && own && other.getAccelerator() == own.getAccelerator())
      return false;
    return !conflict(symbols, launch, call);
  }

  /// Makes an operation between launch and wait wait for the device if it
  /// fails: an error of another device must not leave this one running.
  LogicalResult addCleanup(const SymbolTable &symbols, Operation *op,
                           CallOp await) {
    auto call = dyn_cast<CallOp>(op);
    if (!call || !getTarget(symbols, call))
      return success();
    auto callee = symbols.lookup<FuncOp>(await.getCallee());
    auto cleanup = callee->getAttrOfType<StringAttr>(kAwaitAttrName);
    if (!cleanup)
      return failure();
    SmallVector<Attribute> all;
    if (auto known = call->getAttrOfType<ArrayAttr>(kCleanupAttrName))
      llvm::append_range(all, known);
    all.push_back(cleanup);
    call->setAttr(kCleanupAttrName, ArrayAttr::get(&getContext(), all));
    return success();
  }

  /// Moves a launch, with the buffers that it is the first to use, before the
  /// call above it.
  bool raise(const SymbolTable &symbols, CallOp launch, CallOp await) {
    SmallVector<Operation *> moved = {launch};
    Operation *above = launch->getPrevNode();
    for (; above && !isa<CallOp>(above); above = above->getPrevNode()) {
      if (!mayPass(symbols, launch, above))
        return false;
      bool isNeeded = llvm::any_of(above->getUsers(), [&](Operation *user) {
        return llvm::is_contained(moved, user);
      });
      if (isNeeded)
        moved.push_back(above);
    }
    if (!above || !mayPass(symbols, launch, above) ||
        failed(addCleanup(symbols, above, await)))
      return false;
    for (Operation *op : llvm::reverse(moved))
      op->moveBefore(above);
    return true;
  }

  /// Moves a wait behind the operation below it.
  bool sink(const SymbolTable &symbols, CallOp launch, CallOp await) {
    Operation *below = await->getNextNode();
    if (!below || below->hasTrait<OpTrait::IsTerminator>() ||
        !mayPass(symbols, launch, below) ||
        failed(addCleanup(symbols, below, await)))
      return false;
    await->moveAfter(below);
    return true;
  }

  DenseMap<Operation *, Writes> writes;
};
} // namespace
