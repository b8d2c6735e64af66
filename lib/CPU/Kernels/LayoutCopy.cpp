//===- LayoutCopy.cpp - Copies between layouts ----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LayerLowering.h"
#include "Rows.h"
#include "TiledTranspose.h"

#include "uma/TIR/IR/TIROps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

void uma::buildZeroHalo(LayerBuilder &b, Value buffer,
                        const BufferLayout &layout) {
  ArrayRef<int64_t> shape = getShape(buffer);
  // View the buffer as [outer, rows, columns, inner].
  int64_t rowDim = layout.block == 0 ? layout.spatialDims[0] : 2;
  auto count = [](ArrayRef<int64_t> extents) {
    int64_t product = 1;
    for (int64_t extent : extents)
      product *= extent;
    return product;
  };
  int64_t outer = count(shape.take_front(rowDim));
  int64_t rows = shape[rowDim], columns = shape[rowDim + 1];
  int64_t inner = count(shape.drop_front(rowDim + 2));
  int64_t pitch = columns * inner;
  MemRefType type =
      MemRefType::get({outer, rows * pitch}, uma::getElement(buffer));
  auto [strides, offset] = type.getStridesAndOffset();
  Value flat = memref::ReinterpretCastOp::create(
      b.builder, b.loc, type, buffer, offset, type.getShape(), strides);
  Value zero = b.constant(uma::getElement(buffer), 0.0);
  // Write runs of zeros: before the data, between consecutive rows (the end of
  // one and the beginning of the next are contiguous), and after the data. One
  // loop for all, which threads may share.
  b.loops({outer}, [&](ValueRange outerVars) {
    auto fill = [&](int64_t first, int64_t repeat, int64_t length) {
      if (length == 0 || repeat == 0)
        return;
      Access run{flat, {b.dim(0), b.dim(1) * pitch + b.dim(2) + first}};
      b.loops({repeat, length}, [&](ValueRange loopVars) {
        SmallVector<Value> bindings(outerVars);
        llvm::append_range(bindings, loopVars);
        b.block("halo", {{outer}, {repeat}, {length}}, bindings, {}, {run},
                [&](ValueRange vars) { b.storeAt(zero, run, vars); });
      });
    };
    int64_t top = layout.padBegin[0], left = layout.padBegin[1];
    int64_t bottom = layout.padEnd[0], right = layout.padEnd[1];
    int64_t inside = rows - top - bottom;
    fill(0, 1, top * pitch + left * inner);
    fill(top * pitch + (columns - right) * inner, inside - 1,
         (right + left) * inner);
    fill((top + inside) * pitch - right * inner, 1,
         right * inner + bottom * pitch);
  });
}

namespace {
/// The distances of the elements of an image in a buffer.
struct ImageStrides {
  ImageStrides(ArrayRef<int64_t> shape, const BufferLayout &layout);

  /// Distances between entries of each dimension of the tensor. Blocks of
  /// channels have the distance `block`, channels of a block `channel`.
  SmallVector<int64_t> dims;
  int64_t block = 0, channel = 0;
  /// First element behind the halo.
  int64_t first = 0;
};
} // namespace

ImageStrides::ImageStrides(ArrayRef<int64_t> shape, const BufferLayout &layout)
    : dims(shape.size()) {
  // Buffers are [image, block, row, column, channel], or in the order of the
  // tensor.
  SmallVector<int64_t> strides = computeStrides(layout.getShape(shape));
  if (layout.block == 0) {
    dims = strides;
  } else {
    dims.assign(shape.size(), strides[0]);
    block = dims[layout.channelDim] = strides[1];
    channel = strides[4];
    for (auto [i, dim] : llvm::enumerate(layout.spatialDims))
      dims[dim] = strides[2 + i];
  }
  for (auto [dim, pad] : llvm::zip_equal(layout.spatialDims, layout.padBegin))
    first += pad * dims[dim];
}

/// Copies between planes of pixels and blocks of channels by transposes in
/// registers, if there are enough of both. Returns false if it emits nothing.
static bool transposeBlocks(LayerBuilder &b, ArrayRef<int64_t> shape,
                            const PlacedTensor &from, const PlacedTensor &to) {
  constexpr int64_t widest = 16;
  bool isToBlocks = to.layout.block != 0;
  const BufferLayout &blocked = isToBlocks ? to.layout : from.layout;
  int64_t block = blocked.block, channelDim = blocked.channelDim;
  auto last = int64_t(shape.size()) - 1;
  if (shape.size() != 4 || blocked.spatialDims.back() != last ||
      tir::TransposeOp::getSizes(uma::getElement(from.buffer), widest).empty())
    return false;
  ImageStrides source(shape, from.layout), target(shape, to.layout);
  auto getDim = [&](int64_t dim) {
    return TiledDim{shape[dim], source.dims[dim], target.dims[dim]};
  };
  const ImageStrides &planes = isToBlocks ? source : target;
  TiledDim pixels = getDim(last);
  TiledDim channels{block, source.channel, target.channel};
  (isToBlocks ? channels.sourceStride : channels.targetStride) =
      planes.dims[channelDim];
  auto flatten = [&](Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    return reshapeBuffer(b, buffer, type.getNumElements());
  };
  // Rows without a halo between them are one row.
  int64_t rowDim = blocked.spatialDims.front();
  TiledDim rows = getDim(rowDim);
  if (rows.sourceStride == shape[last] * pixels.sourceStride &&
      rows.targetStride == shape[last] * pixels.targetStride) {
    pixels.extent *= rows.extent;
    rows.extent = 1;
  }
  TiledTranspose transpose{b,
                           flatten(from.buffer),
                           flatten(to.buffer),
                           isToBlocks ? pixels : channels,
                           isToBlocks ? channels : pixels,
                           {},
                           source.first,
                           target.first};
  if (!transpose.isWorthTiling())
    return false;
  TiledDim blocks{shape[channelDim] / block, source.block, target.block};
  (isToBlocks ? blocks.sourceStride : blocks.targetStride) =
      planes.dims[channelDim] * block;
  for (int64_t dim = 0; dim < last; ++dim)
    if (dim != rowDim)
      transpose.others.push_back(dim == channelDim ? blocks : getDim(dim));
  if (rows.extent != 1)
    transpose.others.push_back(rows);
  // Like other layers of images: rows, or pixels where rows are merged.
  size_t count = transpose.others.size();
  transpose.shared = rows.extent != 1 ? count - 1
                     : isToBlocks     ? count
                                      : count + 1;
  transpose.build();
  return true;
}

void uma::buildLayoutCopy(LayerBuilder &b, ArrayRef<int64_t> shape,
                          const PlacedTensor &from, const PlacedTensor &to) {
  if (to.layout.hasHalo())
    buildZeroHalo(b, to.buffer, to.layout);
  // Loop over channel blocks. The innermost loop is along a block, or along the
  // target's last dimension if it has no blocks.
  int64_t channelDim =
      to.layout.block != 0 ? to.layout.channelDim : from.layout.channelDim;
  int64_t toBlock = to.layout.block, fromBlock = from.layout.block;
  // Layers of two data layouts have blocks along different dimensions.
  bool hasOneBlock =
      fromBlock == 0 || from.layout.channelDim != to.layout.channelDim;
  int64_t block = toBlock == 0  ? fromBlock
                  : hasOneBlock ? toBlock
                                : std::min(toBlock, fromBlock);
  SmallVector<int64_t> extents;
  SmallVector<AffineExpr> point(shape.size());
  unsigned next = 0;
  auto addDim = [&](int64_t extent) {
    extents.push_back(extent);
    return b.dim(next++);
  };
  AffineExpr channelBlock, inBlock;
  size_t last = shape.size() - 1;
  // If channels are contiguous on one side and pixels on the other one, tiles
  // use whole cache lines of both.
  bool isTransposed =
      (toBlock == 0) != (fromBlock == 0) && channelDim != int64_t(last);
  if (isTransposed && transposeBlocks(b, shape, from, to))
    return;
  constexpr int64_t mostPixels = 256;
  int64_t channels =
      isTransposed ? getLargestDivisor(block, lineElements) : block;
  int64_t pixels =
      isTransposed ? getLargestDivisor(shape[last], mostPixels) : 1;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (block != 0 && int64_t(dim) == channelDim) {
      channelBlock = addDim(shape[dim] / block);
      if (isTransposed)
        inBlock = addDim(block / channels) * channels;
      else if (toBlock == 0)
        inBlock = addDim(block);
    } else {
      bool isTiled = isTransposed && dim == last;
      point[dim] = addDim(isTiled ? shape[dim] / pixels : shape[dim]);
    }
  }
  if (isTransposed) {
    AffineExpr outer = point[last] * pixels,
               first = addDim(toBlock == 0 ? channels : pixels);
    AffineExpr second = addDim(toBlock == 0 ? pixels : channels);
    inBlock = inBlock + (toBlock == 0 ? first : second);
    point[last] = outer + (toBlock == 0 ? second : first);
  } else if (block != 0 && toBlock != 0) {
    inBlock = addDim(block);
  }
  if (block != 0)
    point[channelDim] = channelBlock * block + inBlock;
  auto getAccess = [&](const PlacedTensor &tensor) {
    if (tensor.layout.block != 0 && tensor.layout.block == block &&
        tensor.layout.channelDim == channelDim)
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
