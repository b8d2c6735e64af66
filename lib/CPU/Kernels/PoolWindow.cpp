//===- PoolWindow.cpp - Windows clipped to the data -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PoolWindow.h"

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;

graph::Window uma::getAnyWindow(Operation *op,
                                const graph::WindowLayout &layout) {
  return llvm::TypeSwitch<Operation *, graph::Window>(op)
      .Case<graph::MaxPool2dOp, graph::AvgPool2dOp>(
          [](auto pool) { return pool.getWindow(); })
      .Case([](graph::Conv2dOp conv) { return conv.getDims().window; })
      .Default([&](Operation *op) {
        auto type = cast<RankedTensorType>(op->getOperand(0).getType());
        graph::Window window;
        for (int64_t dim : layout.spatial)
          window.input.push_back(type.getDimSize(dim));
        window.kernel = window.input;
        window.strides = window.dilations = {1, 1};
        window.padBegin = window.padEnd = {0, 0};
        return window;
      });
}

WindowRange uma::getRange(LayerBuilder &b, const graph::Window &window,
                          int64_t dim, Value place, bool countPad) {
  auto make = [&](auto tag, Value left, Value right) -> Value {
    return decltype(tag)::create(b.builder, b.loc, left, right);
  };
  WindowRange range;
  int64_t input = window.input[dim], kernel = window.kernel[dim];
  Value stride = b.index(window.strides[dim]);
  Value scaled = make(arith::MulIOp(), place, stride);
  Value pad = b.index(window.padBegin[dim]);
  range.first = make(arith::SubIOp(), scaled, pad);
  range.begin = b.builder.getIndexAttr(0);
  range.end = b.builder.getIndexAttr(kernel);
  range.count = b.index(kernel);
  int64_t last = (window.getOutput(dim) - 1) * window.strides[dim] +
                 window.getExtent(dim) - 1 - window.padBegin[dim];
  if (window.padBegin[dim] == 0 && last < input)
    return range;
  Value zero = b.index(0), size = b.index(input), all = b.index(kernel);
  Value missing = make(arith::SubIOp(), zero, range.first);
  Value begin = make(arith::MaxSIOp(), missing, zero);
  Value rest = make(arith::SubIOp(), size, range.first);
  if (int64_t dilation = window.dilations[dim]; dilation != 1) {
    // Taps, not elements.
    auto getTap = [&](Value element) -> Value {
      element = make(arith::MaxSIOp(), element, zero);
      Value more = b.index(dilation - 1), step = b.index(dilation);
      Value sum = make(arith::AddIOp(), element, more);
      return make(arith::DivUIOp(), sum, step);
    };
    begin = getTap(begin);
    rest = getTap(rest);
  }
  Value end = make(arith::MinSIOp(), rest, all);
  range.begin = begin;
  range.end = end;
  if (!countPad) {
    range.count = make(arith::SubIOp(), end, begin);
    return range;
  }
  Value padded = b.index(input + window.padEnd[dim]);
  Value counted = make(arith::SubIOp(), padded, range.first);
  range.count = make(arith::MinSIOp(), counted, all);
  return range;
}
