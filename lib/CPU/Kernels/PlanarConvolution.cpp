//===- PlanarConvolution.cpp - Convolutions with few channels -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Vectors hold neighbouring pixels of a row in one channel; data and weights
// swap roles.
//
//===----------------------------------------------------------------------===//

#include "LayerLowering.h"

using namespace mlir;
using namespace uma;

namespace {
class PlanarConvolution : public LayerLowering {
public:
  using LayerLowering::LayerLowering;
  void lower() override;
};
} // namespace

/// Swaps rows and channels: rows of the contraction are channels of the layer.
static void swapRoles(Contraction &c) {
  auto map =
      [](const std::function<IndexExprs(const ResultPoint &)> &getIndices) {
        return [=](const ResultPoint &point) {
          AffineExpr zero = getAffineConstantExpr(0, point.row.getContext());
          return getIndices(
              {point.outer, point.channel.inBlock, {zero, point.row}});
        };
      };
  c.result.getIndices = map(c.result.getIndices);
  for (ResultOperand &operand : c.operands)
    operand.getIndices = map(operand.getIndices);
}

void PlanarConvolution::lower() {
  ConvGeometry conv = *ConvGeometry::of(layer.anchor);
  Argument data = addArgument(layer.anchor->getOperand(0));
  Argument weights = addArgument(layer.anchor->getOperand(1));
  addOperands();
  addResult();
  build([&](LayerBuilder &b) {
    buildBorder(b);
    for (auto [i, part] : llvm::enumerate(conv.parts)) {
      Contraction c = getContraction(i);
      c.data = getBuffer(b, weights);
      c.weights = getBuffer(b, data);
      auto getPoint = [&, &part = part](const ResultPoint &point) {
        return getResultPlace(conv, part, point.outer[0], point.outer[1],
                              point.row);
      };
      setResult(b, c, getPoint, /*isFlat=*/false);
      c.channels = part[1].results;
      c.channelBlock = 0;
      swapRoles(c);
      startWithBias(c);
      buildContraction(b, c);
    }
  });
}

LayerLoweringPtr uma::createPlanarConvolution(const CPULayer &layer,
                                              BufferProvider &provider) {
  return std::make_unique<PlanarConvolution>(layer, provider);
}
