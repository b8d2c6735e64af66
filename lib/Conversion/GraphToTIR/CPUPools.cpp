//===- CPUPools.cpp - Pools on vectors of channels ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Padding never wins a maximum and has no part in a mean, so it is not read:
// the loops over a window that reaches into it are shorter.
//
//===----------------------------------------------------------------------===//

#include "CPULowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

/// The window of a pool; a global one sees everything.
static graph::Window getPoolWindow(Operation *op,
                                   const graph::WindowLayout &layout) {
  return llvm::TypeSwitch<Operation *, graph::Window>(op)
      .Case<graph::MaxPool2dOp, graph::AvgPool2dOp>(
          [](auto pool) { return pool.getWindow(); })
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

namespace {
/// Where the window at a place lies along one dimension.
struct WindowRange {
  /// The first element, in the padding perhaps.
  Value first;
  /// Of the window's taps those that meet data: from `begin` to before `end`;
  /// integers where they are the same for all windows.
  OpFoldResult begin, end;
  /// How many elements a mean is taken of.
  Value count;
};
} // namespace

static WindowRange getRange(LayerBuilder &b, const graph::Window &window,
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

/// A loop over a range around `body`.
static void forRange(LayerBuilder &b, OpFoldResult begin, OpFoldResult end,
                     function_ref<void(Value)> body) {
  auto loop = tir::ForOp::create(b.builder, b.loc, begin, end);
  OpBuilder::InsertionGuard guard(b.builder);
  b.builder.setInsertionPointToStart(&loop.getBody().front());
  body(loop.getInductionVar());
}

/// NaN loses where it comes second.
static Value selectLarger(LayerBuilder &b, Value old, Value value) {
  Value isLess = b.lessThan(old, value);
  return arith::SelectOp::create(b.builder, b.loc, isLess, value, old);
}

void LayerLowering::lowerPool() {
  Operation *op = layer.anchor;
  auto layout = *graph::WindowLayout::parse(
      op->getAttrOfType<StringAttr>("data_layout")
          ? op->getAttrOfType<StringAttr>("data_layout").getValue()
          : "NCHW");
  graph::Window window = getPoolWindow(op, layout);
  bool isMax = isa<graph::MaxPool2dOp, graph::GlobalMaxPool2dOp>(op);
  auto average = dyn_cast<graph::AvgPool2dOp>(op);
  bool countPad = average && average.getCountIncludePad();

  BufferLayout wanted = layers.getLayout(layer.getResult());
  int64_t block = wanted.block;
  wanted.removeHalo();
  Argument data = addArgument(provider.request(op->getOperand(0), wanted));
  result = addArgument(provider.getCanonical(layer.getResult()));
  RankedTensorType type = layer.getType();
  int64_t batch = type.getDimSize(layout.n);
  int64_t blocks = type.getDimSize(layout.c) / block;
  int64_t height = type.getDimSize(layout.spatial[0]);
  int64_t width = type.getDimSize(layout.spatial[1]);

  build([&](LayerBuilder &b) {
    if (result.layout.hasHalo())
      buildZeroHalo(b, getBuffer(b, result), result.layout);
    Value source = getBuffer(b, data), target = getBuffer(b, result);
    Type element = b.builder.getF32Type();
    // Iteration variables: image, block, row, column, first channel; then the
    // lane, and behind it the place in the data.
    SmallVector<LayerBuilder::Dim> dims = {
        {batch}, {blocks}, {height}, {width}, {block}};
    AffineExpr channel = b.dim(4), inLane = b.dim(4) + b.dim(5);
    auto getAccess = [&](Value buffer, const BufferLayout &in, AffineExpr row,
                         AffineExpr column, AffineExpr inBlock) {
      IndexExprs place(4);
      place[layout.n] = b.dim(0);
      place[layout.c] = b.expr(0);
      place[layout.spatial[0]] = row;
      place[layout.spatial[1]] = column;
      return Access{buffer, in.getIndices(place, {b.dim(1), inBlock})};
    };
    buildVersions(b, [&](const SIMDTarget &version) {
      VectorLoop vectors(block, version);
      Access writes =
          getAccess(target, result.layout, b.dim(2), b.dim(3), channel);
      writes.extents = {1, 1, 1, 1, vectors.lanes};
      b.loops(
          {batch, blocks, height, width},
          [&](ValueRange loopVars) {
            vectors.build(b, [&](Value first) {
              SmallVector<Value> bindings(loopVars);
              bindings.push_back(first);
              b.block(
                  "pool2d", dims, bindings, {b.anywhere(source)}, {writes},
                  [&](ValueRange vars) {
                    WindowRange rows =
                        getRange(b, window, 0, vars[2], countPad);
                    WindowRange columns =
                        getRange(b, window, 1, vars[3], countPad);
                    Value divisor;
                    if (!isMax) {
                      Value count = arith::MulIOp::create(
                          b.builder, b.loc, rows.count, columns.count);
                      Value integer = arith::IndexCastOp::create(
                          b.builder, b.loc, b.builder.getI32Type(), count);
                      divisor = b.convert(integer, element);
                    }
                    buildLoop(
                        b, vectors.lanes, tir::ForKind::Vectorized,
                        [&](Value lane) {
                          Value best = b.local("window", element);
                          Value start =
                              isMax ? arith::ConstantOp::create(
                                          b.builder, b.loc,
                                          b.builder.getFloatAttr(
                                              element,
                                              APFloat::getInf(
                                                  APFloat::IEEEsingle(), true)))
                                          .getResult()
                                    : b.constant(element, 0.0);
                          b.store(start, best, {});
                          forRange(b, rows.begin, rows.end, [&](Value y) {
                            forRange(
                                b, columns.begin, columns.end, [&](Value x) {
                                  SmallVector<Value> all(vars);
                                  Value row = arith::AddIOp::create(
                                      b.builder, b.loc, rows.first, y);
                                  Value column = arith::AddIOp::create(
                                      b.builder, b.loc, columns.first, x);
                                  all.append({lane, row, column});
                                  Value value = b.loadAt(
                                      element,
                                      getAccess(source, data.layout, b.dim(6),
                                                b.dim(7), inLane),
                                      all);
                                  Value old = b.load(best, {});
                                  b.store(isMax ? selectLarger(b, old, value)
                                                : b.add(old, value),
                                          best, {});
                                });
                          });
                          Value sum = b.load(best, {});
                          if (divisor)
                            sum = arith::DivFOp::create(b.builder, b.loc, sum,
                                                        divisor);
                          SmallVector<Value> all(vars);
                          all.push_back(lane);
                          b.storeAt(sum,
                                    getAccess(target, result.layout, b.dim(2),
                                              b.dim(3), inLane),
                                    all);
                        });
                  });
            });
          },
          /*isParallel=*/true);
    });
  });
}
