//===- MappingSearch.cpp - Search for the best mapping --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Enumerates tile sizes, orders of the loops and levels of the buffers, as
// ZigZag (Mei et al. 2021) and LOMA (Symons et al. 2021) do. The cycles of the
// calls alone are a lower bound for all mappings with the same tiles. Mappings
// are estimated from the number of transfers; those with the best estimates are
// run.
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Mapping/MappingSearch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace {
/// Tile sizes of all dims, and the cycles of their calls.
struct Tiling {
  SmallVector<int64_t, 4> tiles;
  SmallVector<int64_t, 4> cycles; ///< of each engine
  int64_t bound = 0;              ///< the most of `cycles`
};

struct Candidate {
  Mapping mapping;
  int64_t bound;
  int64_t estimate, second; ///< cycles and bytes, or bytes and cycles
  size_t number;            ///< in the order of the enumeration
  bool wasRun = false;      ///< in `runCandidates`
};

/// A mapping that was run.
struct Finalist {
  Mapping mapping;
  int64_t cycles, bytes;
};

class Search {
public:
  Search(const MatchSchedule &schedule, const SearchOptions &options)
      : schedule(schedule), options(options), geometry(schedule.getGeometry()),
        device(schedule.getDevice()) {}

  FailureOr<Mapping> run(std::string &problem);
  LogicalResult checkSmallest(std::string &problem) const;

private:
  bool fits(const Mapping &mapping) const;
  SmallVector<int64_t> getTileSizes(unsigned number) const;
  void limitTilings();
  void addTilings(SmallVectorImpl<int64_t> &tiles);
  SmallVector<int64_t, 4> getCycles(ArrayRef<int64_t> tiles) const;
  Mapping makeMapping(ArrayRef<int64_t> tiles, ArrayRef<unsigned> order) const;
  Mapping makeSmallest(ArrayRef<int64_t> tiles) const;
  void addOrders(const Tiling &tiling);
  void measureLevels(const Mapping &mapping);
  void addLevels(const Tiling &tiling, Mapping &mapping, size_t next);
  void addCandidate(const Tiling &tiling, const Mapping &mapping);
  FailureOr<Mapping> runCandidates(std::string &problem);

  const MatchSchedule &schedule;
  const SearchOptions &options;
  const TileGeometry &geometry;
  const DeviceModel &device;
  SmallVector<SmallVector<int64_t>> sizes; ///< of tiles, by dim
  std::vector<Tiling> tilings;
  /// Bytes of one buffer of each placed tensor, by its level in the current
  /// order of the loops.
  SmallVector<SmallVector<int64_t>> levelBytes;
  /// Bytes of each memory that are left for the next residences.
  SmallVector<int64_t, 4> left;
  int64_t numTried = 0;
  std::vector<Candidate> candidates;
  int64_t bestEstimate = INT64_MAX;
};
} // namespace

/// Mappings are run if their estimate is at most this much above the best one.
static constexpr double kEstimateMargin = 1.3;
/// Mappings are run for their few bytes if their estimate is at most this much
/// above the best one.
static constexpr double kBytesMargin = 1.1;
/// The search prefers few bytes among the mappings that take at most this much
/// longer than the fastest one: transfers take energy, and the bus. An
/// exhaustive search chooses the fastest one.
static constexpr double kCycleMargin = 1.01;
/// Most combinations of tile sizes.
static constexpr double kMaxTilings = 50000;

bool Search::fits(const Mapping &mapping) const {
  return llvm::all_of(
      llvm::zip_equal(device.memories, schedule.getNeededBytes(mapping)),
      [&](auto entry) {
        return std::get<1>(entry) <= std::get<0>(entry).bytes / options.divisor;
      });
}

/// Returns tile sizes with different numbers of tiles, the largest first.
SmallVector<int64_t> Search::getTileSizes(unsigned number) const {
  const TileGeometry::Dim &dim = geometry.getDims()[number];
  SmallVector<int64_t> sizes;
  int64_t steps = llvm::divideCeil(dim.size, dim.step);
  int64_t least =
      options.outermost == number ? std::min(steps, options.outermostTiles) : 1;
  for (int64_t trips = least; trips <= steps;
       trips += std::max<int64_t>(1, options.isExhaustive ? 1 : trips / 8)) {
    int64_t size = llvm::divideCeil(steps, trips) * dim.step;
    if (sizes.empty() || sizes.back() != size)
      sizes.push_back(size);
  }
  if (sizes.back() != dim.step)
    sizes.push_back(dim.step);
  return sizes;
}

/// Returns the cycles of each engine for the calls of all tiles.
SmallVector<int64_t, 4> Search::getCycles(ArrayRef<int64_t> tiles) const {
  // Tiles in the middle have one size; those at the end another.
  SmallVector<IndexRange> ranges(tiles.size());
  SmallVector<int64_t, 4> total(device.engines.size());
  SmallVector<int64_t> cycles;
  size_t combinations = size_t(1) << tiles.size();
  for (size_t ends = 0; ends < combinations; ++ends) {
    int64_t count = 1;
    bool isLast = true;
    int64_t lasts = 1;
    for (auto [index, dim] : llvm::enumerate(geometry.getDims())) {
      int64_t trips = llvm::divideCeil(dim.size, tiles[index]);
      bool isEnd = ends >> index & 1;
      int64_t begin = (trips - 1) * tiles[index];
      ranges[index] = isEnd ? IndexRange{begin, dim.size - begin}
                            : IndexRange{0, tiles[index]};
      count *= isEnd ? 1 : trips - 1;
      if (dim.isReduction)
        isLast &= isEnd;
      else
        lasts *= isEnd ? 1 : trips - 1;
    }
    if (count == 0)
      continue;
    schedule.getCallCycles(ranges, /*isLast=*/false, cycles);
    for (auto [sum, part] : llvm::zip_equal(total, cycles))
      sum += count * part;
    if (!isLast)
      continue;
    SmallVector<int64_t> all;
    schedule.getCallCycles(ranges, /*isLast=*/true, all);
    for (size_t engine = 0; engine < total.size(); ++engine)
      total[engine] += lasts * (all[engine] - cycles[engine]);
  }
  return total;
}

Mapping Search::makeMapping(ArrayRef<int64_t> tiles,
                            ArrayRef<unsigned> order) const {
  Mapping mapping;
  mapping.isSerpentine = options.isSerpentine;
  for (unsigned dim : order) {
    int64_t tile = tiles[dim];
    int64_t trips = llvm::divideCeil(geometry.getDims()[dim].size, tile);
    mapping.loops.push_back({dim, tile, trips});
  }
  for (const MatchSchedule::Placed &placed : schedule.getPlaced())
    mapping.residences.push_back({placed.tensor,
                                  static_cast<unsigned>(mapping.loops.size()),
                                  /*isDouble=*/false});
  return mapping;
}

/// Returns the dims that have several tiles.
static SmallVector<unsigned> getLoops(const TileGeometry &geometry,
                                      ArrayRef<int64_t> tiles) {
  SmallVector<unsigned> dims;
  for (auto [index, dim] : llvm::enumerate(geometry.getDims()))
    if (tiles[index] < dim.size)
      dims.push_back(index);
  return dims;
}

/// Lowers the level of results out of the loops that add to them.
static void moveResults(const MatchSchedule &schedule, Mapping &mapping) {
  unsigned level = mapping.loops.size();
  for (auto [index, loop] : llvm::enumerate(mapping.loops))
    if (schedule.getGeometry().getDims()[loop.dim].isReduction)
      level = std::min<unsigned>(level, index);
  for (auto [placed, residence] :
       llvm::zip_equal(schedule.getPlaced(), mapping.residences))
    if (!placed.isLoaded)
      residence.level = level;
}

/// Returns the mapping with the smallest buffers for the tiles: reductions are
/// in the innermost loops.
Mapping Search::makeSmallest(ArrayRef<int64_t> tiles) const {
  SmallVector<unsigned> order = getLoops(geometry, tiles);
  llvm::sort(order, [&](unsigned lhs, unsigned rhs) {
    return std::pair(geometry.getDims()[lhs].isReduction, lhs) <
           std::pair(geometry.getDims()[rhs].isReduction, rhs);
  });
  Mapping mapping = makeMapping(tiles, order);
  moveResults(schedule, mapping);
  return mapping;
}

LogicalResult Search::checkSmallest(std::string &problem) const {
  SmallVector<int64_t> tiles;
  for (const TileGeometry::Dim &dim : geometry.getDims())
    tiles.push_back(dim.step);
  return schedule.check(makeSmallest(tiles), problem);
}

/// Leaves out every other tile size of the dims with most of them, until the
/// number of tilings is bounded.
void Search::limitTilings() {
  auto count = [&] {
    double product = 1;
    for (ArrayRef<int64_t> list : sizes)
      product *= double(list.size());
    return product;
  };
  while (!options.isExhaustive && count() > kMaxTilings) {
    auto *longest =
        llvm::max_element(sizes, [](const auto &lhs, const auto &rhs) {
          return lhs.size() < rhs.size();
        });
    if (longest->size() <= 2)
      return;
    SmallVector<int64_t> fewer;
    for (auto [index, size] : llvm::enumerate(*longest))
      if (index % 2 == 0 || index + 1 == longest->size())
        fewer.push_back(size);
    *longest = std::move(fewer);
  }
}

/// Adds all tile sizes for which the smallest buffers fit.
void Search::addTilings(SmallVectorImpl<int64_t> &tiles) {
  ArrayRef<TileGeometry::Dim> dims = geometry.getDims();
  if (tiles.size() < dims.size()) {
    for (int64_t size : sizes[tiles.size()]) {
      tiles.push_back(size);
      addTilings(tiles);
      tiles.pop_back();
    }
    return;
  }
  Tiling tiling;
  tiling.tiles.assign(tiles.begin(), tiles.end());
  Mapping mapping = makeSmallest(tiles);
  if (!fits(mapping))
    return;
  tiling.cycles = getCycles(tiles);
  tiling.bound = *llvm::max_element(tiling.cycles);
  tilings.push_back(std::move(tiling));
}

void Search::addOrders(const Tiling &tiling) {
  SmallVector<unsigned> order = getLoops(geometry, tiling.tiles);
  do {
    if (options.outermost && (order.empty() || order[0] != *options.outermost))
      continue;
    Mapping mapping = makeMapping(tiling.tiles, order);
    moveResults(schedule, mapping);
    measureLevels(mapping);
    addLevels(tiling, mapping, 0);
  } while (std::next_permutation(order.begin(), order.end()));
}

/// Computes the sizes of buffers for the loops of a mapping.
void Search::measureLevels(const Mapping &mapping) {
  levelBytes.resize(mapping.residences.size());
  for (auto [sizes, known] : llvm::zip_equal(levelBytes, mapping.residences)) {
    sizes.clear();
    Mapping::Residence residence = known;
    for (unsigned level = 0; level <= mapping.loops.size(); ++level) {
      residence.level = level;
      sizes.push_back(schedule.getBufferBytes(mapping, residence));
    }
  }
  left.clear();
  for (const DeviceModel::Memory &memory : device.memories)
    left.push_back(memory.bytes / options.divisor);
}

/// Tries all levels and numbers of buffers that fit for the residences from
/// `next` on.
void Search::addLevels(const Tiling &tiling, Mapping &mapping, size_t next) {
  if (next == mapping.residences.size())
    return addCandidate(tiling, mapping);
  const MatchSchedule::Placed &placed = schedule.getPlaced()[next];
  Mapping::Residence &residence = mapping.residences[next];
  Mapping::Residence before = residence;
  const auto &dependsOn = geometry.getTensors()[placed.tensor].dependsOn;
  for (unsigned level = 0; level <= mapping.loops.size(); ++level) {
    if (placed.isLoaded) {
      // A loop that changes nothing needs no transfer inside of it.
      if (level > 0 && !dependsOn[mapping.loops[level - 1].dim])
        continue;
      residence.level = level;
    } else if (level != before.level) {
      continue;
    }
    bool changes = false;
    for (unsigned i = 0; i < residence.level; ++i)
      changes |= dependsOn[mapping.loops[i].dim];
    int64_t bytes = llvm::alignTo(levelBytes[next][residence.level],
                                  device.memories[placed.memory].alignment);
    for (bool isDouble : {true, false}) {
      if (isDouble && (!changes || !options.mayDouble))
        continue;
      residence.isDouble = isDouble;
      left[placed.memory] -= isDouble ? 2 * bytes : bytes;
      if (left[placed.memory] >= 0)
        addLevels(tiling, mapping, next + 1);
      left[placed.memory] += isDouble ? 2 * bytes : bytes;
    }
  }
  residence = before;
}

void Search::addCandidate(const Tiling &tiling, const Mapping &mapping) {
  if (!options.isExhaustive && ++numTried > options.maxEstimates)
    return;
  // Estimate the transfers: parts of the size in the middle, one for each step
  // of a loop that changes the tensor.
  SmallVector<int64_t, 4> busy = tiling.cycles;
  int64_t bytes = 0, start = 0, serial = 0;
  for (const auto &[placed, residence, sizes] :
       llvm::zip_equal(schedule.getPlaced(), mapping.residences, levelBytes)) {
    if (!placed.isLoaded && !residence.isDouble && residence.level > 0) {
      // The engines of the calls wait for each other.
      int64_t sum = 0;
      for (unsigned engine = 0; engine < device.engines.size(); ++engine)
        if (schedule.isUsedOn(engine, placed))
          sum += tiling.cycles[engine];
      serial = std::max(serial, sum);
    }
    if (!placed.isLoaded && !placed.isStored)
      continue;
    const auto &dependsOn = geometry.getTensors()[placed.tensor].dependsOn;
    int64_t outer = 1, changes = 1;
    for (unsigned i = 0; i < residence.level; ++i) {
      int64_t trips = mapping.loops[i].trips;
      if (dependsOn[mapping.loops[i].dim])
        changes += outer * (trips - 1);
      outer *= trips;
    }
    const DeviceModel::Path &path =
        *device.findPath(placed.memory, placed.isStored);
    int64_t size = sizes[residence.level];
    int64_t cycles = path.getCycles(1, size);
    if (placed.isLoaded)
      bytes += changes * size;
    busy[path.engine] += changes * cycles;
    start += cycles;
    // Without a second buffer, calls wait for the transfers.
    if (!residence.isDouble)
      start += (changes - 1) * cycles;
  }
  int64_t estimate = std::max(serial, *llvm::max_element(busy)) + start;
  int64_t second = bytes;
  if (options.minimizesBytes)
    std::swap(estimate, second);
  bool isHopeless = !options.isExhaustive &&
                    double(estimate) > kEstimateMargin * double(bestEstimate);
  if (isHopeless || !schedule.canAddress(mapping))
    return;
  bestEstimate = std::min(bestEstimate, estimate);
  candidates.push_back(
      {mapping, tiling.bound, estimate, second, candidates.size()});
}

FailureOr<Mapping> Search::runCandidates(std::string &problem) {
  llvm::sort(candidates, [](const Candidate &lhs, const Candidate &rhs) {
    return std::tie(lhs.estimate, lhs.second, lhs.number) <
           std::tie(rhs.estimate, rhs.second, rhs.number);
  });
  SmallVector<Finalist> finalists;
  int64_t limit = INT64_MAX, commands = 0;
  auto runMapping = [&](const Mapping &mapping) {
    FailureOr<MappingCost> cost = schedule.run(mapping, limit);
    if (failed(cost))
      return;
    commands += cost->numCommands;
    if (cost->cycles > limit)
      return;
    finalists.push_back({mapping, cost->cycles, cost->loadedBytes});
    if (options.minimizesBytes)
      return;
    double margin = options.isExhaustive ? 1 : kCycleMargin;
    limit = std::min(limit, int64_t(margin * double(cost->cycles)));
  };
  auto getBest = [&] {
    llvm::erase_if(finalists, [&](const Finalist &finalist) {
      return finalist.cycles > limit;
    });
    return *llvm::min_element(finalists, [](const Finalist &lhs,
                                            const Finalist &rhs) {
      return std::tie(lhs.bytes, lhs.cycles) < std::tie(rhs.bytes, rhs.cycles);
    });
  };
  auto runUntil = [&](int64_t maxCommands) {
    for (Candidate &candidate : candidates) {
      if (candidate.wasRun || candidate.bound > limit)
        continue;
      if (!options.isExhaustive && !finalists.empty() &&
          commands >= maxCommands)
        return;
      candidate.wasRun = true;
      runMapping(candidate.mapping);
    }
  };
  if (options.isExhaustive || options.minimizesBytes) {
    runUntil(options.maxCommands);
  } else {
    // Those with the best estimates, then those that load the fewest bytes.
    runUntil(options.maxCommands / 2);
    llvm::erase_if(candidates, [&](const Candidate &candidate) {
      return double(candidate.estimate) > kBytesMargin * double(bestEstimate);
    });
    llvm::sort(candidates, [](const Candidate &lhs, const Candidate &rhs) {
      return std::tie(lhs.second, lhs.estimate, lhs.number) <
             std::tie(rhs.second, rhs.estimate, rhs.number);
    });
    runUntil(options.maxCommands);
  }
  if (finalists.empty()) {
    problem = "needs parts of tensors that its calls cannot address: they take "
              "no stride(...)";
    return failure();
  }
  Mapping best = getBest().mapping;
  if (best.isSerpentine) {
    // Sweeps in one direction may be better: transfers overlap otherwise.
    best.isSerpentine = false;
    runMapping(best);
  }
  return getBest().mapping;
}

FailureOr<Mapping> Search::run(std::string &problem) {
  SmallVector<int64_t> tiles;
  if (failed(checkSmallest(problem)))
    return failure();
  for (unsigned dim = 0; dim < geometry.getDims().size(); ++dim)
    sizes.push_back(getTileSizes(dim));
  limitTilings();
  addTilings(tiles);
  // Among equals, the larger tiles first, as lists of sizes are ordered.
  llvm::sort(tilings, [](const Tiling &lhs, const Tiling &rhs) {
    return std::tie(lhs.bound, rhs.tiles) < std::tie(rhs.bound, lhs.tiles);
  });
  for (const Tiling &tiling : tilings) {
    if (!options.isExhaustive &&
        (numTried > options.maxEstimates ||
         (!options.minimizesBytes &&
          double(tiling.bound) > kEstimateMargin * double(bestEstimate))))
      break;
    addOrders(tiling);
  }
  llvm::erase_if(candidates, [&](const Candidate &candidate) {
    return !options.isExhaustive &&
           double(candidate.estimate) > kEstimateMargin * double(bestEstimate);
  });
  return runCandidates(problem);
}

FailureOr<Mapping> uma::accel::searchMapping(const MatchSchedule &schedule,
                                             const SearchOptions &options,
                                             std::string &problem) {
  return Search(schedule, options).run(problem);
}

LogicalResult uma::accel::checkSmallestTiles(const Match &match,
                                             std::string &problem) {
  FailureOr<MatchSchedule> schedule = MatchSchedule::get(match, problem);
  if (failed(schedule))
    return failure();
  return Search(*schedule, SearchOptions()).checkSmallest(problem);
}
