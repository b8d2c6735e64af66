//===- MatrixProduct.cpp - Dense layers and matrix products ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LayerLowering.h"

#include "uma/Support/LayerName.h"

using namespace mlir;
using namespace uma;

namespace {
class MatrixProduct : public LayerLowering {
public:
  using LayerLowering::LayerLowering;
  void lower() override;

private:
  /// Adds the second matrix: in place, packed at run time, or, if it is
  /// constant, packed at compile time.
  Argument addMatrix(const Contraction &c);

  MatrixDims dims = getMatrixDims(layer);
  std::optional<Argument> matrix;
};
} // namespace

LayerLowering::Argument MatrixProduct::addMatrix(const Contraction &c) {
  Value right = layer.anchor->getOperand(1);
  if (c.getWeightIndices)
    return addArgument(right);
  std::string name = getLayerName(layer.anchor) + "_packed";
  if (packsAtRuntime(layer)) {
    matrix = addArgument(right);
    int64_t panels = c.getNumPacks() * (c.packWidth / c.getPanelWidth());
    return addWorkspace(
        {dims.batch, panels, dims.depth + c.getPanelGap(), c.getPanelWidth()},
        name);
  }
  WeightOrder order;
  order.channels = dims.columns;
  order.channelStride = dims.isTransposed ? dims.depth : 1;
  order.extents = c.reduce;
  order.wordSize = c.wordSize;
  order.wordStride = dims.isTransposed ? 1 : dims.columns;
  order.strides = {order.wordStride * c.wordSize};
  Value packed = provider.makeConstant(
      packWeights(getHostTensor(right), order, c.getPackLayout(), name), name);
  releaseConstant(right);
  return addBuffer({packed, BufferLayout()});
}

void MatrixProduct::lower() {
  Argument data = addArgument(layer.anchor->getOperand(0));
  addOperands();
  addResult();
  Contraction c = getContraction();
  Argument weights = addMatrix(c);
  build([&](LayerBuilder &b) {
    c.weights =
        c.getWeightIndices
            ? getBuffer(b, weights, {dims.batch, dims.depth, dims.columns})
            : getBuffer(b, weights);
    if (matrix) {
      int64_t rows = dims.depth, columns = dims.columns;
      if (dims.isTransposed)
        std::swap(rows, columns);
      buildPackedMatrix(b, getBuffer(b, *matrix, {dims.batch, rows, columns}),
                        dims.isTransposed, c.packWidth, c.weights);
    }
    c.data = getBuffer(b, data, {dims.batch, dims.rows, dims.depth});
    if (c.wordSize != 1) {
      c.data = b.words(c.data);
      c.weights = b.words(c.weights);
    }
    setResult(b, c, nullptr, /*isFlat=*/false);
    startWithBias(c);
    buildContraction(b, c);
  });
}

LayerLoweringPtr uma::createMatrixProduct(const CPULayer &layer,
                                          BufferProvider &provider) {
  return std::make_unique<MatrixProduct>(layer, provider);
}
