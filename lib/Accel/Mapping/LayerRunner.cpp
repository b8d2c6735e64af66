//===- LayerRunner.cpp - Runs the layers of a region ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Layers follow each other, or a group of them is interleaved: the host queues
// tiles of later layers as soon as their data are there, so that the tiles of a
// stripe pass through all layers (depth first) and engines of several layers
// are busy.
//
//===----------------------------------------------------------------------===//

#include "LayerRunner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

Value uma::accel::getOuterTensor(graph::CompositeOp composite, Value inner) {
  Value outer = composite.getOuterTensor(inner);
  while (auto cast = outer.getDefiningOp<graph::StorageCastOp>())
    outer = cast.getData();
  return outer;
}

size_t uma::accel::getGroupEnd(ArrayRef<LayerToRun> layers, size_t begin) {
  size_t end = begin + 1;
  while (end < layers.size() && layers[end].mapping->isInterleaved &&
         !layers[end - 1].waits)
    ++end;
  return end;
}

namespace {
class LayerRunner {
public:
  LayerRunner(MutableArrayRef<LayerToRun> layers, CommandStream &stream);

  LogicalResult run(std::string &problem, size_t &failed);

private:
  LogicalResult placeGroup(size_t begin, size_t end, bool isAtEnd,
                           std::string &problem);
  LogicalResult placeKept(size_t begin, size_t end, std::string &problem);
  size_t findNext(size_t begin, size_t end);
  LogicalResult runGroup(size_t begin, size_t end, size_t &failed);

  MutableArrayRef<LayerToRun> layers;
  CommandStream &stream;
  /// Numbers of tensors that change while the region runs.
  DenseMap<Value, unsigned> tensors;
  std::vector<std::unique_ptr<ScheduleRunner>> runners;
  StoredParts stored;
  /// Tensors that the layers before the current group compute.
  DenseSet<unsigned> complete;
};
} // namespace

LayerRunner::LayerRunner(MutableArrayRef<LayerToRun> layers,
                         CommandStream &stream)
    : layers(layers), stream(stream) {
  for (LayerToRun &layer : layers) {
    auto getMain = [&](Value pattern) -> std::optional<unsigned> {
      Value outer =
          getOuterTensor(layer.composite, layer.match->tensors.lookup(pattern));
      if (!outer.getDefiningOp<graph::CompositeOp>())
        return std::nullopt;
      return tensors.try_emplace(outer, tensors.size()).first->second;
    };
    runners.push_back(std::make_unique<ScheduleRunner>(
        *layer.schedule, *layer.mapping, stream, runners.size(), getMain));
  }
}

/// Places the buffers of a group beside each other: at the beginning of the
/// memories or at their end, so that those of the next group can be filled
/// while this one ends.
LogicalResult LayerRunner::placeGroup(size_t begin, size_t end, bool isAtEnd,
                                      std::string &problem) {
  const DeviceModel &device = layers[begin].schedule->getDevice();
  SmallVector<SmallVector<int64_t>> addresses;
  SmallVector<int64_t> used(device.memories.size());
  for (size_t i = begin; i < end; ++i) {
    addresses.push_back(used);
    for (auto [sum, needed] : llvm::zip_equal(
             used, layers[i].schedule->getNeededBytes(*layers[i].mapping)))
      sum += needed;
  }
  SmallVector<int64_t> first;
  for (auto [memory, bytes] : llvm::zip_equal(device.memories, used)) {
    if (bytes > memory.bytes) {
      problem =
          ("the layer and those that are interleaved with it need " +
           Twine(bytes) + " bytes of memory '" + MemoryOp(memory.op).getName() +
           "', which has " + Twine(memory.bytes))
              .str();
      return failure();
    }
    first.push_back(isAtEnd && bytes > 0 ? llvm::alignDown(memory.bytes - bytes,
                                                           memory.alignment)
                                         : 0);
  }
  for (size_t i = begin; i < end; ++i) {
    for (auto [address, offset] : llvm::zip_equal(addresses[i - begin], first))
      address += offset;
    runners[i]->placeBuffers(addresses[i - begin]);
  }
  return placeKept(begin, end, problem);
}

/// Places the tensors that layers of a group do not load where other layers of
/// the group compute them.
LogicalResult LayerRunner::placeKept(size_t begin, size_t end,
                                     std::string &problem) {
  for (size_t i = begin; i < end; ++i)
    for (unsigned number : runners[i]->getKept()) {
      std::optional<ScheduleRunner::Place> place;
      for (size_t j = begin; j < i && !place; ++j)
        place = runners[j]->findResult(number);
      if (!place || failed(runners[i]->placeKept(number, *place))) {
        problem = "it keeps a tensor that no layer before, which is "
                  "interleaved with it, has whole in this memory";
        return failure();
      }
    }
  return success();
}

/// Returns the layer of a group whose tile is queued next: the one that can
/// start first; the last one among equals.
size_t LayerRunner::findNext(size_t begin, size_t end) {
  // The inputs of the first layer that is not done are complete.
  size_t best = begin;
  while (runners[best]->isDone())
    ++best;
  int64_t first = runners[best]->getStart().value_or(0);
  for (size_t i = best + 1; i < end; ++i) {
    std::optional<int64_t> start =
        runners[i]->isDone() ? std::nullopt : runners[i]->getStart();
    if (start && *start <= first) {
      best = i;
      first = *start;
    }
  }
  return best;
}

LogicalResult LayerRunner::runGroup(size_t begin, size_t end, size_t &failed) {
  stream.beginLayer();
  SmallVector<const ScheduleRunner *> group;
  stored.clear();
  for (size_t i = begin; i < end; ++i) {
    group.push_back(runners[i].get());
    if (end - begin == 1)
      break;
    runners[i]->setStored(&stored);
    for (Value result : layers[i].composite.getResults())
      if (auto number = tensors.find(result); number != tensors.end())
        stored[number->second];
  }
  auto loadNext = [&] {
    if (!layers[end - 1].waits)
      runners[end]->loadEarly(group, complete);
  };
  bool isFirst = true;
  for (size_t left = end - begin; left > 0;) {
    size_t next = findNext(begin, end);
    bool isLast = left == 1 && runners[next]->isAtLastStep();
    failed = next;
    int64_t start = stream.getEnd();
    if (mlir::failed(runners[next]->runStep(
            isLast ? llvm::function_ref<void()>(loadNext) : nullptr)))
      return failure();
    left -= runners[next]->isDone();
    if (isFirst)
      for (size_t i = begin + 1; i < end; ++i)
        runners[i]->loadEarly({}, complete);
    isFirst = false;
    layers[next].cost.cycles += stream.getEnd() - start;
  }
  return success();
}

LogicalResult LayerRunner::run(std::string &problem, size_t &failed) {
  bool isAtEnd = false;
  for (size_t begin = 0; begin < layers.size(); isAtEnd = !isAtEnd) {
    failed = begin;
    size_t end = getGroupEnd(layers, begin);
    if (mlir::failed(placeGroup(begin, end, isAtEnd, problem)))
      return failure();
    begin = end;
  }
  for (size_t begin = 0; begin < layers.size();) {
    size_t end = getGroupEnd(layers, begin);
    if (mlir::failed(runGroup(begin, end, failed))) {
      problem = "its calls cannot address the tiles of the mapping";
      return failure();
    }
    for (size_t i = begin; i < end; ++i) {
      for (Value result : layers[i].composite.getResults())
        if (auto number = tensors.find(result); number != tensors.end())
          complete.insert(number->second);
      int64_t cycles = layers[i].cost.cycles;
      layers[i].cost = runners[i]->takeCost();
      layers[i].cost.cycles = cycles;
    }
    if (layers[end - 1].waits)
      stream.waitForAll(end - 1, layers[end - 1].cost);
    begin = end;
  }
  return success();
}

LogicalResult uma::accel::runLayers(MutableArrayRef<LayerToRun> layers,
                                    CommandStream &stream, std::string &problem,
                                    size_t &failed) {
  return LayerRunner(layers, stream).run(problem, failed);
}
