//===- Im2col.cpp - Products of bytes in small memories -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The windows of a few neighbouring pixels are copied to rows (im2col), which
// all channels then read. Padding is filled with the zero point, so that it is
// enough to subtract the zero point times the sum of the weights once, from the
// bias. Since a pixel is copied before its results are written, the result may
// overwrite data that no later window reads.
//
// With pairs, the rows hold pairs of i16, and a word of weights holds those of
// two steps and two channels. Words of four bytes are extended in two
// instructions, which yield the elements 0 and 2, and 1 and 3: the order of the
// steps in the rows and in the packed weights.
//
//===----------------------------------------------------------------------===//

#include "ByteLayer.h"

#include "uma/CPU/Model/Problems.h"
#include "uma/Support/LayerName.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace uma;

namespace {
class Im2col : public ByteLayer {
public:
  using ByteLayer::ByteLayer;
  void lower() override;

private:
  /// Channels of a tile: the two of a word of weights.
  static constexpr int64_t tileChannels = 2;

  void setGeometry();
  /// Returns the step of the reduction at position `i` of a row; -1 behind the
  /// last one.
  int64_t getStep(int64_t i) const;
  Argument addWeights();
  /// Emits the tile of `pixels` pixels from `column` on.
  void buildTile(LayerBuilder &b, Value image, Value line, Value column);
  /// Emits the copy of the windows to the rows.
  void buildRows(LayerBuilder &b, Value image, Value line, Value column);
  /// Emits the copy of one run of the window of row `row`.
  void buildRun(LayerBuilder &b, ValueRange vars, Value begin, Value end);
  /// Emits the sums of two channels and their results.
  void buildChannels(LayerBuilder &b, Value image, Value line, Value column,
                     Value pack);
  /// Returns whether pixel `column + row` exists; null if all do.
  Value exists(LayerBuilder &b, Value column, Value row);
  /// Returns the elements of a row in front of a step, and in total.
  int64_t getRowSize() const { return llvm::alignTo(steps, hasPairs ? 2 : 1); }

  Value add(LayerBuilder &b, Value left, Value right) {
    return arith::AddIOp::create(b.builder, b.loc, left, right);
  }
  Value mul(LayerBuilder &b, Value left, int64_t right) {
    if (right == 1)
      return left;
    return arith::MulIOp::create(b.builder, b.loc, left, b.index(right));
  }

  bool hasPairs = layer.getKernel().getAlgorithm() == Algorithm::Im2colPairs;
  int64_t pixels = layer.getKernel().getTile();

  /// Images, and the sizes of the result and the data; a dense layer is a
  /// convolution of 1x1 on one line.
  int64_t images = 1, height = 1, width = 1, inHeight = 1, inWidth = 1;
  int64_t inChannels = 1, outChannels = 1;
  std::array<int64_t, 2> kernel = {1, 1}, strides = {1, 1}, dilations = {1, 1},
                         pads = {0, 0};
  /// Steps of the reduction. A line of the window is copied in `runs` runs of
  /// `taps` taps each, which are contiguous.
  int64_t steps = 1, runs = 1, taps = 1;
  /// Whether rows are copied in words of four bytes.
  bool hasQuads = false;
  Argument start, weights;
  Value startBuffer, weightBuffer, rows;
};
} // namespace

void Im2col::setGeometry() {
  ArrayRef<int64_t> shape = layer.getType().getShape();
  outChannels = shape.back();
  if (auto conv = dyn_cast<graph::Conv2dOp>(layer.anchor)) {
    graph::ConvDims dims = conv.getDims();
    const graph::Window &window = dims.window;
    images = dims.batch;
    inChannels = dims.inChannels;
    height = window.getOutput(0);
    width = window.getOutput(1);
    inHeight = window.input[0];
    inWidth = window.input[1];
    for (unsigned i : {0, 1}) {
      kernel[i] = window.kernel[i];
      strides[i] = window.strides[i];
      dilations[i] = window.dilations[i];
      pads[i] = window.padBegin[i];
    }
    bool readsPixels = true;
    for (unsigned i : {0, 1})
      readsPixels &= kernel[i] == 1 && strides[i] == 1 && pads[i] == 0 &&
                     window.padEnd[i] == 0;
    // Lines are contiguous.
    if (readsPixels) {
      width = inWidth = images * height * width;
      images = height = inHeight = 1;
    }
  } else {
    inChannels =
        cast<RankedTensorType>(layer.getData().getType()).getShape().back();
    width = inWidth = layer.getType().getNumElements() / outChannels;
  }
  steps = kernel[0] * kernel[1] * inChannels;
  if (dilations[1] == 1)
    taps = kernel[1];
  else
    runs = kernel[1];
  hasQuads = hasPairs && inChannels % 4 == 0;
  // All tiles have one size; pixels behind the last one are left out.
  pixels = std::min(pixels, width);
  pixels = llvm::divideCeil(width, llvm::divideCeil(width, pixels));
}

int64_t Im2col::getStep(int64_t i) const {
  if (hasQuads) {
    constexpr int64_t order[] = {0, 2, 1, 3};
    i = i / 4 * 4 + order[i % 4];
  }
  return i < steps ? i : -1;
}

LayerLowering::Argument Im2col::addWeights() {
  HostTensor from = getHostTensor(layer.anchor->getOperand(1));
  SmallVector<int64_t> all = computeStrides(from.getType().getShape());
  // Strides of the output channels, lines, columns and input channels.
  std::array<int64_t, 4> stride = {all[0], 0, 0, all.back()};
  if (auto conv = dyn_cast<graph::Conv2dOp>(layer.anchor)) {
    auto layout = *graph::KernelLayout::parse(conv.getKernelLayout());
    stride = {all[layout.o], all[layout.spatial[0]], all[layout.spatial[1]],
              all[layout.i]};
  }
  // [pairs of channels, pairs of steps, steps of a pair, channels of a pair];
  // without pairs of steps, these are single.
  int64_t packs = llvm::divideCeil(outChannels, tileChannels);
  HostTensor to(RankedTensorType::get({packs, getRowSize(), tileChannels},
                                      from.getElementType()));
  int64_t place = 0;
  for (int64_t pack = 0; pack < packs; ++pack)
    for (int64_t i = 0; i < getRowSize(); ++i)
      for (int64_t c = 0; c < tileChannels; ++c, ++place) {
        int64_t step = getStep(i), channel = pack * tileChannels + c;
        if (step < 0 || channel >= outChannels)
          continue;
        int64_t tap = step / inChannels;
        to.setInt(place, from.getInt(channel * stride[0] +
                                     tap / kernel[1] * stride[1] +
                                     tap % kernel[1] * stride[2] +
                                     step % inChannels * stride[3]));
      }
  std::string name = getLayerName(layer.anchor) + "_packed";
  return addConstant(to.toAttribute(name), name);
}

Value Im2col::exists(LayerBuilder &b, Value column, Value row) {
  if (width % pixels == 0)
    return {};
  return b.lessThan(add(b, column, row), b.index(width));
}

void Im2col::buildRun(LayerBuilder &b, ValueRange vars, Value begin,
                      Value end) {
  // Iteration variables: image, line and column of the result, row, line of the
  // window, run, unit. A unit is an element, or four of them.
  int64_t unit = hasQuads ? 4 : 1, run = taps * inChannels / unit;
  SmallVector<int64_t> extents = {images,    height, width, pixels,
                                  kernel[0], runs,   run};
  AffineExpr line = b.dim(1) * strides[0] + b.dim(4) * dilations[0] - pads[0];
  AffineExpr column = b.dim(2) * strides[1] + b.dim(5) * dilations[1] - pads[1];
  AffineExpr source =
      ((b.dim(0) * inHeight + line) * inWidth + column) * (inChannels / unit) +
      b.dim(6);
  AffineExpr target = b.dim(3) * (getRowSize() / unit) +
                      (b.dim(4) * runs + b.dim(5)) * run + b.dim(6);
  Type bytes = uma::getElement(dataBuffer), pair = uma::getElement(rows);
  double zeroPoint = double(getZeroPoint());
  Value source32 = hasQuads ? b.words(dataBuffer) : Value();
  // Emits a loop over units from `first` to `last`.
  auto copy = [&](StringRef label, OpFoldResult first, OpFoldResult last,
                  bool isData) {
    buildRange(b, first, last, [&](Value index) {
      SmallVector<Value> bindings(vars);
      bindings.push_back(index);
      buildBlock(
          b, label, extents, bindings,
          isData ? ValueRange(hasQuads ? source32 : dataBuffer) : ValueRange(),
          rows, [&](ValueRange vars) {
            if (!hasQuads) {
              Value element = isData ? b.load(dataBuffer, b.apply(source, vars))
                                     : b.constant(bytes, zeroPoint);
              element = b.convert(element, pair, isDataUnsigned());
              return b.store(element, rows, b.apply(target, vars));
            }
            Value word;
            if (isData)
              word = b.load(source32, b.apply(source, vars));
            for (bool isOdd : {false, true}) {
              // Pairs as words; a row has whole words.
              int64_t number = int64_t(zeroPoint) & 0xffff;
              Value both =
                  isData ? b.unpack(word, isDataUnsigned(), isOdd)
                         : b.constant(b.builder.getI32Type(),
                                      double(int32_t(number | number << 16)));
              b.store(both, rows, b.apply(target * 2 + int64_t(isOdd), vars));
            }
          });
    });
  };
  if (!begin)
    return copy("im2col", b.builder.getIndexAttr(0),
                b.builder.getIndexAttr(run), /*isData=*/true);
  begin = mul(b, begin, inChannels / unit);
  end = mul(b, end, inChannels / unit);
  copy("padding", b.builder.getIndexAttr(0), begin, /*isData=*/false);
  copy("im2col", begin, end, /*isData=*/true);
  copy("padding", end, b.builder.getIndexAttr(run), /*isData=*/false);
}

void Im2col::buildRows(LayerBuilder &b, Value image, Value line, Value column) {
  int64_t lastLine =
      (height - 1) * strides[0] + (kernel[0] - 1) * dilations[0] - pads[0];
  int64_t lastColumn =
      (width - 1) * strides[1] + (kernel[1] - 1) * dilations[1] - pads[1];
  bool hasLinePads = pads[0] != 0 || lastLine >= inHeight;
  bool hasColumnPads = pads[1] != 0 || lastColumn >= inWidth;
  auto sub = [&](Value left, Value right) -> Value {
    return arith::SubIOp::create(b.builder, b.loc, left, right);
  };
  auto clamp = [&](Value value) -> Value {
    value = arith::MaxSIOp::create(b.builder, b.loc, value, b.index(0));
    return arith::MinSIOp::create(b.builder, b.loc, value, b.index(taps));
  };
  buildRange(
      b, b.builder.getIndexAttr(0), b.builder.getIndexAttr(pixels),
      [&](Value row) {
        Value pixel = add(b, column, row);
        buildIf(b, exists(b, column, row), [&] {
          if (getRowSize() != steps)
            buildBlock(
                b, "im2col_end", {pixels}, row, {}, rows, [&](ValueRange vars) {
                  Value end =
                      add(b, mul(b, vars[0], getRowSize()), b.index(steps));
                  b.store(b.constant(uma::getElement(rows), 0), rows, end);
                });
          b.loops({kernel[0], runs}, [&](ValueRange loopVars) {
            SmallVector<Value> vars = {image, line, pixel, row};
            llvm::append_range(vars, loopVars);
            if (!hasLinePads && !hasColumnPads)
              return buildRun(b, vars, {}, {});
            // The first column that the run reads.
            Value first = sub(add(b, mul(b, pixel, strides[1]),
                                  mul(b, loopVars[1], dilations[1])),
                              b.index(pads[1]));
            Value begin = clamp(sub(b.index(0), first));
            Value end = clamp(sub(b.index(inWidth), first));
            if (hasLinePads) {
              Value source = sub(add(b, mul(b, line, strides[0]),
                                     mul(b, loopVars[0], dilations[0])),
                                 b.index(pads[0]));
              // Negative lines are large unsigned numbers.
              Value isInside =
                  b.lessThan(source, b.index(inHeight), /*isUnsigned=*/true);
              Value none = b.index(0);
              begin = arith::SelectOp::create(b.builder, b.loc, isInside, begin,
                                              none);
              end = arith::SelectOp::create(b.builder, b.loc, isInside, end,
                                            none);
            }
            buildRun(b, vars, begin, end);
          });
        });
      });
}

void Im2col::buildChannels(LayerBuilder &b, Value image, Value line,
                           Value column, Value pack) {
  int64_t packs = llvm::divideCeil(outChannels, tileChannels);
  Type i32 = b.builder.getI32Type();
  std::string label = hasPairs ? "im2col_pairs" : "im2col_product";
  Value sums = b.local("sum", i32, {pixels * tileChannels});
  buildBlock(b, label + "_start", packs, pack, startBuffer, sums,
             [&](ValueRange vars) {
               for (int64_t c = 0; c < tileChannels; ++c) {
                 Value channel =
                     add(b, mul(b, vars[0], tileChannels), b.index(c));
                 Value value = b.load(startBuffer, channel);
                 for (int64_t row = 0; row < pixels; ++row)
                   b.store(value, sums, b.index(row * tileChannels + c));
               }
             });
  int64_t words = getRowSize() / (hasPairs ? 2 : 1);
  // Words of the rows, if they do not hold words already.
  Value elements = rows, factors = weightBuffer;
  if (hasPairs) {
    factors = b.words(factors);
    if (!hasQuads)
      elements = b.words(elements);
  }
  buildLoop(b, words, tir::ForKind::Serial, [&](Value step) {
    // Elements are used as they are loaded, so that copies need no registers,
    // while each saves the counter and additions of addresses.
    constexpr int64_t numCopies = 8;
    step.getParentBlock()->getParentOp()->setAttr(
        tir::kUnrollAttrName, hasPairs
                                  ? Attribute(b.builder.getUnitAttr())
                                  : b.builder.getI64IntegerAttr(numCopies));
    buildBlock(
        b, label, {packs, words}, {pack, step}, {factors, elements, sums}, sums,
        [&](ValueRange vars) {
          Value place = add(b, mul(b, vars[0], words), vars[1]);
          SmallVector<Value> weights;
          if (hasPairs) {
            Value word = b.load(factors, place);
            for (bool isOdd : {false, true})
              weights.push_back(b.unpack(word, /*isUnsigned=*/false, isOdd));
          } else {
            for (int64_t c = 0; c < tileChannels; ++c)
              weights.push_back(
                  b.convert(b.load(factors, add(b, mul(b, place, tileChannels),
                                                b.index(c))),
                            i32));
          }
          for (int64_t row = 0; row < pixels; ++row) {
            Value element =
                b.load(elements, add(b, b.index(row * words), vars[1]));
            if (!hasPairs)
              element = b.convert(element, i32, isDataUnsigned());
            for (int64_t c = 0; c < tileChannels; ++c) {
              Value at = b.index(row * tileChannels + c);
              Value old = b.load(sums, at);
              Value sum = hasPairs
                              ? b.dot(element, weights[c], old, /*wordSize=*/2)
                              : b.add(b.mul(element, weights[c]), old);
              b.store(sum, sums, at);
            }
          }
        });
  });
  SmallVector<Value> reads = {sums};
  llvm::append_range(reads, operandBuffers);
  for (int64_t row = 0; row < pixels; ++row)
    for (int64_t c = 0; c < tileChannels; ++c)
      buildBlock(
          b, label + "_result", {images, height, width, packs},
          {image, line, column, pack}, reads, resultBuffer,
          [&](ValueRange vars) {
            Value channel = add(b, mul(b, vars[3], tileChannels), b.index(c));
            Value condition =
                row == 0 ? Value() : exists(b, vars[2], b.index(row));
            if (c != 0 && outChannels % tileChannels != 0) {
              Value isChannel = b.lessThan(channel, b.index(outChannels));
              condition = condition
                              ? arith::AndIOp::create(b.builder, b.loc,
                                                      condition, isChannel)
                                    .getResult()
                              : isChannel;
            }
            buildIf(b, condition, [&] {
              Value pixel = add(b, mul(b, vars[0], height), vars[1]);
              pixel =
                  add(b, add(b, mul(b, pixel, width), vars[2]), b.index(row));
              Value sum = b.load(sums, b.index(row * tileChannels + c));
              storeResult(b, sum, pixel, channel);
            });
          });
}

void Im2col::buildTile(LayerBuilder &b, Value image, Value line, Value column) {
  Type element = dataBuffer ? uma::getElement(dataBuffer) : Type();
  int64_t size = pixels * getRowSize();
  if (hasQuads) {
    element = b.builder.getI32Type();
    size /= 2;
  } else if (hasPairs) {
    element = b.builder.getI16Type();
  }
  rows = b.local("rows", element, {size});
  buildRows(b, image, line, column);
  buildLoop(b, llvm::divideCeil(outChannels, tileChannels),
            tir::ForKind::Serial,
            [&](Value pack) { buildChannels(b, image, line, column, pack); });
}

void Im2col::lower() {
  setGeometry();
  addArguments();
  start = addStart(llvm::alignTo(outChannels, tileChannels),
                   /*subtractsZeroPoint=*/true);
  weights = addWeights();
  releaseConstant(layer.anchor->getOperand(1));
  buildBytes([&](LayerBuilder &b) {
    startBuffer = getFlat(b, start);
    weightBuffer = getFlat(b, weights);
    int64_t tiles = llvm::divideCeil(width, pixels);
    b.loops(
        {images, height, tiles},
        [&](ValueRange vars) {
          buildTile(b, vars[0], vars[1], mul(b, vars[2], pixels));
        },
        /*isParallel=*/true);
  });
}

LayerLoweringPtr uma::createIm2col(const CPULayer &layer,
                                   BufferProvider &provider) {
  return std::make_unique<Im2col>(layer, provider);
}
