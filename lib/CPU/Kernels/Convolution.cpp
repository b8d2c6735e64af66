//===- Convolution.cpp - Convolutions as contractions ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Vectors hold channels of one pixel; weights are packed accordingly. Groups
// are an outer loop, and so are tiles if the convolution is tiled together with
// its consumer.
//
//===----------------------------------------------------------------------===//

#include "LayerLowering.h"
#include "Rows.h"
#include "TileProducer.h"

#include "uma/Support/LayerName.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

SmallVector<int64_t> uma::getWeightStrides(Operation *op) {
  return computeStrides(
      cast<RankedTensorType>(op->getOperand(1).getType()).getShape());
}

namespace {
class Convolution : public LayerLowering {
public:
  Convolution(const CPULayer &layer, const LayerNeighbours &neighbours,
              BufferProvider &provider)
      : LayerLowering(layer, provider), reader(neighbours.reader) {
    if (neighbours.producer)
      producer.emplace(*neighbours.producer, provider);
  }
  void lower() override;

private:
  /// Adds the packed weights of a part.
  Argument addWeights(const Contraction &c, const std::array<ConvAxis, 2> &part,
                      StringRef name);
  /// Replaces the result by a rolling buffer, if it is tiled with the consumer.
  void startPair();
  void buildPart(LayerBuilder &b, const std::array<ConvAxis, 2> &part,
                 Contraction &c, std::optional<Argument> data,
                 const Argument &weights);
  /// Maps the channels of a group to those of the tensor.
  void mapGroups(Contraction &c);
  /// Begins a tile of the producer: copies the kept rows of the previous tile,
  /// and clears the halo.
  void beginTile(LayerBuilder &b);
  /// Restricts `c` to one tile.
  void takeTile(LayerBuilder &b, Contraction &c) const;

  const CPULayer *reader;
  std::optional<TileProducer> producer;
  ConvGeometry conv = *ConvGeometry::of(layer.anchor);
  bool flat = isFlat(layer, conv);
  TilePair tiles;
};
} // namespace

LayerLowering::Argument
Convolution::addWeights(const Contraction &c,
                        const std::array<ConvAxis, 2> &part, StringRef name) {
  SmallVector<int64_t> strides = getWeightStrides(layer.anchor);
  int64_t y = strides[conv.kernel.spatial[0]];
  int64_t x = strides[conv.kernel.spatial[1]];
  int64_t in = strides[conv.kernel.i], out = strides[conv.kernel.o];
  WeightOrder order;
  order.extents = c.reduce;
  order.wordSize = c.wordSize;
  order.wordStride = in;
  order.strides = {part[0].tapStep * y, part[1].tapStep * x, c.wordSize * in};
  // The loop over channel blocks is outside of the window.
  if (c.reduce.size() == 4)
    order.strides.insert(order.strides.begin(),
                         c.reduce.back() * c.wordSize * in);
  order.offset = part[0].firstTap * y + part[1].firstTap * x;
  order.channels = c.channels;
  order.channelStride = out;
  order.groups = conv.groups;
  order.groupStride =
      conv.isTransposed ? conv.getGroupInputs() * in : c.channels * out;
  return addConstant(packWeights(getHostTensor(layer.anchor->getOperand(1)),
                                 order, c.getPackLayout(), name),
                     name);
}

void Convolution::mapGroups(Contraction &c) {
  int64_t block = layer.getChannelBlock(), channelBlock = c.channelBlock;
  int64_t outputs = conv.getGroupOutputs();
  auto map =
      [&](const std::function<IndexExprs(const ResultPoint &)> &getIndices) {
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
      };
  c.result.getIndices = map(c.result.getIndices);
  for (ResultOperand &operand : c.operands)
    operand.getIndices = map(operand.getIndices);
}

void Convolution::buildPart(LayerBuilder &b,
                            const std::array<ConvAxis, 2> &part, Contraction &c,
                            std::optional<Argument> data,
                            const Argument &weights) {
  if (data) {
    c.data = getBuffer(b, *data);
    if (flat)
      c.data = flatten(b, c.data, data->layout);
    if (c.getJoinedIndices)
      c.joinedData = flatten(b, c.data, data->layout);
  } else {
    auto getPlace = [this, zero = b.expr(0)](const ResultPoint &point) {
      return getImagePlace(conv.names, point.outer[0],
                           flat ? zero : point.outer[1], point.row);
    };
    c.producer = producer->get(b, parameters, getPlace, flat);
  }
  c.weights = getBuffer(b, weights);
  if (c.wordSize != 1) {
    c.data = b.words(c.data);
    if (c.joinedData)
      c.joinedData = b.words(c.joinedData);
    c.weights = b.words(c.weights);
  }
  auto getPoint = [&](const ResultPoint &point) {
    AffineExpr line = flat ? b.expr(0) : point.outer[1];
    return getResultPlace(conv, part, point.outer[0], line, point.row);
  };
  int64_t channels = c.channels, channelBlock = c.channelBlock;
  setResult(b, c, getPoint, flat);
  c.channels = channels;
  c.channelBlock = channelBlock;
  if (conv.groups != 1)
    mapGroups(c);
  if (pair)
    takeTile(b, c);
  startWithBias(c);
  buildContraction(b, c);
}

//===----------------------------------------------------------------------===//
// Producer-consumer tiling
//===----------------------------------------------------------------------===//

void Convolution::startPair() {
  TilePairAttr attribute = layer.getTilePair();
  if (!attribute)
    return;
  between = layer.getOutside(layer.getResult());
  TilePair plan =
      TilePair::get(attribute.getPacks(), attribute.getSlabs(), layer, *reader);
  arguments[result.index] = provider.startPair(between, plan).buffer;
  pair = provider.getPair(between);
}

void Convolution::beginTile(LayerBuilder &b) {
  Value buffer = getBuffer(b, result);
  BufferLayout border = result.layout;
  if (tileVars.slab) {
    // Copy whole rows.
    const TilePair &plan = *pair;
    ArrayRef<int64_t> shape = uma::getShape(buffer);
    int64_t blocks = shape[1], pitch = shape[3] * shape[4];
    Value lines = reshapeBuffer(b, buffer, {blocks, shape[2], pitch});
    Access target{lines, {b.dim(0), b.dim(1), b.dim(2)}};
    Access source = target;
    source.first[1] = source.first[1] + plan.writerRows;
    b.loops({blocks, plan.keptRows, pitch}, [&](ValueRange loopVars) {
      SmallVector<Value> bindings(loopVars);
      bindings.push_back(tileVars.slab);
      b.block("kept_rows", {{blocks}, {plan.keptRows}, {pitch}, {plan.slabs}},
              bindings, {source}, {target}, [&](ValueRange vars) {
                Value first = b.index(0);
                Value isLater = b.lessThan(first, vars[3]);
                Value zero = b.constant(uma::getElement(buffer), 0.0);
                Value value = b.guarded({isLater}, zero, [&]() -> Value {
                  return b.load(lines, b.applyAll(source, vars));
                });
                b.storeAt(value, target, vars);
              });
    });
    border.padBegin[0] = border.padEnd[0] = 0;
  }
  if (border.hasHalo())
    buildZeroHalo(b, buffer, border);
}

void Convolution::takeTile(LayerBuilder &b, Contraction &c) const {
  c.isParallel = false;
  c.tileVars = tileVars;
  if (tileVars.slab) {
    Value rows = b.index(pair->writerRows);
    c.range = {arith::MulIOp::create(b.builder, b.loc, tileVars.slab, rows),
               pair->writerRows};
  }
  bool hasRows = c.outer.size() == 2;
  c.result.getIndices = [plan = *pair, hasRows,
                         getIndices =
                             c.result.getIndices](const ResultPoint &point) {
    IndexExprs outer(point.outer);
    ArrayRef<AffineExpr> tile = point.outer.drop_front(hasRows ? 2 : 1);
    if (hasRows)
      outer[1] = plan.getRow(outer[1], plan.writerRows, tile);
    AffineExpr block = plan.getBlock(point.channel.block, tile);
    return getIndices({outer, point.row, {block, point.channel.inBlock}});
  };
}

void Convolution::lower() {
  std::optional<Argument> data;
  if (producer)
    producer->addTo(arguments);
  else
    data = addArgument(layer.getData());
  addOperands();
  addResult();
  std::string name = getLayerName(layer.anchor) + "_packed";
  std::vector<Contraction> parts;
  SmallVector<Argument, 1> weights;
  for (auto [i, part] : llvm::enumerate(conv.parts)) {
    parts.push_back(getContraction(i));
    weights.push_back(addWeights(
        parts.back(), part,
        conv.parts.size() == 1 ? name : name + "_" + std::to_string(i)));
  }
  releaseConstant(layer.anchor->getOperand(1));
  startPair();
  build([&](LayerBuilder &b) {
    if (pair)
      beginTile(b);
    else
      buildBorder(b);
    for (size_t i = 0; i < parts.size(); ++i)
      buildPart(b, conv.parts[i], parts[i], data, weights[i]);
  });
  if (producer)
    producer->addNames(function);
}

LayerLoweringPtr uma::createConvolution(const CPULayer &layer,
                                        const LayerNeighbours &neighbours,
                                        BufferProvider &provider) {
  return std::make_unique<Convolution>(layer, neighbours, provider);
}
