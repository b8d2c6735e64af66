//===- BufferAccesses.cpp - Buffers that operations access ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "BufferAccesses.h"

#include "uma/IR/DeviceAttributes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

Value uma::tir::getBaseBuffer(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

BufferAccesses BufferAccesses::get(Operation *root) {
  BufferAccesses accesses;
  auto addArguments = [&](ValueRange arguments,
                          llvm::SetVector<Value> &buffers) {
    for (Value argument : arguments)
      if (isa<BaseMemRefType>(argument.getType()))
        buffers.insert(argument);
  };
  root->walk([&](Operation *op) {
    TypeSwitch<Operation *>(op)
        .Case([&](memref::LoadOp load) {
          accesses.reads.insert(load.getMemRef());
        })
        .Case([&](PrefetchOp prefetch) {
          accesses.reads.insert(prefetch.getBuffer());
        })
        .Case([&](memref::StoreOp store) {
          accesses.writes.insert(store.getMemRef());
        })
        .Case(
            [&](vector::LoadOp load) { accesses.reads.insert(load.getBase()); })
        .Case([&](vector::StoreOp store) {
          accesses.writes.insert(store.getBase());
        })
        .Case([&](TransposeOp transpose) {
          accesses.reads.insert(transpose.getSource());
          accesses.writes.insert(transpose.getTarget());
        })
        .Case([&](LookupOp lookup) {
          accesses.reads.insert(lookup.getSource());
          accesses.reads.insert(lookup.getTable());
          accesses.writes.insert(lookup.getTarget());
        })
        .Case([&](CallOp call) {
          // The callee is not analysed: it may read and write all buffers.
          addArguments(call.getArguments(), accesses.reads);
          addArguments(call.getArguments(), accesses.writes);
        })
        .Case([&](CallExternOp call) {
          addArguments(call.getArguments(), accesses.reads);
          for (int64_t position : call.getWrites())
            accesses.writes.insert(call.getArguments()[position]);
          if (call->hasAttr(kConfigureAttrName))
            accesses.unknown = op;
        })
        .Case<AllocOp, NullOp, memref::GetGlobalOp>([](Operation *) {})
        .Default([&](Operation *other) {
          bool hasBuffers =
              llvm::any_of(llvm::concat<const Type>(other->getOperandTypes(),
                                                    other->getResultTypes()),
                           [](Type type) { return isa<BaseMemRefType>(type); });
          if (hasBuffers ||
              (!isMemoryEffectFree(other) &&
               !other->hasTrait<OpTrait::HasRecursiveMemoryEffects>()))
            accesses.unknown = other;
        });
  });
  return accesses;
}

void BufferAccesses::add(const BufferAccesses &other) {
  reads.insert_range(other.reads);
  writes.insert_range(other.writes);
  if (!unknown)
    unknown = other.unknown;
}

SmallVector<bool> uma::tir::getWrittenArguments(FuncOp function) {
  BufferAccesses accesses;
  for (Operation &op : function.getBody().front().without_terminator())
    accesses.add(BufferAccesses::get(&op));
  return llvm::map_to_vector(function.getArguments(), [&](Value argument) {
    return accesses.unknown || accesses.writes.contains(argument);
  });
}
