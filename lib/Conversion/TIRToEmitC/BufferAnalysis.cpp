//===- BufferAnalysis.cpp - Analysis of buffer arguments ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "BufferAnalysis.h"

#include "CallConversion.h"

#include "uma/TIR/IR/BufferRange.h"
#include "uma/TIR/IR/SameElements.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;

Value uma::getRootBuffer(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

FailureOr<BufferAnalysis> BufferAnalysis::compute(ModuleOp module) {
  BufferAnalysis analysis(module);
  for (auto function : module.getOps<tir::FuncOp>())
    if (function.isPublic() && failed(analysis.visit(function)))
      return failure();
  // Visit callers first: buffers that overlap in a caller overlap in its
  // callees.
  for (tir::FuncOp function : llvm::reverse(analysis.order))
    analysis.findOverlaps(function);
  return analysis;
}

LogicalResult BufferAnalysis::visit(tir::FuncOp function) {
  if (facts.contains(function))
    return success();
  active.insert(function);
  WalkResult walk = function.walk([&](tir::CallOp call) {
    auto callee = getCallee(call);
    if (!callee) {
      call.emitOpError("calls '@")
          << call.getCallee() << "', which is not a uma.tir.func of the module";
      return WalkResult::interrupt();
    }
    if (active.contains(callee)) {
      call.emitOpError("makes '@") << call.getCallee()
                                   << "' call itself; the emitted C has a "
                                      "bounded stack and no recursion";
      return WalkResult::interrupt();
    }
    return failed(visit(callee)) ? WalkResult::interrupt()
                                 : WalkResult::advance();
  });
  active.erase(function);
  if (walk.wasInterrupted() || failed(summarize(function)))
    return failure();
  order.push_back(function);
  return success();
}

LogicalResult BufferAnalysis::summarize(tir::FuncOp function) {
  FunctionFacts result;
  result.written.resize(function.getNumArguments());
  result.overlapping.resize(function.getNumArguments());
  auto write = [&](Operation *op, Value buffer) -> LogicalResult {
    Value root = getRootBuffer(buffer);
    if (auto argument = dyn_cast<BlockArgument>(root)) {
      if (argument.getOwner() == &function.getBody().front())
        result.written.set(argument.getArgNumber());
    } else if (auto global = root.getDefiningOp<memref::GetGlobalOp>()) {
      return op->emitOpError("writes to the constant '@")
             << global.getName()
             << "'; constants are read-only, copy it to a buffer first";
    }
    return success();
  };
  WalkResult walk = function.walk([&](Operation *op) -> WalkResult {
    return TypeSwitch<Operation *, LogicalResult>(op)
        .Case(
            [&](memref::StoreOp store) { return write(op, store.getMemRef()); })
        .Case([&](vector::StoreOp store) { return write(op, store.getBase()); })
        .Case([&](tir::TransposeOp transpose) {
          return write(op, transpose.getTarget());
        })
        .Case(
            [&](tir::LookupOp lookup) { return write(op, lookup.getTarget()); })
        .Case([&](memref::CopyOp copy) { return write(op, copy.getTarget()); })
        .Case([&](tir::CheckBoundsOp) {
          result.fallible = true;
          return success();
        })
        .Case([&](tir::CallExternOp call) -> LogicalResult {
          result.fallible |= !call.getNoStatus();
          for (int64_t position : call.getWrites())
            if (failed(write(op, call.getArguments()[position])))
              return failure();
          return success();
        })
        .Case([&](tir::CallOp call) -> LogicalResult {
          auto callee = getCallee(call);
          const FunctionFacts &calleeFacts = facts.at(callee);
          result.fallible |= calleeFacts.fallible;
          for (unsigned position : calleeFacts.written.set_bits())
            if (failed(write(op, call.getArguments()[position])))
              return failure();
          return success();
        })
        .Default(success());
  });
  if (walk.wasInterrupted())
    return failure();
  facts.try_emplace(function, std::move(result));
  return success();
}

/// Returns whether a buffer is planned in the workspace. If so, its range
/// becomes one of the workspace.
static bool moveToWorkspace(tir::BufferRange &range) {
  std::optional<int64_t> offset;
  if (auto alloc = range.base.getDefiningOp<tir::AllocOp>();
      alloc && alloc.getScope() == tir::Scope::Workspace)
    offset = alloc.getOffset();
  else if (auto argument = dyn_cast<BlockArgument>(range.base))
    if (auto function =
            dyn_cast<tir::FuncOp>(argument.getOwner()->getParentOp()))
      offset = getWorkspaceOffset(function, argument.getArgNumber());
  if (!offset)
    return false;
  range.offset += *offset;
  range.base = Value();
  return true;
}

namespace {
/// Bytes that two arguments share: none, perhaps some, or all at the same
/// address.
enum class SharedBytes { None, Some, All };
} // namespace

void BufferAnalysis::findOverlaps(tir::FuncOp caller) {
  const llvm::BitVector callerOverlapping = facts.at(caller).overlapping;
  auto getSharedBytes = [&](Value left, Value right) {
    tir::BufferRange x = tir::getBufferRange(left),
                     y = tir::getBufferRange(right);
    auto isOverlapping = [&](Value base) {
      auto argument = dyn_cast<BlockArgument>(base);
      return argument && argument.getOwner() == &caller.getBody().front() &&
             callerOverlapping.test(argument.getArgNumber());
    };
    if (x.base != y.base && isOverlapping(x.base) && isOverlapping(y.base))
      return SharedBytes::Some;
    if (moveToWorkspace(x) != moveToWorkspace(y) || !x.overlaps(y))
      return SharedBytes::None;
    return x.offset == y.offset && x.size == y.size ? SharedBytes::All
                                                    : SharedBytes::Some;
  };
  // An in-place result must not overwrite data that another thread still reads.
  auto isSafe = [&](tir::FuncOp callee, unsigned i, unsigned j) {
    const llvm::BitVector &written = facts.at(callee).written;
    if (!written.test(i))
      std::swap(i, j);
    return !written.test(j) &&
           tir::accessesSameElements(callee, callee.getArgument(i),
                                     callee.getArgument(j));
  };
  caller.walk([&](tir::CallOp call) {
    auto callee = getCallee(call);
    FunctionFacts &calleeFacts = facts.at(callee);
    auto arguments = call.getArguments();
    for (unsigned i = 0; i < arguments.size(); ++i) {
      for (unsigned j = i + 1; j < arguments.size(); ++j) {
        if (!isa<MemRefType>(arguments[i].getType()) ||
            !isa<MemRefType>(arguments[j].getType()))
          continue;
        if (!calleeFacts.written.test(i) && !calleeFacts.written.test(j))
          continue;
        SharedBytes shared = getSharedBytes(arguments[i], arguments[j]);
        if (shared == SharedBytes::None)
          continue;
        calleeFacts.overlapping.set(i);
        calleeFacts.overlapping.set(j);
        calleeFacts.hasThreadConflicts |=
            shared != SharedBytes::All || !isSafe(callee, i, j);
      }
    }
  });
}
