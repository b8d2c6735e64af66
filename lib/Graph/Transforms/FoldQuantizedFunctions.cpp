//===- FoldQuantizedFunctions.cpp - Functions of stored integers ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// ONNX Runtime's optimizer replaces average pools and softmax between
// dequantize and quantize by its operators QLinearAveragePool and
// QLinearSoftmax. The first computes in f32, but rounds after the zero point is
// added. Only the last part of a float is replaced: the reshapes of rank 3 and
// of old softmax stay.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"
#include "QuantizedFunctions.h"

#include "uma/Graph/IR/QuantizedSoftmax.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_FOLDQUANTIZEDFUNCTIONSPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

static RankedTensorType withType(Value shaped, Type elementType) {
  return RankedTensorType::get(getTensorType(shaped).getShape(), elementType);
}

/// Returns the integers of `to` for numbers of f32, as QLinearAveragePool
/// rounds them.
static Value createStored(OpBuilder &builder, Operation *layer, Value numbers,
                          Type to) {
  Quantization type = Quantization::of(to);
  Location loc = layer->getLoc();
  Type f32 = builder.getF32Type();
  auto scalar = [&](StringRef name, double value) {
    HostTensor tensor(RankedTensorType::get({}, f32));
    tensor.setDouble(0, value);
    return createConstant(builder, layer, name, tensor);
  };
  Type floats = numbers.getType();
  Value value = DivideOp::create(builder, loc, floats, numbers,
                                 scalar("scale", type.scales.front()));
  value = AddOp::create(builder, loc, floats, value,
                        scalar("zero_point", double(type.zeroPoints.front())));
  value = RoundOp::create(builder, loc, floats, value);
  Type stored = getStorageElementType(to);
  return CastOp::create(builder, loc, withType(numbers, stored), value,
                        TypeAttr::get(stored));
}

/// Returns the integers that `value`, reshaped dequantized integers, stands
/// for, in its shape, and their quantized type.
static std::pair<Value, Type> createIntegers(OpBuilder &builder, Value value) {
  Location loc = value.getLoc();
  Value data = value;
  while (auto reshape = data.getDefiningOp<ReshapeOp>())
    data = reshape.getData();
  data = data.getDefiningOp<DequantizeOp>().getData();
  Type type = getElements(data), stored = getStorageElementType(type);
  Value integers =
      StorageCastOp::create(builder, loc, withType(data, stored), data);
  ArrayRef<int64_t> shape = getTensorType(value).getShape();
  if (getTensorType(data).getShape() != shape)
    integers = ReshapeOp::create(builder, loc, withType(value, stored),
                                 integers, builder.getDenseI64ArrayAttr(shape));
  return {integers, type};
}

namespace {
struct FoldQuantizedFunctionsPass
    : uma::graph::impl::FoldQuantizedFunctionsPassBase<
          FoldQuantizedFunctionsPass> {
  void runOnOperation() override;
};
} // namespace

void FoldQuantizedFunctionsPass::runOnOperation() {
  SmallVector<Operation *> all = getGraphOps(getOperation());
  for (Operation *op : all) {
    auto quantize = dyn_cast<QuantizeOp>(op);
    if (!quantize ||
        quantize->getParentOfType<func::FuncOp>()->hasAttr(kTargetAttrName))
      continue;
    Operation *stays = nullptr;
    std::string reason;
    Operation *function = findQuantizedFunction(quantize, stays, reason);
    if (!function)
      continue;
    OpBuilder builder(quantize);
    Location loc = function->getLoc();
    Type to = getElements(quantize.getResult());
    Value stored;
    if (auto softmax = dyn_cast<SoftmaxOp>(function)) {
      auto [integers, from] = createIntegers(builder, softmax.getData());
      int64_t rank = getTensorType(integers).getRank(),
              axis = softmax.getAxis();
      stored = createQuantizedSoftmax(builder, loc, integers,
                                      axis < 0 ? axis + rank : axis, from, to);
    } else {
      stored = createStored(builder, function, function->getResult(0), to);
    }
    if (getTensorType(stored).getShape() !=
        getTensorType(quantize.getResult()).getShape())
      stored = ReshapeOp::create(
          builder, loc,
          withType(quantize.getResult(), getStorageElementType(to)), stored,
          builder.getDenseI64ArrayAttr(
              getTensorType(quantize.getResult()).getShape()));
    Value result =
        StorageCastOp::create(builder, loc, quantize.getType(), stored);
    quantize.getResult().replaceAllUsesWith(result);
    ++numFolded;
  }
  // The operators of floats that nothing uses any more.
  for (Operation *op : llvm::reverse(all))
    if (op->use_empty() && isPure(op) && !isa<ConstantOp, YieldOp>(op) &&
        op->getNumResults() != 0)
      op->erase();
  eraseUnusedConstants(getOperation());
}
