//===- Blocking.cpp - Choice of cache blocking ----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Packing costs a copy of the data; slicing costs loads and stores of the sums.
// Both costs fall with longer slices and more channels per packed tile, whose
// weights should fit the L2 cache. Unpacked data should stay in the L2 cache,
// and the weights of a tile's channels in the L1 cache.
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/Contraction.h"

#include <limits>

using namespace mlir;
using namespace uma;

namespace {
/// Limits and costs for the choice of slices and packs.
struct BlockingCosts {
  /// Maximum elements of the packed data of a tile, on the stack, and of the
  /// weights of a slice of the packs.
  int64_t mostElements, mostWeights;
  /// Cycles per copied element, per tile for its beginning and end, and per
  /// multiply-add if the weights exceed `mostWeights`.
  double copy, tile, far;
};

/// A chosen blocking.
struct Blocking {
  RegisterTile tile;
  DataOrder data;
  int64_t loop = 0, parts = 1, packs = 1;
};
} // namespace

static BlockingCosts getCosts(DataOrder data, const Processor &processor) {
  // Capacities of the L1 and L2 caches, in elements of 4 bytes.
  int64_t near = processor.l1 / 4, middle = processor.l2 / 4;
  // The L2 cache holds weights and, if broadcast, the packed data. Otherwise
  // the packed data uses half of the L1 cache.
  if (data == DataOrder::Broadcast)
    return {middle * 7 / 64, middle * 5 / 8, 1.2, 40, 0.02};
  if (data == DataOrder::Packed)
    return {near / 2, middle * 9 / 16, 0.3, 200, 0.02};
  return {std::numeric_limits<int64_t>::max(), near * 5 / 8, 0, 40, 0.001};
}

/// Chooses slices and packs whose weights the L2 cache should hold. Returns
/// false if there are none.
static bool chooseParts(const ContractionProblem &problem, int64_t packWidth,
                        const Processor &processor, Blocking &blocking) {
  BlockingCosts costs = getCosts(blocking.data, processor);
  const RegisterTile &tile = blocking.tile;
  bool isCopied = blocking.data != DataOrder::Stored;
  double best = std::numeric_limits<double>::infinity();
  int64_t depth = getProduct(problem.reduce), rest = depth;
  int64_t copies = blocking.data == DataOrder::Broadcast ? tile.lanes : 1;
  int64_t numPacks = problem.getNumPacks(packWidth);
  for (auto [loop, extent] : llvm::enumerate(problem.reduce)) {
    rest /= extent;
    for (int64_t parts = 1; parts <= extent; ++parts) {
      int64_t steps = rest * (extent / parts);
      if (extent % parts != 0 ||
          steps * tile.rows * copies > costs.mostElements ||
          (steps != depth && !problem.keepsSums(packWidth)))
        continue;
      // More than two slices would load and store all sums too often. Rows of a
      // matrix are too far apart even for two.
      if (!isCopied && depth / steps > (problem.channelBlock == 0 ? 1 : 2))
        continue;
      // All packs read data in place, in one group. Threads share the groups of
      // others, each of which copies the data for enough channels.
      constexpr int64_t enoughChannels = 256;
      int64_t first = isCopied ? 1 : numPacks, most = numPacks;
      for (int64_t groups : {2, 4})
        if (isCopied && numPacks % groups == 0 &&
            numPacks / groups * packWidth >= enoughChannels)
          most = numPacks / groups;
      for (int64_t packs = first; packs <= most; ++packs) {
        int64_t channels = isCopied
                               ? std::min(packs * packWidth, problem.channels)
                               : tile.getChannels();
        bool isFar = channels * steps > costs.mostWeights;
        if (numPacks % packs != 0 || (packs != first && isFar))
          continue;
        double cost =
            costs.copy / double(channels) +
            costs.tile / double(tile.rows * tile.getChannels() * steps) +
            (isFar ? costs.far : 0.0);
        if (cost >= best)
          continue;
        best = cost;
        blocking.packs = packs;
        blocking.loop = int64_t(loop);
        blocking.parts = parts;
      }
    }
  }
  return best < std::numeric_limits<double>::infinity();
}

bool uma::isContiguous(ArrayRef<AffineExpr> indices, unsigned dim) {
  MLIRContext *context = indices.back().getContext();
  AffineExpr expr = getAffineDimExpr(dim, context), last = indices.back();
  AffineExpr difference = last.replace(expr, expr + 1) - last;
  return simplifyAffineExpr(difference, dim + 1, 0) ==
             getAffineConstantExpr(1, context) &&
         llvm::none_of(indices.drop_back(), [&](AffineExpr index) {
           return index.isFunctionOfDim(dim);
         });
}

IndexExprs ContractionProblem::getAllDataIndices(MLIRContext *context) const {
  IndexExprs dims;
  unsigned row = outer.size();
  for (unsigned i = 0; i <= row + reduce.size(); ++i)
    dims.push_back(getAffineDimExpr(i, context));
  return getDataIndices(ArrayRef(dims).take_front(row), dims[row],
                        ArrayRef(dims).drop_front(row + 1));
}

/// Returns whether the data of consecutive steps of the innermost loop is
/// contiguous.
static bool areStepsContiguous(const ContractionProblem &problem,
                               MLIRContext *context) {
  return isContiguous(problem.getAllDataIndices(context),
                      problem.outer.size() + problem.reduce.size());
}

bool ContractionProblem::isInOrder(MLIRContext *context) const {
  // At most a loop over contiguous steps and one loop around it.
  auto loops = llvm::count_if(reduce, [](int64_t steps) { return steps != 1; });
  if (reduce.back() == 1 || loops > 2 ||
      (loops == 2 && isSplitIntoLines(reduce.back())))
    return false;
  return areStepsContiguous(*this, context);
}

bool ContractionProblem::hasVectorsOfSteps(int64_t lanes,
                                           MLIRContext *context) const {
  bool skipsSteps = taps && taps->loop + 1 == reduce.size();
  return getDataIndices && reduce.back() % lanes == 0 && !getWeightIndices &&
         !skipsSteps && areStepsContiguous(*this, context);
}

bool ContractionProblem::hasGaps() const {
  return getShape().taps == 1 &&
         llvm::any_of(strides, [](int64_t stride) { return stride != 1; });
}

bool ContractionProblem::hasFewRows() const {
  // With fewer rows, weights come from memory at every use, and so does strided
  // data.
  constexpr int64_t fewRows = 400, leastChannels = 64, leastDepth = 64;
  ContractionShape shape = getShape();
  return channels >= leastChannels && shape.depth >= leastDepth &&
         (hasGaps() || shape.outer * shape.rows < fewRows);
}

/// Returns whether blocking is expected to pay.
static bool isWorthBlocking(const ContractionProblem &problem, const ISA &isa) {
  constexpr int64_t leastChannels = 32;
  // Blocking computes products with padding, too.
  constexpr double mostPadding = 0.15;
  if (problem.taps && problem.getPaddingShare(*problem.taps) > mostPadding)
    return false;
  if (isa.isTwoOperand)
    return problem.channels >= leastChannels;
  // Weights of the next set are not prefetched.
  if (isa.lanes < 8 || problem.hasWeightSets || !problem.hasFewRows())
    return false;
  // With 32 registers, tiles of whole rows are as fast, unless the data has
  // gaps or rows are a few tiles that are not full.
  int64_t rows = getBlockedTile(isa).rows;
  return isa.registers < 32 || problem.hasGaps() ||
         (problem.rows < 4 * rows && problem.rows % rows != 0);
}

BlockingAttr uma::chooseBlocking(const ContractionProblem &problem,
                                 int64_t packWidth, const ISA &isa,
                                 const Processor &processor,
                                 MLIRContext *context,
                                 std::optional<DataOrder> data) {
  Blocking blocking{getBlockedTile(isa), data.value_or(DataOrder::Broadcast)};
  int64_t channels = blocking.tile.getChannels();
  if (processor.l2 == 0 || (!data && !isWorthBlocking(problem, isa)) ||
      !problem.hasAllLoops || !problem.fitsBlocking ||
      problem.getWeightIndices || packWidth % channels != 0 ||
      !dividesBlocks(channels,
                     getPanelWidth(packWidth, problem.channelBlock)) ||
      !dividesBlocks(channels, problem.channelBlock))
    return {};
  int64_t rows = problem.rows;
  bool joinsRows = problem.outer.size() > (problem.hasWeightSets ? 1 : 0) &&
                   problem.outer.back() != 1 && rows % blocking.tile.rows != 0;
  if (joinsRows)
    rows *= problem.outer.back();
  bool isStored = problem.isInOrder(context) &&
                  (!joinsRows || bool(problem.getJoinedIndices));
  if (data == DataOrder::Stored && !isStored)
    return {};
  if (!data && !isa.isTwoOperand)
    blocking.data =
        isStored && !problem.hasGaps() ? DataOrder::Stored : DataOrder::Packed;
  if (rows < blocking.tile.rows ||
      !chooseParts(problem, packWidth, processor, blocking))
    return {};
  return BlockingAttr::get(context, blocking.data, blocking.loop,
                           blocking.parts, blocking.packs, joinsRows);
}
