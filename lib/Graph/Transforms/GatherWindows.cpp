//===- GatherWindows.cpp - Convolutions as products -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_GATHERWINDOWSPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

/// Gathers the windows of `conv`: returns data [n, kh * kw * ic, oh, ow].
static Value gatherWindows(OpBuilder &builder, Conv2dOp conv) {
  Location loc = conv.getLoc();
  Window window = conv.getWindow();
  Value data = conv.getData();
  if (llvm::any_of(conv.getPadding(), [](int64_t pad) { return pad > 0; }))
    data = PadOp::create(
        builder, loc, data,
        ArrayRef<int64_t>{0, 0, window.padBegin[0], window.padBegin[1]},
        ArrayRef<int64_t>{0, 0, window.padEnd[0], window.padEnd[1]},
        llvm::APFloat(0.0), "constant");
  RankedTensorType type = getTensorType(data);
  SmallVector<Value> slices;
  for (int64_t y = 0; y < window.kernel[0]; ++y)
    for (int64_t x = 0; x < window.kernel[1]; ++x)
      slices.push_back(StridedSliceOp::create(
          builder, loc, data,
          ArrayRef<int64_t>{0, 0, y * window.dilations[0],
                            x * window.dilations[1]},
          ArrayRef<int64_t>{type.getDimSize(0), type.getDimSize(1),
                            window.getOutput(0), window.getOutput(1)},
          ArrayRef<int64_t>{1, 1, window.strides[0], window.strides[1]}));
  if (slices.size() == 1)
    return slices.front();
  return ConcatenateOp::create(builder, loc, slices, /*axis=*/1);
}

/// Reorders the weights of `conv` to [oc, kh * kw * ic, 1, 1].
static Value reorderWeights(OpBuilder &builder, Conv2dOp conv) {
  ArrayRef<int64_t> shape = getTensorType(conv.getWeight()).getShape();
  Value weights = TransposeOp::create(builder, conv.getLoc(), conv.getWeight(),
                                      ArrayRef<int64_t>{0, 2, 3, 1});
  return ReshapeOp::create(
      builder, conv.getLoc(), weights,
      ArrayRef<int64_t>{shape[0], shape[1] * shape[2] * shape[3], 1, 1});
}

static bool isPointwise(Conv2dOp conv) {
  Window window = conv.getWindow();
  auto isOne = [](int64_t number) { return number == 1; };
  return llvm::all_of(window.kernel, isOne) &&
         llvm::all_of(window.strides, isOne) &&
         llvm::all_of(conv.getPadding(), [](int64_t pad) { return pad == 0; });
}

namespace {
struct GatherWindowsPass
    : uma::graph::impl::GatherWindowsPassBase<GatherWindowsPass> {
  using GatherWindowsPassBase::GatherWindowsPassBase;

  void runOnOperation() override {
    for (Operation *op : getGraphOps(getOperation())) {
      auto conv = dyn_cast<Conv2dOp>(op);
      if (!conv || conv.getGroups() != 1 || conv.getDataLayout() != "NCHW" ||
          conv.getKernelLayout() != "OIHW" || isPointwise(conv))
        continue;
      OpBuilder builder(conv);
      Value data = gatherWindows(builder, conv);
      Value weights = reorderWeights(builder, conv);
      conv->setOperands({data, weights});
      conv.setStrides({1, 1});
      conv.setDilations({1, 1});
      conv.setPadding({0, 0, 0, 0});
      ++numRewritten;
    }
  }
};
} // namespace
