//===- FoldQuantizedPools.cpp - Means of stored integers ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// ONNX Runtime computes the mean of quantized images as the sum of their
// integers, which one float factor scales to the result.
//
//===----------------------------------------------------------------------===//

#include "FoldQuantizedPools.h"

#include "Constants.h"

#include "uma/Graph/IR/Window.h"
#include "uma/Graph/Transforms/Passes.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_FOLDQUANTIZEDPOOLSPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

/// Returns the dimensions of height and width.
static SmallVector<int64_t> getImageAxes(GlobalAvgPool2dOp pool) {
  auto layout = *WindowLayout::parse(pool.getDataLayout());
  return {layout.spatial[0], layout.spatial[1]};
}

/// Returns the number of elements of each mean.
static int64_t getCount(GlobalAvgPool2dOp pool) {
  ArrayRef<int64_t> shape = getTensorType(pool.getData()).getShape();
  int64_t count = 1;
  for (int64_t axis : getImageAxes(pool))
    count *= shape[axis];
  return count;
}

Value graph::getPooledBytes(QuantizeOp quantize) {
  auto pool = quantize.getData().getDefiningOp<GlobalAvgPool2dOp>();
  auto dequantize =
      pool ? pool.getData().getDefiningOp<DequantizeOp>() : DequantizeOp();
  if (!dequantize || !holdsBytes(dequantize.getData()) ||
      !holdsBytes(quantize.getResult()) || getCount(pool) > (1 << 22))
    return {};
  return dequantize.getData();
}

/// Returns a scale of sums so that `scale / to`, in f32, is `factor`; 0 if
/// there is none.
static float getSumScale(float factor, float to) {
  float scale = factor * to;
  for (int steps = 0; steps < 4 && std::isnormal(scale); ++steps) {
    float found = scale / to;
    if (found == factor)
      return scale;
    scale = std::nextafter(
        scale, found < factor ? std::numeric_limits<float>::max() : 0.0f);
  }
  return 0;
}

namespace {
struct FoldQuantizedPoolsPass
    : uma::graph::impl::FoldQuantizedPoolsPassBase<FoldQuantizedPoolsPass> {
  void runOnOperation() override {
    for (Operation *op : getGraphOps(getOperation()))
      if (auto quantize = dyn_cast<QuantizeOp>(op))
        fold(quantize);
  }

private:
  void fold(QuantizeOp quantize);
};
} // namespace

void FoldQuantizedPoolsPass::fold(QuantizeOp quantize) {
  Value data = getPooledBytes(quantize);
  if (!data ||
      quantize->getParentOfType<func::FuncOp>()->hasAttr(kTargetAttrName))
    return;
  auto pool = quantize.getData().getDefiningOp<GlobalAvgPool2dOp>();
  Quantization from = Quantization::of(getElements(data));
  float to =
      float(Quantization::of(getElements(quantize.getResult())).scales.front());
  int64_t count = getCount(pool);
  float factor = float(from.scales.front()) / (to * float(count));
  float scale = getSumScale(factor, to);
  if (!(scale > 0))
    return;
  OpBuilder builder(quantize);
  Location loc = quantize.getLoc();
  Type i32 = builder.getI32Type();
  Type sumType = makeQuantizedType(builder.getContext(), 32, /*isSigned=*/true,
                                   {double(scale)}, {0}, std::nullopt);
  auto withElements = [&](Value value, Type elementType) {
    return RankedTensorType::get(getTensorType(value).getShape(), elementType);
  };
  Value sums = StorageCastOp::create(
      builder, loc,
      withElements(data, getStorageElementType(getElements(data))), data);
  sums = CastOp::create(builder, loc, withElements(data, i32), sums,
                        TypeAttr::get(i32));
  sums = SumOp::create(builder, loc, withElements(quantize.getData(), i32),
                       sums, builder.getDenseI64ArrayAttr(getImageAxes(pool)),
                       builder.getBoolAttr(true));
  if (int64_t zero = from.zeroPoints.front()) {
    HostTensor offset(RankedTensorType::get({}, i32));
    offset.setInt(0, zero * count);
    sums = SubtractOp::create(
        builder, loc, sums.getType(), sums,
        createConstant(builder, quantize, "zero_points", offset));
  }
  sums = StorageCastOp::create(builder, loc, withElements(sums, sumType), sums);
  quantize.replaceAllUsesWith(
      RequantizeOp::create(builder, loc, quantize.getType(), sums,
                           /*clamp=*/DenseI64ArrayAttr(),
                           quantize.getRounding())
          .getResult());
  quantize.erase();
  if (pool->use_empty()) {
    auto dequantize = pool.getData().getDefiningOp<DequantizeOp>();
    pool.erase();
    if (dequantize->use_empty())
      dequantize.erase();
  }
  ++numFolded;
}
