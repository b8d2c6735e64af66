//===- FoldScaleAxis.cpp - Move factors into the weights before them ------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A convolution is linear in its weights: scaling output channel o is scaling
// the weights of o. This removes the multiplication that batch normalisation
// leaves behind, for every kernel layout and any number of groups, because the
// weights' O dimension runs over the channels of all groups.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_FOLDSCALEAXISPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

/// `tensor` with element (.., o, ..) along `axis` multiplied by `factors[o]`.
/// Nothing when a finite element becomes infinite or NaN, which the product of
/// the layer's result and the factor might not have been.
static std::optional<HostTensor> scaleAlongAxis(HostTensor tensor, int64_t axis,
                                                ArrayRef<double> factors) {
  int64_t inner = 1;
  for (int64_t size : tensor.getShape().drop_front(axis + 1))
    inner *= size;
  int64_t rows = inner ? tensor.getNumElements() / inner : 0;
  for (int64_t row = 0; row != rows; ++row)
    if (!tensor.scale(row * inner, inner, factors[row % factors.size()]))
      return std::nullopt;
  return tensor;
}

namespace {
/// A constant operand to replace and the dimension of it that runs over the
/// output channels.
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
    for (Operation *op : getGraphOps(getOperation())) {
      auto multiply = dyn_cast<MultiplyOp>(op);
      if (multiply && (foldFactor(multiply, 0, constants) ||
                       foldFactor(multiply, 1, constants)))
        ++numFolded;
    }
    eraseUnusedConstants(getOperation());
  }

private:
  /// Folds and erases `multiply` when its operand number `factorIndex` is a
  /// factor that the layer before the other operand can take.
  bool foldFactor(MultiplyOp multiply, unsigned factorIndex,
                  ConstantEraser &constants);
};
} // namespace

/// Collects the constants between `value` and the layer that computes it, the
/// layer's weights last. Returns the axis of the channels in `value`, or
/// nothing when the factor cannot move up to there.
static std::optional<int64_t>
collectScaledOperands(Value value, SmallVectorImpl<ScaledOperand> &operands) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<BiasAddOp> biasAdds;
  while (true) {
    // Somebody else would see the scaled value.
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
    // A bias along another axis has no single factor per element.
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

bool FoldScaleAxisPass::foldFactor(MultiplyOp multiply, unsigned factorIndex,
                                   ConstantEraser &constants) {
  Value factor = multiply->getOperand(factorIndex);
  Value data = multiply->getOperand(1 - factorIndex);
  auto type = cast<RankedTensorType>(data.getType());
  // Integer products wrap or saturate at other places than the sums do.
  if (!isa<FloatType>(type.getElementType()) ||
      multiply.getResult().getType() != type ||
      !factor.getDefiningOp<ConstantOp>())
    return false;
  SmallVector<ScaledOperand> operands;
  std::optional<int64_t> channels = collectScaledOperands(data, operands);
  if (!channels)
    return false;
  std::optional<HostTensor> factorTensor = getConstant(factor);
  if (!factorTensor)
    return false;
  auto factors = getValuesAlongAxis(*factorTensor, type, *channels);
  if (!factors || factors->empty())
    return false;

  // All or nothing: the new constants first, then the rewrite.
  SmallVector<HostTensor> scaled;
  for (const ScaledOperand &scaledOperand : operands) {
    std::optional<HostTensor> tensor =
        getConstant(scaledOperand.operand->get());
    // Narrower weights (a conv2d with out_dtype) would lose what the factor
    // has in precision.
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
