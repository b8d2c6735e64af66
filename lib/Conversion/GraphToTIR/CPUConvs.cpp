//===- CPUConvs.cpp - Convolutions as contractions ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Vectors hold channels of one pixel, with the weights packed in that order;
// or, where there are few channels, neighbours in a row of one channel, with
// the roles of data and weights swapped. Groups are a loop around it.
//
//===----------------------------------------------------------------------===//

#include "CPULowering.h"

#include "uma/Support/LayerName.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace uma;

PlacedTensor LayerLowering::requestConvData(const ConvGeometry &conv) {
  Value data = layer.anchor->getOperand(0);
  BufferLayout layout = provider.getCanonical(data).layout;
  if (layout.block == 0 || conv.isPlanar()) {
    layout.block = 0;
    layout.channelDim = conv.names.c;
    layout.spatialDims.assign(conv.names.spatial.begin(),
                              conv.names.spatial.end());
  }
  layout.removeHalo();
  conv.requireHalo(layout);
  return provider.request(data, layout);
}

/// The strides of the weights' dimensions.
static SmallVector<int64_t> getWeightStrides(Operation *op) {
  return computeStrides(
      cast<RankedTensorType>(op->getOperand(1).getType()).getShape());
}

/// The place in the data, but for the channel.
static IndexExprs getDataPlace(const ConvGeometry &conv,
                               const std::array<ConvAxis, 2> &part,
                               AffineExpr image, AffineExpr row,
                               AffineExpr column, ArrayRef<AffineExpr> taps) {
  auto get = [&](unsigned dim, AffineExpr index) {
    const ConvAxis &axis = part[dim];
    return index * axis.dataStride + taps[dim] * axis.dataStep +
           axis.dataOffset;
  };
  AffineExpr y = get(0, row), x = get(1, column);
  return getImagePlace(conv.names, image, y, x);
}

/// The place in the result, but for the channel.
static IndexExprs getResultPlace(const ConvGeometry &conv,
                                 const std::array<ConvAxis, 2> &part,
                                 AffineExpr image, AffineExpr row,
                                 AffineExpr column) {
  return getImagePlace(conv.names, image,
                       row * part[0].resultStride + part[0].resultOffset,
                       column * part[1].resultStride + part[1].resultOffset);
}

/// Whether a pixel of the data is all that a pixel of the result reads, and
/// the data's rows follow each other without a gap.
static bool readsPixels(const ConvGeometry &conv, const BufferLayout &data) {
  return !data.hasHalo() && conv.parts.size() == 1 &&
         llvm::all_of(conv.parts[0], [](const ConvAxis &axis) {
           return axis.taps == 1 && axis.dataStride == 1 &&
                  axis.dataOffset == 0 && axis.resultStride == 1;
         });
}

/// Tells contractions apart that read other data.
static void setWindow(Contraction &c, const std::array<ConvAxis, 2> &part) {
  for (const ConvAxis &axis : part) {
    c.strides.push_back(axis.dataStride);
    c.dilations.push_back(axis.dataStep);
  }
}

/// Changes what the contraction takes for a place in the result into what the
/// layer's operands do.
static void
mapPoints(Contraction &c,
          function_ref<std::function<IndexExprs(const ResultPoint &)>(
              std::function<IndexExprs(const ResultPoint &)>)>
              map) {
  c.result.getIndices = map(c.result.getIndices);
  for (ResultOperand &operand : c.operands)
    operand.getIndices = map(operand.getIndices);
}

//===----------------------------------------------------------------------===//
// Vectors of channels
//===----------------------------------------------------------------------===//

void LayerLowering::lowerConvPart(const ConvGeometry &conv,
                                  const std::array<ConvAxis, 2> &part,
                                  const Argument &data, StringRef name,
                                  bool isFlat) {
  Contraction &c = parts.emplace_back();
  c.label = "conv2d";
  int64_t height = part[0].results, width = part[1].results;
  if (conv.groups != 1)
    c.outer.push_back(conv.groups);
  c.outer.push_back(conv.batch);
  if (!isFlat)
    c.outer.push_back(height);
  c.rows = isFlat ? height * width : width;
  c.channels = conv.getGroupOutputs();
  // The channels of a group are in blocks, or a part of one.
  int64_t resultBlock = getChannelBlock();
  if (resultBlock != 0 && c.channels % resultBlock == 0)
    c.channelBlock = resultBlock;
  int64_t inputs = conv.getGroupInputs(), block = data.layout.block;
  SmallVector<int64_t> strides = getWeightStrides(layer.anchor);
  int64_t y = strides[conv.kernel.spatial[0]];
  int64_t x = strides[conv.kernel.spatial[1]];
  int64_t in = strides[conv.kernel.i], out = strides[conv.kernel.o];
  // Channels of a block last, so that data is read along the block; the blocks
  // first, so that a block stays in the cache for all places of the window.
  bool isBlocked = block != 0 && inputs % block == 0;
  c.reduce = {part[0].taps, part[1].taps, isBlocked ? block : inputs};
  WeightOrder order;
  order.strides = {part[0].tapStep * y, part[1].tapStep * x, in};
  if (isBlocked) {
    c.reduce.insert(c.reduce.begin(), inputs / block);
    order.strides.insert(order.strides.begin(), block * in);
  }
  if (const ConvAxis &rows = part[0]; !isFlat && rows.dataStep > 0)
    c.taps = {isBlocked ? 1u : 0u, c.outer.size() - 1, rows.dataStride,
              rows.dataStep,       rows.dataOffset,    conv.input[0]};
  // Not worth a bound where few rows are of the border.
  if (c.taps && c.getPaddingShare(*c.taps) <= 0.01)
    c.taps.reset();
  order.extents = c.reduce;
  order.offset = part[0].firstTap * y + part[1].firstTap * x;
  order.channels = c.channels;
  order.channelStride = out;
  order.groups = conv.groups;
  order.groupStride = conv.isTransposed ? inputs * in : c.channels * out;
  setWindow(c, part);
  chooseSchedule(c);
  FailureOr<HostTensor> weights = getHostTensor(layer.anchor->getOperand(1));
  partWeights.push_back(addArgument(
      {provider.makeConstant(
           packWeights(*weights, order, c.getPackLayout(), name), name),
       BufferLayout()}));
}

void LayerLowering::buildConvPart(LayerBuilder &b, const ConvGeometry &conv,
                                  size_t number, const Argument &data,
                                  bool isFlat) {
  Contraction &c = parts[number];
  const std::array<ConvAxis, 2> &part = conv.parts[number];
  bool isGrouped = conv.groups != 1;
  unsigned first = isGrouped ? 1 : 0;
  int64_t inputs = conv.getGroupInputs(), outputs = conv.getGroupOutputs();
  bool isBlocked = c.reduce.size() == 4;
  c.data = getBuffer(b, data);
  if (isFlat)
    c.data = flatten(b, c.data, data.layout);
  auto getDataIndices = [&, first, isGrouped, inputs, isBlocked](
                            ArrayRef<AffineExpr> outer, AffineExpr line,
                            AffineExpr row, ArrayRef<AffineExpr> reduce) {
    IndexExprs place = getDataPlace(conv, part, outer[first], line, row,
                                    reduce.slice(isBlocked ? 1 : 0, 2));
    if (isBlocked) {
      AffineExpr channelBlock = reduce[0];
      if (isGrouped)
        channelBlock = outer[0] * (inputs / data.layout.block) + channelBlock;
      return data.layout.getIndices(place, {channelBlock, reduce[3]});
    }
    place[conv.names.c] = isGrouped ? outer[0] * inputs + reduce[2] : reduce[2];
    return data.layout.getIndices(place);
  };
  auto getFlatIndices = [=, &b](ArrayRef<AffineExpr> outer, AffineExpr row,
                                ArrayRef<AffineExpr> reduce) {
    return getDataIndices(outer, b.expr(0), row, reduce);
  };
  c.getDataIndices = getFlatIndices;
  if (!isFlat)
    c.getDataIndices = [=](ArrayRef<AffineExpr> outer, AffineExpr row,
                           ArrayRef<AffineExpr> reduce) {
      return getDataIndices(outer, outer[first + 1], row, reduce);
    };
  if (!isFlat && readsPixels(conv, data.layout)) {
    c.joinedData = flatten(b, c.data, data.layout);
    c.getJoinedIndices = getFlatIndices;
  }
  c.weights = getBuffer(b, partWeights[number]);
  if (isGrouped)
    c.getWeightPrefix = [](ArrayRef<AffineExpr> outer) {
      return IndexExprs{outer[0]};
    };
  auto getPoint = [&, isFlat](const ResultPoint &point) {
    AffineExpr line = isFlat ? b.expr(0) : point.outer[1];
    return getResultPlace(conv, part, point.outer[0], line, point.row);
  };
  int64_t channels = c.channels, channelBlock = c.channelBlock;
  setResult(b, c, getPoint, isFlat);
  c.channels = channels;
  c.channelBlock = channelBlock;
  if (isGrouped) {
    // From the channel in a group to the channel.
    int64_t block = getChannelBlock();
    mapPoints(c, [&](const auto &getIndices) {
      return [=](const ResultPoint &point) {
        ResultPoint mapped = point;
        mapped.outer = point.outer.drop_front();
        AffineExpr group = point.outer[0];
        if (channelBlock != 0)
          mapped.channel.block =
              group * (outputs / channelBlock) + point.channel.block;
        else if (block == 0)
          mapped.channel.inBlock = group * outputs + point.channel.inBlock;
        else
          mapped.channel = {group.floorDiv(block / outputs),
                            (group % (block / outputs)) * outputs +
                                point.channel.inBlock};
        return getIndices(mapped);
      };
    });
  }
  if (interleaving)
    takeTurn(b, c);
  startWithBias(c);
  buildContraction(b, c);
}

//===----------------------------------------------------------------------===//
// Vectors of neighbours
//===----------------------------------------------------------------------===//

void LayerLowering::lowerPlanarConv(const ConvGeometry &conv) {
  Argument data = addArgument(requestConvData(conv));
  Argument weights =
      addArgument(provider.request(layer.anchor->getOperand(1), {}));
  addOperands();
  result = addArgument(provider.getCanonical(layer.getResult()));
  build([&](LayerBuilder &b) {
    if (result.layout.hasHalo())
      buildZeroHalo(b, getBuffer(b, result), result.layout);
    for (const std::array<ConvAxis, 2> &part : conv.parts) {
      Contraction c;
      c.label = "conv2d";
      c.outer = {conv.batch, part[0].results};
      c.reduce = {conv.inChannels, part[0].taps, part[1].taps};
      c.data = getBuffer(b, weights);
      c.getDataIndices = [&](ArrayRef<AffineExpr>, AffineExpr row,
                             ArrayRef<AffineExpr> reduce) {
        IndexExprs place(4);
        place[conv.kernel.o] = row;
        place[conv.kernel.i] = reduce[0];
        for (unsigned dim : {0, 1})
          place[conv.kernel.spatial[dim]] =
              reduce[dim + 1] * part[dim].tapStep + part[dim].firstTap;
        return place;
      };
      c.weights = getBuffer(b, data);
      c.getWeightIndices = [&](ArrayRef<AffineExpr> outer, AffineExpr column,
                               ArrayRef<AffineExpr> reduce) {
        IndexExprs place = getDataPlace(conv, part, outer[0], outer[1], column,
                                        reduce.drop_front());
        place[conv.names.c] = reduce[0];
        return data.layout.getIndices(place);
      };
      auto getPoint = [&](const ResultPoint &point) {
        return getResultPlace(conv, part, point.outer[0], point.outer[1],
                              point.row);
      };
      setResult(b, c, getPoint, /*isFlat=*/false);
      // What a row and a channel are to the contraction is the other way round
      // for the operands.
      c.rows = conv.outChannels;
      c.channels = part[1].results;
      c.channelBlock = 0;
      AffineExpr zero = b.expr(0);
      mapPoints(c, [&](const auto &getIndices) {
        return [=](const ResultPoint &point) {
          return getIndices(
              {point.outer, point.channel.inBlock, {zero, point.row}});
        };
      });
      startWithBias(c);
      setWindow(c, part);
      chooseSchedule(c, "planar_conv2d");
      buildContraction(b, c);
    }
  });
}

//===----------------------------------------------------------------------===//
// Strassen's algorithm
//===----------------------------------------------------------------------===//

void LayerLowering::lowerPixelProduct(graph::Conv2dOp op,
                                      QuarterProduct product) {
  ConvGeometry conv = *ConvGeometry::of(op);
  Argument data = addArgument(requestConvData(conv));
  addOperands();
  result = addArgument(provider.getCanonical(layer.getResult()));
  product.isFlat = canFlatten() && !data.layout.hasHalo();
  product.rows = conv.input[0];
  product.columns = conv.input[1];
  if (product.isFlat)
    product.flatten();
  auto getData = [&](LayerBuilder &b) -> PixelOperand {
    Value buffer = getBuffer(b, data);
    if (product.isFlat)
      buffer = flatten(b, buffer, data.layout);
    return {buffer, [&](AffineExpr image, AffineExpr line, AffineExpr place,
                        ChannelExpr channel) {
              return data.layout.getIndices(
                  getImagePlace(conv.names, image, line, place), channel);
            }};
  };
  SmallVector<int64_t> strides = getWeightStrides(op);
  lowerStrassen(product, op.getWeight(), strides[conv.kernel.i],
                strides[conv.kernel.o], getData, [&](const ResultPoint &point) {
                  return getImagePlace(conv.names, point.outer[0],
                                       point.outer[1], point.row);
                });
}

void LayerLowering::lowerConv() {
  ConvGeometry conv = *ConvGeometry::of(layer.anchor);
  auto op = dyn_cast<graph::Conv2dOp>(layer.anchor);
  if (op && layers.getOptions().winograd &&
      layers.getLayout(op.getData()).block != 0)
    if (int64_t tile = chooseWinogradTile(op.getDims()))
      return lowerWinograd(op, tile);
  if (const QuarterProduct *product = layers.lookupProduct(op))
    return lowerPixelProduct(op, *product);
  if (conv.isPlanar())
    return lowerPlanarConv(conv);
  PlacedTensor placed = requestConvData(conv);
  Argument data = addArgument(placed);
  addOperands();
  result = addArgument(provider.getCanonical(layer.getResult()));
  bool isFlat = canFlatten() && readsPixels(conv, placed.layout);
  std::string name = getLayerName(layer.anchor) + "_packed";
  for (auto [i, part] : llvm::enumerate(conv.parts))
    lowerConvPart(
        conv, part, data,
        conv.parts.size() == 1 ? name : name + "_" + std::to_string(i), isFlat);
  provider.releaseConstant(layer.anchor->getOperand(1));
  if (conv.parts.size() == 1 && conv.batch == 1 && conv.groups == 1)
    interleaveWithReader(parts.front());
  build([&](LayerBuilder &b) {
    if (interleaving)
      beginTurn(b);
    else if (result.layout.hasHalo())
      buildZeroHalo(b, getBuffer(b, result), result.layout);
    for (size_t i = 0; i < conv.parts.size(); ++i)
      buildConvPart(b, conv, i, data, isFlat);
  });
}
