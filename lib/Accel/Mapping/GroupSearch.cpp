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
/// Numbers of tiles of the outermost loops that the search tries, and parts of
/// each memory that a layer of a group may use.
static constexpr int64_t kTiles[] = {8, 16, 32};
static constexpr int64_t kDivisors[] = {2, 3};
/// Groups that save a smaller share of the cycles stay apart.
static constexpr double kLeastGain = 0.02;
/// Mappings that the search for one layer of a group estimates, and commands
/// that it runs.
static constexpr int64_t kEstimates = 10000, kCommands = 10000;

namespace {
/// Limits the mappings of a group's layers.
struct Shape {
  int64_t tiles, divisor;
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
  const FailureOr<Mapping> &getMapping(size_t number, unsigned dim,
                                       Shape shape);
  std::optional<unsigned> getNextDim(size_t number, unsigned dim) const;
  FailureOr<MappingCost> measure(size_t begin, ArrayRef<Mapping> chosen);
  FailureOr<MappingCost> measure(size_t begin, size_t size);
  std::vector<Group> getGroups(size_t begin);
  void keepResults(size_t begin, SmallVectorImpl<Mapping> &chosen);
  bool isNew(size_t begin, ArrayRef<Mapping> chosen);
  void addGroups(size_t begin, unsigned dim, Shape shape,
                 std::vector<Group> &groups);

  MutableArrayRef<std::unique_ptr<GroupLayer>> layers;
  SearchOptions options;
  /// Mappings with an outermost loop, by layer and dim.
  llvm::StringMap<FailureOr<Mapping>> mappings;
  /// Mappings of groups of the current first layer.
  llvm::StringSet<> measured;
  /// Groups that begin with a sequence of layers.
  llvm::StringMap<std::vector<Group>> known;
};
} // namespace

/// Returns the best mapping of a layer in a group whose outermost loop is over
/// `dim`.
const FailureOr<Mapping> &GroupSearch::getMapping(size_t number, unsigned dim,
                                                  Shape shape) {
  const GroupLayer &layer = *layers[number];
  const TileGeometry::Dim &info = layer.schedule.getGeometry().getDims()[dim];
  int64_t tiles =
      std::min(shape.tiles, int64_t(llvm::divideCeil(info.size, info.step)));
  std::string key = layer.signature + std::to_string(dim) + " " +
                    std::to_string(tiles) + " " + std::to_string(shape.divisor);
  auto [entry, isNew] =
      mappings.try_emplace(key, FailureOr<Mapping>(failure()));
  if (isNew) {
    SearchOptions limited = options;
    limited.outermost = dim;
    limited.outermostTiles = tiles;
    limited.divisor = shape.divisor;
    limited.maxEstimates = kEstimates;
    limited.maxCommands = kCommands;
    std::string problem;
    entry->second = searchMapping(layer.schedule, limited, problem);
  }
  return entry->second;
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
  for (const LayerToRun &layer : group)
    for (auto [total, busy] : llvm::zip_equal(sum.busy, layer.cost.busy))
      total += busy;
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

/// Adds the groups whose first layer has the outermost loop `dim`.
void GroupSearch::addGroups(size_t begin, unsigned dim, Shape shape,
                            std::vector<Group> &groups) {
  SmallVector<unsigned> dims = {dim};
  SmallVector<Mapping> chosen;
  for (size_t i = begin; i < std::min(begin + kMaxLayers, layers.size()); ++i) {
    const FailureOr<Mapping> &mapping = getMapping(i, dims.back(), shape);
    if (failed(mapping) || layers[i]->isFixed)
      return;
    chosen.push_back(*mapping);
    chosen.back().isInterleaved = i > begin;
    if (i > begin && isNew(begin, chosen)) {
      FailureOr<MappingCost> apart = measure(begin, chosen.size());
      FailureOr<MappingCost> together = measure(begin, chosen);
      if (failed(apart) || failed(together))
        return;
      int64_t gain = apart->cycles - together->cycles;
      if (double(gain) > kLeastGain * double(apart->cycles))
        groups.push_back({chosen.size(), gain, chosen});
    }
    if (layers[i]->waits || i + 1 == layers.size())
      return;
    std::optional<unsigned> next = getNextDim(i, dims.back());
    if (!next)
      return;
    dims.push_back(*next);
  }
}

/// Leaves results in a memory of the device in which other layers of the group
/// take them, if they fit and this costs no cycles.
void GroupSearch::keepResults(size_t begin, SmallVectorImpl<Mapping> &chosen) {
  if (chosen.empty())
    return;
  FailureOr<MappingCost> best = measure(begin, chosen);
  for (size_t i = 1; i < chosen.size() && succeeded(best); ++i) {
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
        if (failed(cost) || cost->cycles > best->cycles)
          continue;
        best = std::move(cost);
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
  // No group is faster than its busiest engine.
  FailureOr<MappingCost> apart = measure(begin, size);
  if (size == 1 || failed(apart) ||
      double(apart->cycles - *llvm::max_element(apart->busy)) <
          kLeastGain * double(apart->cycles))
    return {};
  std::vector<Group> groups;
  measured.clear();
  ArrayRef<TileGeometry::Dim> dims =
      layers[begin]->schedule.getGeometry().getDims();
  for (unsigned dim = 0; dim < dims.size(); ++dim)
    if (!dims[dim].isReduction && dims[dim].size > dims[dim].step)
      for (int64_t tiles : kTiles)
        for (int64_t divisor : kDivisors)
          addGroups(begin, dim, {tiles, divisor}, groups);
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
    keepResults(begin, best[begin].mappings);
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
