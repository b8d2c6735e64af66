//===- ChannelMap.cpp - Moves of the channels of images -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/ChannelMap.h"

#include "uma/Graph/IR/GraphOps.h"

using namespace mlir;
using namespace uma;

/// Returns the extents of a tensor.
static ArrayRef<int64_t> getTensorShape(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

static SmallVector<int64_t> getStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

namespace {
/// A permutation of the entries of one dimension.
struct Permutation {
  int64_t dim = -1;
  SmallVector<int64_t, 0> sources;
};
} // namespace

/// Returns the permutation of one dimension that a transpose between two
/// reshapes computes; std::nullopt if it moves elements otherwise.
static std::optional<Permutation> getPermutation(graph::TransposeOp transpose,
                                                 ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> parts = getTensorShape(transpose.getData());
  SmallVector<int64_t> strides = getStrides(shape);
  SmallVector<int64_t> partStrides = getStrides(parts);
  SmallVector<int64_t> axes;
  for (int64_t axis : transpose.getAxes())
    if (parts[axis] != 1)
      axes.push_back(axis);
  Permutation found;
  auto *next = axes.begin();
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    // The places in the data, in elements, of the entries of this dimension.
    SmallVector<int64_t, 0> sources = {0};
    while (next != axes.end() && int64_t(sources.size()) < extent) {
      SmallVector<int64_t, 0> inner;
      for (int64_t source : sources)
        for (int64_t i = 0; i < parts[*next]; ++i)
          inner.push_back(source + i * partStrides[*next]);
      sources = std::move(inner);
      ++next;
    }
    if (int64_t(sources.size()) != extent)
      return std::nullopt;
    bool isIdentity = true;
    for (auto [i, source] : llvm::enumerate(sources)) {
      if (source % strides[dim] != 0)
        return std::nullopt;
      source /= strides[dim];
      isIdentity &= source == int64_t(i);
      if (source >= extent)
        return std::nullopt;
    }
    if (isIdentity)
      continue;
    if (found.dim >= 0)
      return std::nullopt;
    found = {int64_t(dim), std::move(sources)};
  }
  return found.dim >= 0 ? std::optional(found) : std::nullopt;
}

/// Returns the permutation of the last operator of `ops`, which are a reshape,
/// a transpose and a reshape.
static std::optional<Permutation> getPermutation(ArrayRef<Operation *> ops) {
  auto split = dyn_cast<graph::ReshapeOp>(ops[0]);
  auto transpose = dyn_cast<graph::TransposeOp>(ops[1]);
  auto merge = dyn_cast<graph::ReshapeOp>(ops[2]);
  if (!split || !transpose || !merge ||
      transpose.getData() != split.getResult() ||
      merge.getData() != transpose.getResult())
    return std::nullopt;
  ArrayRef<int64_t> shape = getTensorShape(split.getData());
  if (shape.size() != 4 || getTensorShape(merge.getResult()) != shape ||
      llvm::is_contained(shape, 0))
    return std::nullopt;
  return getPermutation(transpose, shape);
}

SmallVector<Operation *, 4> uma::findShuffle(Operation *first) {
  SmallVector<Operation *, 4> ops = {first};
  size_t count = isa<graph::ConcatenateOp>(first) ? 4 : 3;
  while (ops.size() < count) {
    Operation *last = ops.back();
    if (last->getNumResults() != 1 || !last->hasOneUse())
      return {};
    Operation *user = *last->user_begin();
    if (user->getBlock() != first->getBlock())
      return {};
    ops.push_back(user);
  }
  if (!ChannelMap::of(ops))
    return {};
  return ops;
}

std::optional<ChannelMap> ChannelMap::of(ArrayRef<Operation *> ops) {
  ChannelMap map{-1, {}};
  auto concat = dyn_cast<graph::ConcatenateOp>(ops.front());
  if (concat) {
    auto rank = int64_t(getTensorShape(concat.getResult()).size());
    map.dim = concat.getAxis() + (concat.getAxis() < 0 ? rank : 0);
    for (OpOperand &operand : concat->getOpOperands())
      for (int64_t i = 0; i < getTensorShape(operand.get())[map.dim]; ++i)
        map.places.push_back({operand.getOperandNumber(), i});
  }
  ArrayRef<Operation *> rest = ops.drop_front(concat ? 1 : 0);
  bool isShuffle = !rest.empty() && isa<graph::ReshapeOp>(rest.front());
  if (!isShuffle)
    return concat ? std::optional(map) : std::nullopt;
  std::optional<Permutation> permutation =
      rest.size() == 3 ? getPermutation(rest) : std::nullopt;
  if (!permutation)
    return std::nullopt;
  if (!concat) {
    map.dim = permutation->dim;
    for (int64_t source : permutation->sources)
      map.places.push_back({0, source});
    return map;
  }
  if (permutation->dim != map.dim ||
      rest.front()->getOperand(0) != concat.getResult())
    return std::nullopt;
  SmallVector<ChannelPlace, 0> places;
  for (int64_t source : permutation->sources)
    places.push_back(map.places[source]);
  map.places = std::move(places);
  return map;
}
