//===- Recurrent.cpp - Vectorised recurrent layers ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The input contributions to all gates of all steps are one matrix product.
// Each step then computes the product of the states and the recurrence weights,
// a contraction with a row per sequence, and the activations on vectors of
// units. All sums of a step are complete before a state changes. So the results
// for the final states hold the states of the current step.
//
//===----------------------------------------------------------------------===//

#include "RecurrentKernel.h"

#include "uma/Support/LayerName.h"

using namespace mlir;
using namespace uma;

namespace {
class Recurrent : public LayerLowering {
public:
  using LayerLowering::LayerLowering;
  void lower() override;

private:
  /// Packs the weights of product `index` of a direction, which are stored as
  /// [directions, rows, depth].
  ElementsAttr pack(const RecurrentLayer &recurrent, int64_t direction,
                    size_t index, StringRef name) const;
};
} // namespace

ElementsAttr Recurrent::pack(const RecurrentLayer &recurrent, int64_t direction,
                             size_t index, StringRef name) const {
  GateProduct product = getGateProducts(recurrent)[index];
  WeightOrder order;
  order.offset =
      (direction * recurrent.getRows() + product.firstRow) * product.depth;
  order.channels = product.numRows;
  order.channelStride = product.depth;
  order.extents = {product.depth};
  order.strides = {1};
  return packWeights(getHostTensor(product.isOfStates ? recurrent.recurrence
                                                      : recurrent.weight),
                     order, getContraction(index).getPackLayout(), name);
}

void Recurrent::lower() {
  Operation *op = layer.anchor;
  RecurrentLayer recurrent = *RecurrentLayer::get(op);
  const graph::RecurrentDims &dims = recurrent.dims;
  auto add = [&](Value tensor) -> std::optional<Argument> {
    if (!tensor)
      return std::nullopt;
    return addArgument(tensor);
  };
  Argument data = *add(recurrent.data);
  std::optional<Argument> bias = add(recurrent.bias);
  std::optional<Argument> initialH = add(recurrent.initialH);
  std::optional<Argument> initialC = add(recurrent.initialC);
  std::optional<Argument> peephole = add(recurrent.peephole);
  auto outputs = llvm::map_to_vector(op->getResults(), [&](Value tensor) {
    return addBuffer(provider.getStored(layer.getOutside(tensor)));
  });
  std::string name = getLayerName(op);
  auto allocate = [&](ArrayRef<int64_t> shape, StringRef label) {
    return addWorkspace(shape, (name + label).str());
  };
  int64_t rows = recurrent.getRows();
  Argument inputSums = allocate({dims.steps * dims.batch, rows}, "_inputs");
  Argument stateSums = allocate({dims.batch, rows}, "_states");
  std::optional<Argument> resetStates;
  if (recurrent.resetsFirst)
    resetStates = allocate({dims.batch, dims.units}, "_reset_states");

  std::vector<std::vector<GateContraction>> products;
  SmallVector<Argument> weights;
  for (int64_t d = 0; d < dims.directions; ++d) {
    products.emplace_back();
    for (auto [index, product] : llvm::enumerate(getGateProducts(recurrent))) {
      products.back().push_back({product, getContraction(index)});
      std::string label =
          name + (product.isOfStates ? "_recurrence" : "_weight") +
          (d == 1 ? "_reverse" : "") +
          (product.firstRow != 0 ? "_candidate" : "") + "_packed";
      weights.push_back(addConstant(pack(recurrent, d, index, label), label));
    }
  }
  releaseConstant(recurrent.weight);
  releaseConstant(recurrent.recurrence);

  build([&](LayerBuilder &b) {
    auto get = [&](std::optional<Argument> argument) {
      return argument ? getBuffer(b, *argument) : Value();
    };
    RecurrentBuffers buffers;
    buffers.data = getBuffer(b, data, {dims.steps * dims.batch, dims.inputs});
    buffers.bias = get(bias);
    buffers.initialH = get(initialH);
    buffers.initialC = get(initialC);
    buffers.peephole = get(peephole);
    buffers.output = get(outputs[0]);
    buffers.outputH = get(outputs[1]);
    buffers.outputC = outputs.size() > 2 ? get(outputs[2]) : Value();
    buffers.inputSums = get(inputSums);
    buffers.stateSums = get(stateSums);
    buffers.resetStates = get(resetStates);
    const Argument *next = weights.begin();
    for (std::vector<GateContraction> &direction : products)
      for (GateContraction &product : direction)
        product.contraction.weights = getBuffer(b, *next++);
    buildVersions(b, [&](const ISA &target) {
      RecurrentKernel kernel(b, recurrent, buffers, target);
      for (auto [d, direction] : llvm::enumerate(products))
        kernel.build(int64_t(d), direction);
    });
  });
}

LayerLoweringPtr uma::createRecurrent(const CPULayer &layer,
                                      BufferProvider &provider) {
  return std::make_unique<Recurrent>(layer, provider);
}
