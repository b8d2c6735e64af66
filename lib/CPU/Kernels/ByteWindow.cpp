//===- ByteWindow.cpp - Depthwise convolutions and averages of bytes ------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Padding adds nothing to a sum, so it is not read: loops over a window are
// clipped to the data. Windows inside of the data have constant bounds.
//
//===----------------------------------------------------------------------===//

#include "ByteLayer.h"
#include "PoolWindow.h"

#include "uma/CPU/Model/Problems.h"
#include "uma/Support/LayerName.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace uma;

namespace {
class ByteWindow : public ByteLayer {
public:
  using ByteLayer::ByteLayer;
  void lower() override;

private:
  Argument addWeights();
  /// Emits the results of the pixel at `vars`.
  void buildPixel(LayerBuilder &b, ValueRange vars);
  /// Emits the result of one channel, whose window is `lines` and `columns`.
  void buildChannel(LayerBuilder &b, ValueRange vars, Value channel,
                    const WindowRange &lines, const WindowRange &columns);

  bool isConv = isa<graph::Conv2dOp>(layer.anchor);
  bool countPad = false;
  graph::Window window;
  int64_t images = 1, channels = 1;
  Value startBuffer, weightBuffer;
};
} // namespace

LayerLowering::Argument ByteWindow::addWeights() {
  // [taps, channels]
  auto conv = cast<graph::Conv2dOp>(layer.anchor);
  HostTensor from = getHostTensor(conv.getWeight());
  SmallVector<int64_t> strides = computeStrides(from.getType().getShape());
  auto layout = *graph::KernelLayout::parse(conv.getKernelLayout());
  HostTensor to(RankedTensorType::get(
      {window.kernel[0], window.kernel[1], channels}, from.getElementType()));
  int64_t place = 0;
  for (int64_t y = 0; y < window.kernel[0]; ++y)
    for (int64_t x = 0; x < window.kernel[1]; ++x)
      for (int64_t c = 0; c < channels; ++c)
        to.setInt(place++, from.getInt(y * strides[layout.spatial[0]] +
                                       x * strides[layout.spatial[1]] +
                                       c * strides[layout.o]));
  std::string name = getLayerName(layer.anchor) + "_packed";
  return addConstant(to.toAttribute(name), name);
}

void ByteWindow::buildChannel(LayerBuilder &b, ValueRange vars, Value channel,
                              const WindowRange &lines,
                              const WindowRange &columns) {
  int64_t height = window.getOutput(0), width = window.getOutput(1);
  Type type = isConv ? Type(b.builder.getI32Type()) : b.builder.getF32Type();
  Value sum = b.local("sum", type);
  std::string label = isConv ? "depthwise" : "average";
  buildBlock(b, label + "_start", channels, channel,
             isConv ? ValueRange(startBuffer) : ValueRange(), sum,
             [&](ValueRange vars) {
               Value start = isConv ? b.load(startBuffer, vars[0])
                                    : b.constant(type, 0.0);
               b.store(start, sum, {});
             });
  SmallVector<Value> reads = {dataBuffer, sum};
  if (isConv)
    reads.push_back(weightBuffer);
  // Iteration variables: image, line and column of the result, channel, line
  // and column of the window, line and column of the data in its first place.
  SmallVector<int64_t> extents = {images,   height,           width,
                                  channels, window.kernel[0], window.kernel[1]};
  AffineExpr line = b.dim(1) * window.strides[0] +
                    b.dim(4) * window.dilations[0] - window.padBegin[0];
  AffineExpr column = b.dim(2) * window.strides[1] +
                      b.dim(5) * window.dilations[1] - window.padBegin[1];
  AffineExpr source =
      ((b.dim(0) * window.input[0] + line) * window.input[1] + column) *
          channels +
      b.dim(3);
  AffineExpr tap =
      (b.dim(4) * window.kernel[1] + b.dim(5)) * channels + b.dim(3);
  auto buildTap = [&](Value y, Value x) {
    SmallVector<Value> bindings(vars);
    bindings.append({channel, y, x});
    buildBlock(b, label, extents, bindings, reads, sum, [&](ValueRange vars) {
      Value element = b.load(dataBuffer, b.apply(source, vars));
      if (isConv) {
        element = b.convert(element, type, isDataUnsigned());
        if (int64_t zeroPoint = getZeroPoint())
          element = b.sub(element, b.constant(type, double(zeroPoint)));
        Value weight = b.load(weightBuffer, b.apply(tap, vars));
        element = b.mul(element, b.convert(weight, type));
      } else {
        element = convertData(b, element);
      }
      b.store(b.add(b.load(sum, {}), element), sum, {});
    });
  };
  bool isInside = isa<Attribute>(lines.begin) && isa<Attribute>(columns.begin);
  constexpr int64_t mostUnrolled = 25;
  if (isConv && isInside &&
      window.kernel[0] * window.kernel[1] <= mostUnrolled) {
    for (int64_t y = 0; y < window.kernel[0]; ++y)
      for (int64_t x = 0; x < window.kernel[1]; ++x)
        buildTap(b.index(y), b.index(x));
  } else {
    buildRange(b, lines.begin, lines.end, [&](Value y) {
      buildRange(b, columns.begin, columns.end,
                 [&](Value x) { buildTap(y, x); });
    });
  }
  SmallVector<Value> results = {sum};
  llvm::append_range(results, operandBuffers);
  SmallVector<Value> bindings(vars);
  bindings.push_back(channel);
  Value count;
  if (!isConv) {
    count = arith::MulIOp::create(b.builder, b.loc, lines.count, columns.count);
    count = arith::IndexCastOp::create(b.builder, b.loc, b.builder.getI32Type(),
                                       count);
  }
  buildBlock(b, label + "_result", {images, height, width, channels}, bindings,
             results, resultBuffer, [&](ValueRange vars) {
               Value value = b.load(sum, {});
               if (count)
                 value = b.div(value, b.convert(count, type));
               Value pixel = b.apply(
                   (b.dim(0) * height + b.dim(1)) * width + b.dim(2), vars);
               storeResult(b, value, pixel, vars[3]);
             });
}

void ByteWindow::buildPixel(LayerBuilder &b, ValueRange vars) {
  WindowRange lines = getRange(b, window, 0, vars[1], countPad);
  WindowRange columns = getRange(b, window, 1, vars[2], countPad);
  auto buildChannels = [&](const WindowRange &lines,
                           const WindowRange &columns) {
    buildLoop(b, channels, tir::ForKind::Serial, [&](Value channel) {
      buildChannel(b, vars, channel, lines, columns);
    });
  };
  // Most windows lie inside of the data.
  Value isInside;
  WindowRange inside[] = {lines, columns};
  for (auto [dim, range] : llvm::enumerate(inside)) {
    auto begin = dyn_cast<Value>(range.begin);
    if (!begin)
      continue;
    Value taps =
        arith::SubIOp::create(b.builder, b.loc, cast<Value>(range.end), begin);
    Value isWhole =
        arith::CmpIOp::create(b.builder, b.loc, arith::CmpIPredicate::eq, taps,
                              b.index(window.kernel[dim]));
    isInside = isInside
                   ? arith::AndIOp::create(b.builder, b.loc, isInside, isWhole)
                         .getResult()
                   : isWhole;
    range.begin = b.builder.getIndexAttr(0);
    range.end = b.builder.getIndexAttr(window.kernel[dim]);
  }
  if (!isConv || !isInside)
    return buildChannels(lines, columns);
  buildIf(
      b, isInside, [&] { buildChannels(inside[0], inside[1]); },
      [&] { buildChannels(lines, columns); });
}

void ByteWindow::lower() {
  auto names = *graph::WindowLayout::parse(getDataLayout(layer.anchor));
  window = getAnyWindow(layer.anchor, names);
  if (auto average = dyn_cast<graph::AvgPool2dOp>(layer.anchor))
    countPad = average.getCountIncludePad();
  images = layer.getType().getDimSize(names.n);
  channels = layer.getType().getDimSize(names.c);
  addArguments();
  Argument start, weights;
  if (isConv) {
    start = addStart(channels, /*subtractsZeroPoint=*/false);
    weights = addWeights();
    releaseConstant(layer.anchor->getOperand(1));
  }
  buildBytes([&](LayerBuilder &b) {
    if (isConv) {
      startBuffer = getFlat(b, start);
      weightBuffer = getFlat(b, weights);
    }
    b.loops(
        {images, window.getOutput(0), window.getOutput(1)},
        [&](ValueRange vars) { buildPixel(b, vars); },
        chooseParallel({images, window.getOutput(0)}));
  });
}

LayerLoweringPtr uma::createByteWindow(const CPULayer &layer,
                                       BufferProvider &provider) {
  return std::make_unique<ByteWindow>(layer, provider);
}
