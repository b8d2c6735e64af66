//===- CPUStrassen.cpp - Products of matrices by Strassen's algorithm -----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Strassen, "Gaussian Elimination is not Optimal": of matrices in quarters,
// seven products of sums of quarters do for eight. A convolution of 1x1 is a
// product of matrices, too. What is saved is paid in weights, which are 7/4
// times as large, and in the traffic of the sums, so it is worth it for many
// channels. One level: another one would save less than it costs, and errors
// grow with each.
//
//===----------------------------------------------------------------------===//

#include "CPUStrassen.h"
#include "CPULowering.h"

#include "uma/Support/LayerName.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

/// Products of a pair of matrices in quarters.
static constexpr int64_t numProducts = 7;

/// What each product is of, by quarters: upper left, upper right, lower left,
/// lower right.
static constexpr double dataFactors[numProducts][4] = {
    {1, 0, 0, 1}, {0, 0, 1, 1},  {1, 0, 0, 0}, {0, 0, 0, 1},
    {1, 1, 0, 0}, {-1, 0, 1, 0}, {0, 1, 0, -1}};
static constexpr double weightFactors[numProducts][4] = {
    {1, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, -1}, {-1, 0, 1, 0},
    {0, 0, 0, 1}, {1, 1, 0, 0}, {0, 0, 1, 1}};
/// Each quarter of the result, by products.
static constexpr double resultFactors[4][numProducts] = {
    {1, 0, 0, 1, -1, 0, 1},
    {0, 0, 1, 0, 1, 0, 0},
    {0, 1, 0, 1, 0, 0, 0},
    {1, -1, 1, 0, 0, 1, 0}};

/// The time in which a core reads a weight from memory, in products at its
/// peak.
static constexpr double readCost = 8;

static bool isLower(int64_t quarter) { return quarter >= 2; }
static bool isRight(int64_t quarter) { return quarter % 2 == 1; }

std::optional<QuarterProduct> QuarterProduct::of(const graph::ConvDims &dims,
                                                 const BufferLayout &data,
                                                 const BufferLayout &result) {
  const graph::Window &window = dims.window;
  for (int64_t dim : {0, 1})
    if (window.kernel[dim] != 1 || window.strides[dim] != 1 ||
        window.padBegin[dim] != 0 || window.padEnd[dim] != 0)
      return std::nullopt;
  if (dims.groups != 1 || data.block == 0 || result.block == 0)
    return std::nullopt;
  QuarterProduct product{
      dims.batch,       window.input[0], window.input[1], dims.inChannels,
      dims.outChannels, data.block,      result.block,    false};
  if (!data.hasHalo() && !result.hasHalo())
    product.flatten();
  return product;
}

int64_t QuarterProduct::getSaved() const {
  if (rows < 2 || inputs % 2 != 0 || outputs % 2 != 0 ||
      inputs / 2 % getInBlock() != 0 || outputs / 2 % getOutBlock() != 0)
    return 0;
  // What the sums in front of the products and behind them cost was measured.
  double pixels = double(getNumPixels());
  double channels = double(inputs) * double(outputs);
  double products = numProducts / 4. * pixels * channels;
  double weights = numProducts / 4. * channels * readCost;
  double sums =
      numProducts / 2. * pixels * (4 * double(inputs) + 10 * double(outputs));
  double direct = double(images * rows * columns) * channels;
  double saved = direct - std::max(products, weights) - sums;
  return saved < 0.03 * direct ? 0 : int64_t(saved);
}

std::optional<QuarterProduct> CPULayers::getProduct(const CPULayer &layer) {
  if (auto conv = dyn_cast_or_null<graph::Conv2dOp>(layer.anchor))
    return QuarterProduct::of(conv.getDims(), getLayout(conv.getData()),
                              getLayout(layer.getResult()));
  if (layer.kind != CPULayer::Kind::Matrix ||
      !isKnownConstant(layer.anchor->getOperand(1)))
    return std::nullopt;
  auto type = cast<RankedTensorType>(layer.anchor->getOperand(1).getType());
  auto matmul = dyn_cast<graph::BatchMatmulOp>(layer.anchor);
  bool isTransposed = !matmul || matmul.getTransposeB();
  ArrayRef<int64_t> shape = type.getShape().take_back(2);
  auto [inputs, outputs] =
      std::pair(shape[isTransposed ? 1 : 0], shape[isTransposed ? 0 : 1]);
  // Each of several matrices is a product of its own.
  if (type.getNumElements() != inputs * outputs)
    return std::nullopt;
  return QuarterProduct{1, layer.getType().getNumElements() / outputs, 1,
                        inputs, outputs};
}

void CPULayers::planProducts(Block &block) {
  double weights = 0;
  for (auto constant : block.getOps<graph::ConstantOp>())
    if (isFloatTensor(constant))
      weights += double(constant.getType().getNumElements());
  struct Candidate {
    Operation *op;
    QuarterProduct product;
    /// Products that it saves for each element more of weights.
    double gain;
    size_t number;
  };
  SmallVector<Candidate> candidates;
  for (const CPULayer &layer : layers)
    if (auto product = getProduct(layer); product && product->getSaved() > 0)
      candidates.push_back(
          {layer.anchor, *product,
           double(product->getSaved()) / double(product->getExtraWeights()),
           candidates.size()});
  llvm::sort(candidates, [](const Candidate &left, const Candidate &right) {
    return std::pair(-left.gain, left.number) <
           std::pair(-right.gain, right.number);
  });
  // Space matters, unless the user says that it does not.
  constexpr double leastGain = 20;
  double rest = weights * double(options.weightGrowth) / 100;
  for (const Candidate &candidate : candidates) {
    double extra = double(candidate.product.getExtraWeights());
    if (!options.winograd && (candidate.gain < leastGain || extra > rest))
      continue;
    rest -= extra;
    products.try_emplace(candidate.op, candidate.product);
  }
}

/// The sums of the weights' quarters, packed: element [input, output] is at
/// their sum times these strides.
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
/// The sums in front of the products and behind them, whose operands are
/// [product, block of channels, pixel, channel in the block].
class QuarterSums {
public:
  QuarterSums(LayerBuilder &b, const QuarterProduct &product)
      : b(b), product(product) {}

  /// Writes the sums of the quarters of `data` to `factors`.
  void buildData(const PixelOperand &data, Value factors,
                 const SIMDTarget &target);
  /// Writes what the products `products` add up to, finished by `end`.
  void buildResult(Value products, const Contraction &end,
                   const SIMDTarget &target);

private:
  /// Iteration variables; behind them comes the lane.
  enum : unsigned { Image, Block, Row, Column, Channel, Lane };

  /// `body` for the vectors of the pixels of the upper half, `blocks` of
  /// `block` channels, inside loops over lanes; it gets the number of quarters
  /// that have such a row, 4 or 2. A block reads `reads` and writes what
  /// `getWrites` says for a number of lanes and of quarters.
  void build(StringRef label, int64_t blocks, int64_t block,
             const SIMDTarget &target, ArrayRef<Access> reads,
             function_ref<SmallVector<Access>(int64_t, int64_t)> getWrites,
             function_ref<void(ValueRange, int64_t)> body);
  /// The line, and the place in it.
  std::pair<AffineExpr, AffineExpr> getPlace(int64_t quarter) {
    AffineExpr row =
        b.dim(Row) + (isLower(quarter) ? product.getUpperRows() : 0);
    if (product.isFlat)
      return {b.dim(Column), row};
    return {row, b.dim(Column)};
  }
  /// The channel of a quarter, of all where these are in blocks.
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
    StringRef label, int64_t blocks, int64_t block, const SIMDTarget &target,
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
        /*isParallel=*/true);
  };
  if (lower != 0)
    buildRows(0, lower, 4);
  if (lower != upper)
    buildRows(lower, 1, 2);
}

void QuarterSums::buildData(const PixelOperand &data, Value factors,
                            const SIMDTarget &target) {
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
          // Rows that the lower half has not are zeros.
          for (auto [number, row] : llvm::enumerate(dataFactors)) {
            ArrayRef<double> known = ArrayRef(row).take_front(quarters.size());
            Value sum = combine(b, known, quarters);
            b.storeAt(sum ? sum : b.constant(type, 0.0),
                      productAt(factors, int64_t(number), lane), vars);
          }
        });
}

void QuarterSums::buildResult(Value products, const Contraction &end,
                              const SIMDTarget &target) {
  int64_t block = product.getOutBlock();
  // `use` gets the place of a quarter's result.
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

void LayerLowering::lowerStrassen(
    const QuarterProduct &product, Value weights, int64_t inStride,
    int64_t outStride, function_ref<PixelOperand(LayerBuilder &)> getData,
    const PointFn &getPoint) {
  int64_t inputs = product.inputs / 2, outputs = product.outputs / 2;
  Type type = layer.getType().getElementType();
  std::string name = getLayerName(layer.anchor);
  auto allocate = [&](int64_t channels, int64_t block, StringRef label) {
    auto buffer = MemRefType::get(
        {numProducts, channels / block, product.getNumPixels(), block}, type);
    return addArgument({provider.allocateBuffer(buffer, (name + label).str()),
                        BufferLayout()});
  };
  Argument factors = allocate(inputs, product.getInBlock(), "_factors");
  Argument products = allocate(outputs, product.getOutBlock(), "_products");

  Contraction c;
  c.label = "strassen";
  c.outer = {numProducts};
  c.rows = product.getNumPixels();
  c.channels = outputs;
  c.channelBlock = product.outBlock;
  c.reduce = {inputs};
  if (product.inBlock != 0)
    c.reduce = {inputs / product.inBlock, product.inBlock};
  chooseSchedule(c);
  FailureOr<HostTensor> tensor = getHostTensor(weights);
  Argument packed =
      addArgument({provider.makeConstant(
                       packQuarters(*tensor, product, inStride, outStride,
                                    c.getPackLayout(), name + "_strassen"),
                       name + "_strassen"),
                   BufferLayout()});
  provider.releaseConstant(weights);

  build([&](LayerBuilder &b) {
    if (result.layout.hasHalo())
      buildZeroHalo(b, getBuffer(b, result), result.layout);
    PixelOperand data = getData(b);
    Value sums = getBuffer(b, factors), partial = getBuffer(b, products);
    QuarterSums quarters(b, product);
    buildVersions(b, [&](const SIMDTarget &target) {
      quarters.buildData(data, sums, target);
    });

    c.data = sums;
    c.getDataIndices = [&b](ArrayRef<AffineExpr> outer, AffineExpr row,
                            ArrayRef<AffineExpr> reduce) {
      AffineExpr block = reduce.size() == 1 ? b.expr(0) : reduce[0];
      return IndexExprs{outer[0], block, row, reduce.back()};
    };
    c.weights = getBuffer(b, packed);
    c.getWeightPrefix = [](ArrayRef<AffineExpr> outer) {
      return IndexExprs{outer[0]};
    };
    c.result = {partial, [](const ResultPoint &point) {
                  return IndexExprs{point.outer[0], point.channel.block,
                                    point.row, point.channel.inBlock};
                }};
    buildContraction(b, c);

    Contraction end;
    setResult(b, end, getPoint, product.isFlat);
    buildVersions(b, [&](const SIMDTarget &target) {
      quarters.buildResult(partial, end, target);
    });
  });
}
