//===- ChannelMap.cpp - Moves of the channels of images -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/ChannelMap.h"

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace uma;

/// Returns the extents of a tensor.
static ArrayRef<int64_t> getTensorShape(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

/// Returns the permutation of one dimension that a transpose between two
/// reshapes computes; std::nullopt if it moves elements otherwise.
static std::optional<ChannelMap> getPermutation(graph::TransposeOp transpose,
                                                ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> parts = getTensorShape(transpose.getData());
  SmallVector<int64_t> strides = computeStrides(shape);
  SmallVector<int64_t> partStrides = computeStrides(parts);
  // Extents and distances in the data, the last part first.
  SmallVector<std::pair<int64_t, int64_t>> open;
  for (int64_t axis : llvm::reverse(transpose.getAxes()))
    if (parts[axis] != 1)
      open.push_back({parts[axis], partStrides[axis]});
  ChannelMap found{-1, {}};
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    // The places in the data, in elements, of the entries of this dimension.
    SmallVector<int64_t, 0> sources = {0};
    while (int64_t(sources.size()) < extent) {
      auto [size, stride] = open.pop_back_val();
      int64_t rest = extent / int64_t(sources.size());
      if (size > rest) {
        // The part belongs to several dimensions.
        if (size % rest != 0)
          return std::nullopt;
        open.push_back({size / rest, stride});
        stride *= size / rest;
        size = rest;
      }
      if (rest % size != 0)
        return std::nullopt;
      SmallVector<int64_t, 0> inner;
      for (int64_t source : sources)
        for (int64_t i = 0; i < size; ++i)
          inner.push_back(source + i * stride);
      sources = std::move(inner);
    }
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
    found.dim = int64_t(dim);
    for (int64_t source : sources)
      found.places.push_back({0, source});
  }
  return found.dim >= 0 ? std::optional(found) : std::nullopt;
}

/// Returns the permutation of the last operator of `ops`, which are a reshape,
/// a transpose and a reshape.
static std::optional<ChannelMap> getPermutation(ArrayRef<Operation *> ops) {
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

/// Returns the only user of an operator's result, in the same block; null if
/// there are several.
static Operation *getOnlyUser(Operation *op) {
  if (op->getNumResults() != 1 || !op->hasOneUse())
    return nullptr;
  Operation *user = *op->user_begin();
  return user->getBlock() == op->getBlock() ? user : nullptr;
}

SmallVector<Operation *, 4> uma::findShuffle(Operation *first) {
  SmallVector<Operation *, 4> ops;
  Operation *next = first;
  if (isa_and_present<graph::ConcatenateOp>(next)) {
    ops.push_back(next);
    next = getOnlyUser(next);
  }
  if (isa_and_present<graph::ReshapeOp>(next)) {
    size_t count = ops.size() + 3;
    for (; next && ops.size() < count; next = getOnlyUser(next))
      ops.push_back(next);
    if (ops.size() < count)
      return {};
  }
  if (isa_and_present<graph::StridedSliceOp>(next)) {
    ops.push_back(next);
    if (ChannelMap::of(ops))
      return ops;
    // A slice of other dimensions is not part of the shuffle.
    ops.pop_back();
  }
  bool isConcat = ops.size() == 1 && isa<graph::ConcatenateOp>(ops.front());
  if (ops.empty() || isConcat || !ChannelMap::of(ops))
    return {};
  return ops;
}

/// Returns the map of a slice of one dimension of an image; std::nullopt if it
/// slices others, too.
static std::optional<ChannelMap> getSlice(graph::StridedSliceOp slice) {
  ArrayRef<int64_t> shape = getTensorShape(slice.getData());
  ChannelMap map{-1, {}};
  if (shape.size() != 4)
    return std::nullopt;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (slice.getSize()[dim] == extent && slice.getStrides()[dim] == 1)
      continue;
    if (map.dim >= 0)
      return std::nullopt;
    map.dim = int64_t(dim);
    for (int64_t i = 0; i < slice.getSize()[dim]; ++i)
      map.places.push_back(
          {0, slice.getBegin()[dim] + i * slice.getStrides()[dim]});
  }
  return map.places.empty() ? std::nullopt : std::optional(map);
}

bool ChannelMap::append(std::optional<ChannelMap> next) {
  if (!next || (dim >= 0 && next->dim != dim))
    return false;
  if (dim >= 0)
    for (ChannelPlace &place : next->places)
      place = places[place.channel];
  *this = std::move(*next);
  return true;
}

std::optional<ChannelMap> ChannelMap::of(ArrayRef<Operation *> ops) {
  ChannelMap map{-1, {}};
  if (auto concat = dyn_cast<graph::ConcatenateOp>(ops.front())) {
    auto axis = int64_t(concat.getAxis());
    auto rank = int64_t(getTensorShape(concat.getResult()).size());
    map.dim = axis + (axis < 0 ? rank : 0);
    for (OpOperand &operand : concat->getOpOperands())
      for (int64_t i = 0; i < getTensorShape(operand.get())[map.dim]; ++i)
        map.places.push_back({operand.getOperandNumber(), i});
    ops = ops.drop_front();
  }
  if (ops.size() >= 3 && isa<graph::ReshapeOp>(ops.front())) {
    if (!map.append(getPermutation(ops.take_front(3))))
      return std::nullopt;
    ops = ops.drop_front(3);
  }
  if (auto slice = ops.empty() ? graph::StridedSliceOp()
                               : dyn_cast<graph::StridedSliceOp>(ops.front()))
    if (!map.append(getSlice(slice)))
      return std::nullopt;
  return map.dim >= 0 ? std::optional(map) : std::nullopt;
}
