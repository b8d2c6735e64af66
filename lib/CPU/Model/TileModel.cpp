//===- TileModel.cpp - Analytic model of register tiles -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The constants describe current cores: two multiply-adds and two loads of 32
// bytes per cycle, and a latency of four cycles for accumulation.
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/TileModel.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>
#include <tuple>

using namespace uma;
using llvm::divideCeil;

/// Returns whether words are multiplied by several instructions: VNNI is rare
/// where vectors are shorter than those of AVX-512.
static bool isSplit(const ContractionShape &shape, const ISA &isa) {
  return shape.wordSize != 1 && isa.lanes > 1 && isa.lanes < lineElements;
}

int64_t uma::countRegisters(const RegisterTile &tile, const ISA &isa,
                            const ContractionShape &shape) {
  // Integers at even and odd places are multiplied separately. AVX-512 has
  // registers for both.
  if (isSplit(shape, isa)) {
    int64_t parts = shape.wordSize / 2;
    return tile.rows * tile.vectors + parts * (tile.vectors + 1) + 1;
  }
  // Without FMA, a product needs a register.
  int64_t products = isa.hasFMA ? 0 : 1;
  // With lane products, scalars are lanes of registers, and compilers load some
  // ahead.
  int64_t data = shape.isByLane ? tile.rows : isa.hasLaneProducts ? 4 : 1;
  int64_t vectors = tile.vectors * (shape.isDouble && tile.lanes > 1 ? 2 : 1);
  return tile.rows * vectors + vectors + data + products;
}

int64_t uma::getPanelWidth(int64_t packWidth, int64_t channelBlock) {
  // At most the widest vector, which is a cache line.
  int64_t width = lineElements;
  if (channelBlock != 0)
    width = std::min(width, channelBlock);
  return packWidth % width == 0 ? width : packWidth;
}

int64_t uma::chooseLanes(int64_t extent, const ISA &isa) {
  int64_t lanes = isa.lanes;
  // Use narrower vectors if wide ones would overlap a lot.
  while (lanes > 1 &&
         (lanes > extent || (extent < 64 && lanes > 4 && extent % lanes != 0 &&
                             extent % (lanes / 2) == 0)))
    lanes /= 2;
  return lanes == 2 ? 1 : lanes;
}

/// Returns the estimated cycles of a tile of `rows` rows over `depth` products.
static double getTileCost(const RegisterTile &tile, int64_t rows, int64_t depth,
                          const ISA &isa, const ContractionShape &shape) {
  bool isByLane = shape.isByLane;
  int64_t vectors = tile.vectors * (shape.isDouble && tile.lanes > 1 ? 2 : 1);
  double sums = double(rows * vectors);
  double arithmetic = sums * isa.getIssueCost(tile.lanes);
  double data = double(rows) / double(isByLane ? tile.lanes : 1);
  double loads = data * isa.getIssueCost(isByLane ? tile.lanes : 1) +
                 double(vectors) * isa.getIssueCost(tile.lanes);
  // Without FMA, a multiply-add is a copy (instructions may overwrite a
  // factor), a product and a sum, and a broadcast is two instructions.
  double issue = (isa.hasFMA ? 1 : 3) * sums + (isa.hasFMA ? 1 : 2) * data +
                 double(vectors);
  if (isSplit(shape, isa)) {
    // A product and a sum for each pair. Quads become pairs first: two
    // instructions for data, three for weights. Additions have a third port.
    double pairs = double(shape.wordSize / 2) * sums;
    double splits =
        shape.wordSize == 4 ? 2 * data + 3 * double(tile.vectors) : 0;
    arithmetic = (2 * pairs + splits) * isa.getIssueCost(tile.lanes) * 2 / 3;
    issue = 2 * pairs + splits + data + double(tile.vectors);
  }
  // Loads overlap with the arithmetic, but not for free. Measured: a line of
  // weights that the nearest cache does not hold takes a fifth of a cycle.
  constexpr int64_t nearElements = 8192;
  bool isFar = tile.lanes > 4 && depth * tile.getChannels() > nearElements;
  double step = std::max({arithmetic, loads, double(isa.latency),
                          issue / double(isa.issue)}) +
                loads / 8 +
                (isFar ? 0.2 * double(tile.getChannels()) / lineElements : 0);
  // Beginning and end of a tile: one load or constant and one store per sum.
  return double(depth) * step + 2 * sums * isa.getIssueCost(tile.lanes) + 8;
}

double uma::getCost(const ContractionShape &shape, int64_t packWidth,
                    const RegisterTile &tile, const ISA &isa) {
  RowTiles rows = RowTiles::of(shape.rows, tile.rows);
  double cost = double(rows.count) *
                getTileCost(tile, rows.size, shape.depth, isa, shape);
  // Smaller tiles need additional code, which must pay.
  constexpr double price = 1.02;
  if (rows.restCount != 0)
    cost = price * (cost + double(rows.restCount) *
                               getTileCost(tile, rows.size - 1, shape.depth,
                                           isa, shape));
  double tiles = double(divideCeil(shape.channels, packWidth)) *
                 double(packWidth / tile.getChannels()) * double(shape.outer);
  return tiles * cost;
}

/// Calls `fn` for every tile that fits the registers and the channel block.
template <typename Fn>
static void forEachTile(const ContractionShape &shape, int64_t packWidth,
                        const ISA &isa, Fn fn) {
  // Scalar code ignores blocks, and small tiles suffice.
  bool isScalar = isa.lanes == 1;
  int64_t panel = getPanelWidth(packWidth, shape.channelBlock);
  for (int64_t lanes = isa.lanes; lanes >= (isScalar ? 1 : 4); lanes /= 2) {
    if (shape.channelBlock != 0 && lanes > shape.channelBlock)
      continue;
    for (int64_t vectors = 1; vectors * lanes <= packWidth; ++vectors) {
      int64_t channels = vectors * lanes;
      if (packWidth % channels != 0 ||
          (channels % panel != 0 && panel % channels != 0))
        continue;
      if (shape.channelBlock != 0 && channels % shape.channelBlock != 0 &&
          shape.channelBlock % channels != 0)
        continue;
      if (isScalar && vectors > 4)
        continue;
      for (int64_t rows = 1; rows <= shape.rows; ++rows) {
        RegisterTile tile{rows, vectors, lanes};
        if (countRegisters(tile, isa, shape) > isa.registers ||
            (isScalar && rows > 2))
          break;
        fn(tile);
      }
    }
  }
}

static double getBestCost(const ContractionShape &shape, int64_t packWidth,
                          const ISA &isa, RegisterTile &best) {
  double bestCost = std::numeric_limits<double>::infinity();
  forEachTile(shape, packWidth, isa, [&](const RegisterTile &tile) {
    double cost = getCost(shape, packWidth, tile, isa);
    if (cost < bestCost) {
      bestCost = cost;
      best = tile;
    }
  });
  return bestCost;
}

RegisterTile uma::chooseTile(const ContractionShape &shape, int64_t packWidth,
                             const ISA &isa) {
  RegisterTile best;
  (void)getBestCost(shape, packWidth, isa, best);
  return best;
}

int64_t uma::chooseSlices(const ContractionShape &shape, int64_t extent,
                          int64_t packWidth, const RegisterTile &tile,
                          const ISA &isa, const Processor &processor) {
  constexpr int64_t line = lineElements;
  // A quarter of the L1 cache is for the weights, since data and results use
  // it, too.
  double mostLines = double(processor.l1) / double(4 * lineBytes);
  auto lineCost = double(processor.l2LineCycles);
  // Panels are read in whole lines. Overlapping windows read data from the L1
  // cache.
  int64_t panel = getPanelWidth(packWidth, shape.channelBlock);
  double weightLines =
      double(std::max(tile.getChannels(), std::min(panel, line))) / line;
  double dataLines = double(tile.rows) / double(line * shape.taps);
  double lines = double(shape.depth) * weightLines;
  // Hardware prefetching covers a page or two of 64 lines, in which small
  // images have all channel blocks of a pixel. Rows of a matrix are read
  // sequentially.
  bool isNear = shape.channelBlock == 0 || shape.outer * shape.rows <= 2 * 64;
  if (processor.l2 == 0 || isNear || lines <= 2 * mostLines)
    return 1;
  double begin = getTileCost(tile, tile.rows, 0, isa, shape);
  double step = getTileCost(tile, tile.rows, 1, isa, shape) - begin;
  double wait = std::max((weightLines + dataLines) * lineCost - step, 0.0);
  double tiles =
      double(shape.outer) * double(divideCeil(shape.rows, tile.rows));
  double gain = (tiles - 1) * double(shape.depth) * wait;
  for (int64_t slices = 2; slices <= extent; ++slices)
    if (extent % slices == 0 && lines <= mostLines * double(slices))
      return gain > double(slices - 1) * tiles * begin ? slices : 1;
  return 1;
}

/// Returns the candidate pack widths.
static llvm::SmallVector<int64_t> getPackWidths(const ContractionShape &shape) {
  llvm::SmallVector<int64_t> widths;
  int64_t line = lineElements;
  for (int64_t width : {32, 48, 64, 96, 128, 16, 24, 8, 4}) {
    // A matrix without blocks is read in whole lines.
    bool fits = shape.channelBlock == 0
                    ? width % line == 0 || shape.channels < 2 * line
                    : width % shape.channelBlock == 0;
    if (width <= shape.channels && fits)
      widths.push_back(width);
  }
  return widths;
}

int64_t uma::choosePackWidth(const ContractionShape &shape,
                             const Processor &processor) {
  int64_t bestWidth = 1;
  double bestCost = std::numeric_limits<double>::infinity();
  // Weights are packed once for all versions: optimise for the widest vectors.
  std::vector<ISA> usual = processor.getUsual();
  auto widest = llvm::ArrayRef(usual).take_front(2);
  // Scalar code is for compilers without vectors.
  if (widest.back().lanes == 1)
    widest = widest.take_front(1);
  for (int64_t width : getPackWidths(shape)) {
    RegisterTile tile;
    double cost = 0;
    for (const ISA &isa : widest)
      cost += getBestCost(shape, width, isa, tile);
    if (cost < bestCost) {
      bestCost = cost;
      bestWidth = width;
    }
  }
  // If no width above is a multiple of the block, use the block.
  if (bestWidth == 1 && shape.channelBlock != 0)
    return shape.channelBlock;
  return bestWidth;
}

ContractionShape uma::getContractionShape(const Workload &workload) {
  ContractionShape shape{1, workload.rows, workload.channels,
                         workload.channelBlock, 1};
  shape.wordSize = workload.getWordSize();
  shape.isDouble = llvm::StringRef(workload.op).ends_with("_f64");
  for (int64_t extent : workload.outer)
    shape.outer *= extent;
  for (int64_t extent : workload.reduce)
    shape.depth *= extent;
  // The window loops precede the loop over contiguous channels.
  if (!workload.strides.empty())
    for (int64_t extent :
         llvm::ArrayRef(workload.reduce).drop_back().take_back(2))
      shape.taps *= extent;
  return shape;
}

llvm::SmallVector<TileChoice> uma::rankTiles(const ContractionShape &shape,
                                             const ISA &isa,
                                             const Processor &processor) {
  struct Ranked {
    TileChoice choice;
    double cost;
    size_t index;
  };
  TileChoice analytic;
  analytic.packWidth = choosePackWidth(shape, processor);
  analytic.tile = chooseTile(shape, analytic.packWidth, isa);
  llvm::SmallVector<Ranked> ranked;
  llvm::SmallVector<int64_t> widths = getPackWidths(shape);
  // Among equal costs, prefer the pack width that a tile reads without gaps.
  llvm::sort(widths);
  for (int64_t width : widths)
    forEachTile(shape, width, isa, [&](const RegisterTile &tile) {
      double cost = getCost(shape, width, tile, isa);
      auto *known = llvm::find_if(
          ranked, [&](const Ranked &r) { return r.choice.tile == tile; });
      if (known == ranked.end())
        ranked.push_back({{width, tile}, cost, ranked.size()});
      else if (cost < known->cost)
        *known = {{width, tile}, cost, known->index};
    });
  llvm::sort(ranked, [](const Ranked &left, const Ranked &right) {
    return std::tie(left.cost, left.index) < std::tie(right.cost, right.index);
  });
  llvm::SmallVector<TileChoice> choices = {analytic};
  for (const Ranked &other : ranked)
    if (!(other.choice == analytic))
      choices.push_back(other.choice);
  return choices;
}
