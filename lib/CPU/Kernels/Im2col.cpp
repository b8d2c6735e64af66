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
// The steps of the reduction are in groups of four, which the C repeats without
// a loop. If loads do not extend signs, rows and weights hold unsigned bytes,
// 128 more than the signed ones. Then 128 times the sum of a row is subtracted
// from the sums of all channels, which makes up for the weights.
//
// With pairs, the rows hold pairs of i16, and a word of weights holds those of
// two steps and two channels. Words of four bytes are extended in two
// instructions, which yield the elements 0 and 2, and 1 and 3: the order of the
// steps in the rows and in the packed weights.
//
//===----------------------------------------------------------------------===//

#include "Im2col.h"

#include "uma/CPU/Model/Problems.h"
#include "uma/Support/LayerName.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace uma;

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
        int64_t weight = from.getInt(
            channel * stride[0] + tap / kernel[1] * stride[1] +
            tap % kernel[1] * stride[2] + step % inChannels * stride[3]);
        // As a signed byte.
        if (isOffset)
          weight += weight < 0 ? byteOffset : -byteOffset;
        to.setInt(place, weight);
      }
  std::string name = getLayerName(layer.anchor) + "_packed";
  return addConstant(to.toAttribute(name), name);
}

Value Im2col::exists(LayerBuilder &b, Value column, Value row) {
  if (width % pixels == 0)
    return {};
  return b.lessThan(add(b, column, row), b.index(width));
}

void Im2col::buildPairs(LayerBuilder &b, Value pack, Value sums) {
  int64_t packs = llvm::divideCeil(outChannels, tileChannels);
  int64_t words = getRowSize() / 2;
  Value factors = b.words(weightBuffer);
  // Words of the rows, if they do not hold words already.
  Value elements = hasQuads ? rows : b.words(rows);
  buildLoop(b, words, tir::ForKind::Serial, [&](Value step) {
    step.getParentBlock()->getParentOp()->setAttr(tir::kUnrollAttrName,
                                                  b.builder.getUnitAttr());
    buildBlock(
        b, "im2col_pairs", {packs, words}, {pack, step},
        {factors, elements, sums}, sums, [&](ValueRange vars) {
          Value word = b.load(factors, add(b, mul(b, vars[0], words), vars[1]));
          SmallVector<Value> weights;
          for (bool isOdd : {false, true})
            weights.push_back(b.unpack(word, /*isUnsigned=*/false, isOdd));
          for (int64_t row = 0; row < pixels; ++row) {
            Value element =
                b.load(elements, add(b, b.index(row * words), vars[1]));
            for (int64_t c = 0; c < tileChannels; ++c) {
              Value at = b.index(row * tileChannels + c);
              Value old = b.load(sums, at);
              b.store(b.dot(element, weights[c], old, /*wordSize=*/2), sums,
                      at);
            }
          }
        });
  });
}

void Im2col::buildSteps(LayerBuilder &b, Value pack, Value sums) {
  int64_t packs = llvm::divideCeil(outChannels, tileChannels);
  int64_t size = getRowSize(), groups = size / group;
  Type i32 = b.builder.getI32Type();
  auto load = [&](Value buffer, Value place, bool isUnsigned) {
    return b.convert(b.load(buffer, place), i32, isUnsigned || isOffset);
  };
  // Constant offsets from one address each for the weights and the rows.
  auto buildStep = [&](Value weights, Value data, int64_t step) {
    SmallVector<Value> elements;
    for (int64_t row = 0; row < pixels; ++row)
      elements.push_back(load(rows, add(b, data, b.index(row * size + step)),
                              isDataUnsigned()));
    for (int64_t c = 0; c < tileChannels; ++c) {
      Value place = add(b, weights, b.index(step * tileChannels + c));
      Value weight = load(weightBuffer, place, /*isUnsigned=*/false);
      for (auto [row, element] : llvm::enumerate(elements)) {
        Value at = b.index(int64_t(row) * tileChannels + c);
        Value old = b.load(sums, at);
        b.store(b.add(b.mul(element, weight), old), sums, at);
      }
    }
  };
  buildLoop(b, groups, tir::ForKind::Serial, [&](Value step) {
    buildBlock(b, "im2col_product", {packs, groups}, {pack, step},
               {weightBuffer, rows, sums}, sums, [&](ValueRange vars) {
                 Value weights = add(b, mul(b, vars[0], groups), vars[1]);
                 weights = mul(b, weights, group * tileChannels);
                 Value data = mul(b, vars[1], group);
                 for (int64_t i = 0; i < group; ++i)
                   buildStep(weights, data, i);
               });
  });
}

void Im2col::buildResult(LayerBuilder &b, ValueRange vars, Value sums,
                         bool checksRow, bool checksChannel) {
  int64_t packs = llvm::divideCeil(outChannels, tileChannels);
  SmallVector<Value> reads = {sums};
  llvm::append_range(reads, operandBuffers);
  buildBlock(b, hasPairs ? "im2col_pairs_result" : "im2col_product_result",
             {images, height, width, packs, pixels, tileChannels}, vars, reads,
             resultBuffer, [&](ValueRange vars) {
               Value row = vars[4];
               Value channel = add(b, mul(b, vars[3], tileChannels), vars[5]);
               Value condition = checksRow ? exists(b, vars[2], row) : Value();
               if (checksChannel && outChannels % tileChannels != 0) {
                 Value isChannel = b.lessThan(channel, b.index(outChannels));
                 condition = condition
                                 ? arith::AndIOp::create(b.builder, b.loc,
                                                         condition, isChannel)
                                       .getResult()
                                 : isChannel;
               }
               buildIf(b, condition, [&] {
                 Value pixel = add(b, mul(b, vars[0], height), vars[1]);
                 pixel = add(b, add(b, mul(b, pixel, width), vars[2]), row);
                 Value sum =
                     b.load(sums, add(b, mul(b, row, tileChannels), vars[5]));
                 storeResult(b, sum, pixel, channel);
               });
             });
}

void Im2col::buildResults(LayerBuilder &b, ValueRange vars, Value sums) {
  SmallVector<Value> bindings(vars);
  auto append = [&](Value row, Value channel) {
    bindings.resize(vars.size());
    bindings.append({row, channel});
  };
  int64_t count = pixels * tileChannels;
  if (hasPairs || count == 1) {
    for (int64_t row = 0; row < pixels; ++row)
      for (int64_t c = 0; c < tileChannels; ++c) {
        append(b.index(row), b.index(c));
        buildResult(b, bindings, sums, row != 0, c != 0);
      }
    return;
  }
  // A loop over the sums keeps the C small. The sums themselves stay in
  // registers because they have constant indices.
  Value copy = b.local("sums", b.builder.getI32Type(), {count});
  buildBlock(b, "im2col_sums", {}, {}, sums, copy, [&](ValueRange) {
    for (int64_t i = 0; i < count; ++i)
      b.store(b.load(sums, b.index(i)), copy, b.index(i));
  });
  b.loops({pixels, tileChannels}, [&](ValueRange loopVars) {
    append(loopVars[0], loopVars[1]);
    buildResult(b, bindings, copy, pixels != 1, tileChannels != 1);
  });
}

void Im2col::buildChannels(LayerBuilder &b, Value image, Value line,
                           Value column, Value pack) {
  int64_t packs = llvm::divideCeil(outChannels, tileChannels);
  Type i32 = b.builder.getI32Type();
  std::string label = hasPairs ? "im2col_pairs" : "im2col_product";
  Value sums = b.local("sum", i32, {pixels * tileChannels});
  SmallVector<Value> starts = {startBuffer};
  if (isOffset)
    starts.push_back(rowSums);
  buildBlock(
      b, label + "_start", packs, pack, starts, sums, [&](ValueRange vars) {
        SmallVector<Value> corrections;
        for (int64_t row = 0; isOffset && row < pixels; ++row)
          corrections.push_back(b.mul(b.load(rowSums, b.index(row)),
                                      b.constant(i32, double(byteOffset))));
        for (int64_t c = 0; c < tileChannels; ++c) {
          Value channel = add(b, mul(b, vars[0], tileChannels), b.index(c));
          Value value = b.load(startBuffer, channel);
          for (int64_t row = 0; row < pixels; ++row)
            b.store(isOffset ? b.sub(value, corrections[row]) : value, sums,
                    b.index(row * tileChannels + c));
        }
      });
  if (hasPairs)
    buildPairs(b, pack, sums);
  else
    buildSteps(b, pack, sums);
  buildResults(b, {image, line, column, pack}, sums);
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
  if (isOffset)
    rowSums = b.local("row_sums", b.builder.getI32Type(), {pixels});
  buildRows(b, image, line, column);
  buildLoop(b, llvm::divideCeil(outChannels, tileChannels),
            tir::ForKind::Serial,
            [&](Value pack) { buildChannels(b, image, line, column, pack); });
}

void Im2col::lower() {
  setGeometry();
  addArguments();
  start = addStart(llvm::alignTo(outChannels, tileChannels),
                   /*subtractsZeroPoint=*/true, getDataOffset());
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
        chooseParallel({images, height}));
  });
}

LayerLoweringPtr uma::createIm2col(const CPULayer &layer,
                                   BufferProvider &provider) {
  return std::make_unique<Im2col>(layer, provider);
}
