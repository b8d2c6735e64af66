//===- SelectKernels.cpp - The algorithm of each layer --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Winograd's and Strassen's algorithms pay for fewer products with more
// weights. Strassen's is for the layers that save the most products for each
// element more, as long as all weights grow by no more than the user wants.
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/ConvGeometry.h"
#include "uma/CPU/Model/LayerChoices.h"
#include "uma/CPU/Model/Problems.h"
#include "uma/CPU/Transforms/Passes.h"

#include "uma/Support/LayerName.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace uma;
using Kind = CPULayer::Kind;

namespace uma::cpu {
#define GEN_PASS_DEF_SELECTKERNELSPASS
#include "uma/CPU/Transforms/Passes.h.inc"
} // namespace uma::cpu

namespace {
/// A layer that Strassen's algorithm may compute.
struct Candidate {
  CPULayer *layer;
  QuarterProduct product;
  /// Products that it saves for each element more of weights.
  double gain;
  size_t number;
};

struct SelectKernelsPass : cpu::impl::SelectKernelsPassBase<SelectKernelsPass> {
  using SelectKernelsPassBase::SelectKernelsPassBase;

  void runOnOperation() override;

private:
  void select(func::FuncOp function, SymbolTable &symbols);
  /// The kernel of a layer, but for Strassen's algorithm.
  KernelAttr chooseKernel(const CPULayer &layer, const BufferLayout &stored);
  void chooseProducts(func::FuncOp function, CPULayers &layers);
};
} // namespace

static KernelAttr getKernel(MLIRContext *context, Algorithm algorithm,
                            int64_t tile = 0) {
  return KernelAttr::get(context, algorithm, tile);
}

static void setKernel(const CPULayer &layer, KernelAttr kernel) {
  func::FuncOp function = layer.function;
  function->setAttr(kKernelAttrName, kernel);
}

/// Says what the algorithms that apply to a layer cost, in millions of
/// products.
static void explain(const CPULayer &layer, ArrayRef<AlgorithmCost> costs) {
  func::FuncOp function = layer.function;
  std::string name =
      getLayerName(layer.anchor ? layer.anchor : layer.ops.back());
  auto remark = remark::passed(
      layer.ops.back()->getLoc(),
      remark::RemarkOpts::name("kernel").category("uma-cpu").function(
          function.getSymName()));
  if (!remark)
    return;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "layer '" << name << "' is computed by " << layer.getKernel();
  for (auto [index, cost] : llvm::enumerate(costs)) {
    os << (index == 0 ? "; products in millions: " : ", ");
    os << cost.kernel;
    os << ' ' << llvm::format("%.3g", cost.products * 1e-6);
  }
  remark << text;
}

KernelAttr SelectKernelsPass::chooseKernel(const CPULayer &layer,
                                           const BufferLayout &stored) {
  auto conv = dyn_cast_or_null<graph::Conv2dOp>(layer.anchor);
  if (conv && layer.kind == Kind::Conv && winograd && stored.block != 0)
    if (int64_t tile = chooseWinogradTile(conv.getDims()))
      return getKernel(&getContext(), Algorithm::Winograd, tile);
  if (layer.kind == Kind::Conv && ConvGeometry::of(layer.anchor)->isPlanar())
    return getKernel(&getContext(), Algorithm::Planar);
  // All other kernels of images write blocks of channels.
  bool isPlain = layer.hasImage() && layer.kind != Kind::Elementwise &&
                 layer.getResultLayout().block == 0;
  return getKernel(&getContext(),
                   isPlain ? Algorithm::Plain : Algorithm::Direct);
}

void SelectKernelsPass::chooseProducts(func::FuncOp function,
                                       CPULayers &layers) {
  double weights = 0;
  for (auto constant : function.getOps<graph::ConstantOp>())
    if (isFloatTensor(constant))
      weights += double(constant.getType().getNumElements());
  double rest = weights * double(weightGrowth) / 100;
  SmallVector<Candidate> candidates;
  for (CPULayer &layer : layers.getLayers()) {
    KernelAttr kernel = layer.getKernel();
    if (kernel && kernel.getAlgorithm() == Algorithm::Strassen) {
      // Somebody has chosen it; whether it applies is checked later.
      BufferLayout data;
      if (layer.kind == Kind::Conv)
        data = layer.getLayout(layer.anchor->getOperand(0));
      if (auto product = getQuarterProduct(layer, data))
        rest -= double(product->getExtraWeights());
      continue;
    }
    if (!layer.anchor || kernel)
      continue;
    BufferLayout data =
        layers.getStoredLayout(layer.getOutside(layer.anchor->getOperand(0)));
    auto product = getQuarterProduct(layer, data);
    if (product && product->getSaved() > 0)
      candidates.push_back(
          {&layer, *product,
           double(product->getSaved()) / double(product->getExtraWeights()),
           candidates.size()});
  }
  llvm::sort(candidates, [](const Candidate &left, const Candidate &right) {
    return std::pair(-left.gain, left.number) <
           std::pair(-right.gain, right.number);
  });
  // Space matters, unless the user says that it does not.
  constexpr double leastGain = 20;
  for (const Candidate &candidate : candidates) {
    double extra = double(candidate.product.getExtraWeights());
    if (!winograd && (candidate.gain < leastGain || extra > rest))
      continue;
    rest -= extra;
    setKernel(*candidate.layer, getKernel(&getContext(), Algorithm::Strassen));
  }
}

void SelectKernelsPass::select(func::FuncOp function, SymbolTable &symbols) {
  CPULayers layers(function, symbols);
  auto getStored = [&](const CPULayer &layer) {
    return layer.anchor ? layers.getStoredLayout(
                              layer.getOutside(layer.anchor->getOperand(0)))
                        : BufferLayout();
  };
  // Winograd's algorithm is chosen first, where both apply.
  SmallVector<CPULayer *> open;
  for (CPULayer &layer : layers.getLayers()) {
    if (layer.getKernel())
      continue;
    KernelAttr kernel = chooseKernel(layer, getStored(layer));
    if (kernel.getAlgorithm() == Algorithm::Winograd ||
        kernel.getAlgorithm() == Algorithm::Plain)
      setKernel(layer, kernel);
    open.push_back(&layer);
  }
  chooseProducts(function, layers);
  for (CPULayer *layer : open) {
    if (!layer->getKernel())
      setKernel(*layer, chooseKernel(*layer, getStored(*layer)));
    explain(*layer, getAlgorithmCosts(*layer, getStored(*layer)));
  }
}

void SelectKernelsPass::runOnOperation() {
  if (failed(cpu::verifyLayers(getOperation(), cpu::Decision::Layers)))
    return signalPassFailure();
  SymbolTable symbols(getOperation());
  for (func::FuncOp function : cpu::getEntryFunctions(getOperation())) {
    select(function, symbols);
    // What no kernel computes is computed operator by operator.
    for (auto call : function.getOps<func::CallOp>()) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (callee && callee->hasAttr(kPrimitiveAttrName) &&
          !callee->hasAttr(kKernelAttrName))
        callee->setAttr(kKernelAttrName,
                        getKernel(&getContext(), Algorithm::Plain));
    }
  }
}
