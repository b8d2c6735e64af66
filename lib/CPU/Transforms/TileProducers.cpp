//===- TileProducers.cpp - Elementwise layers in the tiles of readers -----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Between a tensor and a convolution of 1x1 there often is an elementwise
// layer: a normalization and an activation in front of the convolution, or a
// product with the weights of channels. As a layer of its own it passes the
// tensor through the cache twice. The convolution can compute it for a tile of
// pixels just before it reads them, and no other thread ever writes these.
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"
#include "ScheduleChoices.h"

#include "uma/CPU/Model/Problems.h"
#include "uma/CPU/Model/Processor.h"
#include "uma/CPU/Model/Schedules.h"
#include "uma/CPU/Model/TileProducer.h"
#include "uma/CPU/Transforms/Passes.h"

using namespace mlir;
using namespace uma;

namespace uma::cpu {
#define GEN_PASS_DEF_TILEPRODUCERSPASS
#include "uma/CPU/Transforms/Passes.h.inc"
} // namespace uma::cpu

namespace {
constexpr int64_t floatBytes = 4;
} // namespace

/// Returns the bytes of the data of a tile: the largest one of a schedule.
static int64_t getTileBytes(const ContractionProblem &problem,
                            ScheduleAttr schedule) {
  int64_t rows = 0;
  for (VersionAttr version : schedule.getVersions())
    rows = std::max(rows, version.getRows());
  return floatBytes * rows * problem.getShape().depth;
}

/// Returns whether one of the fastest versions of a schedule is blocked.
static bool isBlocked(ScheduleAttr schedule) {
  int64_t widest = 1;
  for (VersionAttr version : schedule.getVersions())
    widest = std::max(widest, version.getLanes());
  return llvm::any_of(schedule.getVersions(), [&](VersionAttr version) {
    return version.getLanes() * 2 >= widest && version.getBlocking();
  });
}

/// Returns whether an elementwise layer may overwrite a tensor that nothing
/// reads later, which is in the cache already.
static bool worksInPlace(const CPULayer &layer) {
  return llvm::any_of(layer.getOperands(), [&](const LayerOperand &operand) {
    Value tensor = layer.getOutside(operand.tensor);
    return operand.isFull(layer.getType()) && tensor.getDefiningOp() &&
           llvm::none_of(tensor.getUsers(), [&](Operation *user) {
             return layer.getCall()->isBeforeInBlock(user);
           });
  });
}

/// Returns whether it pays to compute the data of `reader` in tiles of
/// `tileBytes`. Each tile reads all weights, instead of each weight being used
/// by all tiles.
static bool pays(const ContractionProblem &problem, int64_t tileBytes,
                 const Processor &processor) {
  // On the stack of each thread.
  constexpr int64_t mostBytes = 64 << 10;
  // Threads share the tiles.
  constexpr int64_t fewTiles = 8;
  ContractionShape shape = problem.getShape();
  int64_t pixels = shape.outer * shape.rows;
  int64_t tilePixels = tileBytes / floatBytes / shape.depth;
  int64_t weightBytes = shape.channels * shape.depth * floatBytes;
  // The first tile brings the weights, later ones find them in the cache.
  return tileBytes <= mostBytes && pixels >= fewTiles * tilePixels &&
         pixels >= shape.channels && weightBytes <= processor.l2 / 2;
}

namespace {
struct TileProducersPass : cpu::impl::TileProducersPassBase<TileProducersPass> {
  using TileProducersPassBase::TileProducersPassBase;

  void runOnOperation() override {
    std::optional<TuningDatabase> database;
    if (failed(cpu::readDatabase(tuning, &getContext(), database)) ||
        failed(cpu::verifyLayers(getOperation(), cpu::Decision::Pairs)))
      return signalPassFailure();
    Processor processor = Processor::of(getOperation());
    SymbolTable symbols(getOperation());
    for (func::FuncOp function : cpu::getEntryFunctions(getOperation())) {
      CPULayers layers(function, symbols);
      for (const CPULayer &reader : layers.getLayers()) {
        if (!canTileProducer(layers, reader) || reader.hasTileProducer())
          continue;
        ContractionProblem problem = getContractions(reader).front();
        int64_t pack = cpu::choosePack(reader, problem, processor,
                                       database ? &*database : nullptr);
        ScheduleAttr schedule =
            chooseSchedule(problem, pack, processor, &getContext());
        int64_t tileBytes = getTileBytes(problem, schedule);
        if (!pays(problem, tileBytes, processor))
          continue;
        // Threads gain by data that no other one writes. One thread gains more
        // by blocking, and loses nothing by a layer that works in place.
        const CPULayer &writer =
            *layers.lookup(reader.getOutside(reader.getData()).getDefiningOp());
        if (!threads && (isBlocked(schedule) || worksInPlace(writer)))
          continue;
        reader.getFunction()->setAttr(kTileProducerAttrName,
                                      UnitAttr::get(&getContext()));
        ++numProducers;
        cpu::emitLayerRemark(reader, "tile-producer", [&](raw_ostream &os) {
          os << " computes its producer '" << writer.getName()
             << "' in tiles of " << tileBytes / 1000 << " kB";
        });
      }
    }
  }
};
} // namespace
