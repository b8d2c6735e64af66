//===- Pools.cpp - Pools with vectors of channels -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Padding affects neither the maximum nor the mean, so it is not read: loops
// over a window are clipped to the data.
//
// Threads that share an image share its rows. A pool of the whole image first
// reduces each row, so that threads read what they wrote, and sums do not wait
// for each other.
//
//===----------------------------------------------------------------------===//

#include "LayerLowering.h"
#include "PoolWindow.h"

#include "uma/Support/LayerName.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

/// Builds a loop from `begin` to `end` around `body`.
static void forRange(LayerBuilder &b, OpFoldResult begin, OpFoldResult end,
                     function_ref<void(Value)> body) {
  auto loop = tir::ForOp::create(b.builder, b.loc, begin, end);
  OpBuilder::InsertionGuard guard(b.builder);
  b.builder.setInsertionPointToStart(&loop.getBody().front());
  body(loop.getInductionVar());
}

/// Returns the larger value; `old` if `value` is NaN.
static Value selectLarger(LayerBuilder &b, Value old, Value value) {
  if (old.getType().isInteger())
    return arith::MaxSIOp::create(b.builder, b.loc, old, value);
  Value isLess = b.lessThan(old, value);
  return arith::SelectOp::create(b.builder, b.loc, isLess, value, old);
}

namespace {
/// A pool with the accesses to its tensors.
struct PoolKernel {
  /// Iteration variables: image, block, row, column, first channel, then the
  /// lane and the place in the data.
  enum : unsigned {
    Image,
    Block,
    Row,
    Column,
    First,
    Lane,
    DataRow,
    DataColumn
  };

  struct Tensor {
    Value buffer;
    BufferLayout layout;
  };

  Access getAccess(const Tensor &tensor, unsigned row, unsigned column,
                   AffineExpr channel) {
    IndexExprs place =
        getImagePlace(names, b.dim(Image), b.dim(row), b.dim(column));
    return Access{tensor.buffer,
                  tensor.layout.getIndices(place, {b.dim(Block), channel})};
  }
  /// Returns the number of elements of the window as a float.
  Value getDivisor(const WindowRange &rows, const WindowRange &columns) {
    Value count =
        arith::MulIOp::create(b.builder, b.loc, rows.count, columns.count);
    Value integer = arith::IndexCastOp::create(b.builder, b.loc,
                                               b.builder.getI32Type(), count);
    return b.convert(integer, b.builder.getF32Type());
  }
  /// Returns the type in which windows are reduced.
  Type getType() {
    Type element = uma::getElement(data.buffer);
    return element.isInteger() ? Type(b.builder.getI32Type())
                               : LayerBuilder::getComputeType(element);
  }
  Value getStart() {
    if (!isMax)
      return b.constant(b.builder.getF32Type(), 0.0);
    if (getType().isInteger()) {
      unsigned width = uma::getElement(data.buffer).getIntOrFloatBitWidth();
      return b.constant(getType(),
                        isUnsigned ? 0 : -std::ldexp(1.0, int(width) - 1));
    }
    return arith::ConstantOp::create(
        b.builder, b.loc,
        b.builder.getF32FloatAttr(-std::numeric_limits<float>::infinity()));
  }
  /// Emits the sum or the maximum of the window's elements in a lane.
  Value reduceWindow(ValueRange vars, Value lane, const WindowRange &rows,
                     const WindowRange &columns);
  void build(const ISA &target);

  LayerBuilder &b;
  const graph::WindowLayout &names;
  graph::Window window;
  bool isMax, countPad;
  /// Whether the data is unsigned integers.
  bool isUnsigned;
  int64_t batch, blocks, height, width, block;
  Tensor data, result;
  /// The number that divides sums; if it is missing, the number of elements of
  /// the window does.
  std::optional<int64_t> divisor = std::nullopt;
};
} // namespace

Value PoolKernel::reduceWindow(ValueRange vars, Value lane,
                               const WindowRange &rows,
                               const WindowRange &columns) {
  Type element = getType();
  Value best = b.local("window", element);
  b.store(getStart(), best, {});
  forRange(b, rows.begin, rows.end, [&](Value y) {
    forRange(b, columns.begin, columns.end, [&](Value x) {
      SmallVector<Value> all(vars);
      Value row = arith::AddIOp::create(b.builder, b.loc, rows.first, y);
      Value column = arith::AddIOp::create(b.builder, b.loc, columns.first, x);
      all.append({lane, row, column});
      AffineExpr channel = b.dim(First) + b.dim(Lane);
      Access access = getAccess(data, DataRow, DataColumn, channel);
      Value value = b.load(access.buffer, b.applyAll(access, all));
      value = b.convert(value, element, isUnsigned);
      Value old = b.load(best, {});
      b.store(isMax ? selectLarger(b, old, value) : b.add(old, value), best,
              {});
    });
  });
  return b.load(best, {});
}

void PoolKernel::build(const ISA &target) {
  VectorLoop vectors(block, target);
  Access writes = getAccess(result, Row, Column, b.dim(First));
  writes.extents = {1, 1, 1, 1, vectors.lanes};
  auto buildPixel = [&](ValueRange vars) {
    WindowRange rows = getRange(b, window, 0, vars[Row], countPad);
    WindowRange columns = getRange(b, window, 1, vars[Column], countPad);
    Value count;
    if (divisor && *divisor != 1)
      count = b.constant(b.builder.getF32Type(), double(*divisor));
    else if (!divisor && !isMax)
      count = getDivisor(rows, columns);
    buildLoop(b, vectors.lanes, tir::ForKind::Vectorized, [&](Value lane) {
      Value value = reduceWindow(vars, lane, rows, columns);
      if (count)
        value = arith::DivFOp::create(b.builder, b.loc, value, count);
      SmallVector<Value> all(vars);
      all.push_back(lane);
      b.storeAt(value,
                getAccess(result, Row, Column, b.dim(First) + b.dim(Lane)),
                all);
    });
  };
  vectors.buildBlocks(
      b, "pool2d", {batch, blocks, height, width}, {b.anywhere(data.buffer)},
      {writes}, buildPixel,
      chooseParallelRows(batch, blocks, height, window.input[1]));
}

/// Builds the reduction of each row to an element of `rows`, and then of these.
static void buildRows(const PoolKernel &whole, PoolKernel::Tensor rows,
                      const ISA &target) {
  int64_t height = whole.window.kernel[0], width = whole.window.kernel[1];
  PoolKernel first = whole, second = whole;
  first.window.kernel = {1, width};
  first.height = height;
  first.result = second.data = std::move(rows);
  first.divisor = 1;
  second.window.input = second.window.kernel = {height, 1};
  second.divisor = whole.isMax ? 1 : height * width;
  first.build(target);
  second.build(target);
}

namespace {
class Pool : public LayerLowering {
public:
  using LayerLowering::LayerLowering;
  void lower() override;

private:
  /// Adds a buffer with an element for each row of the data.
  Argument addRows(Operation *op, const graph::WindowLayout &names,
                   BufferLayout layout);
};
} // namespace

/// Returns whether a pool reduces the rows of large images first.
static bool reducesRows(Operation *op, const graph::Window &window) {
  // Smaller ones are not worth waking threads.
  constexpr int64_t least = 1 << 15, leastRows = 8;
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  return isa<graph::GlobalMaxPool2dOp, graph::GlobalAvgPool2dOp>(op) &&
         type.getElementType().isF32() && window.kernel[0] >= leastRows &&
         type.getNumElements() >= least;
}

LayerLowering::Argument Pool::addRows(Operation *op,
                                      const graph::WindowLayout &names,
                                      BufferLayout layout) {
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[names.spatial[1]] = 1;
  layout.removeHalo();
  Argument rows =
      addWorkspace(layout.getShape(shape), getLayerName(op) + "_rows");
  rows.layout = layout;
  return rows;
}

void Pool::lower() {
  Operation *op = layer.anchor;
  auto names = *graph::WindowLayout::parse(getDataLayout(op));
  graph::Window window = getAnyWindow(op, names);
  auto average = dyn_cast<graph::AvgPool2dOp>(op);

  int64_t block = layer.getResultLayout().block;
  Argument data = addArgument(op->getOperand(0));
  addResult();
  RankedTensorType type = layer.getType();
  bool isMax = isa<graph::MaxPool2dOp, graph::GlobalMaxPool2dOp>(op);
  std::optional<Argument> rows;
  if (reducesRows(op, window))
    rows = addRows(op, names, data.layout);
  build([&](LayerBuilder &b) {
    buildBorder(b);
    PoolKernel kernel{b,
                      names,
                      window,
                      isMax,
                      average && average.getCountIncludePad(),
                      type.getElementType().isUnsignedInteger(),
                      type.getDimSize(names.n),
                      type.getDimSize(names.c) / block,
                      type.getDimSize(names.spatial[0]),
                      type.getDimSize(names.spatial[1]),
                      block,
                      {getBuffer(b, data), data.layout},
                      {getBuffer(b, result), result.layout}};
    buildVersions(b, [&](const ISA &target) {
      if (rows)
        buildRows(kernel, {getBuffer(b, *rows), rows->layout}, target);
      else
        kernel.build(target);
    });
  });
}

LayerLoweringPtr uma::createPool(const CPULayer &layer,
                                 BufferProvider &provider) {
  return std::make_unique<Pool>(layer, provider);
}
