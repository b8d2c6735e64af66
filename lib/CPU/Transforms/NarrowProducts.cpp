//===- NarrowProducts.cpp - Products of f32 in bf16 -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Weights take half the memory, and a core multiplies pairs of bf16 twice as
// fast as numbers of f32, or faster. Sums stay in f32. Only layers whose kernel
// reads words are converted: elsewhere bf16 would cost precision for nothing.
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/Layer.h"
#include "uma/CPU/Transforms/Passes.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/HostTensor.h"
#include "uma/Support/LayerName.h"
#include "uma/Support/ReservedNames.h"

using namespace mlir;
using namespace uma;

namespace uma::cpu {
#define GEN_PASS_DEF_NARROWPRODUCTSPASS
#include "uma/CPU/Transforms/Passes.h.inc"
} // namespace uma::cpu

static RankedTensorType toBF16(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return type.clone(BFloat16Type::get(type.getContext()));
}

/// Returns whether a layer multiplies f32 by constant weights, and a kernel
/// reads its data in pairs.
static bool isWanted(Operation *op) {
  if (!isa<graph::Conv2dOp, graph::DenseOp>(op))
    return false;
  const Value tensors[] = {op->getOperand(0), op->getOperand(1),
                           op->getResult(0)};
  for (Value value : tensors) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !type.getElementType().isF32() || type.getNumElements() == 0)
      return false;
  }
  return op->getOperand(1).getDefiningOp<graph::ConstantOp>() &&
         fitsWords(op, /*wordSize=*/2);
}

namespace {
struct NarrowProductsPass
    : uma::cpu::impl::NarrowProductsPassBase<NarrowProductsPass> {
  void runOnOperation() override {
    for (func::FuncOp function : cpu::getEntryFunctions(getOperation())) {
      SmallVector<Operation *> layers;
      function.walk([&](Operation *op) {
        if (isWanted(op))
          layers.push_back(op);
      });
      // Several layers may read one tensor.
      DenseMap<Value, Value> narrow;
      for (Operation *op : layers)
        narrowLayer(op, narrow);
    }
  }

  void narrowLayer(Operation *op, DenseMap<Value, Value> &narrow) {
    OpBuilder builder(op);
    auto bf16 = TypeAttr::get(builder.getBF16Type());
    Value data = op->getOperand(0), weights = op->getOperand(1);
    Value &cast = narrow[data];
    if (!cast) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointAfterValue(data);
      cast = graph::CastOp::create(builder, op->getLoc(), toBF16(data), data,
                                   bf16);
    }
    auto constant = weights.getDefiningOp<graph::ConstantOp>();
    FailureOr<HostTensor> from = HostTensor::fromAttribute(constant.getValue());
    if (failed(from))
      return;
    HostTensor to(toBF16(weights));
    for (int64_t i = 0, e = to.getNumElements(); i < e; ++i)
      to.setDouble(i, from->getDouble(i));
    Value packed = graph::ConstantOp::create(
        builder, constant.getLoc(), to.getType(),
        to.toAttribute(toCIdentifier(getLayerName(op)) + "_bf16"));
    op->setOperands({cast, packed});
    op->setAttr("out_dtype", TypeAttr::get(builder.getF32Type()));
    if (constant->use_empty())
      constant.erase();
    ++numNarrowed;
  }
};
} // namespace
