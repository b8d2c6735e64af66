//===- SameElements.cpp - In-place layers and threads ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/IR/SameElements.h"

#include "uma/TIR/IR/LinearForm.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace {
/// Elements from `first` on: a load or a store.
struct Elements {
  LinearForm first;
  Type type;

  bool operator==(const Elements &other) const {
    return first == other.first && type == other.type;
  }
};

/// Accesses of a block to the two buffers.
struct BlockAccesses {
  SmallVector<Elements> written, read;
};
} // namespace

static bool isShared(Operation *op) {
  for (auto loop = op->getParentOfType<ForOp>(); loop;
       loop = loop->getParentOfType<ForOp>())
    if (loop.getKind() == ForKind::Parallel)
      return true;
  return false;
}

static bool areEqual(ArrayRef<Elements> left, ArrayRef<Elements> right) {
  auto contains = [](ArrayRef<Elements> all, ArrayRef<Elements> some) {
    return llvm::all_of(some, [&](const Elements &elements) {
      return llvm::is_contained(all, elements);
    });
  };
  return contains(left, right) && contains(right, left);
}

bool uma::tir::accessesSameElements(FuncOp function, Value written,
                                    Value read) {
  llvm::SmallDenseMap<Block *, BlockAccesses> blocks;
  auto add = [&](Operation *op, Value buffer, ValueRange indices, Type type,
                 bool isWrite) {
    if (buffer != written && buffer != read)
      return true;
    // Sums in the result, for example, are not analysed.
    if (indices.size() != 1 || isWrite != (buffer == written))
      return false;
    if (!isShared(op))
      return true;
    BlockAccesses &accesses = blocks[op->getBlock()];
    (isWrite ? accesses.written : accesses.read)
        .push_back({LinearForm::of(indices.front()), type});
    return true;
  };
  WalkResult walk = function.walk([&](Operation *op) {
    bool isKnown =
        TypeSwitch<Operation *, bool>(op)
            .Case([&](memref::LoadOp load) {
              return add(op, load.getMemRef(), load.getIndices(),
                         load.getType(), false);
            })
            .Case([&](memref::StoreOp store) {
              return add(op, store.getMemRef(), store.getIndices(),
                         store.getValue().getType(), true);
            })
            .Case([&](vector::LoadOp load) {
              return add(op, load.getBase(), load.getIndices(), load.getType(),
                         false);
            })
            .Case([&](vector::StoreOp store) {
              return add(op, store.getBase(), store.getIndices(),
                         store.getValueToStore().getType(), true);
            })
            .Case([](PrefetchOp) { return true; })
            .Default([&](Operation *other) {
              return !llvm::is_contained(other->getOperands(), written) &&
                     !llvm::is_contained(other->getOperands(), read);
            });
    return isKnown ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walk.wasInterrupted() &&
         llvm::all_of(llvm::make_second_range(blocks),
                      [](const BlockAccesses &accesses) {
                        return areEqual(accesses.written, accesses.read);
                      });
}
