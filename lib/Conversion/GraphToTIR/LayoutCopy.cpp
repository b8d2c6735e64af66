//===- LayoutCopy.cpp - From one layout to another one --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CPULowering.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

void uma::buildZeroHalo(LayerBuilder &b, Value buffer,
                        const BufferLayout &layout) {
  SmallVector<int64_t> shape(getShape(buffer));
  // Where the spatial dimensions stand in the buffer.
  auto getDim = [&](size_t i) -> int64_t {
    return layout.block == 0 ? layout.spatialDims[i] : int64_t(2 + i);
  };
  Value zero = b.constant(getElement(buffer), 0.0);
  auto fill = [&](int64_t dim, int64_t first, int64_t count) {
    if (count == 0)
      return;
    SmallVector<int64_t> extents = shape;
    extents[dim] = count;
    auto dims = llvm::map_to_vector(
        extents, [](int64_t size) { return LayerBuilder::Dim{size}; });
    Access border = b.whole(buffer);
    border.first[dim] = border.first[dim] + first;
    b.loops(extents, [&](ValueRange loopVars) {
      b.block("halo", dims, loopVars, {}, {border}, [&](ValueRange vars) {
        b.storeAt(zero, border, vars);
      });
    });
  };
  for (size_t i = 0; i < layout.spatialDims.size(); ++i) {
    int64_t dim = getDim(i);
    fill(dim, 0, layout.padBegin[i]);
    fill(dim, shape[dim] - layout.padEnd[i], layout.padEnd[i]);
  }
}

void uma::buildLayoutCopy(LayerBuilder &b, ArrayRef<int64_t> shape,
                          const PlacedTensor &from, const PlacedTensor &to) {
  if (to.layout.hasHalo())
    buildZeroHalo(b, to.buffer, to.layout);
  // Channels go block by block, the innermost loop along a block, or, where
  // the target has none, along the target's last dimension.
  int64_t channelDim =
      to.layout.block != 0 ? to.layout.channelDim : from.layout.channelDim;
  int64_t toBlock = to.layout.block, fromBlock = from.layout.block;
  int64_t block = toBlock == 0     ? fromBlock
                  : fromBlock == 0 ? toBlock
                                   : std::min(toBlock, fromBlock);
  SmallVector<int64_t> extents;
  SmallVector<AffineExpr> point(shape.size());
  unsigned next = 0;
  auto addDim = [&](int64_t extent) {
    extents.push_back(extent);
    return b.dim(next++);
  };
  AffineExpr channelBlock, inBlock;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (block != 0 && int64_t(dim) == channelDim) {
      channelBlock = addDim(shape[dim] / block);
      if (toBlock == 0)
        inBlock = addDim(block);
    } else {
      point[dim] = addDim(shape[dim]);
    }
  }
  if (block != 0 && toBlock != 0)
    inBlock = addDim(block);
  if (block != 0)
    point[channelDim] = channelBlock * block + inBlock;
  auto getAccess = [&](const PlacedTensor &tensor) {
    if (tensor.layout.block != 0 && tensor.layout.block == block)
      return Access{tensor.buffer,
                    tensor.layout.getIndices(point, {channelBlock, inBlock})};
    return Access{tensor.buffer, tensor.layout.getIndices(point)};
  };
  Access source = getAccess(from), target = getAccess(to);
  auto dims = llvm::map_to_vector(
      extents, [](int64_t size) { return LayerBuilder::Dim{size}; });
  b.loops(extents, [&](ValueRange loopVars) {
    b.block("copy", dims, loopVars, {source}, {target}, [&](ValueRange vars) {
      b.storeAt(b.load(source.buffer, b.applyAll(source, vars)), target, vars);
    });
  });
}
