//===- WantedLayouts.cpp - Layouts that kernels require -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/WantedLayouts.h"

#include "uma/CPU/Model/ConvGeometry.h"
#include "uma/CPU/Model/TileInstructions.h"

using namespace mlir;
using namespace uma;
using Kind = CPULayer::Kind;

OperandRange uma::getMoved(const CPULayer &layer) {
  OperandRange operands = layer.anchor->getOperands();
  return layer.kind == Kind::Interpolate ? operands.take_front(1) : operands;
}

bool uma::isPlanar(const CPULayer &layer) {
  if (layer.kind != Kind::Conv)
    return false;
  if (KernelAttr kernel = layer.getKernel())
    return kernel.getAlgorithm() == Algorithm::Planar;
  return ConvGeometry::of(layer.anchor)->isPlanar();
}

bool uma::fitsLayout(const BufferLayout &layout, const BufferLayout &wanted) {
  // All row-major layouts without a halo are equal, whatever their dimension
  // names.
  if (wanted.isRowMajor())
    return layout.isRowMajor();
  if (layout.block != wanted.block || layout.channelDim != wanted.channelDim ||
      layout.spatialDims != wanted.spatialDims)
    return false;
  for (size_t i = 0; i < wanted.padBegin.size(); ++i)
    if (layout.padBegin[i] < wanted.padBegin[i] ||
        layout.padEnd[i] < wanted.padEnd[i])
      return false;
  return true;
}

/// Returns whether a convolution is faster with a copy of row-major data in
/// blocks of channels. Channels in planes are far apart, each in a page of its
/// own. Measured: the convolution loses a quarter of its time to them, and
/// copying an element takes as long as 64 products; padding needs a copy
/// anyway.
static bool wantsBlocks(const ConvGeometry &conv) {
  constexpr int64_t block = 16, leastProducts = 256;
  if (conv.groups != 1 || conv.isTransposed || conv.inChannels % block != 0 ||
      conv.names.c != 1)
    return false;
  const std::array<ConvAxis, 2> &part = conv.parts.front();
  int64_t products = conv.outChannels;
  for (auto [axis, extent] : llvm::zip_equal(part, conv.input))
    products = products * axis.taps * axis.results / extent;
  BufferLayout halo;
  conv.requireHalo(halo);
  return products * (halo.hasHalo() ? 2 : 1) >= leastProducts;
}

/// Returns the layout in which a convolution reads data that is stored in
/// `stored`.
static BufferLayout getConvLayout(const CPULayer &layer, BufferLayout stored) {
  ConvGeometry conv = *ConvGeometry::of(layer.anchor);
  // Blocks along another dimension, from a layer of another data layout, are no
  // blocks of channels.
  if (isPlanar(layer) || stored.channelDim != conv.names.c)
    stored.block = 0;
  // The integers of a word are channels of one pixel. A group has whole blocks,
  // or one block has all groups.
  int64_t inputs = conv.getGroupInputs();
  if (int64_t wordSize = layer.getWordSize();
      wordSize != 1 &&
      (stored.block == 0 || stored.block % wordSize != 0 ||
       (stored.block != conv.inChannels && inputs % stored.block != 0))) {
    bool isWhole = inputs % 16 != 0;
    stored.block = isWhole ? conv.inChannels : 16;
    auto data = cast<RankedTensorType>(layer.anchor->getOperand(0).getType());
    auto module = layer.getFunction()->getParentOfType<ModuleOp>();
    int64_t tile =
        getTileBlock(data.getElementType(), accel::getTileInstructions(module));
    if (tile != 0)
      stored.block = inputs % tile == 0 ? tile : conv.inChannels;
  }
  if (stored.block == 0 && layer.getWordSize() == 1 && !isPlanar(layer) &&
      wantsBlocks(conv))
    stored.block = 16;
  stored.channelDim = conv.names.c;
  stored.spatialDims.assign(conv.names.spatial.begin(),
                            conv.names.spatial.end());
  stored.removeHalo();
  conv.requireHalo(stored);
  return stored;
}

/// Returns the layout in which a move of channels reads data that is stored in
/// `stored`: any blocks of channels.
static BufferLayout getMovedLayout(Value data, const BufferLayout &stored,
                                   BufferLayout result) {
  if (stored.block != 0 && stored.channelDim == result.channelDim &&
      stored.spatialDims == result.spatialDims)
    return stored;
  auto type = cast<RankedTensorType>(data.getType());
  int64_t channels = type.getDimSize(result.channelDim);
  if (result.block == 0 || channels % result.block != 0)
    result.block = channels;
  return result;
}

SmallVector<WantedLayout>
uma::getWantedLayouts(const CPULayer &layer,
                      function_ref<BufferLayout(Value argument)> getStored) {
  SmallVector<WantedLayout> wanted;
  BufferLayout result, whole;
  if (layer.kind != Kind::Recurrent)
    whole = result = layer.getResultLayout();
  whole.removeHalo();
  Operation *anchor = layer.anchor;
  switch (layer.kind) {
  case Kind::Conv: {
    Value data = anchor->getOperand(0);
    wanted.push_back({data, getConvLayout(layer, getStored(data))});
    break;
  }
  case Kind::Depthwise: {
    BufferLayout layout = whole;
    ConvGeometry conv = *ConvGeometry::of(anchor);
    if (!conv.skipsPadding())
      conv.requireHalo(layout);
    wanted.push_back({anchor->getOperand(0), layout});
    break;
  }
  case Kind::Pool:
    wanted.push_back({anchor->getOperand(0), whole});
    break;
  case Kind::Concatenate:
  case Kind::Shuffle:
  case Kind::Interpolate: {
    bool movesChannels = layer.getChannelMap(whole.channelDim).has_value();
    for (Value data : getMoved(layer))
      wanted.push_back({data, movesChannels
                                  ? getMovedLayout(data, getStored(data), whole)
                                  : whole});
    break;
  }
  case Kind::Matrix:
  case Kind::Recurrent:
  case Kind::Elementwise:
  case Kind::ByteSum:
  case Kind::ByteProduct:
  case Kind::ByteWindow:
    break;
  }
  for (const LayerOperand &operand : layer.getOperands()) {
    // Operands have channel blocks if the result has.
    bool isBlocked = result.block != 0 && operand.dims.size() == 4 &&
                     operand.dims[result.channelDim] == result.channelDim;
    if (isBlocked)
      wanted.push_back({operand.tensor, whole});
  }
  return wanted;
}
