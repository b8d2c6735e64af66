//===- CPURecurrent.cpp - Recurrent layers on vectors ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The inputs' part of all gates of all steps is one product of matrices. What
// is left for a step is the product of the states with the recurrence weights,
// a contraction with a row per sequence, and the gates' functions, on vectors
// of units. All sums of a step are there before the first state changes, so
// that the results for the last states can hold those of the present step.
//
//===----------------------------------------------------------------------===//

#include "RecurrentKernel.h"

#include "uma/Support/LayerName.h"

using namespace mlir;
using namespace uma;

/// The products of a direction, without their weights.
static SmallVector<GateProduct> getProducts(const RecurrentLayer &layer) {
  int64_t rows = layer.getRows(), units = layer.dims.units;
  SmallVector<GateProduct> products = {{false, 0, rows, layer.dims.inputs}};
  if (layer.resetsFirst)
    products.append(
        {{true, 0, 2 * units, units}, {true, 2 * units, units, units}});
  else
    products.push_back({true, 0, rows, units});
  for (GateProduct &product : products)
    product.packWidth = choosePackWidth(
        getContractionShape(makeContraction(layer, product).getWorkload()));
  return products;
}

bool uma::isVectorRecurrent(Operation *op) {
  std::optional<RecurrentLayer> layer = RecurrentLayer::get(op);
  // A vector of four lanes is the least that pays.
  if (!layer || layer->dims.units < 4 || !isKnownConstant(layer->weight) ||
      !isKnownConstant(layer->recurrence))
    return false;
  if (Value lens = layer->sequenceLens) {
    // Lengths which say nothing are in many models.
    auto constant = lens.getDefiningOp<graph::ConstantOp>();
    auto values = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue())
                           : nullptr;
    if (!values || !llvm::all_of(values, [&](const APInt &value) {
          return value.getActiveBits() <= 31 &&
                 value.getSExtValue() >= layer->dims.steps;
        }))
      return false;
  }
  return llvm::all_of(op->getResults(), isFloatTensor) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return operand == layer->sequenceLens || isFloatTensor(operand);
         });
}

/// Packs the weights of a product, which stand in [directions, rows, depth].
static ElementsAttr packGateWeights(const RecurrentLayer &layer,
                                    int64_t direction,
                                    const GateProduct &product,
                                    StringRef name) {
  WeightOrder order;
  order.offset =
      (direction * layer.getRows() + product.firstRow) * product.depth;
  order.channels = product.numRows;
  order.channelStride = product.depth;
  order.extents = {product.depth};
  order.strides = {1};
  return packWeights(
      *getHostTensor(product.isOfStates ? layer.recurrence : layer.weight),
      order, makeContraction(layer, product).getPackLayout(), name);
}

void LayerLowering::lowerRecurrent() {
  Operation *op = layer.anchor;
  RecurrentLayer recurrent = *RecurrentLayer::get(op);
  const graph::RecurrentDims &dims = recurrent.dims;
  auto add = [&](Value tensor) -> std::optional<Argument> {
    if (!tensor)
      return std::nullopt;
    return addArgument(provider.request(tensor, BufferLayout()));
  };
  Argument data = *add(recurrent.data);
  std::optional<Argument> bias = add(recurrent.bias);
  std::optional<Argument> initialH = add(recurrent.initialH);
  std::optional<Argument> initialC = add(recurrent.initialC);
  std::optional<Argument> peephole = add(recurrent.peephole);
  auto outputs = llvm::map_to_vector(op->getResults(), [&](Value tensor) {
    return addArgument(provider.getCanonical(tensor));
  });
  std::string name = getLayerName(op);
  auto allocate = [&](ArrayRef<int64_t> shape, StringRef label) {
    auto type = MemRefType::get(shape, layer.getType().getElementType());
    return addArgument(
        {provider.allocateBuffer(type, (name + label).str()), BufferLayout()});
  };
  int64_t rows = recurrent.getRows();
  Argument inputSums = allocate({dims.steps * dims.batch, rows}, "_inputs");
  Argument stateSums = allocate({dims.batch, rows}, "_states");
  std::optional<Argument> resetStates;
  if (recurrent.resetsFirst)
    resetStates = allocate({dims.batch, dims.units}, "_reset_states");

  SmallVector<SmallVector<GateProduct>> products;
  SmallVector<Argument> weights;
  for (int64_t d = 0; d < dims.directions; ++d) {
    products.push_back(getProducts(recurrent));
    for (const GateProduct &product : products.back()) {
      std::string label =
          name + (product.isOfStates ? "_recurrence" : "_weight") +
          (d == 1 ? "_reverse" : "") +
          (product.firstRow != 0 ? "_candidate" : "") + "_packed";
      ElementsAttr packed = packGateWeights(recurrent, d, product, label);
      weights.push_back(
          addArgument({provider.makeConstant(packed, label), BufferLayout()}));
    }
  }
  provider.releaseConstant(recurrent.weight);
  provider.releaseConstant(recurrent.recurrence);

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
    for (SmallVector<GateProduct> &direction : products)
      for (GateProduct &product : direction)
        product.weights = getBuffer(b, *next++);
    buildVersions(b, [&](const SIMDTarget &target) {
      RecurrentKernel kernel(b, recurrent, buffers, target);
      for (auto [d, direction] : llvm::enumerate(products))
        kernel.build(int64_t(d), direction);
    });
  });
}
