//===- InstrumentBoundCheckers.cpp - Check every index --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "IndexRange.h"

#include "uma/TIR/Transforms/Passes.h"

#include "uma/IR/UMADialect.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_INSTRUMENTBOUNDCHECKERSPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

/// Returns a name of the buffer that the user may recognise.
static std::string getBufferName(FuncOp func, Value buffer) {
  if (auto argument = dyn_cast<BlockArgument>(buffer)) {
    unsigned index = argument.getArgNumber();
    if (auto name =
            func.getArgAttrOfType<StringAttr>(index, kTensorNameAttrName))
      return name.str();
    return "argument " + std::to_string(index);
  }
  if (auto alloc = buffer.getDefiningOp<AllocOp>())
    return alloc.getLabel().value_or("buffer").str();
  if (auto global = buffer.getDefiningOp<memref::GetGlobalOp>())
    return global.getName().str();
  return "buffer";
}

namespace {
struct InstrumentBoundCheckersPass
    : uma::tir::impl::InstrumentBoundCheckersPassBase<
          InstrumentBoundCheckersPass> {
  using InstrumentBoundCheckersPassBase::InstrumentBoundCheckersPassBase;

  /// Inserts checks for an access to `count` elements along the last dimension.
  void check(Operation *op, Value buffer, ValueRange indices, int64_t count) {
    ArrayRef<int64_t> shape = cast<MemRefType>(buffer.getType()).getShape();
    OpBuilder builder(op);
    for (auto [dim, index] : llvm::enumerate(indices)) {
      int64_t along = dim + 1 == indices.size() ? count : 1;
      if (isChecked(op, index, along, shape[dim]) ||
          (skipProven && isProven(index, along, shape[dim])))
        continue;
      CheckBoundsOp::create(builder, op->getLoc(), index, along, shape[dim],
                            getBufferName(getOperation(), buffer));
      ++numChecks;
    }
  }

  static bool isProven(Value index, int64_t count, int64_t size) {
    std::optional<LinearForm> expr = LinearForm::get(index);
    std::optional<IndexRange> range =
        expr ? getIndexRange(*expr) : std::nullopt;
    return range && range->min >= 0 && range->max <= size - count;
  }

  /// Returns true if an equal check exists directly before the access.
  static bool isChecked(Operation *op, Value index, int64_t count,
                        int64_t size) {
    for (Operation *before = op->getPrevNode();
         auto check = dyn_cast_or_null<CheckBoundsOp>(before);
         before = before->getPrevNode())
      if (check.getIndex() == index &&
          static_cast<int64_t>(check.getSize()) == size &&
          static_cast<int64_t>(check.getCount()) == count)
        return true;
    return false;
  }

  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      TypeSwitch<Operation *>(op)
          .Case([&](memref::LoadOp load) {
            check(op, load.getMemRef(), load.getIndices(), 1);
          })
          .Case([&](memref::StoreOp store) {
            check(op, store.getMemRef(), store.getIndices(), 1);
          })
          .Case([&](vector::LoadOp load) {
            check(op, load.getBase(), load.getIndices(),
                  load.getVectorType().getNumElements());
          })
          .Case([&](vector::StoreOp store) {
            check(op, store.getBase(), store.getIndices(),
                  store.getVectorType().getNumElements());
          });
    });
  }
};
} // namespace
