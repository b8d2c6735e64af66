//===- Depthwise.cpp - Depthwise convolutions -----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A tile is several neighbouring windows in a row, for a vector of channels.
// Its sums are values of one block. Each vector of data is used by all windows
// that contain it.
//
// Small images have no halo: rows and tiles that touch padding have loops of
// their own, which skip it.
//
//===----------------------------------------------------------------------===//

#include "LayerLowering.h"

#include "uma/Support/LayerName.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

namespace {
/// Properties of a depthwise convolution that all versions share.
struct Depthwise {
  graph::ConvDims dims;
  graph::WindowLayout names;
  /// Channels per block.
  int64_t block;
  BufferLayout dataLayout;
  Value data, taps;
  /// Result, operands and epilogue.
  Contraction *contraction;
  /// The current tile, if the convolution is tiled with its producer.
  const TilePair *pair;
  TileVars tileVars;
  /// Whether padding is skipped instead of read as zeros.
  bool skipsPadding;

  int64_t getHeight() const { return dims.window.getOutput(0); }
  int64_t getWidth() const { return dims.window.getOutput(1); }
};

/// The half-open range [begin, end).
struct TapRange {
  int64_t begin, end;

  bool operator==(const TapRange &other) const {
    return begin == other.begin && end == other.end;
  }
};

/// Builds the loops for one instruction set.
class DepthwiseBuilder {
public:
  DepthwiseBuilder(LayerBuilder &b, const Depthwise &conv, VersionAttr version)
      : b(b), conv(conv), window(conv.dims.window), c(*conv.contraction),
        vectors(conv.block, version.getLanes()), count(version.getRows()),
        numSums(version.getSums()),
        columns((count - 1) * window.strides[1] + window.getExtent(1)) {}

  void build();

private:
  /// Iteration variables of the block, followed by those of the tile and the
  /// lane.
  enum : unsigned { Image, ChannelBlock, Channel, Row, FirstWindow, FirstTile };

  ResultPoint getPoint(int64_t i, AffineExpr inBlock) const {
    return {outer, b.dim(FirstWindow) + i, {b.dim(ChannelBlock), inBlock}};
  }
  /// Returns the data in row `tap` of the windows, `column` places after the
  /// first one that the tile reads.
  Access getData(int64_t tap, int64_t column, AffineExpr inBlock) const;
  Access getTap(int64_t y, int64_t x, AffineExpr inBlock) const {
    return {conv.taps,
            {b.dim(ChannelBlock), b.expr(y * window.kernel[1] + x), inBlock}};
  }
  /// Returns the part of `count` places from `first` on that is inside of an
  /// image of `extent`; all places if padding is read as zeros.
  TapRange getSeen(int64_t first, int64_t count, int64_t extent) const {
    if (!conv.skipsPadding)
      return {0, count};
    return {std::max<int64_t>(0, -first), std::min(count, extent - first)};
  }
  /// Emits a loop for each run of indices below `extent` with equal `getRange`,
  /// and sets `range` to that value.
  void buildRuns(int64_t extent, TapRange &range,
                 function_ref<TapRange(int64_t)> getRange,
                 function_ref<void(Value)> body);
  /// Emits a parallel loop over rows with a condition for each run.
  void buildParallelRuns(int64_t extent, TapRange &range,
                         function_ref<TapRange(int64_t)> getRange,
                         function_ref<void(Value)> body);
  /// Emits `body` for the first window of each tile of a row; the last tile may
  /// overlap the previous one.
  void buildRowTiles(function_ref<void(Value)> body);
  /// Emits a tile of `count` windows, starting at the one that `bindings` name.
  void buildTile(ValueRange bindings);
  /// Emits the tile for one lane, which is the last one of `vars`.
  void buildVector(ValueRange vars);

  LayerBuilder &b;
  const Depthwise &conv;
  const graph::Window &window;
  const Contraction &c;
  VectorLoop vectors;
  /// Windows per tile, accumulators per window (used by rows of the window in
  /// turn), and columns of data that a tile reads.
  int64_t count, numSums, columns;
  /// Rows of the window, and columns of the tile, that read data.
  TapRange taps = {0, window.kernel[0]}, seen = {0, columns};
  IndexExprs outer = {b.dim(Image), b.dim(Row)};
};
} // namespace

Access DepthwiseBuilder::getData(int64_t tap, int64_t column,
                                 AffineExpr inBlock) const {
  AffineExpr row = b.dim(Row), block = b.dim(ChannelBlock);
  if (conv.pair) {
    SmallVector<AffineExpr, 2> tile;
    for (size_t i = 0; i < conv.tileVars.getLoops().size(); ++i)
      tile.push_back(b.dim(FirstTile + i));
    row = conv.pair->getRow(row, conv.pair->readerRows, tile);
    block = conv.pair->getBlock(block, tile);
  }
  AffineExpr y =
      row * window.strides[0] + tap * window.dilations[0] - window.padBegin[0];
  AffineExpr x =
      b.dim(FirstWindow) * window.strides[1] + column - window.padBegin[1];
  IndexExprs place = getImagePlace(conv.names, b.dim(Image), y, x);
  return {conv.data, conv.dataLayout.getIndices(place, {block, inBlock})};
}

void DepthwiseBuilder::buildVector(ValueRange vars) {
  Type type = b.builder.getF32Type();
  AffineExpr inBlock = b.dim(Channel) + b.dim(vars.size() - 1);
  Value start = c.start ? b.loadAt(type,
                                   {c.start->buffer,
                                    c.start->getIndices(getPoint(0, inBlock))},
                                   vars)
                        : b.constant(type, 0.0);
  SmallVector<Value> sums[] = {SmallVector<Value>(count, start),
                               SmallVector<Value>(count)};
  for (int64_t y = taps.begin; y < taps.end; ++y) {
    SmallVector<Value> &rowSums = sums[y % numSums];
    SmallVector<Value> weights;
    for (int64_t x = 0; x < window.kernel[1]; ++x)
      weights.push_back(b.loadAt(type, getTap(y, x, inBlock), vars));
    for (int64_t column = seen.begin; column < seen.end; ++column) {
      Value element;
      for (int64_t x = 0; x < window.kernel[1]; ++x) {
        int64_t offset = column - x * window.dilations[1];
        int64_t i = offset / window.strides[1];
        if (offset < 0 || offset % window.strides[1] != 0 || i >= count)
          continue;
        if (!element)
          element = b.loadAt(type, getData(y, column, inBlock), vars);
        Value product = b.mul(element, weights[x]);
        rowSums[i] = rowSums[i] ? b.add(product, rowSums[i]) : product;
      }
    }
  }
  for (int64_t i = 0; i < count; ++i) {
    Value sum = sums[0][i];
    if (Value rest = sums[1][i])
      sum = b.add(rest, sum);
    storeResult(b, c, sum, getPoint(i, inBlock), vars);
  }
}

void DepthwiseBuilder::buildTile(ValueRange bindings) {
  AffineExpr channel = b.dim(Channel);
  Access data = getData(taps.begin, seen.begin, channel);
  int64_t rows = (taps.end - taps.begin - 1) * window.dilations[0] + 1;
  data.extents = {1, 1, rows, seen.end - seen.begin, vectors.lanes};
  Access weights = getTap(0, 0, channel);
  weights.extents = {1, window.kernel[0] * window.kernel[1], vectors.lanes};
  Access writes =
      getVectorRegion(c.result, getPoint(0, channel), vectors.lanes);
  writes.extents[3] = count;
  SmallVector<Access> reads = {data, weights};
  for (const ResultOperand &operand : c.operands)
    reads.push_back(b.anywhere(operand.buffer));
  SmallVector<LayerBuilder::Dim> dims = {{conv.dims.batch},
                                         {conv.dims.outChannels / conv.block},
                                         {conv.block},
                                         {conv.getHeight()},
                                         {conv.getWidth()}};
  SmallVector<Value> all(bindings);
  for (auto [var, extent] : conv.tileVars.getLoops()) {
    dims.push_back({extent});
    all.push_back(var);
  }
  b.block("depthwise_conv2d", dims, all, reads, {writes}, [&](ValueRange vars) {
    buildLanes(b, vars, vectors.lanes,
               [&](ValueRange vars) { buildVector(vars); });
  });
}

/// Calls `body` for each run [first, next) of indices below `extent` with equal
/// `getRange`, with `range` set to that value.
static void forEachRun(int64_t extent, TapRange &range,
                       function_ref<TapRange(int64_t)> getRange,
                       function_ref<void(int64_t, int64_t)> body) {
  for (int64_t first = 0, next; first < extent; first = next) {
    range = getRange(first);
    next = first + 1;
    while (next < extent && getRange(next) == range)
      ++next;
    body(first, next);
  }
}

void DepthwiseBuilder::buildRuns(int64_t extent, TapRange &range,
                                 function_ref<TapRange(int64_t)> getRange,
                                 function_ref<void(Value)> body) {
  forEachRun(extent, range, getRange, [&](int64_t first, int64_t next) {
    buildLoop(b, next - first, tir::ForKind::Serial, [&](Value index) {
      if (first != 0) {
        Value before = b.index(first);
        index = arith::AddIOp::create(b.builder, b.loc, before, index);
      }
      body(index);
    });
  });
}

void DepthwiseBuilder::buildParallelRuns(
    int64_t extent, TapRange &range, function_ref<TapRange(int64_t)> getRange,
    function_ref<void(Value)> body) {
  buildLoop(b, extent, tir::ForKind::Parallel, [&](Value index) {
    forEachRun(extent, range, getRange, [&](int64_t first, int64_t next) {
      if (next == extent)
        return body(index);
      Value end = b.index(next);
      Value isInside = arith::CmpIOp::create(
          b.builder, b.loc, arith::CmpIPredicate::slt, index, end);
      auto choice = scf::IfOp::create(b.builder, b.loc, isInside,
                                      /*withElseRegion=*/true);
      b.builder.setInsertionPointToStart(choice.thenBlock());
      body(index);
      b.builder.setInsertionPointToStart(choice.elseBlock());
    });
  });
}

void DepthwiseBuilder::buildRowTiles(function_ref<void(Value)> body) {
  int64_t width = conv.getWidth(), last = width - count;
  auto getColumns = [&](int64_t tile) {
    int64_t start = std::min(tile * count, last) * window.strides[1];
    return getSeen(start - window.padBegin[1], columns, window.input[1]);
  };
  int64_t tiles = int64_t(llvm::divideCeil(width, count));
  buildRuns(tiles, seen, getColumns, [&](Value tile) {
    Value size = b.index(count);
    Value start = arith::MulIOp::create(b.builder, b.loc, tile, size);
    if (width % count != 0) {
      Value most = b.index(last);
      start = arith::MinSIOp::create(b.builder, b.loc, start, most);
    }
    body(start);
  });
}

void DepthwiseBuilder::build() {
  const TilePair *pair = conv.pair;
  int64_t blocks = pair ? pair->blocks : conv.dims.outChannels / conv.block;
  int64_t height =
      pair && pair->slabs != 1 ? pair->readerRows : conv.getHeight();
  // Maps an index in a tile to one of the whole tensor.
  auto getWhole = [&](Value index, Value tile, int64_t extent) -> Value {
    if (!tile)
      return index;
    Value size = b.index(extent);
    Value first = arith::MulIOp::create(b.builder, b.loc, tile, size);
    return arith::AddIOp::create(b.builder, b.loc, first, index);
  };
  std::optional<size_t> shared;
  if (!pair)
    shared =
        chooseParallelRows(conv.dims.batch, blocks, height, conv.getWidth());
  auto buildRows = [&](function_ref<void(Value)> body) {
    auto getTaps = [&](int64_t row) {
      return getSeen(row * window.strides[0] - window.padBegin[0],
                     window.kernel[0], window.input[0]);
    };
    if (shared == 2)
      buildParallelRuns(height, taps, getTaps, body);
    else
      buildRuns(height, taps, getTaps, body);
  };
  b.loops(
      {conv.dims.batch, blocks},
      [&](ValueRange loopVars) {
        Value block = getWhole(loopVars[1], conv.tileVars.pack, blocks);
        buildRows([&](Value row) {
          row = getWhole(row, conv.tileVars.slab, height);
          buildRowTiles([&](Value start) {
            // Vectors are innermost: several may share a cache line.
            vectors.build(b, [&](Value first) {
              buildTile({loopVars[0], block, first, row, start});
            });
          });
        });
      },
      shared);
}

namespace {
class DepthwiseConvolution : public LayerLowering {
public:
  using LayerLowering::LayerLowering;
  void lower() override;

private:
  Argument addWeights();
  void allowInPlace(const Argument &data);

  graph::Conv2dOp op = cast<graph::Conv2dOp>(layer.anchor);
  graph::ConvDims dims = op.getDims();
  int64_t block = layer.getResultLayout().block;
};
} // namespace

LayerLowering::Argument DepthwiseConvolution::addWeights() {
  // [C / block, KH, KW, block]
  auto kernel = *graph::KernelLayout::parse(op.getKernelLayout());
  SmallVector<int64_t> strides = getWeightStrides(op);
  WeightOrder order;
  order.channels = dims.outChannels;
  order.channelStride = strides[kernel.o];
  order.extents.assign({dims.window.kernel[0], dims.window.kernel[1]});
  order.strides = {strides[kernel.spatial[0]], strides[kernel.spatial[1]]};
  std::string name = getLayerName(op) + "_packed";
  return addConstant(
      packWeights(getHostTensor(op.getWeight()), order, {block, block}, name),
      name);
}

void DepthwiseConvolution::lower() {
  auto names = *graph::WindowLayout::parse(op.getDataLayout());
  bool skipsPadding = ConvGeometry::of(op)->skipsPadding();
  Argument data = addArgument(op.getData());
  between = layer.getOutside(op.getData());
  pair = provider.getPair(between);
  addOperands();
  addResult();
  Argument packed = addWeights();
  ScheduleAttr schedule = getSchedule();
  build([&](LayerBuilder &b) {
    buildBorder(b);
    auto getPoint = [&](const ResultPoint &point) {
      return getImagePlace(names, point.outer[0], point.outer[1], point.row);
    };
    Contraction c;
    setResult(b, c, getPoint, /*isFlat=*/false);
    startWithBias(c);
    Value source = getBuffer(b, data), taps = getBuffer(b, packed);
    Depthwise conv{dims, names, block, data.layout, source,
                   taps, &c,    pair,  tileVars,    skipsPadding};
    buildVersions(b, schedule, [&](VersionAttr version) {
      DepthwiseBuilder(b, conv, version).build();
    });
  });
  allowInPlace(data);
}

void DepthwiseConvolution::allowInPlace(const Argument &data) {
  const graph::Window &window = dims.window;
  // Both buffers are traversed row by row. If the result is at least one row
  // before the data, no place is overwritten before its last read, unless the
  // result has more rows or columns than the data. Vectors of a block are
  // computed in sequence but access disjoint lanes, provided that blocks are
  // aligned to blocks. No result is computed twice.
  bool fits = true;
  for (size_t dim : {0, 1})
    fits &= window.getOutput(dim) <= window.input[dim] +
                                         data.layout.padBegin[dim] +
                                         data.layout.padEnd[dim];
  int64_t rows =
      1 + std::max<int64_t>(0, window.padBegin[0] - data.layout.padBegin[0]);
  constexpr int64_t multiple = 64, elementBytes = 4;
  if (fits && !pair && !result.layout.hasHalo() &&
      multiple % (block * elementBytes) == 0)
    LayerLowering::allowInPlace(data, rows * window.getOutput(1) * block *
                                          elementBytes);
}

LayerLoweringPtr uma::createDepthwise(const CPULayer &layer,
                                      BufferProvider &provider) {
  return std::make_unique<DepthwiseConvolution>(layer, provider);
}
