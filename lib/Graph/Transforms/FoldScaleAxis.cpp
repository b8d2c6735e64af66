//===- FoldScaleAxis.cpp - Move factors into weights ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A convolution is linear in its weights: scaling output channel o is the same
// as scaling the weights of o. This removes the multiplication that remains of
// batch normalisation. It works for every kernel layout and any number of
// groups, because the O dimension of the weights runs over the channels of all
// groups. A convolution is also linear in its data, whose padding is 0: scaling
// input channel c is the same as scaling the weights that read c.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"

#include "mlir/IR/TypeUtilities.h"

#include <algorithm>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_FOLDSCALEAXISPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

/// Returns the stride of `axis` in elements.
static int64_t getStride(const HostTensor &tensor, int64_t axis) {
  int64_t stride = 1;
  for (int64_t size : tensor.getShape().drop_front(axis + 1))
    stride *= size;
  return stride;
}

/// Multiplies each row of `size` elements of `tensor` by the factor of its
/// first element. Returns std::nullopt if a finite element becomes infinite or
/// NaN, because the original product might have stayed finite.
static std::optional<HostTensor>
scaleRows(HostTensor tensor, int64_t size,
          llvm::function_ref<double(int64_t index)> getFactor) {
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; i += size)
    if (!tensor.scale(i, size, getFactor(i)))
      return std::nullopt;
  return tensor;
}

/// Multiplies the elements of `tensor` at index o along `axis` by `factors[o]`.
/// Fails like scaleRows.
static std::optional<HostTensor> scaleAlongAxis(HostTensor tensor, int64_t axis,
                                                ArrayRef<double> factors) {
  int64_t inner = getStride(tensor, axis);
  return scaleRows(std::move(tensor), inner, [&](int64_t i) {
    return factors[i / inner % static_cast<int64_t>(factors.size())];
  });
}

/// Returns the weights of `layer` scaled by `factors`, which has one entry per
/// channel of the data, in place of the data. Fails like scaleRows.
static std::optional<HostTensor>
scaleInputs(Operation *layer, HostTensor weight, ArrayRef<double> factors) {
  auto conv = dyn_cast<Conv2dOp>(layer);
  if (!conv) // dense: [units, in]
    return scaleAlongAxis(std::move(weight), 1, factors);
  auto layout = KernelLayout::parse(conv.getKernelLayout());
  if (!layout)
    return std::nullopt;
  int64_t strideO = getStride(weight, layout->o);
  int64_t strideI = getStride(weight, layout->i);
  int64_t sizeO = weight.getShape()[layout->o];
  int64_t sizeI = weight.getShape()[layout->i];
  int64_t outputsOfGroup = sizeO / static_cast<int64_t>(conv.getGroups());
  return scaleRows(std::move(weight), std::min(strideO, strideI),
                   [&](int64_t index) {
                     int64_t group = index / strideO % sizeO / outputsOfGroup;
                     return factors[group * sizeI + index / strideI % sizeI];
                   });
}

namespace {
/// Constant operand to replace and its dimension of output channels.
struct ScaledOperand {
  OpOperand *operand;
  int64_t axis;
  StringRef suffix;
};

struct FoldScaleAxisPass
    : uma::graph::impl::FoldScaleAxisPassBase<FoldScaleAxisPass> {
  using FoldScaleAxisPassBase::FoldScaleAxisPassBase;

  void runOnOperation() override {
    ConstantEraser constants(getOperation());
    // Collected first, because folding erases constants that may come later.
    SmallVector<MultiplyOp> multiplies;
    for (Operation *op : getGraphOps(getOperation()))
      if (auto multiply = dyn_cast<MultiplyOp>(op))
        multiplies.push_back(multiply);
    for (MultiplyOp multiply : multiplies) {
      if (foldBackward(multiply, 0, constants) ||
          foldBackward(multiply, 1, constants))
        ++numFolded;
      else if (foldForward(multiply, 0, constants) ||
               foldForward(multiply, 1, constants))
        ++numForward;
    }
    eraseUnusedConstants(getOperation());
  }

private:
  /// Folds operand `factorIndex` of `multiply` into the layer that computes the
  /// other operand and erases `multiply`. Returns false if this is not
  /// possible.
  bool foldBackward(MultiplyOp multiply, unsigned factorIndex,
                    ConstantEraser &constants);
  /// Like foldBackward, but folds the factor into all layers behind `multiply`.
  bool foldForward(MultiplyOp multiply, unsigned factorIndex,
                   ConstantEraser &constants);
};
} // namespace

/// Collects the constants between `value` and the layer that computes it, the
/// layer's weights last. Returns the channel axis of `value`, or std::nullopt
/// if a factor cannot be folded into them.
static std::optional<int64_t>
collectScaledOperands(Value value, SmallVectorImpl<ScaledOperand> &operands) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<BiasAddOp> biasAdds;
  while (true) {
    // Other users would see the scaled value.
    if (!value.hasOneUse())
      return std::nullopt;
    auto biasAdd = value.getDefiningOp<BiasAddOp>();
    if (!biasAdd)
      break;
    biasAdds.push_back(biasAdd);
    value = biasAdd.getData();
  }
  Operation *layer = value.getDefiningOp();
  if (!isa_and_present<Conv2dOp, DenseOp>(layer))
    return std::nullopt;
  std::optional<int64_t> channels = getChannelAxis(layer);
  if (!channels)
    return std::nullopt;
  for (BiasAddOp biasAdd : biasAdds) {
    // A bias along another axis has no unique factor per element.
    if (getPositiveAxis(biasAdd.getAxis(), type.getRank()) != *channels)
      return std::nullopt;
    operands.push_back({&biasAdd.getBiasMutable(), /*axis=*/0, "bias"});
  }
  int64_t weightAxis = 0; // dense: [units, in]
  if (auto conv = dyn_cast<Conv2dOp>(layer)) {
    auto layout = KernelLayout::parse(conv.getKernelLayout());
    if (!layout)
      return std::nullopt;
    weightAxis = layout->o;
  }
  operands.push_back({&layer->getOpOperand(1), weightAxis, "weight"});
  return channels;
}

/// Returns operand `factorIndex` of `multiply` if it is a float constant and
/// the other operand has the type of the result, or std::nullopt otherwise.
static std::optional<HostTensor> getFactor(MultiplyOp multiply,
                                           unsigned factorIndex) {
  Type type = multiply->getOperand(1 - factorIndex).getType();
  // Integer products would wrap or saturate differently.
  if (!isa<FloatType>(getElementTypeOrSelf(type)) ||
      multiply.getResult().getType() != type)
    return std::nullopt;
  return getConstant(multiply->getOperand(factorIndex));
}

bool FoldScaleAxisPass::foldBackward(MultiplyOp multiply, unsigned factorIndex,
                                     ConstantEraser &constants) {
  Value data = multiply->getOperand(1 - factorIndex);
  // The constant is read last, because reading copies it.
  if (!multiply->getOperand(factorIndex).getDefiningOp<ConstantOp>())
    return false;
  SmallVector<ScaledOperand> operands;
  std::optional<int64_t> channels = collectScaledOperands(data, operands);
  if (!channels)
    return false;
  auto type = cast<RankedTensorType>(data.getType());
  std::optional<HostTensor> factorTensor = getFactor(multiply, factorIndex);
  if (!factorTensor)
    return false;
  auto factors = getValuesAlongAxis(*factorTensor, type, *channels);
  if (!factors || factors->empty())
    return false;

  // Compute all new constants before rewriting, because this may fail.
  SmallVector<HostTensor> scaled;
  for (const ScaledOperand &scaledOperand : operands) {
    std::optional<HostTensor> tensor =
        getConstant(scaledOperand.operand->get());
    // Narrower weights (a conv2d with out_dtype) would lose precision of the
    // factor.
    if (!tensor || tensor->getElementType() != type.getElementType())
      return false;
    std::optional<HostTensor> product =
        scaleAlongAxis(std::move(*tensor), scaledOperand.axis, *factors);
    if (!product)
      return false;
    scaled.push_back(std::move(*product));
  }
  for (auto [scaledOperand, tensor] : llvm::zip_equal(operands, scaled)) {
    Operation *owner = scaledOperand.operand->getOwner();
    OpBuilder builder(owner);
    Value old = scaledOperand.operand->get();
    scaledOperand.operand->set(
        createConstant(builder, owner, scaledOperand.suffix, tensor));
    constants.eraseIfUnused(old);
  }
  multiply.getResult().replaceAllUsesWith(data);
  multiply.erase();
  return true;
}

/// Returns the channel dimension of the data of `layer`. Returns std::nullopt
/// unless `layer` is a `conv2d` or `dense` that uses `value` as data only.
static std::optional<int64_t> getInputChannelAxis(Operation *layer,
                                                  Value value) {
  if (!isa<Conv2dOp, DenseOp>(layer) || layer->getOperand(0) != value ||
      layer->getOperand(1) == value)
    return std::nullopt;
  return getChannelAxis(layer);
}

bool FoldScaleAxisPass::foldForward(MultiplyOp multiply, unsigned factorIndex,
                                    ConstantEraser &constants) {
  Value data = multiply->getOperand(1 - factorIndex);
  auto type = cast<RankedTensorType>(data.getType());
  if (!multiply->getOperand(factorIndex).getDefiningOp<ConstantOp>() ||
      multiply->use_empty() ||
      !llvm::all_of(multiply->getUsers(), [&](Operation *user) {
        return getInputChannelAxis(user, multiply.getResult());
      }))
    return false;
  std::optional<HostTensor> factorTensor = getFactor(multiply, factorIndex);
  if (!factorTensor)
    return false;

  SmallVector<std::pair<Operation *, HostTensor>> scaled;
  for (Operation *layer : multiply->getUsers()) {
    auto factors = getValuesAlongAxis(
        *factorTensor, type, *getInputChannelAxis(layer, multiply.getResult()));
    std::optional<HostTensor> weight = getConstant(layer->getOperand(1));
    if (!factors || factors->empty() || !weight ||
        weight->getElementType() != type.getElementType())
      return false;
    std::optional<HostTensor> product =
        scaleInputs(layer, std::move(*weight), *factors);
    if (!product)
      return false;
    scaled.emplace_back(layer, std::move(*product));
  }
  for (auto &[layer, tensor] : scaled) {
    OpBuilder builder(layer);
    Value old = layer->getOperand(1);
    layer->setOperand(1, createConstant(builder, layer, "weight", tensor));
    constants.eraseIfUnused(old);
  }
  multiply.getResult().replaceAllUsesWith(data);
  multiply.erase();
  return true;
}
