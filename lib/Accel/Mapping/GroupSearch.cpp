//===- GroupSearch.cpp - Search for layers to interleave ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Two layers overlap if the outermost loop of the second one follows that of
// the first one: both go through the rows of an image, or the first one through
// its output channels and the second one through its input channels. For each
// group of such layers, the search takes the best mappings with these outermost
// loops and compares the group with the same layers one after the other.
//
//===----------------------------------------------------------------------===//

#include "GroupSearch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mlir;
using namespace uma;
using namespace uma::accel;

/// Most layers of a group.
static constexpr size_t kMaxLayers = 4;
/// Tiles of the first layer's outermost loop that the search tries, in steps of
/// its dim, and parts of each memory that a layer may use.
static constexpr int64_t kSteps[] = {1, 2, 4}, kDivisors[] = {1, 2, 3};
/// Combinations of the layers' mappings that are run for each outermost loop.
static constexpr size_t kCombinations = 3;
/// Groups that save a smaller share of the cycles stay apart, and those that
/// load more bytes by a share that is this many times larger.
static constexpr double kLeastGain = 0.02, kBytesPerCycles = 4;
/// Mappings that the search for one layer of a group estimates, and commands
/// that it runs.
static constexpr int64_t kEstimates = 10000, kCommands = 5000;

namespace {
/// A mapping of a layer of a group.
struct Choice {
  Mapping mapping;
  int64_t cycles; ///< of the layer alone
  SmallVector<int64_t> busy;
  SmallVector<int64_t, 4> needed; ///< bytes of each memory
};

/// Mappings of the first layers of a group.
struct Combination {
  SmallVector<const Choice *> choices;
  int64_t cycles = 0; ///< of the layers one by one
  SmallVector<int64_t> busy, needed;
  size_t number = 0; ///< in the order of the enumeration
};

/// A group of layers, and what it saves.
struct Group {
  size_t size = 1;
  int64_t gain = 0;
  SmallVector<Mapping> mappings;
};

class GroupSearch {
public:
  GroupSearch(MutableArrayRef<std::unique_ptr<GroupLayer>> layers,
              const SearchOptions &options)
      : layers(layers), options(options) {}

  void run();

private:
  ArrayRef<Choice> getChoices(size_t number, unsigned dim, int64_t tiles);
  std::vector<Combination> extend(ArrayRef<Combination> combinations,
                                  ArrayRef<Choice> choices) const;
  std::optional<unsigned> getNextDim(size_t number, unsigned dim) const;
  FailureOr<MappingCost> measure(size_t begin, ArrayRef<Mapping> chosen);
  FailureOr<MappingCost> measure(size_t begin, size_t size);
  std::vector<Group> getGroups(size_t begin);
  void keepResults(size_t begin, SmallVectorImpl<Mapping> &chosen,
                   MappingCost &best);
  bool isNew(size_t begin, ArrayRef<Mapping> chosen);
  void addGroups(size_t begin, unsigned dim, int64_t tiles,
                 ArrayRef<MappingCost> apart, std::vector<Group> &groups);

  MutableArrayRef<std::unique_ptr<GroupLayer>> layers;
  SearchOptions options;
  /// Mappings with an outermost loop, by layer and dim.
  llvm::StringMap<std::vector<Choice>> mappings;
  /// Mappings of groups of the current first layer.
  llvm::StringSet<> measured;
  /// Groups that begin with a sequence of layers.
  llvm::StringMap<std::vector<Group>> known;
};
} // namespace

/// Returns the best mappings of a layer in a group whose outermost loop is over
/// `dim`, for several shares of the memories.
ArrayRef<Choice> GroupSearch::getChoices(size_t number, unsigned dim,
                                         int64_t tiles) {
  const GroupLayer &layer = *layers[number];
  const TileGeometry::Dim &info = layer.schedule.getGeometry().getDims()[dim];
  tiles = std::min(tiles, int64_t(llvm::divideCeil(info.size, info.step)));
  std::string key =
      layer.signature + std::to_string(dim) + " " + std::to_string(tiles);
  auto [entry, isNew] = mappings.try_emplace(key);
  std::vector<Choice> &choices = entry->second;
  if (!isNew)
    return choices;
  SearchOptions limited = options;
  limited.outermost = dim;
  limited.outermostTiles = tiles;
  limited.maxEstimates = kEstimates;
  limited.maxCommands = kCommands;
  for (int64_t divisor : kDivisors) {
    limited.divisor = divisor;
    std::string problem;
    FailureOr<Mapping> mapping =
        searchMapping(layer.schedule, limited, problem);
    if (failed(mapping))
      continue;
    FailureOr<MappingCost> cost = layer.schedule.run(*mapping);
    if (failed(cost))
      continue;
    Choice choice{*mapping, cost->cycles, std::move(cost->busy),
                  layer.schedule.getNeededBytes(*mapping)};
    // All of a memory may be more than the best mapping takes.
    if (choices.empty() || choices.back().needed != choice.needed ||
        choices.back().cycles != choice.cycles)
      choices.push_back(std::move(choice));
  }
  return choices;
}

/// Returns the dim of the next layer that follows `dim` of this layer, or
/// std::nullopt if the next layer needs all of this one.
std::optional<unsigned> GroupSearch::getNextDim(size_t number,
                                                unsigned dim) const {
  GroupLayer &layer = *layers[number], &next = *layers[number + 1];
  const TileGeometry::Dim &info = layer.schedule.getGeometry().getDims()[dim];
  if (info.isReduction)
    return std::nullopt;
  const TileGeometry &geometry = next.schedule.getGeometry();
  for (auto [tensor, described] : llvm::enumerate(geometry.getTensors())) {
    if (!described.pattern || !described.pattern.getDefiningOp<InputOp>())
      continue;
    Value outer = getOuterTensor(
        next.composite, next.match.tensors.lookup(Value(described.pattern)));
    if (outer.getDefiningOp() == layer.composite.getOperation())
      return geometry.findDim(tensor, info.axis);
  }
  return std::nullopt;
}

FailureOr<MappingCost> GroupSearch::measure(size_t begin,
                                            ArrayRef<Mapping> chosen) {
  SmallVector<LayerToRun> group;
  for (auto [index, mapping] : llvm::enumerate(chosen)) {
    GroupLayer &layer = *layers[begin + index];
    group.push_back({layer.composite,
                     &layer.match,
                     &layer.schedule,
                     &mapping,
                     layer.waits,
                     {}});
  }
  group.back().waits = true;
  CommandStream stream(layers[begin]->schedule.getDevice(),
                       /*keepsCommands=*/false);
  std::string problem;
  size_t number = 0;
  if (failed(runLayers(group, stream, problem, number)))
    return failure();
  MappingCost sum;
  sum.busy.resize(layers[begin]->schedule.getDevice().engines.size());
  for (const LayerToRun &layer : group) {
    sum.loadedBytes += layer.cost.loadedBytes;
    for (auto [total, busy] : llvm::zip_equal(sum.busy, layer.cost.busy))
      total += busy;
  }
  sum.cycles = stream.getEnd();
  return sum;
}

/// Measures layers with their own mappings.
FailureOr<MappingCost> GroupSearch::measure(size_t begin, size_t size) {
  SmallVector<Mapping> chosen;
  for (size_t i = begin; i < begin + size; ++i)
    chosen.push_back(layers[i]->mapping);
  return measure(begin, chosen);
}

/// Returns whether these mappings were not measured before.
bool GroupSearch::isNew(size_t begin, ArrayRef<Mapping> chosen) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [index, mapping] : llvm::enumerate(chosen)) {
    GroupLayer &layer = *layers[begin + index];
    os << mapping.toAttribute(layer.composite->getContext(),
                              layer.schedule.getGeometry());
  }
  return measured.insert(text).second;
}

/// Adds a layer to the combinations, if the memories hold all buffers.
std::vector<Combination> GroupSearch::extend(ArrayRef<Combination> combinations,
                                             ArrayRef<Choice> choices) const {
  auto add = [](SmallVectorImpl<int64_t> &sums, ArrayRef<int64_t> more) {
    sums.resize(more.size());
    for (auto [sum, number] : llvm::zip_equal(sums, more))
      sum += number;
  };
  std::vector<Combination> extended;
  ArrayRef<DeviceModel::Memory> memories =
      layers.front()->schedule.getDevice().memories;
  for (const Combination &combination : combinations)
    for (const Choice &choice : choices) {
      Combination next = combination;
      add(next.needed, choice.needed);
      bool fits = llvm::all_of(
          llvm::zip_equal(memories, next.needed), [](const auto &entry) {
            return std::get<1>(entry) <= std::get<0>(entry).bytes;
          });
      if (!fits)
        continue;
      add(next.busy, choice.busy);
      next.cycles += choice.cycles;
      next.choices.push_back(&choice);
      next.number = extended.size();
      extended.push_back(std::move(next));
    }
  // The busiest engine limits the group.
  auto getKey = [](const Combination &combination) {
    return std::tuple(*llvm::max_element(combination.busy), combination.cycles,
                      combination.number);
  };
  llvm::sort(extended, [&](const Combination &lhs, const Combination &rhs) {
    return getKey(lhs) < getKey(rhs);
  });
  return extended;
}

/// Returns the share of the cycles that a group saves.
static double getGain(const MappingCost &apart, const MappingCost &together) {
  return double(apart.cycles - together.cycles) / double(apart.cycles);
}

/// Adds the groups whose first layer has the outermost loop `dim`. The first
/// layers take `apart[i]` cycles one after the other.
void GroupSearch::addGroups(size_t begin, unsigned dim, int64_t tiles,
                            ArrayRef<MappingCost> apart,
                            std::vector<Group> &groups) {
  std::vector<Combination> combinations(1);
  for (size_t size = 1; size <= apart.size(); ++size) {
    size_t last = begin + size - 1;
    if (layers[last]->isFixed)
      return;
    combinations = extend(combinations, getChoices(last, dim, tiles));
    for (const Combination &combination :
         ArrayRef(combinations).take_front(size > 1 ? kCombinations : 0)) {
      SmallVector<Mapping> chosen;
      for (const Choice *choice : combination.choices) {
        chosen.push_back(choice->mapping);
        chosen.back().isInterleaved = chosen.size() > 1;
      }
      if (!isNew(begin, chosen))
        continue;
      const MappingCost &before = apart[size - 1];
      FailureOr<MappingCost> together = measure(begin, chosen);
      if (failed(together) || getGain(before, *together) < kLeastGain)
        continue;
      keepResults(begin, chosen, *together);
      double more = double(together->loadedBytes - before.loadedBytes);
      if (more <= kBytesPerCycles * getGain(before, *together) *
                      double(before.loadedBytes))
        groups.push_back(
            {size, before.cycles - together->cycles, std::move(chosen)});
    }
    if (size == apart.size())
      return;
    std::optional<unsigned> next = getNextDim(last, dim);
    if (!next)
      return;
    dim = *next;
  }
}

/// Leaves results in a memory of the device in which other layers of the group
/// take them, if they fit and this costs no cycles.
void GroupSearch::keepResults(size_t begin, SmallVectorImpl<Mapping> &chosen,
                              MappingCost &best) {
  for (size_t i = 1; i < chosen.size(); ++i) {
    GroupLayer &layer = *layers[begin + i];
    for (auto [input, place] : llvm::enumerate(layer.schedule.getPlaced())) {
      if (!place.isLoaded)
        continue;
      Value pattern =
          layer.schedule.getGeometry().getTensors()[place.tensor].pattern;
      Operation *producer =
          getOuterTensor(layer.composite, layer.match.tensors.lookup(pattern))
              .getDefiningOp();
      for (size_t j = 0; j < i; ++j) {
        if (layers[begin + j]->composite.getOperation() != producer)
          continue;
        SmallVector<Mapping> kept(chosen.begin(), chosen.end());
        for (auto [known, residence] : llvm::zip_equal(
                 layers[begin + j]->schedule.getPlaced(), kept[j].residences))
          if (known.isStored && known.memory == place.memory) {
            residence.level = 0;
            residence.isDouble = false;
          }
        Mapping::Residence &residence = kept[i].residences[input];
        residence.level = 0;
        residence.isDouble = false;
        residence.isKept = true;
        FailureOr<MappingCost> cost = measure(begin, kept);
        if (failed(cost) || cost->cycles > best.cycles)
          continue;
        best = std::move(*cost);
        chosen.assign(kept.begin(), kept.end());
      }
    }
  }
}

/// Returns the groups that begin with a layer and save cycles.
std::vector<Group> GroupSearch::getGroups(size_t begin) {
  size_t size = 1;
  while (size < kMaxLayers && begin + size < layers.size() &&
         !layers[begin + size - 1]->waits)
    ++size;
  std::string key;
  for (size_t i = begin; i < begin + size; ++i)
    key += describeLayer(layers.slice(begin, size), i - begin);
  auto [entry, isNew] = known.try_emplace(key);
  if (!isNew)
    return entry->second;
  SmallVector<MappingCost> apart;
  for (size_t i = 1; i <= size; ++i) {
    FailureOr<MappingCost> cost = measure(begin, i);
    if (failed(cost))
      return {};
    apart.push_back(std::move(*cost));
  }
  // No group is faster than its busiest engine.
  const MappingCost &whole = apart.back();
  MappingCost bound;
  bound.cycles = *llvm::max_element(whole.busy);
  if (size == 1 || getGain(whole, bound) < kLeastGain)
    return {};
  std::vector<Group> groups;
  measured.clear();
  ArrayRef<TileGeometry::Dim> dims =
      layers[begin]->schedule.getGeometry().getDims();
  for (unsigned dim = 0; dim < dims.size(); ++dim)
    if (!dims[dim].isReduction && dims[dim].size > dims[dim].step)
      for (int64_t steps : kSteps)
        addGroups(begin, dim,
                  llvm::divideCeil(dims[dim].size, dims[dim].step * steps),
                  apart, groups);
  return entry->second = std::move(groups);
}

std::string
uma::accel::describeLayer(ArrayRef<std::unique_ptr<GroupLayer>> layers,
                          size_t number) {
  const GroupLayer &layer = *layers[number];
  std::string text = layer.signature;
  for (Value operand : layer.composite->getOperands()) {
    while (auto cast = operand.getDefiningOp<graph::StorageCastOp>())
      operand = cast.getData();
    for (size_t i = 0; i < number; ++i)
      if (layers[i]->composite.getOperation() == operand.getDefiningOp())
        text += " " + std::to_string(i);
    text += ",";
  }
  return text + (layer.isFixed ? " fixed" : "") +
         (layer.waits ? " waits\n" : "\n");
}

void GroupSearch::run() {
  if (layers.empty())
    return;
  // The groups that save most in all, from the last layer to the first.
  std::vector<Group> best(layers.size());
  std::vector<int64_t> gains(layers.size() + 1);
  for (size_t begin = layers.size(); begin-- > 0;) {
    gains[begin] = gains[begin + 1];
    for (Group &group : getGroups(begin))
      if (int64_t gain = group.gain + gains[begin + group.size];
          gain > gains[begin]) {
        gains[begin] = gain;
        best[begin] = group;
      }
  }
  SmallVector<Mapping> before;
  for (const auto &layer : layers)
    before.push_back(layer->mapping);
  FailureOr<MappingCost> apart = measure(0, layers.size());
  for (size_t begin = 0; begin < layers.size(); begin += best[begin].size)
    for (auto [index, mapping] : llvm::enumerate(best[begin].mappings))
      layers[begin + index]->mapping = mapping;
  FailureOr<MappingCost> together = measure(0, layers.size());
  if (failed(apart) || failed(together) || together->cycles >= apart->cycles)
    for (auto [layer, mapping] : llvm::zip_equal(layers, before))
      layer->mapping = mapping;
}

void uma::accel::searchGroups(
    MutableArrayRef<std::unique_ptr<GroupLayer>> layers,
    const SearchOptions &options) {
  GroupSearch(layers, options).run();
}
