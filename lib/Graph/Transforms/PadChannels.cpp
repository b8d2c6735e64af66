//===- PadChannels.cpp - Words for an odd number of channels --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The first layer of a network reads three channels, which fill no word. With a
// fourth one, whose weights are 0, it takes four thirds of the products at four
// times the speed. The copy of the data that this needs holds the padding of
// the window, too, so that uma-graph-shift-zero-points takes any zero point.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_PADCHANNELSPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

/// Returns the products of one element of the data, about.
static int64_t countProducts(Conv2dOp conv) {
  Window window = conv.getWindow();
  int64_t products = conv.getDims().outChannels;
  for (int64_t dim = 0; dim < window.getRank(); ++dim)
    products = products * window.kernel[dim] / window.strides[dim];
  return products;
}

/// Returns whether a layer reads f32, or else quantized bytes, with constant
/// weights. `stored` becomes the weights' elements.
static bool isCandidate(Conv2dOp conv, bool floats, Value &stored) {
  Type data = getElements(conv.getData());
  stored = conv.getWeight();
  if (floats)
    return data.isF32() && getElements(stored).isF32();
  auto bytes = dyn_cast<quant::UniformQuantizedType>(data);
  auto cast = stored.getDefiningOp<StorageCastOp>();
  if (!bytes || getStorageElementType(bytes).getIntOrFloatBitWidth() != 8 ||
      !cast || !Quantization::of(getElements(stored)).isSymmetric())
    return false;
  stored = cast.getData();
  return true;
}

/// Returns the constant weights of a layer that gains from another channel.
static std::optional<HostTensor> getWeights(Conv2dOp conv, bool floats) {
  Value stored;
  if (!isCandidate(conv, floats, stored) ||
      conv->getParentOfType<func::FuncOp>()->hasAttr(kTargetAttrName))
    return std::nullopt;
  ConvDims dims = conv.getDims();
  // Even numbers have words of two; one channel has too much to add.
  bool gains = dims.inChannels % 2 == 1 && dims.inChannels != 1;
  // The copy of the data takes time, too.
  constexpr int64_t fewest = 32;
  gains &= countProducts(conv) >= fewest;
  if (dims.groups != 1 || !gains)
    return std::nullopt;
  return getConstant(stored);
}

/// Returns `tensor` with zeros behind the elements along `axis`, which then has
/// `size` elements.
static HostTensor extend(const HostTensor &tensor, int64_t axis, int64_t size) {
  SmallVector<int64_t> shape(tensor.getShape());
  int64_t inner = 1, old = shape[axis];
  for (int64_t dim : tensor.getShape().drop_front(axis + 1))
    inner *= dim;
  shape[axis] = size;
  HostTensor result(RankedTensorType::get(shape, tensor.getElementType()));
  for (int64_t i = 0, e = result.getNumElements(); i != e; ++i) {
    int64_t at = i / inner % size, outer = i / inner / size;
    int64_t from = (outer * old + at) * inner + i % inner;
    if (isa<FloatType>(tensor.getElementType()))
      result.setDouble(i, at < old ? tensor.getDouble(from) : 0.0);
    else
      result.setInt(i, at < old ? tensor.getInt(from) : 0);
  }
  return result;
}

/// Returns the data of `conv` with its padding and `channels` channels.
static Value padData(OpBuilder &builder, Conv2dOp conv, int64_t channels) {
  Location loc = conv.getLoc();
  Value data = conv.getData();
  Type quantized = getElements(data);
  RankedTensorType type = getTensorType(data);
  WindowLayout layout = *WindowLayout::parse(conv.getDataLayout());
  Window window = conv.getWindow();
  SmallVector<int64_t> before(type.getRank(), 0), after(before);
  for (auto [dim, axis] : llvm::enumerate(layout.spatial)) {
    before[axis] = window.padBegin[dim];
    after[axis] = window.padEnd[dim];
  }
  after[layout.c] = channels - type.getDimSize(layout.c);
  auto pad = [&](Value value, double number) -> Value {
    return PadOp::create(builder, loc, value, before, after,
                         llvm::APFloat(number), "constant");
  };
  if (type.getElementType().isF32())
    return pad(data, 0.0);
  auto quantize = data.getDefiningOp<QuantizeOp>();
  if (quantize && quantize->hasOneUse()) {
    Value padded = pad(quantize.getData(), 0.0);
    return QuantizeOp::create(
        builder, quantize.getLoc(),
        RankedTensorType::get(getTensorType(padded).getShape(), quantized),
        padded, quantize.getRounding());
  }
  Value stored = StorageCastOp::create(
      builder, loc,
      RankedTensorType::get(type.getShape(), getStorageElementType(quantized)),
      data);
  Value padded =
      pad(stored, double(Quantization::of(quantized).zeroPoints.front()));
  return StorageCastOp::create(
      builder, loc,
      RankedTensorType::get(getTensorType(padded).getShape(), quantized),
      padded);
}

namespace {
struct PadChannelsPass
    : uma::graph::impl::PadChannelsPassBase<PadChannelsPass> {
  using PadChannelsPassBase::PadChannelsPassBase;

  void runOnOperation() override {
    for (Operation *op : getGraphOps(getOperation())) {
      auto conv = dyn_cast<Conv2dOp>(op);
      std::optional<HostTensor> weights =
          conv ? getWeights(conv, floats) : std::nullopt;
      if (!weights)
        continue;
      constexpr int64_t bytesOfWord = 4;
      int64_t channels = llvm::alignTo(conv.getDims().inChannels, bytesOfWord);
      OpBuilder builder(conv);
      Value data = padData(builder, conv, channels);
      int64_t axis = KernelLayout::parse(conv.getKernelLayout())->i;
      HostTensor extended = extend(*weights, axis, channels);
      Value weight = createConstant(builder, conv, "padded", extended);
      if (!floats)
        weight = StorageCastOp::create(
            builder, conv.getLoc(),
            RankedTensorType::get(extended.getShape(),
                                  getElements(conv.getWeight())),
            weight);
      IRMapping mapping;
      mapping.map(conv->getOperands(), ValueRange{data, weight});
      auto padded = cast<Conv2dOp>(builder.clone(*conv, mapping));
      padded.setPadding(SmallVector<int64_t>(conv.getPadding().size(), 0));
      conv.getResult().replaceAllUsesWith(padded.getResult());
      Operation *quantize = conv.getData().getDefiningOp();
      conv.erase();
      if (isa_and_nonnull<QuantizeOp>(quantize) && quantize->use_empty())
        quantize->erase();
      ++numPadded;
    }
    eraseUnusedConstants(getOperation());
  }
};
} // namespace
