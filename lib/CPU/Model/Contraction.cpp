//===- Contraction.cpp - Contractions and their schedules -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/Contraction.h"

using namespace mlir;
using namespace uma;

static constexpr int64_t kElementBytes = 4;

double ContractionProblem::getPaddingShare(const Taps &taps) const {
  int64_t rows = outer[taps.row], steps = reduce[taps.loop], padding = 0;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t step = 0; step < steps; ++step) {
      int64_t place = row * taps.stride + step * taps.step + taps.offset;
      padding += place < 0 || place >= taps.extent ? 1 : 0;
    }
  return double(padding) / double(rows * steps);
}

/// Returns whether prefetching pays: the weights of `numSets` sets exceed the
/// L2 cache, and `tiles` tiles take about as long as reading them.
static bool needsWeights(const ContractionProblem &problem, int64_t numSets,
                         int64_t tiles, const Processor &processor) {
  // Without an L2 cache, prefetched lines have no place to stay. Many tiles
  // take longer than reading the weights. Smaller weights stay in the L2 cache.
  constexpr int64_t mostTiles = 64;
  if (processor.l2 == 0)
    return false;
  int64_t leastWeights = processor.l2 / kElementBytes;
  int64_t weights = numSets * getProduct(problem.reduce) * problem.channels;
  return tiles <= mostTiles && weights >= leastWeights;
}

/// Returns whether each tile of a contraction with `blocking` should prefetch
/// weights.
static bool needsNextWeights(const ContractionProblem &problem,
                             BlockingAttr blocking, int64_t tileRows,
                             const Processor &processor) {
  // Joined rows are one loop.
  ArrayRef<int64_t> outer = problem.outer;
  int64_t rows = problem.rows;
  if (blocking.getJoinRows()) {
    rows *= outer.back();
    outer = outer.drop_back();
  }
  return !problem.hasWeightSets && getProduct(outer) == 1 &&
         needsWeights(problem, 1, int64_t(llvm::divideCeil(rows, tileRows)),
                      processor);
}

/// Returns whether tiles of `tileRows` rows should prefetch weights, without
/// blocking.
static bool needsNextWeights(const ContractionProblem &problem,
                             int64_t packWidth, const VersionChoice &version,
                             int64_t tileRows, const Processor &processor) {
  const RegisterTile &tile = version.tile;
  RowTiles rows = RowTiles::of(problem.rows, tileRows);
  int64_t sets = problem.getNumWeightSets();
  int64_t tiles =
      getProduct(problem.outer) / sets * (rows.count + rows.restCount);
  int64_t width = getPanelWidth(packWidth, problem.channelBlock);
  int64_t panels = sets * problem.getNumPacks(packWidth) * (packWidth / width);
  bool hasLines = !problem.getWeightIndices && width == lineElements &&
                  tile.getChannels() % width == 0;
  // A single tile of few rows reads weights as fast as it could prefetch them.
  // A scalar core waits for each line anyway.
  constexpr int64_t enoughRows = 16;
  return problem.hasAllLoops && hasLines && version.slices == 1 &&
         tile.lanes != 1 && (tiles != 1 || tileRows >= enoughRows) &&
         panels != tile.getChannels() / width &&
         needsWeights(problem, sets, tiles, processor);
}

std::optional<VersionChoice>
uma::chooseVersion(const ContractionProblem &problem, int64_t packWidth,
                   const ISA &isa, const Processor &processor,
                   MLIRContext *context, const VersionWish &wish) {
  ContractionShape shape = problem.getShape();
  VersionChoice version;
  version.isByLane = shape.isByLane =
      isa.hasLaneProducts && problem.wordSize == 1 && !problem.isDouble &&
      problem.hasVectorsOfSteps(isa.lanes, context);
  version.tile = chooseTile(shape, packWidth, isa);
  if (!wish.tile && !wish.slices)
    version.blocking =
        chooseBlocking(problem, packWidth, isa, processor, context, wish.data);
  if (version.blocking) {
    version.isByLane = false;
    version.tile = getBlockedTile(isa);
    if (needsNextWeights(problem, version.blocking, version.tile.rows,
                         processor))
      version.prefetch = Prefetch::All;
    return version;
  }
  if (wish.data || (!processor.isUsual(isa) && !processor.hasOwnTiles(isa)))
    return std::nullopt;
  if (wish.tile)
    version.tile = *wish.tile;
  if (wish.slices && *wish.slices != 1 &&
      (!problem.keepsSums(packWidth) ||
       problem.reduce.front() % *wish.slices != 0))
    return std::nullopt;
  if (wish.slices) {
    version.slices = *wish.slices;
  } else if (problem.keepsSums(packWidth)) {
    // Each set of weights is sliced separately.
    shape.outer /= problem.getNumWeightSets();
    version.slices = chooseSlices(shape, problem.reduce.front(), packWidth,
                                  version.tile, isa, processor);
  }
  // A slice of the only loop must consist of whole vectors.
  if (version.isByLane && problem.reduce.size() == 1 &&
      problem.reduce.front() / version.slices % isa.lanes != 0)
    version.slices = 1;
  RowTiles rows = RowTiles::of(problem.rows, version.tile.rows);
  if (!needsNextWeights(problem, packWidth, version, rows.size, processor))
    return version;
  bool isForAll =
      rows.restCount == 0 ||
      needsNextWeights(problem, packWidth, version, rows.size - 1, processor);
  version.prefetch = isForAll ? Prefetch::All : Prefetch::Full;
  return version;
}

VersionAttr VersionChoice::toAttribute(MLIRContext *context,
                                       StringRef isa) const {
  return VersionAttr::get(context, StringAttr::get(context, isa), tile.rows,
                          tile.vectors, tile.lanes, slices, /*sums=*/1,
                          isByLane, prefetch, blocking);
}
