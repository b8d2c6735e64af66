//===- SelectKernels.cpp - Algorithms of layers ---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Winograd's and Strassen's algorithms need fewer products but more weights.
// Strassen's is chosen for the layers that save the most products per
// additional element, within the user's limit on the growth of all weights.
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"
#include "ScheduleChoices.h"

#include "uma/CPU/Model/ConvGeometry.h"
#include "uma/CPU/Model/LayerChoices.h"
#include "uma/CPU/Model/Problems.h"
#include "uma/CPU/Transforms/Passes.h"

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
  /// Saved products per additional element of weights.
  double gain;
  size_t number;
};

struct SelectKernelsPass : cpu::impl::SelectKernelsPassBase<SelectKernelsPass> {
  using SelectKernelsPassBase::SelectKernelsPassBase;

  void runOnOperation() override;

private:
  void select(func::FuncOp function, SymbolTable &symbols);
  /// Returns the kernel of a layer, not considering Strassen's algorithm.
  KernelAttr chooseKernel(const CPULayer &layer, const BufferLayout &stored);
  /// Sets Strassen's algorithm on those layers of `open` that gain most.
  void chooseProducts(func::FuncOp function, const CPULayers &layers,
                      ArrayRef<CPULayer *> open);
  /// Returns the measured fastest kernel of a layer that `chosen` may compute;
  /// null if there is none or it does not apply.
  KernelAttr lookUp(const CPULayer &layer, KernelAttr chosen,
                    const BufferLayout &stored);

  std::optional<TuningDatabase> database;
  Processor processor;
  /// Whether a description has an instruction for pairs of i16.
  bool hasPairs = false;
};
} // namespace

static KernelAttr getKernel(MLIRContext *context, Algorithm algorithm,
                            int64_t tile = 0, int64_t channels = 0) {
  return KernelAttr::get(context, algorithm, tile, channels);
}

/// Emits a remark with the costs of the algorithms that apply to a layer, in
/// millions of products.
static void explain(const CPULayer &layer, ArrayRef<AlgorithmCost> costs) {
  cpu::emitLayerRemark(layer, "kernel", [&](raw_ostream &os) {
    os << " is computed by " << layer.getKernel();
    for (auto [index, cost] : llvm::enumerate(costs))
      os << (index == 0 ? "; products in millions: " : ", ") << cost.kernel
         << ' ' << llvm::format("%.3g", cost.products * 1e-6);
  });
}

namespace {
/// Pixels and channels whose sums are computed together.
struct ByteTile {
  int64_t pixels = 1, channels = 1;
};
} // namespace

/// Returns the tile with the fewest instructions for `channels` channels, with
/// up to `most` pixels.
static ByteTile chooseByteTile(int64_t most, int64_t channels,
                               const Processor &processor) {
  constexpr int64_t mostSize = 8;
  ByteTile best;
  double bestCost = 0;
  for (int64_t pixels = 1; pixels <= std::min(most, mostSize); pixels *= 2)
    for (int64_t width = 1; width <= mostSize; width *= 2) {
      // The sums, an element of each pixel, a weight, and two addresses.
      int64_t registers = pixels * width + pixels + 3;
      if (registers > processor.coreRegisters && pixels * width != 1)
        continue;
      // Instructions of a step per sum. Channels may be behind the last one.
      double cost = double(pixels + width + 2 * pixels * width) /
                    double(pixels * width) *
                    double(llvm::alignTo(channels, width));
      if (bestCost != 0 && cost >= bestCost)
        continue;
      best = {pixels, width};
      bestCost = cost;
    }
  return best;
}

KernelAttr SelectKernelsPass::chooseKernel(const CPULayer &layer,
                                           const BufferLayout &stored) {
  auto conv = dyn_cast_or_null<graph::Conv2dOp>(layer.anchor);
  if (conv && layer.kind == Kind::Conv && winograd && stored.block != 0 &&
      !layer.hasExactSums() && !layer.getType().getElementType().isF64())
    if (int64_t tile = chooseWinogradTile(conv.getDims(), processor))
      return getKernel(&getContext(), Algorithm::Winograd, tile);
  if (layer.kind == Kind::Conv && ConvGeometry::of(layer.anchor)->isPlanar())
    return getKernel(&getContext(), Algorithm::Planar);
  if (layer.kind == Kind::ByteProduct) {
    // With two channels for each pixel, eight sums of pairs fill the registers
    // of a small core. The rows are on the stack.
    constexpr int64_t mostPairs = 4, mostBytes = 2560;
    auto weights =
        cast<RankedTensorType>(layer.anchor->getOperand(1).getType());
    int64_t channels = layer.getType().getShape().back();
    int64_t bytes = weights.getNumElements() / channels * (hasPairs ? 2 : 1);
    int64_t most = std::min(layer.getType().getNumElements() / channels,
                            std::max<int64_t>(mostBytes / bytes, 1));
    if (hasPairs)
      return getKernel(&getContext(), Algorithm::Im2colPairs,
                       std::min(most, mostPairs));
    ByteTile tile = chooseByteTile(most, channels, processor);
    return getKernel(&getContext(), Algorithm::Im2col, tile.pixels,
                     tile.channels);
  }
  if (layer.kind == Kind::ByteWindow)
    return getKernel(&getContext(), Algorithm::Direct);
  // All other kernels of images write channel blocks.
  bool isPlain = layer.hasImage() && layer.kind != Kind::Elementwise &&
                 layer.getResultLayout().block == 0;
  return getKernel(&getContext(),
                   isPlain ? Algorithm::Plain : Algorithm::Direct);
}

KernelAttr SelectKernelsPass::lookUp(const CPULayer &layer, KernelAttr chosen,
                                     const BufferLayout &stored) {
  const LayerPlan *plan =
      cpu::lookup(layer, chosen, database ? &*database : nullptr);
  if (!plan || plan->kernel == chosen)
    return plan ? chosen : KernelAttr();
  for (const AlgorithmCost &cost : getAlgorithmCosts(layer, stored, processor))
    if (cost.kernel == plan->kernel)
      return cost.kernel;
  return {};
}

void SelectKernelsPass::chooseProducts(func::FuncOp function,
                                       const CPULayers &layers,
                                       ArrayRef<CPULayer *> open) {
  double weights = 0;
  for (auto constant : function.getOps<graph::ConstantOp>())
    if (isFloatTensor(constant))
      weights += double(constant.getType().getNumElements());
  double rest = weights * double(weightGrowth) / 100;
  for (const CPULayer &layer : layers.getLayers()) {
    // Count kernels chosen by hand, too; verification checks that they apply.
    KernelAttr kernel = layer.getKernel();
    if (kernel && kernel.getAlgorithm() == Algorithm::Strassen)
      if (auto product = getQuarterProduct(layer, layers.getStoredData(layer)))
        rest -= double(product->getExtraWeights());
  }
  SmallVector<Candidate> candidates;
  for (CPULayer *layer : open) {
    auto product = getQuarterProduct(*layer, layers.getStoredData(*layer));
    int64_t saved = product ? product->getSaved(processor) : 0;
    if (saved > 0)
      candidates.push_back({layer, *product,
                            double(saved) / double(product->getExtraWeights()),
                            candidates.size()});
  }
  llvm::sort(candidates, [](const Candidate &left, const Candidate &right) {
    return std::pair(-left.gain, left.number) <
           std::pair(-right.gain, right.number);
  });
  // Increase weights only for a large gain, unless the user requests speed
  // only.
  constexpr double leastGain = 20;
  for (const Candidate &candidate : candidates) {
    double extra = double(candidate.product.getExtraWeights());
    if (!winograd && (candidate.gain < leastGain || extra > rest))
      continue;
    rest -= extra;
    candidate.layer->getFunction()->setAttr(
        kKernelAttrName, getKernel(&getContext(), Algorithm::Strassen));
  }
}

void SelectKernelsPass::select(func::FuncOp function, SymbolTable &symbols) {
  CPULayers layers(function, symbols);
  SmallVector<std::pair<CPULayer *, KernelAttr>> open;
  // Candidates for Strassen's algorithm: layers that would otherwise be
  // computed directly.
  SmallVector<CPULayer *> direct;
  for (CPULayer &layer : layers.getLayers()) {
    if (layer.getKernel())
      continue;
    BufferLayout stored = layers.getStoredData(layer);
    KernelAttr kernel = chooseKernel(layer, stored);
    KernelAttr measured = lookUp(layer, kernel, stored);
    if (!measured && kernel.getAlgorithm() == Algorithm::Direct)
      direct.push_back(&layer);
    if (measured)
      layer.getFunction()->setAttr(kKernelAttrName, measured);
    open.push_back({&layer, kernel});
  }
  chooseProducts(function, layers, direct);
  for (auto [layer, kernel] : open) {
    if (!layer->getKernel())
      layer->getFunction()->setAttr(kKernelAttrName, kernel);
    explain(*layer,
            getAlgorithmCosts(*layer, layers.getStoredData(*layer), processor));
  }
}

void SelectKernelsPass::runOnOperation() {
  if (failed(cpu::verifyLayers(getOperation(), cpu::Decision::Layers)) ||
      failed(cpu::readDatabase(tuning, &getContext(), database)))
    return signalPassFailure();
  processor = Processor::of(getOperation());
  hasPairs = hasPairInstruction(getOperation());
  SymbolTable symbols(getOperation());
  for (func::FuncOp function : cpu::getEntryFunctions(getOperation())) {
    select(function, symbols);
    // Layers without a kernel are computed operator by operator.
    for (auto call : function.getOps<func::CallOp>()) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (callee && callee->hasAttr(kPrimitiveAttrName) &&
          !callee->hasAttr(kKernelAttrName))
        callee->setAttr(kKernelAttrName,
                        getKernel(&getContext(), Algorithm::Plain));
    }
  }
}
