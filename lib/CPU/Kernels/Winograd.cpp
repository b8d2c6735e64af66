//===- Winograd.cpp - Winograd's algorithm for 3x3 convolutions -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// F(m, 3) of Lavin and Gray, "Fast Algorithms for Convolutional Neural
// Networks": a tile of m x m results takes (m + 2)^2 products per channel
// instead of 9 m^2. Tiles of the data are transformed, multiplied by the
// transformed weights (one matrix product per place in a tile), and transformed
// back. The costs are weights (m + 2)^2 / 9 as large and memory traffic, so it
// pays for large images with few to medium numbers of channels.
//
//===----------------------------------------------------------------------===//

#include "LayerLowering.h"

#include "uma/Support/LayerName.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

namespace {
/// The matrices of F(m, 3).
struct WinogradMatrices {
  int64_t tile;
  /// B^T, G and A^T as lists of rows.
  SmallVector<SmallVector<double>> data, weights, result;

  int64_t getSize() const { return tile + 2; }
};
} // namespace

static const WinogradMatrices &getMatrices(int64_t tile) {
  static const WinogradMatrices two = {
      2,
      {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}},
      {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}},
      {{1, 1, 1, 0}, {0, 1, -1, -1}}};
  static const WinogradMatrices four = {4,
                                        {{4, 0, -5, 0, 1, 0},
                                         {0, -4, -4, 1, 1, 0},
                                         {0, 4, -4, -1, 1, 0},
                                         {0, -2, -1, 2, 1, 0},
                                         {0, 2, -1, -2, 1, 0},
                                         {0, 4, 0, -5, 0, 1}},
                                        {{1. / 4, 0, 0},
                                         {-1. / 6, -1. / 6, -1. / 6},
                                         {-1. / 6, 1. / 6, -1. / 6},
                                         {1. / 24, 1. / 12, 1. / 6},
                                         {1. / 24, -1. / 12, 1. / 6},
                                         {0, 0, 1}},
                                        {{1, 1, 1, 1, 1, 0},
                                         {0, 1, -1, 2, -2, 0},
                                         {0, 1, 1, 4, 4, 0},
                                         {0, 1, -1, 8, -8, 1}}};
  return tile == 2 ? two : four;
}

/// Returns U = G w G^T for each pair of channels, as [places, inputs, outputs]
/// packed like weights.
static ElementsAttr packWinogradWeights(const HostTensor &weights,
                                        const graph::ConvDims &dims,
                                        ArrayRef<int64_t> strides,
                                        const graph::KernelLayout &kernel,
                                        const WinogradMatrices &matrices,
                                        int64_t width, int64_t panel,
                                        StringRef name) {
  int64_t size = matrices.getSize(), places = size * size;
  int64_t parts = width / panel;
  int64_t panels = llvm::divideCeil(dims.outChannels, width) * parts;
  HostTensor packed(RankedTensorType::get(
      {places, panels, dims.inChannels, panel}, weights.getElementType()));
  const auto *from = reinterpret_cast<const float *>(weights.getBytes().data());
  auto *to = reinterpret_cast<float *>(packed.getMutableBytes().data());
  SmallVector<double> rows(size * 3);
  for (int64_t index = 0; index < panels; ++index)
    for (int64_t input = 0; input < dims.inChannels; ++input)
      for (int64_t column = 0; column < panel; ++column) {
        int64_t output =
            std::min(index / parts * width, dims.outChannels - width) +
            index % parts * panel + column;
        const float *taps =
            from + output * strides[kernel.o] + input * strides[kernel.i];
        for (int64_t i = 0; i < size; ++i)
          for (int64_t x = 0; x < 3; ++x) {
            double sum = 0;
            for (int64_t y = 0; y < 3; ++y)
              sum += matrices.weights[i][y] *
                     double(taps[y * strides[kernel.spatial[0]] +
                                 x * strides[kernel.spatial[1]]]);
            rows[i * 3 + x] = sum;
          }
        for (int64_t i = 0; i < size; ++i)
          for (int64_t j = 0; j < size; ++j) {
            double sum = 0;
            for (int64_t x = 0; x < 3; ++x)
              sum += rows[i * 3 + x] * matrices.weights[j][x];
            int64_t place = i * size + j;
            to[((place * panels + index) * dims.inChannels + input) * panel +
               column] = float(sum);
          }
      }
  return packed.toAttribute(name);
}

Value uma::combine(LayerBuilder &b, ArrayRef<double> factors,
                   ValueRange values) {
  Value sum;
  // Order additions before subtractions: a sum needs a first operand.
  auto getRank = [](double factor) {
    return factor == 1 ? 0 : factor == -1 ? 1 : 2;
  };
  for (int rank : {0, 1, 2})
    for (auto [factor, value] : llvm::zip_equal(factors, values)) {
      if (factor == 0 || getRank(factor) != rank)
        continue;
      if (!sum)
        sum = factor == 1 ? value
                          : b.mul(value, b.constant(value.getType(), factor));
      else if (factor == 1)
        sum = b.add(sum, value);
      else if (factor == -1)
        sum = arith::SubFOp::create(b.builder, b.loc, sum, value);
      else
        sum = b.add(b.mul(value, b.constant(value.getType(), factor)), sum);
    }
  return sum;
}

/// Emits matrix * values * matrix^T for a square of values, in row-major order.
static SmallVector<Value> transformTile(LayerBuilder &b,
                                        ArrayRef<SmallVector<double>> matrix,
                                        ArrayRef<Value> values) {
  int64_t from = matrix.front().size(), to = matrix.size();
  SmallVector<Value> half(to * from), result(to * to);
  for (int64_t x = 0; x < from; ++x) {
    SmallVector<Value> column;
    for (int64_t y = 0; y < from; ++y)
      column.push_back(values[y * from + x]);
    for (int64_t y = 0; y < to; ++y)
      half[y * from + x] = combine(b, matrix[y], column);
  }
  for (int64_t y = 0; y < to; ++y)
    for (int64_t x = 0; x < to; ++x)
      result[y * to + x] =
          combine(b, matrix[x], ArrayRef(half).slice(y * from, from));
  return result;
}

namespace {
/// Loops over the tiles of images and the vectors of channel blocks.
struct TileLoops {
  TileLoops(LayerBuilder &b, const graph::ConvDims &dims, int64_t tile,
            int64_t channels, int64_t block, const ISA &target)
      : b(b), tile(tile), batch(dims.batch), blocks(channels / block),
        block(block), height(dims.window.getOutput(0)),
        width(dims.window.getOutput(1)), vectors(block, target) {}

  int64_t getRows() const { return llvm::divideCeil(height, tile); }
  int64_t getColumns() const { return llvm::divideCeil(width, tile); }
  /// Returns the iteration variables: image, block of channels, first row and
  /// column of the tile, index of the tile, first channel in the block. The
  /// lane follows.
  SmallVector<LayerBuilder::Dim> getDims() const {
    return {{batch},
            {blocks},
            {height},
            {width},
            {batch * getRows() * getColumns()},
            {block}};
  }
  void build(function_ref<void(ValueRange bindings)> body) {
    auto start = [&](Value index, int64_t extent) -> Value {
      Value step = b.index(tile);
      Value first = arith::MulIOp::create(b.builder, b.loc, index, step);
      if (extent % tile == 0)
        return first;
      Value last = b.index(extent - tile);
      return arith::MinSIOp::create(b.builder, b.loc, first, last);
    };
    b.loops(
        {batch, blocks, getRows(), getColumns()},
        [&](ValueRange vars) {
          Value row = start(vars[2], height);
          Value column = start(vars[3], width);
          Value number = b.apply(
              (b.dim(0) * getRows() + b.dim(1)) * getColumns() + b.dim(2),
              {vars[0], vars[2], vars[3]});
          vectors.build(b, [&](Value first) {
            body({vars[0], vars[1], row, column, number, first});
          });
        },
        chooseParallel({batch, blocks}));
  }

  LayerBuilder &b;
  int64_t tile, batch, blocks, block, height, width;
  VectorLoop vectors;
};

/// The transforms before and after the products. Operands of the products are
/// [place in the tile, block of channels, tile, channel in the block].
class TileTransforms {
public:
  TileTransforms(LayerBuilder &b, const graph::ConvDims &dims,
                 const graph::WindowLayout &names, int64_t tile)
      : b(b), dims(dims), names(names), matrices(getMatrices(tile)), tile(tile),
        size(matrices.getSize()), places(size * size), lane(b.dim(6)) {}

  /// Emits the transformed tiles of `source` into `tiles`.
  void buildData(Value source, const BufferLayout &layout, Value tiles,
                 const ISA &target);
  /// Emits the results of the products `sums`, with the epilogue `end`.
  /// `isBlocked` is true if the result's channels are in blocks.
  void buildResult(Value sums, const Contraction &end, int64_t block,
                   bool isBlocked, const ISA &target);

private:
  Access placeAt(Value buffer, int64_t place, AffineExpr channel) {
    return Access{buffer, {b.expr(place), b.dim(1), b.dim(4), channel}};
  }
  Access getAllPlaces(Value buffer, int64_t lanes) {
    Access access = placeAt(buffer, 0, b.dim(5));
    access.extents = {places, 1, 1, lanes};
    return access;
  }
  SmallVector<Value> loadPlaces(function_ref<Access(int64_t)> getAccess,
                                ValueRange vars) {
    SmallVector<Value> values;
    for (int64_t i = 0; i < places; ++i)
      values.push_back(b.loadAt(b.builder.getF32Type(), getAccess(i), vars));
    return values;
  }

  LayerBuilder &b;
  const graph::ConvDims &dims;
  const graph::WindowLayout &names;
  const WinogradMatrices &matrices;
  int64_t tile, size, places;
  AffineExpr lane;
};
} // namespace

void TileTransforms::buildData(Value source, const BufferLayout &layout,
                               Value tiles, const ISA &target) {
  TileLoops loops(b, dims, tile, dims.inChannels, layout.block, target);
  int64_t lanes = loops.vectors.lanes;
  auto dataAt = [&](int64_t y, int64_t x, AffineExpr channel) {
    IndexExprs place =
        getImagePlace(names, b.dim(0), b.dim(2) + (y - dims.window.padBegin[0]),
                      b.dim(3) + (x - dims.window.padBegin[1]));
    return Access{source, layout.getIndices(place, {b.dim(1), channel})};
  };
  Access reads = dataAt(0, 0, b.dim(5));
  reads.extents = {1, 1, size, size, lanes};
  Access writes = getAllPlaces(tiles, lanes);
  auto buildVector = [&](ValueRange vars) {
    AffineExpr channel = b.dim(5) + lane;
    SmallVector<Value> values = loadPlaces(
        [&](int64_t i) { return dataAt(i / size, i % size, channel); }, vars);
    values = transformTile(b, matrices.data, values);
    for (auto [place, value] : llvm::enumerate(values))
      b.storeAt(value, placeAt(tiles, place, channel), vars);
  };
  loops.build([&](ValueRange bindings) {
    b.block("winograd_data", loops.getDims(), bindings, {reads}, {writes},
            [&](ValueRange vars) { buildLanes(b, vars, lanes, buildVector); });
  });
}

void TileTransforms::buildResult(Value sums, const Contraction &end,
                                 int64_t block, bool isBlocked,
                                 const ISA &target) {
  TileLoops loops(b, dims, tile, dims.outChannels, block, target);
  int64_t lanes = loops.vectors.lanes;
  AffineExpr number = isBlocked ? b.dim(1) : b.expr(0);
  IndexExprs corner = {b.dim(0), b.dim(2)};
  Access writes{end.result.buffer,
                end.result.getIndices({corner, b.dim(3), {number, b.dim(5)}})};
  writes.extents = {1, 1, tile, tile, lanes};
  SmallVector<Access> reads = {getAllPlaces(sums, lanes)};
  for (const ResultOperand &operand : end.operands)
    reads.push_back(b.anywhere(operand.buffer));
  auto buildVector = [&](ValueRange vars) {
    AffineExpr channel = b.dim(5) + lane;
    SmallVector<Value> values =
        loadPlaces([&](int64_t i) { return placeAt(sums, i, channel); }, vars);
    values = transformTile(b, matrices.result, values);
    for (auto [i, sum] : llvm::enumerate(values)) {
      IndexExprs outer = {b.dim(0), b.dim(2) + int64_t(i) / tile};
      ResultPoint point{outer, b.dim(3) + int64_t(i) % tile, {number, channel}};
      storeResult(b, end, sum, point, vars);
    }
  };
  loops.build([&](ValueRange bindings) {
    b.block("winograd_result", loops.getDims(), bindings, reads, {writes},
            [&](ValueRange vars) { buildLanes(b, vars, lanes, buildVector); });
  });
}

namespace {
class Winograd : public LayerLowering {
public:
  using LayerLowering::LayerLowering;
  void lower() override;
};
} // namespace

void Winograd::lower() {
  auto op = cast<graph::Conv2dOp>(layer.anchor);
  graph::ConvDims dims = op.getDims();
  int64_t tile = layer.getKernel().getTile();
  const WinogradMatrices &matrices = getMatrices(tile);
  auto names = *graph::WindowLayout::parse(op.getDataLayout());
  auto kernel = *graph::KernelLayout::parse(op.getKernelLayout());
  Argument data = addArgument(op.getData());
  int64_t inBlock = data.layout.block;
  int64_t outBlock = layer.getResultLayout().block;
  addOperands();
  addResult();

  Contraction c = getContraction();
  int64_t places = c.outer.front(), tiles = c.rows;
  std::string name = getLayerName(op);
  Argument transformed = addWorkspace(
      {places, dims.inChannels / inBlock, tiles, inBlock}, name + "_tiles");
  Argument products =
      addWorkspace({places, dims.outChannels / outBlock, tiles, outBlock},
                   name + "_products");
  Argument packed = addConstant(
      packWinogradWeights(getHostTensor(op.getWeight()), dims,
                          getWeightStrides(op), kernel, matrices, c.packWidth,
                          c.getPanelWidth(), name + "_winograd"),
      name + "_winograd");
  releaseConstant(op.getWeight());

  build([&](LayerBuilder &b) {
    buildBorder(b);
    Value source = getBuffer(b, data), inner = getBuffer(b, transformed);
    Value sums = getBuffer(b, products);
    TileTransforms transforms(b, dims, names, tile);
    buildVersions(b, [&](const ISA &isa) {
      transforms.buildData(source, data.layout, inner, isa);
    });

    c.data = inner;
    c.weights = getBuffer(b, packed);
    c.result = {sums, [](const ResultPoint &point) {
                  return IndexExprs{point.outer[0], point.channel.block,
                                    point.row, point.channel.inBlock};
                }};
    buildContraction(b, c);

    Contraction end;
    auto getPoint = [&](const ResultPoint &point) {
      return getImagePlace(names, point.outer[0], point.outer[1], point.row);
    };
    setResult(b, end, getPoint, /*isFlat=*/false);
    buildVersions(b, [&](const ISA &isa) {
      transforms.buildResult(sums, end, outBlock, c.channelBlock != 0, isa);
    });
  });
}

LayerLoweringPtr uma::createWinograd(const CPULayer &layer,
                                     BufferProvider &provider) {
  return std::make_unique<Winograd>(layer, provider);
}
