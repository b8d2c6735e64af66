//===- LayeredGraph.cpp - Drawing of a graph in layers --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LayeredGraph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

using namespace uma;
using llvm::SmallVector;

/// Passes over all layers, down and up, that sort and that place them.
static constexpr unsigned kNumSweeps = 8;
/// Places of edges in layers between their ends up to which all edges get them.
static constexpr size_t kMaxPlaces = 50000;
/// Width of the place of an edge.
static constexpr double kEdgeWidth = 14;
/// Edges are straight more often than nodes are centred.
static constexpr double kEdgeWeight = 4;

namespace {
/// A node, or the place where the edges from one node cross a layer.
struct Place {
  size_t node;         ///< the node, or the one that the edges come from
  bool isEdge = false; ///< whether edges cross here
  size_t layer = 0;
  size_t position = 0;                           ///< in its layer
  double x = 0;                                  ///< centre
  SmallVector<size_t, 2> above = {}, below = {}; ///< places
};

class Drawing {
public:
  explicit Drawing(llvm::ArrayRef<SmallVector<size_t>> sources)
      : sources(sources) {}

  LayeredGraph draw();

private:
  void assignLayers();
  void addEdges();
  void addEdge(size_t from, size_t to, SmallVector<size_t> &chain);
  void sort();
  void sortLayer(size_t layer, bool isDown);
  size_t countCrossings(size_t layer) const;
  void place();
  void placeLayer(size_t layer, bool isDown);
  LayeredGraph finish() const;

  double getWidth(const Place &place) const {
    return place.isEdge ? kEdgeWidth
                        : double(LayeredGraph::nodeWidth + LayeredGraph::gap);
  }

  static double getWeight(const Place &place) {
    return place.isEdge ? kEdgeWeight : 1;
  }

  llvm::ArrayRef<SmallVector<size_t>> sources;
  std::vector<Place> places; ///< nodes first
  std::vector<SmallVector<size_t>> layers;
  /// For each edge, the places on its way.
  struct Route {
    size_t from, to;
    SmallVector<size_t> places;
  };
  std::vector<Route> routes;
};
} // namespace

/// Assigns each node the layer below its lowest source. Nodes without sources
/// move down to their first user, so that their edges are short.
void Drawing::assignLayers() {
  for (size_t node = 0; node < sources.size(); ++node) {
    places.push_back({node});
    for (size_t source : sources[node])
      places[node].layer =
          std::max(places[node].layer, places[source].layer + 1);
  }
  std::vector<std::optional<size_t>> firstUser(sources.size());
  for (size_t node = 0; node < sources.size(); ++node)
    for (size_t source : sources[node])
      firstUser[source] =
          std::min(firstUser[source].value_or(SIZE_MAX), places[node].layer);
  for (size_t node = 0; node < sources.size(); ++node)
    if (sources[node].empty() && firstUser[node])
      places[node].layer = *firstUser[node] - 1;
}

/// Routes an edge through the places of the edges from the same node, which
/// `chain` has from the layer below the node on.
void Drawing::addEdge(size_t from, size_t to, SmallVector<size_t> &chain) {
  size_t length = places[to].layer - places[from].layer - 1;
  while (chain.size() < length) {
    size_t above = chain.empty() ? from : chain.back();
    chain.push_back(places.size());
    Place place{from, /*isEdge=*/true, places[above].layer + 1};
    place.above.push_back(above);
    places[above].below.push_back(places.size());
    places.push_back(std::move(place));
  }
  size_t last = length == 0 ? from : chain[length - 1];
  places[last].below.push_back(to);
  places[to].above.push_back(last);
  routes.push_back({from, to, {chain.begin(), chain.begin() + length}});
}

void Drawing::addEdges() {
  std::vector<SmallVector<size_t>> users(sources.size());
  size_t numPlaces = 0;
  for (size_t node = 0; node < sources.size(); ++node)
    for (size_t source : sources[node])
      users[source].push_back(node);
  for (size_t node = 0; node < sources.size(); ++node) {
    SmallVector<size_t> chain;
    for (size_t user : users[node]) {
      numPlaces += places[user].layer - places[node].layer;
      if (numPlaces <= kMaxPlaces)
        addEdge(node, user, chain);
      else
        routes.push_back({node, user, {}});
    }
  }
  size_t numLayers = 0;
  for (const Place &place : places)
    numLayers = std::max(numLayers, place.layer + 1);
  layers.resize(numLayers);
  for (auto [index, place] : llvm::enumerate(places)) {
    place.position = layers[place.layer].size();
    layers[place.layer].push_back(index);
  }
}

/// Counts the crossings of edges between a layer and the next one: inversions
/// among the lower ends, in the order of the upper ones.
size_t Drawing::countCrossings(size_t layer) const {
  if (layer + 1 == layers.size())
    return 0;
  // A Fenwick tree counts the ends at or before each position.
  std::vector<size_t> tree(layers[layer + 1].size() + 1);
  size_t count = 0, numEnds = 0;
  SmallVector<size_t> ends;
  for (size_t above : layers[layer]) {
    ends.clear();
    for (size_t below : places[above].below)
      ends.push_back(places[below].position + 1);
    // Edges from one place do not cross.
    for (size_t end : ends) {
      count += numEnds;
      for (size_t i = end; i > 0; i &= i - 1)
        count -= tree[i];
    }
    for (size_t end : ends)
      for (size_t i = end; i < tree.size(); i += i & (~i + 1))
        ++tree[i];
    numEnds += ends.size();
  }
  return count;
}

/// Returns the median of `values`, or of the middle two.
static double getMedian(SmallVector<double> &values) {
  llvm::sort(values);
  size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle]
                           : (values[middle - 1] + values[middle]) / 2;
}

/// Sorts a layer by the positions in the layer above or below. Places without
/// neighbours there keep their position.
void Drawing::sortLayer(size_t layer, bool isDown) {
  SmallVector<size_t> &members = layers[layer];
  SmallVector<std::pair<double, size_t>> keys;
  for (size_t index : members) {
    const Place &place = places[index];
    SmallVector<double> positions;
    for (size_t other : isDown ? place.above : place.below)
      positions.push_back(double(places[other].position));
    keys.push_back(
        {positions.empty() ? double(place.position) : getMedian(positions),
         index});
  }
  // Equal ones keep their order.
  llvm::sort(keys, [&](const auto &left, const auto &right) {
    return std::tie(left.first, places[left.second].position) <
           std::tie(right.first, places[right.second].position);
  });
  for (auto [position, key] : llvm::enumerate(keys)) {
    members[position] = key.second;
    places[key.second].position = position;
  }
}

/// Orders all layers, and keeps the order with the fewest crossings.
void Drawing::sort() {
  std::vector<SmallVector<size_t>> best = layers;
  size_t fewest = SIZE_MAX;
  for (unsigned sweep = 0; sweep <= kNumSweeps && fewest != 0; ++sweep) {
    bool isDown = sweep % 2 == 1;
    // The first pass only counts.
    for (size_t i = 1; sweep > 0 && i < layers.size(); ++i)
      sortLayer(isDown ? i : layers.size() - 1 - i, isDown);
    size_t count = 0;
    for (size_t layer = 0; layer < layers.size(); ++layer)
      count += countCrossings(layer);
    if (count < fewest) {
      fewest = count;
      best = layers;
    }
  }
  layers = std::move(best);
  for (const SmallVector<size_t> &layer : layers)
    for (auto [position, index] : llvm::enumerate(layer))
      places[index].position = position;
}

/// Moves the places of a layer as near to their neighbours as their order and
/// widths allow: an isotonic regression by pooling adjacent violators.
void Drawing::placeLayer(size_t layer, bool isDown) {
  struct Pool {
    double sum, weight; ///< of the wanted positions
    size_t count;
    double get() const { return sum / weight; }
  };
  SmallVector<Pool> pools;
  SmallVector<double> starts; // position if all stand side by side
  double start = 0;
  for (size_t index : layers[layer]) {
    const Place &place = places[index];
    start += getWidth(place) / 2;
    starts.push_back(start);
    start += getWidth(place) / 2;
    // By the same weights on both sides, a branch and its edge that part below
    // a node meet again right below it.
    double sum = 0, weights = 0;
    for (size_t other : isDown ? place.above : place.below) {
      sum += getWeight(places[other]) * places[other].x;
      weights += getWeight(places[other]);
    }
    double wanted = weights == 0 ? place.x : sum / weights;
    double weight = getWeight(place);
    pools.push_back({weight * (wanted - starts.back()), weight, 1});
    while (pools.size() > 1 &&
           pools[pools.size() - 2].get() > pools.back().get()) {
      Pool last = pools.pop_back_val();
      pools.back().sum += last.sum;
      pools.back().weight += last.weight;
      pools.back().count += last.count;
    }
  }
  size_t member = 0;
  for (const Pool &pool : pools)
    for (size_t i = 0; i < pool.count; ++i, ++member)
      places[layers[layer][member]].x = pool.get() + starts[member];
}

void Drawing::place() {
  for (const SmallVector<size_t> &layer : layers) {
    double x = 0;
    for (size_t index : layer) {
      places[index].x = x + getWidth(places[index]) / 2;
      x += getWidth(places[index]);
    }
  }
  for (unsigned sweep = 0; sweep < kNumSweeps; ++sweep) {
    // The last pass goes down: edges leave their node straight.
    bool isDown = sweep % 2 == 1;
    for (size_t i = 0; i < layers.size(); ++i)
      placeLayer(isDown ? i : layers.size() - 1 - i, isDown);
  }
}

LayeredGraph Drawing::finish() const {
  constexpr int64_t rowHeight =
      LayeredGraph::nodeHeight + LayeredGraph::layerGap;
  LayeredGraph graph;
  if (places.empty())
    return graph;
  double left = places.front().x, right = left;
  for (const Place &place : places) {
    left = std::min(left, place.x - getWidth(place) / 2);
    right = std::max(right, place.x + getWidth(place) / 2);
  }
  auto getX = [&](size_t index) {
    return int64_t(std::lround(places[index].x - left));
  };
  auto getY = [&](size_t index) {
    return int64_t(places[index].layer) * rowHeight +
           LayeredGraph::layerGap / 2;
  };
  graph.width = int64_t(std::ceil(right - left));
  graph.height = int64_t(layers.size()) * rowHeight;
  for (size_t node = 0; node < sources.size(); ++node)
    graph.nodes.push_back(
        {getX(node) - LayeredGraph::nodeWidth / 2, getY(node)});
  for (const Route &route : routes) {
    LayeredGraph::Edge edge{route.from, route.to, {}};
    auto &points = edge.points;
    auto add = [&](int64_t x, int64_t y) {
      // Merge straight parts.
      if (size_t n = points.size();
          n >= 2 && points[n - 1].x == x && points[n - 2].x == x)
        points.back().y = y;
      else
        points.push_back({x, y});
    };
    add(getX(route.from), getY(route.from) + LayeredGraph::nodeHeight);
    for (size_t place : route.places) {
      add(getX(place), getY(place));
      add(getX(place), getY(place) + LayeredGraph::nodeHeight);
    }
    add(getX(route.to), getY(route.to));
    graph.edges.push_back(std::move(edge));
  }
  return graph;
}

LayeredGraph Drawing::draw() {
  assignLayers();
  addEdges();
  sort();
  place();
  return finish();
}

LayeredGraph
uma::drawInLayers(llvm::ArrayRef<llvm::SmallVector<size_t>> sources) {
  return Drawing(sources).draw();
}
