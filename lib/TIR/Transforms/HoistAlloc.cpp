//===- HoistAlloc.cpp - Workspace buffers of layers become arguments ------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Only public functions have a workspace. Strategies, schedules and passes may
// allocate large buffers in the function of a layer.
//
//===----------------------------------------------------------------------===//

#include "uma/IR/DeviceAttributes.h"
#include "uma/TIR/Transforms/Passes.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_HOISTALLOCPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

namespace {
struct HoistAllocPass : uma::tir::impl::HoistAllocPassBase<HoistAllocPass> {
  using HoistAllocPassBase::HoistAllocPassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    llvm::MapVector<FuncOp, SmallVector<CallOp>> calls;
    getOperation().walk([&](CallOp call) {
      if (auto callee = symbols.lookup<FuncOp>(call.getCallee()))
        calls[callee].push_back(call);
    });
    // A buffer moves from callee to caller until it is in a public function.
    // Functions are not recursive, so this ends.
    for (bool hasChanged = true; hasChanged;) {
      hasChanged = false;
      for (auto &[function, callers] : calls)
        hasChanged |= hoist(function, callers);
    }
  }

private:
  bool hoist(FuncOp function, SmallVector<CallOp> &callers) {
    if (!function.isPrivate() || function.isExternal())
      return false;
    SmallVector<AllocOp> buffers;
    function.walk([&](AllocOp alloc) {
      if (alloc.getScope() == Scope::Workspace && !alloc.getOffset())
        buffers.push_back(alloc);
    });
    // The function that waits for a device has the arguments of the one that
    // launches it.
    bool isAwaited = llvm::any_of(callers, [](CallOp call) {
      auto next = dyn_cast_or_null<CallOp>(call->getNextNode());
      return next && next.getArguments() == call.getArguments() &&
             SymbolTable::lookupNearestSymbolFrom(next, next.getCalleeAttr())
                 ->hasAttr(kAwaitAttrName);
    });
    if (buffers.empty() || isAwaited)
      return false;
    for (AllocOp alloc : buffers) {
      unsigned index = function.getNumArguments();
      (void)function.insertArgument(index, alloc.getType(), DictionaryAttr(),
                                    alloc.getLoc());
      for (CallOp call : callers) {
        OpBuilder builder(call);
        Operation *copy = builder.clone(*alloc);
        copy->setLoc(call.getLoc());
        call.getArgumentsMutable().append(copy->getResult(0));
      }
      alloc.getBuffer().replaceAllUsesWith(function.getArgument(index));
      alloc.erase();
      ++numHoisted;
    }
    return true;
  }
};
} // namespace
