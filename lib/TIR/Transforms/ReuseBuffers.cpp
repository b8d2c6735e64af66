//===- ReuseBuffers.cpp - In-place layers with threads --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A result that is written over the data of its layer is in the cache of the
// core that computes it. On one thread, `uma-tir-plan-memory` overlaps the two
// buffers at any distance. Threads that share a loop need equal elements at
// equal addresses: both become one buffer, before memory is planned.
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Transforms/Passes.h"

#include "AccessOrder.h"
#include "BufferAccesses.h"

#include "uma/IR/DeviceAttributes.h"
#include "uma/TIR/IR/SameElements.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_REUSEBUFFERSPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

namespace {
/// The first and the last operation of a function's body that uses a buffer.
using Uses = std::pair<Operation *, Operation *>;

class Reuse {
public:
  void visit(FuncOp function) {
    DenseMap<Value, Uses> uses;
    Block &body = function.getBody().front();
    for (Operation &op : body)
      op.walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          if (auto alloc = getBaseBuffer(operand).getDefiningOp<AllocOp>()) {
            Uses &known =
                uses.try_emplace(alloc.getBuffer(), &op, &op).first->second;
            known.second = &op;
          }
      });
    for (auto call : body.getOps<CallOp>())
      if (FuncOp callee = accessOrder.getCallee(call))
        visit(call, callee, uses);
  }

  int64_t numReused = 0;

private:
  /// Gives the first result of a call for which that is possible the buffer of
  /// its data.
  void visit(CallOp call, FuncOp callee, DenseMap<Value, Uses> &uses) {
    auto arguments = call.getArguments();
    auto roots = llvm::map_to_vector(arguments, getBaseBuffer);
    auto getAlloc = [&](unsigned index) {
      auto alloc = arguments[index].getDefiningOp<AllocOp>();
      bool isOnlyUse = alloc && alloc.getScope() == Scope::Workspace &&
                       !alloc.getOffset() &&
                       llvm::count(roots, arguments[index]) == 1;
      return isOnlyUse ? alloc : AllocOp();
    };
    for (unsigned result = 0; result < arguments.size(); ++result) {
      AllocOp above = getAlloc(result);
      if (!above || uses.at(above.getBuffer()).first != call)
        continue;
      for (unsigned data = 0; data < arguments.size(); ++data) {
        AllocOp below = getAlloc(data);
        if (!below || uses.at(below.getBuffer()).second != call ||
            uses.at(below.getBuffer()).first == call ||
            below.getType() != above.getType() ||
            below->getAttr(kAlignmentAttrName) !=
                above->getAttr(kAlignmentAttrName) ||
            !isInPlace(callee, callee.getArgument(result),
                       callee.getArgument(data)))
          continue;
        uses.at(below.getBuffer()).second = uses.at(above.getBuffer()).second;
        above.getBuffer().replaceAllUsesWith(below.getBuffer());
        above.erase();
        ++numReused;
        return;
      }
    }
  }

  /// Returns whether a function with shared loops may write its result over its
  /// data.
  bool isInPlace(FuncOp function, Value written, Value read) {
    auto [entry, isNew] = known.try_emplace({written, read}, false);
    if (!isNew)
      return entry->second;
    bool isShared = function
                        .walk([](ForOp loop) {
                          return loop.getKind() == ForKind::Parallel
                                     ? WalkResult::interrupt()
                                     : WalkResult::advance();
                        })
                        .wasInterrupted();
    return entry->second =
               isShared && accessesSameElements(function, written, read) &&
               accessOrder.get(function, written, read).separation <= 0;
  }

  AccessOrder accessOrder;
  DenseMap<std::pair<Value, Value>, bool> known;
};

struct ReuseBuffersPass
    : uma::tir::impl::ReuseBuffersPassBase<ReuseBuffersPass> {
  using ReuseBuffersPassBase::ReuseBuffersPassBase;

  void runOnOperation() override {
    Reuse reuse;
    for (FuncOp function : getOperation().getOps<FuncOp>())
      if (function.isPublic() && !function.isExternal())
        reuse.visit(function);
    numReused += reuse.numReused;
  }
};
} // namespace
