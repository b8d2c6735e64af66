//===- Reductions.cpp - Vectorised reductions -----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Vectorises reductions over adjacent dimensions, or over two groups of them of
// which one is last, pools of whole images, cumulative sums of rows, and
// products of the rows of a matrix and a vector. Others keep their plain loops.
//
//===----------------------------------------------------------------------===//

#include "LayerLowering.h"
#include "PoolWindow.h"
#include "Rows.h"

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

namespace {
/// A tensor viewed as [outer, rows, size, columns], of which the rows and the
/// columns are reduced.
struct SplitShape {
  int64_t outer = 1, rows = 1, size = 1, columns = 1;

  /// Returns std::nullopt if the reduced dimensions are others.
  static std::optional<SplitShape> get(ArrayRef<int64_t> shape,
                                       ArrayRef<bool> isReduced);
};
} // namespace

std::optional<SplitShape> SplitShape::get(ArrayRef<int64_t> shape,
                                          ArrayRef<bool> isReduced) {
  SplitShape result;
  int64_t *const parts[] = {&result.outer, &result.rows, &result.size,
                            &result.columns};
  size_t part = 0;
  for (auto [extent, reduced] : llvm::zip_equal(shape, isReduced)) {
    if (extent == 1)
      continue;
    if ((part % 2 == 1) != reduced)
      ++part;
    if (part == std::size(parts))
      return std::nullopt;
    *parts[part] *= extent;
  }
  return part == 3 ? std::optional(result) : std::nullopt;
}

/// Emits the reduction of the first and the last dimensions.
static void buildSplitReduction(LayerBuilder &b, StringRef label,
                                const SplitShape &shape, Combiner combiner,
                                Value input, Value output,
                                function_ref<Value(Value)> finish) {
  Value data = reshapeBuffer(
      b, input, {shape.outer, shape.rows, shape.size, shape.columns});
  Value result = reshapeBuffer(b, output, {shape.outer, shape.size});
  buildVersions(b, [&](const ISA &target) {
    b.loops(
        {shape.outer, shape.size},
        [&](ValueRange loopVars) {
          b.block(label, {{shape.outer}, {shape.size}}, loopVars,
                  {b.anywhere(data)}, {b.whole(result)}, [&](ValueRange vars) {
                    RowKernel row(b, shape.columns, target);
                    Value total = row.reduce(
                        combiner, label, shape.rows, [&](Value i, Value j) {
                          return b.load(data, {vars[0], i, vars[1], j});
                        });
                    b.store(finish(total), result, vars);
                  });
        },
        chooseParallel({shape.outer, shape.size}));
  });
}

template <typename OpT>
static bool lowerReduction(LayerBuilder &b, OpT op, Combiner combiner,
                           ValueRange inputs, ValueRange outputs) {
  ArrayRef<int64_t> extents = getShape(inputs[0]);
  auto isReduced = graph::getReducedDims(op.getAxis(), extents.size());
  StringRef label = op->getName().getStringRef().rsplit('.').second;
  int64_t count = 1;
  for (auto [extent, reduced] : llvm::zip_equal(extents, isReduced))
    if (reduced)
      count *= extent;
  auto finish = [&](Value value) -> Value {
    if (!std::is_same_v<OpT, graph::MeanOp>)
      return value;
    return arith::DivFOp::create(b.builder, b.loc, value,
                                 b.constant(value.getType(), double(count)));
  };
  if (auto split = SplitShape::get(extents, isReduced);
      split && split->columns >= 4 && areFloats(inputs)) {
    buildSplitReduction(b, label, *split, combiner, inputs[0], outputs[0],
                        finish);
    return true;
  }
  auto shape = AxisShape::get(extents, isReduced);
  if (!shape || !shape->isLong() || shape->size == 1)
    return false;
  Value data =
      reshapeBuffer(b, inputs[0], {shape->outer, shape->size, shape->inner});
  Value result = reshapeBuffer(b, outputs[0], {shape->outer, 1, shape->inner});
  Value zero = b.index(0);
  Type type = uma::getElement(data);
  AxisKernel{label, *shape, {data, result}, {}, type}.build(
      b,
      [&](const RowKernel &row, Value outer) {
        Value total = row.reduce(combiner, label, [&](Value i) {
          return b.load(data, {outer, i, zero});
        });
        b.store(finish(total), result, {outer, zero, zero});
      },
      [&](Value outer, Value column) {
        Value total = reduceColumn(
            b, shape->size, combiner, label,
            [&](Value i) { return b.load(data, {outer, i, column}); }, type);
        b.store(finish(total), result, {outer, zero, column});
      });
  return true;
}

/// Emits a cumulative sum of rows: each is the one before plus a row of the
/// data.
static bool lowerCumsum(LayerBuilder &b, graph::CumsumOp op, ValueRange inputs,
                        ValueRange outputs) {
  AxisShape shape(getShape(inputs[0]), op.getAxis());
  if (shape.isRow() || !shape.isLong())
    return false;
  SmallVector<int64_t> extents = {shape.outer, shape.size, shape.inner};
  Value data = reshapeBuffer(b, inputs[0], extents);
  Value result = reshapeBuffer(b, outputs[0], extents);
  AffineExpr zero = b.expr(0), step = b.dim(0);
  AffineExpr first = op.getReverse() ? zero + (shape.size - 1) : zero;
  AffineExpr before = op.getReverse() ? shape.size - 1 - step : step;
  AffineExpr current = op.getReverse() ? before - 1 : before + 1;
  buildVersions(b, [&](const ISA &target) {
    VectorLoop vectors(shape.inner, target);
    // Emits a row of which `element` returns the elements.
    auto buildRow = [&](Value outer, Value place,
                        function_ref<Value(Value column)> element) {
      vectors.build(b, [&](Value start) {
        buildLanes(b, start, vectors.lanes, [&](ValueRange lanes) {
          Value column = b.apply(b.dim(0) + b.dim(1), lanes);
          b.store(element(column), result, {outer, place, column});
        });
      });
    };
    Access writes = {
        result, {b.dim(0), zero, zero}, {1, shape.size, shape.inner}};
    b.loops({shape.outer}, [&](ValueRange loopVars) {
      b.block("cumsum", {{shape.outer}}, loopVars, {b.anywhere(data)}, {writes},
              [&](ValueRange vars) {
                Value outer = vars[0], start = b.apply(first, {});
                Value none = b.constant(b.builder.getF32Type(), 0);
                buildRow(outer, start, [&](Value column) {
                  if (op.getExclusive())
                    return none;
                  return b.add(none, b.load(data, {outer, start, column}));
                });
                buildLoop(b, shape.size - 1, tir::ForKind::Serial,
                          [&](Value step) {
                            Value last = b.apply(before, step);
                            Value place = b.apply(current, step);
                            Value added = op.getExclusive() ? last : place;
                            buildRow(outer, place, [&](Value column) {
                              Value sum = b.load(result, {outer, last, column});
                              Value x = b.load(data, {outer, added, column});
                              return b.add(sum, x);
                            });
                          });
              });
    });
  });
  return true;
}

/// Emits a pool whose window is the whole image, channel by channel.
template <typename OpT>
static bool lowerWholePool(LayerBuilder &b, OpT op, ValueRange inputs,
                           ValueRange outputs) {
  constexpr bool isMax = std::is_same_v<OpT, graph::MaxPool2dOp> ||
                         std::is_same_v<OpT, graph::GlobalMaxPool2dOp>;
  auto names = graph::WindowLayout::parse(getDataLayout(op));
  ArrayRef<int64_t> extents = getShape(inputs[0]);
  if (!names || extents.size() != 4 || names->spatial[0] != 2 ||
      names->spatial[1] != 3)
    return false;
  graph::Window window = getAnyWindow(op, *names);
  for (int64_t dim = 0; dim < 2; ++dim)
    if (window.kernel[dim] != window.input[dim] || window.dilations[dim] != 1 ||
        window.padBegin[dim] != 0 || window.padEnd[dim] != 0 ||
        getShape(outputs[0])[2 + dim] != 1)
      return false;
  AxisShape shape;
  shape.outer = extents[0] * extents[1];
  shape.size = extents[2] * extents[3];
  if (!shape.isLong())
    return false;
  Value data = reshapeBuffer(b, inputs[0], {shape.outer, shape.size, 1});
  Value result = reshapeBuffer(b, outputs[0], {shape.outer, 1, 1});
  Value zero = b.index(0);
  Combiner combiner = isMax ? Combiner::Maximum : Combiner::Sum;
  AxisKernel{"pool2d", shape, {data, result}}.build(
      b,
      [&](const RowKernel &row, Value outer) {
        Value total = row.reduce(combiner, "window", [&](Value i) {
          return b.load(data, {outer, i, zero});
        });
        if (!isMax)
          total = b.div(total, b.constant(total.getType(), double(shape.size)));
        b.store(total, result, {outer, zero, zero});
      },
      nullptr);
  return true;
}

/// Emits the product of a vector and a matrix of [depth, columns], several rows
/// of the matrix at a time. Memory is read in its order, and the result stays
/// in the nearest cache.
static void buildRowProduct(LayerBuilder &b, int64_t depth, Value vector,
                            Value matrix, Value output) {
  constexpr int64_t mostRows = 8, mostColumns = 1024;
  int64_t columns = cast<MemRefType>(output.getType()).getNumElements();
  vector = reshapeBuffer(b, vector, {depth});
  matrix = reshapeBuffer(b, matrix, {depth, columns});
  Value result = reshapeBuffer(b, output, {columns});
  auto buildColumns = [&](AffineExpr first, int64_t count, int64_t size,
                          const ISA &target) {
    RowKernel row(b, size, target);
    // Adds products with `rows` rows, or starts the sums with them.
    auto addRows = [&](ValueRange vars, Value firstRow, int64_t rows,
                       bool isStart) {
      SmallVector<Value> indices, factors;
      for (int64_t i = 0; i < rows; ++i) {
        indices.push_back(b.apply(b.dim(0) + i, firstRow));
        factors.push_back(b.load(vector, indices.back()));
      }
      Value start = b.apply(first, vars);
      row.map([&](Value index) {
        Value column = b.apply(b.dim(0) + b.dim(1), {start, index});
        Value sum = isStart ? Value() : b.load(result, column);
        for (auto [i, factor] : llvm::zip_equal(indices, factors)) {
          Value product = b.mul(b.load(matrix, {i, column}), factor);
          sum = sum ? b.add(sum, product) : product;
        }
        b.store(sum, result, column);
      });
    };
    b.loops(
        {count},
        [&](ValueRange loopVars) {
          b.block("row_product", {{count}}, loopVars,
                  {b.anywhere(matrix), b.anywhere(vector), b.anywhere(result)},
                  {b.anywhere(result)}, [&](ValueRange vars) {
                    int64_t rest = depth % mostRows, steps = depth / mostRows;
                    int64_t begin = rest == 0 ? mostRows : rest;
                    addRows(vars, b.index(0), begin, /*isStart=*/true);
                    steps -= rest == 0 ? 1 : 0;
                    if (steps == 0)
                      return;
                    buildLoop(b, steps, tir::ForKind::Serial, [&](Value step) {
                      Value firstRow =
                          b.apply(b.dim(0) * mostRows + begin, step);
                      addRows(vars, firstRow, mostRows, /*isStart=*/false);
                    });
                  });
        },
        chooseParallel({count}));
  };
  buildVersions(b, [&](const ISA &target) {
    int64_t parts = columns / mostColumns, rest = columns % mostColumns;
    if (parts != 0)
      buildColumns(b.dim(0) * mostColumns, parts, mostColumns, target);
    if (rest != 0)
      buildColumns(b.expr(parts * mostColumns), 1, rest, target);
  });
}

/// Emits the product of a matrix and a vector: of rows that are contiguous, or
/// of one row-major matrix with as many rows as the vector has elements.
static bool lowerVectorProduct(LayerBuilder &b, graph::BatchMatmulOp op,
                               ValueRange inputs, ValueRange outputs) {
  if (op.getTransposeA())
    return false;
  int64_t depth = getShape(inputs[0]).back();
  auto hasElements = [](Value buffer, int64_t count) {
    return cast<MemRefType>(buffer.getType()).getNumElements() == count;
  };
  auto isVector = [&](Value buffer) { return hasElements(buffer, depth); };
  bool isColumn = isVector(inputs[1]);
  if (!isColumn && isVector(inputs[0]) && !op.getTransposeB()) {
    // A vector that several matrices share would need a product for each.
    if (!hasElements(inputs[1], depth * getShape(inputs[1]).back()))
      return false;
    buildRowProduct(b, depth, inputs[0], inputs[1], outputs[0]);
    return true;
  }
  if (!isColumn && !(isVector(inputs[0]) && op.getTransposeB()))
    return false;
  Value matrix = inputs[isColumn ? 0 : 1], factors = inputs[isColumn ? 1 : 0];
  AxisShape shape;
  shape.outer = cast<MemRefType>(outputs[0].getType()).getNumElements();
  shape.size = depth;
  if (!shape.isLong())
    return false;
  Value data = reshapeBuffer(b, matrix, {shape.outer, depth, 1});
  Value vector = reshapeBuffer(b, factors, {depth});
  Value result = reshapeBuffer(b, outputs[0], {shape.outer, 1, 1});
  Value zero = b.index(0);
  AxisKernel{"batch_matmul", shape, {data, result}, {vector}}.build(
      b,
      [&](const RowKernel &row, Value outer) {
        Value total = row.reduce(Combiner::Sum, "product", [&](Value i) {
          Value x = b.load(data, {outer, i, zero});
          return b.mul(x, b.load(vector, i));
        });
        b.store(total, result, {outer, zero, zero});
      },
      nullptr);
  return true;
}

template <typename OpT>
static void addWholePool(StrategyRegistry &registry) {
  addVectorized<OpT>(registry, lowerWholePool<OpT>);
}

template <typename OpT>
static void add(StrategyRegistry &registry, Combiner combiner) {
  addVectorized<OpT>(registry,
                     [combiner](LayerBuilder &b, OpT op, ValueRange inputs,
                                ValueRange outputs) {
                       return lowerReduction(b, op, combiner, inputs, outputs);
                     });
}

void uma::populateVectorReductionStrategies(StrategyRegistry &registry) {
  addVectorized<graph::BatchMatmulOp>(registry, lowerVectorProduct);
  addStrategy<graph::SumOp>(registry, [](LayerBuilder &b, graph::SumOp op,
                                         ValueRange inputs,
                                         ValueRange outputs) {
    auto areAll = [&](Type type) {
      return areOfType(inputs, type) && areOfType(outputs, type);
    };
    return (areAll(b.builder.getF32Type()) || areAll(b.builder.getI32Type())) &&
           lowerReduction(b, op, Combiner::Sum, inputs, outputs);
  });
  add<graph::MeanOp>(registry, Combiner::Sum);
  add<graph::ProdOp>(registry, Combiner::Product);
  add<graph::MaxOp>(registry, Combiner::Maximum);
  add<graph::MinOp>(registry, Combiner::Minimum);
  addVectorized<graph::CumsumOp>(registry, lowerCumsum);
  addWholePool<graph::MaxPool2dOp>(registry);
  addWholePool<graph::AvgPool2dOp>(registry);
  addWholePool<graph::GlobalMaxPool2dOp>(registry);
  addWholePool<graph::GlobalAvgPool2dOp>(registry);
}
