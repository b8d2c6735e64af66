//===- Strassen.cpp - Matrix products by Strassen's algorithm -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Strassen, "Gaussian Elimination is not Optimal": seven products of sums of
// quarters replace eight products of quarters. Applies to matrix products and
// 1x1 convolutions. The costs are weights 7/4 as large and memory traffic for
// the sums, so it pays for many channels. Only one level: a second one would
// save less than it costs, and errors grow with each.
//
//===----------------------------------------------------------------------===//

#include "LayerLowering.h"

#include "uma/Support/LayerName.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

static constexpr int64_t numProducts = kNumQuarterProducts;

/// Factors of the quarters in each product: upper left, upper right, lower
/// left, lower right.
static constexpr double dataFactors[numProducts][4] = {
    {1, 0, 0, 1}, {0, 0, 1, 1},  {1, 0, 0, 0}, {0, 0, 0, 1},
    {1, 1, 0, 0}, {-1, 0, 1, 0}, {0, 1, 0, -1}};
static constexpr double weightFactors[numProducts][4] = {
    {1, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, -1}, {-1, 0, 1, 0},
    {0, 0, 0, 1}, {1, 1, 0, 0}, {0, 0, 1, 1}};
/// Factors of the products in each quarter of the result.
static constexpr double resultFactors[4][numProducts] = {
    {1, 0, 0, 1, -1, 0, 1},
    {0, 0, 1, 0, 1, 0, 0},
    {0, 1, 0, 1, 0, 0, 0},
    {1, -1, 1, 0, 0, 1, 0}};

static bool isLower(int64_t quarter) { return quarter >= 2; }
static bool isRight(int64_t quarter) { return quarter % 2 == 1; }

/// Packs the sums of the weights' quarters. Weight [input, output] is at `input
/// * inStride + output * outStride`.
static ElementsAttr packQuarters(const HostTensor &weights,
                                 const QuarterProduct &product,
                                 int64_t inStride, int64_t outStride,
                                 const PackLayout &layout, StringRef name) {
  int64_t inputs = product.inputs / 2, outputs = product.outputs / 2;
  HostTensor sums(RankedTensorType::get({numProducts, inputs, outputs},
                                        weights.getElementType()));
  const auto *from = reinterpret_cast<const float *>(weights.getBytes().data());
  auto *to = reinterpret_cast<float *>(sums.getMutableBytes().data());
  for (const auto &factors : weightFactors)
    for (int64_t input = 0; input < inputs; ++input)
      for (int64_t output = 0; output < outputs; ++output) {
        double sum = 0;
        for (int64_t quarter = 0; quarter < 4; ++quarter) {
          int64_t in = input + (isLower(quarter) ? inputs : 0);
          int64_t out = output + (isRight(quarter) ? outputs : 0);
          sum +=
              factors[quarter] * double(from[in * inStride + out * outStride]);
        }
        *to++ = float(sum);
      }
  WeightOrder order;
  order.groups = numProducts;
  order.groupStride = inputs * outputs;
  order.channels = outputs;
  order.extents = {inputs};
  order.strides = {outputs};
  return packWeights(sums, order, layout, name);
}

namespace {
/// The left matrix, indexed by image, row in it and place in the row; flat
/// images are one row.
struct PixelOperand {
  Value buffer;
  std::function<IndexExprs(AffineExpr image, AffineExpr line, AffineExpr place,
                           ChannelExpr channel)>
      getIndices;
};

/// The sums of quarters before and after the products. Operands of the products
/// are [product, block of channels, pixel, channel in the block].
class QuarterSums {
public:
  QuarterSums(LayerBuilder &b, const QuarterProduct &product)
      : b(b), product(product) {}

  /// Emits the sums of the quarters of `data` into `factors`.
  void buildData(const PixelOperand &data, Value factors, const ISA &target);
  /// Emits the sums of the products, with the epilogue `end`, into the result.
  void buildResult(Value products, const Contraction &end, const ISA &target);

private:
  /// Iteration variables, followed by the lane.
  enum : unsigned { Image, Block, Row, Column, Channel, Lane };

  /// Emits blocks for the vectors of `blocks` channel blocks of size `block`,
  /// for the pixels of the upper half. `body` runs inside of a loop over lanes
  /// and receives the number of quarters that have the row, 4 or 2. Blocks read
  /// `reads`; `getWrites` returns their writes for a number of lanes and of
  /// quarters.
  void build(StringRef label, int64_t blocks, int64_t block, const ISA &target,
             ArrayRef<Access> reads,
             function_ref<SmallVector<Access>(int64_t, int64_t)> getWrites,
             function_ref<void(ValueRange, int64_t)> body);
  /// Returns the row and the place in it.
  std::pair<AffineExpr, AffineExpr> getPlace(int64_t quarter) {
    AffineExpr row =
        b.dim(Row) + (isLower(quarter) ? product.getUpperRows() : 0);
    if (product.isFlat)
      return {b.dim(Column), row};
    return {row, b.dim(Column)};
  }
  /// Returns the channel in the whole tensor of a channel in a quarter.
  ChannelExpr getChannel(int64_t quarter, int64_t channels, int64_t block,
                         AffineExpr inBlock) {
    int64_t half = isRight(quarter) ? channels / 2 : 0;
    if (block == 0)
      return {b.expr(0), inBlock + half};
    return {b.dim(Block) + half / block, inBlock};
  }
  Access productAt(Value buffer, int64_t number, AffineExpr channel) {
    AffineExpr row = b.dim(Image) * product.getUpperRows() + b.dim(Row);
    AffineExpr pixel = row * product.columns + b.dim(Column);
    return {buffer, {b.expr(number), b.dim(Block), pixel, channel}};
  }

  LayerBuilder &b;
  const QuarterProduct &product;
};
} // namespace

void QuarterSums::build(
    StringRef label, int64_t blocks, int64_t block, const ISA &target,
    ArrayRef<Access> reads,
    function_ref<SmallVector<Access>(int64_t, int64_t)> getWrites,
    function_ref<void(ValueRange, int64_t)> body) {
  VectorLoop vectors(block, target);
  int64_t upper = product.getUpperRows(), lower = product.rows - upper;
  auto buildRows = [&](int64_t first, int64_t rows, int64_t quarters) {
    SmallVector<Access> writes = getWrites(vectors.lanes, quarters);
    auto buildLane = [&](ValueRange vars) { body(vars, quarters); };
    b.loops(
        {product.images, blocks, rows, product.columns},
        [&](ValueRange vars) {
          Value row = first != 0 ? b.index(first) : vars[2];
          vectors.build(b, [&](Value channel) {
            b.block(label,
                    {{product.images},
                     {blocks},
                     {upper},
                     {product.columns},
                     {block}},
                    {vars[0], vars[1], row, vars[3], channel}, reads, writes,
                    [&](ValueRange vars) {
                      buildLanes(b, vars, vectors.lanes, buildLane);
                    });
          });
        },
        chooseParallel({product.images, blocks}));
  };
  if (lower != 0)
    buildRows(0, lower, 4);
  if (lower != upper)
    buildRows(lower, 1, 2);
}

void QuarterSums::buildData(const PixelOperand &data, Value factors,
                            const ISA &target) {
  int64_t block = product.getInBlock();
  Type type = b.builder.getF32Type();
  auto getWrites = [&](int64_t lanes, int64_t) -> SmallVector<Access> {
    Access access = productAt(factors, 0, b.dim(Channel));
    access.extents = {numProducts, 1, 1, lanes};
    return {access};
  };
  build("strassen_data", product.inputs / 2 / block, block, target,
        {b.anywhere(data.buffer)}, getWrites,
        [&](ValueRange vars, int64_t numQuarters) {
          AffineExpr lane = b.dim(Channel) + b.dim(Lane);
          SmallVector<Value> quarters;
          for (int64_t i = 0; i < numQuarters; ++i) {
            ChannelExpr channel =
                getChannel(i, product.inputs, product.inBlock, lane);
            auto [line, place] = getPlace(i);
            Access element{data.buffer,
                           data.getIndices(b.dim(Image), line, place, channel)};
            quarters.push_back(b.loadAt(type, element, vars));
          }
          // Rows missing in the lower half are zeros.
          for (auto [number, row] : llvm::enumerate(dataFactors)) {
            ArrayRef<double> known = ArrayRef(row).take_front(quarters.size());
            Value sum = combine(b, known, quarters);
            b.storeAt(sum ? sum : b.constant(type, 0.0),
                      productAt(factors, int64_t(number), lane), vars);
          }
        });
}

void QuarterSums::buildResult(Value products, const Contraction &end,
                              const ISA &target) {
  int64_t block = product.getOutBlock();
  // Calls `use` with the place of a quarter's result.
  auto withPoint = [&](int64_t quarter, AffineExpr lane, auto use) {
    auto [line, place] = getPlace(quarter);
    IndexExprs outer = {b.dim(Image), line};
    use(ResultPoint{
        outer, place,
        getChannel(quarter, product.outputs, product.outBlock, lane)});
  };
  auto getWrites = [&](int64_t lanes, int64_t numQuarters) {
    SmallVector<Access> writes;
    for (int64_t i = 0; i < numQuarters; ++i)
      withPoint(i, b.dim(Channel), [&](const ResultPoint &point) {
        writes.push_back(getVectorRegion(end.result, point, lanes));
      });
    return writes;
  };
  SmallVector<Access> reads = {b.anywhere(products)};
  for (const ResultOperand &operand : end.operands)
    reads.push_back(b.anywhere(operand.buffer));
  build("strassen_result", product.outputs / 2 / block, block, target, reads,
        getWrites, [&](ValueRange vars, int64_t numQuarters) {
          AffineExpr lane = b.dim(Channel) + b.dim(Lane);
          SmallVector<Value> sums;
          for (int64_t i = 0; i < numProducts; ++i)
            sums.push_back(b.loadAt(b.builder.getF32Type(),
                                    productAt(products, i, lane), vars));
          for (int64_t i = 0; i < numQuarters; ++i)
            withPoint(i, lane, [&](const ResultPoint &point) {
              storeResult(b, end, combine(b, resultFactors[i], sums), point,
                          vars);
            });
        });
}

namespace {
class Strassen : public LayerLowering {
public:
  using LayerLowering::LayerLowering;
  void lower() override;

private:
  /// Adds the packed sums of the weights' quarters.
  Argument addWeights(const Contraction &c);
  PixelOperand getData(LayerBuilder &b, const Argument &data);

  QuarterProduct product = getKernelProduct(layer);
};
} // namespace

LayerLowering::Argument Strassen::addWeights(const Contraction &c) {
  int64_t inStride, outStride;
  if (auto conv = dyn_cast<graph::Conv2dOp>(layer.anchor)) {
    auto kernel = *graph::KernelLayout::parse(conv.getKernelLayout());
    SmallVector<int64_t> strides = getWeightStrides(conv);
    inStride = strides[kernel.i];
    outStride = strides[kernel.o];
  } else {
    MatrixDims dims = getMatrixDims(layer);
    inStride = dims.isTransposed ? 1 : dims.columns;
    outStride = dims.isTransposed ? dims.depth : 1;
  }
  Value weights = layer.anchor->getOperand(1);
  std::string name = getLayerName(layer.anchor) + "_strassen";
  Argument packed =
      addConstant(packQuarters(getHostTensor(weights), product, inStride,
                               outStride, c.getPackLayout(), name),
                  name);
  releaseConstant(weights);
  return packed;
}

PixelOperand Strassen::getData(LayerBuilder &b, const Argument &data) {
  auto conv = dyn_cast<graph::Conv2dOp>(layer.anchor);
  if (!conv)
    return {getBuffer(b, data, {1, product.rows, product.inputs}),
            [](AffineExpr image, AffineExpr, AffineExpr place,
               ChannelExpr channel) {
              return IndexExprs{image, place, channel.inBlock};
            }};
  Value buffer = getBuffer(b, data);
  if (product.isFlat)
    buffer = flatten(b, buffer, data.layout);
  auto names = *graph::WindowLayout::parse(conv.getDataLayout());
  return {buffer, [=](AffineExpr image, AffineExpr line, AffineExpr place,
                      ChannelExpr channel) {
            return data.layout.getIndices(
                getImagePlace(names, image, line, place), channel);
          }};
}

void Strassen::lower() {
  Argument data = addArgument(layer.anchor->getOperand(0));
  addOperands();
  addResult();
  std::string name = getLayerName(layer.anchor);
  auto add = [&](int64_t channels, int64_t block, StringRef label) {
    return addWorkspace(
        {numProducts, channels / block, product.getNumPixels(), block},
        (name + label).str());
  };
  Argument factors = add(product.inputs / 2, product.getInBlock(), "_factors");
  Argument products =
      add(product.outputs / 2, product.getOutBlock(), "_products");
  Contraction c = getContraction();
  Argument packed = addWeights(c);
  PointFn getPoint;
  if (auto conv = dyn_cast<graph::Conv2dOp>(layer.anchor))
    getPoint = [names = *graph::WindowLayout::parse(conv.getDataLayout())](
                   const ResultPoint &point) {
      return getImagePlace(names, point.outer[0], point.outer[1], point.row);
    };

  build([&](LayerBuilder &b) {
    buildBorder(b);
    PixelOperand pixels = getData(b, data);
    Value sums = getBuffer(b, factors), partial = getBuffer(b, products);
    QuarterSums quarters(b, product);
    buildVersions(
        b, [&](const ISA &isa) { quarters.buildData(pixels, sums, isa); });

    c.data = sums;
    c.weights = getBuffer(b, packed);
    c.result = {partial, [](const ResultPoint &point) {
                  return IndexExprs{point.outer[0], point.channel.block,
                                    point.row, point.channel.inBlock};
                }};
    buildContraction(b, c);

    Contraction end;
    setResult(b, end, getPoint, product.isFlat);
    buildVersions(
        b, [&](const ISA &isa) { quarters.buildResult(partial, end, isa); });
  });
}

LayerLoweringPtr uma::createStrassen(const CPULayer &layer,
                                     BufferProvider &provider) {
  return std::make_unique<Strassen>(layer, provider);
}
