//===- BufferLayout.cpp - Memory layout of a tensor -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/IR/BufferLayout.h"

using namespace mlir;
using namespace uma;

/// Returns the dimension that is neither channel nor spatial.
static int64_t getBatchDim(const BufferLayout &layout, size_t rank) {
  for (int64_t dim = 0; dim < int64_t(rank); ++dim)
    if (dim != layout.channelDim &&
        !llvm::is_contained(layout.spatialDims, dim))
      return dim;
  return 0;
}

BufferLayout BufferLayout::of(LayoutAttr attribute) {
  BufferLayout layout;
  if (!attribute)
    return layout;
  StringRef dims = attribute.getDims().getValue();
  auto find = [&](char letter) { return int64_t(dims.find(letter)); };
  layout.block = attribute.getBlock();
  layout.channelDim = find('C');
  layout.spatialDims = {find('H'), find('W')};
  ArrayRef<int64_t> pad = attribute.getPad();
  layout.padBegin.assign(pad.begin(), pad.begin() + 2);
  layout.padEnd.assign(pad.begin() + 2, pad.end());
  return layout;
}

LayoutAttr BufferLayout::toAttribute(MLIRContext *context) const {
  if (*this == BufferLayout())
    return {};
  std::string dims = "NNNN";
  dims[channelDim] = 'C';
  dims[spatialDims[0]] = 'H';
  dims[spatialDims[1]] = 'W';
  SmallVector<int64_t> pad(padBegin.begin(), padBegin.end());
  llvm::append_range(pad, padEnd);
  return LayoutAttr::get(context, StringAttr::get(context, dims), block, pad);
}

SmallVector<int64_t> BufferLayout::getShape(ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> padded(shape);
  if (block == 0 && !hasHalo())
    return padded;
  for (auto [dim, begin, end] : llvm::zip_equal(spatialDims, padBegin, padEnd))
    padded[dim] += begin + end;
  if (block == 0)
    return padded;
  SmallVector<int64_t> result = {padded[getBatchDim(*this, shape.size())],
                                 padded[channelDim] / block};
  for (int64_t dim : spatialDims)
    result.push_back(padded[dim]);
  result.push_back(block);
  return result;
}

MemRefType BufferLayout::getType(RankedTensorType type) const {
  Type element = type.getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    element = IntegerType::get(type.getContext(), integer.getWidth());
  return MemRefType::get(getShape(type.getShape()), element);
}

bool BufferLayout::isLikeRowMajor(ArrayRef<int64_t> shape) const {
  if (isRowMajor())
    return true;
  if (hasHalo())
    return false;
  // A single channel block is NHWC. A single pixel is the same in any layout.
  bool isPixel =
      llvm::all_of(spatialDims, [&](int64_t dim) { return shape[dim] == 1; });
  bool isChannelLast = channelDim + 1 == int64_t(shape.size());
  return isPixel || (isChannelLast && block == shape[channelDim]);
}

SmallVector<AffineExpr> BufferLayout::getIndices(ArrayRef<AffineExpr> point,
                                                 ChannelExpr channel) const {
  SmallVector<AffineExpr> shifted(point);
  if (!spatialDims.empty() && (block != 0 || hasHalo()))
    for (auto [dim, begin] : llvm::zip_equal(spatialDims, padBegin))
      shifted[dim] = shifted[dim] + begin;
  if (block == 0)
    return shifted;
  SmallVector<AffineExpr> result = {shifted[getBatchDim(*this, point.size())],
                                    channel.block};
  for (int64_t dim : spatialDims)
    result.push_back(shifted[dim]);
  result.push_back(channel.inBlock);
  return result;
}

SmallVector<AffineExpr>
BufferLayout::getIndices(ArrayRef<AffineExpr> point) const {
  if (block == 0)
    return getIndices(point, {});
  return getIndices(
      point, {point[channelDim].floorDiv(block), point[channelDim] % block});
}
