//===- TilePairs.cpp - Producer-consumer tiling of layers -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A depthwise convolution with a stride reads several times as much data as it
// writes, with little arithmetic, so it waits for data that is not cached. Such
// a convolution is tiled with its producer: by packs of channels and, if a pack
// is large, by slabs of rows.
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"
#include "ScheduleChoices.h"

#include "uma/CPU/Model/Problems.h"
#include "uma/CPU/Model/TilePair.h"
#include "uma/CPU/Transforms/Passes.h"

using namespace mlir;
using namespace uma;

namespace uma::cpu {
#define GEN_PASS_DEF_TILEPAIRSPASS
#include "uma/CPU/Transforms/Passes.h.inc"
} // namespace uma::cpu

static constexpr int64_t kElementBytes = 4;

/// Returns the bytes that should stay in the cache: the rolling buffer and the
/// writer's input, `rowElements` elements per row.
static int64_t getBytes(const TilePair &pair, const graph::Window &window,
                        ArrayRef<int64_t> shape, int64_t rowElements) {
  int64_t elements = 1;
  for (int64_t extent : pair.getShape(shape))
    elements *= extent;
  int64_t rows = pair.slabs == 1 ? window.input[0] : pair.writerRows;
  return kElementBytes * (elements + rows * rowElements);
}

/// Returns the fewest slabs whose data fits the cache, or the most possible
/// slabs if none fits.
static int64_t chooseSlabs(int64_t packs, const CPULayer &writer,
                           const CPULayer &reader,
                           const ContractionProblem &problem,
                           const Processor &processor) {
  // Half of a cache; without a cache, the smallest possible buffer.
  int64_t nearBytes = (processor.l2 != 0 ? processor.l2 : processor.l1) / 2;
  graph::Window window = cast<graph::Conv2dOp>(reader.anchor).getDims().window;
  SmallVector<int64_t> shape =
      writer.getResultLayout().getShape(writer.getType().getShape());
  // Elements of data per row of the result, without the halo.
  ContractionShape sums = problem.getShape();
  int64_t rowElements = problem.rows * sums.depth / sums.taps;
  for (int64_t stride : problem.strides)
    rowElements *= stride;
  auto isNear = [&](int64_t slabs) {
    TilePair pair = TilePair::get(packs, slabs, writer, reader);
    return getBytes(pair, window, shape, rowElements) <= nearBytes;
  };
  int64_t best = 1;
  for (int64_t slabs = 2; slabs <= window.getOutput(0) && !isNear(best);
       ++slabs)
    if (TilePair::fitsSlabs(slabs, window))
      best = slabs;
  return best;
}

/// Returns the tiling of `writer` and `reader`, or null if it does not pay.
static TilePairAttr choosePair(const CPULayer &writer, const CPULayer &reader,
                               const Processor &processor,
                               const TuningDatabase *tuning) {
  KernelAttr kernel = writer.getKernel();
  if (writer.kind != CPULayer::Kind::Conv || !kernel || !reader.hasKernel() ||
      kernel.getAlgorithm() != Algorithm::Direct)
    return {};
  ConvGeometry conv = *ConvGeometry::of(writer.anchor);
  if (conv.parts.size() != 1 || conv.batch != 1 || conv.groups != 1)
    return {};
  // Tiled layers cannot use blocking.
  ContractionProblem problem = getContractions(writer).front();
  if (problem.hasFewRows())
    return {};
  // Without a stride, the reader works in place, which is as good.
  graph::Window window = cast<graph::Conv2dOp>(reader.anchor).getDims().window;
  BufferLayout layout = writer.getResultLayout();
  if (window.strides[0] * window.strides[1] == 1 || layout.block == 0 ||
      reader.getResultLayout().hasHalo() ||
      !(reader.getLayout(reader.anchor->getOperand(0)) == layout))
    return {};
  int64_t packs = 1;
  int64_t width = cpu::choosePack(writer, problem, processor, tuning);
  if (problem.channelBlock != 0 && problem.channels % width == 0)
    packs = problem.channels / width;
  bool hasRows = problem.outer.size() == 2;
  int64_t slabs =
      hasRows ? chooseSlabs(packs, writer, reader, problem, processor) : 1;
  if (packs == 1 && slabs == 1)
    return {};
  return TilePairAttr::get(kernel.getContext(), packs, slabs);
}

/// Emits a remark with the size of the rolling buffer.
static void explain(const CPULayer &writer, const CPULayer &reader,
                    TilePairAttr attribute) {
  cpu::emitLayerRemark(writer, "tile-pair", [&](raw_ostream &os) {
    SmallVector<int64_t> shape =
        writer.getResultLayout().getShape(writer.getType().getShape());
    TilePair pair = TilePair::get(attribute.getPacks(), attribute.getSlabs(),
                                  writer, reader);
    os << " and its reader '" << reader.getName() << "' are computed by "
       << attribute << ": "
       << kElementBytes * getProduct(pair.getShape(shape)) / 1000
       << " kB between them instead of "
       << kElementBytes * getProduct(shape) / 1000;
  });
}

namespace {
struct TilePairsPass : cpu::impl::TilePairsPassBase<TilePairsPass> {
  using TilePairsPassBase::TilePairsPassBase;

  void runOnOperation() override {
    std::optional<TuningDatabase> database;
    if (failed(cpu::readDatabase(tuning, &getContext(), database)))
      return signalPassFailure();
    if (failed(cpu::verifyLayers(getOperation(), cpu::Decision::Kernels)))
      return signalPassFailure();
    Processor processor = Processor::of(getOperation());
    SymbolTable symbols(getOperation());
    for (func::FuncOp function : cpu::getEntryFunctions(getOperation())) {
      CPULayers layers(function, symbols);
      for (CPULayer &writer : layers.getLayers())
        if (CPULayer *reader = layers.getDepthwiseReader(writer);
            reader && !writer.getTilePair())
          if (auto pair = choosePair(writer, *reader, processor,
                                     database ? &*database : nullptr)) {
            writer.getFunction()->setAttr(kTilePairAttrName, pair);
            explain(writer, *reader, pair);
          }
    }
  }
};
} // namespace
