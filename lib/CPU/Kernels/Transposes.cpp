//===- Transposes.cpp - Transposes with merged dimensions -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Merges dimensions that stay adjacent: inner loops get longer and, if the last
// dimension stays last, copy rows. Otherwise, squares that fit registers are
// transposed, block by block: rows are often a power of two apart, and more of
// them would compete for the same cache sets.
//
//===----------------------------------------------------------------------===//

#include "Rows.h"
#include "TiledTranspose.h"

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

/// Merges dimensions of the data that stay adjacent, and drops those of size 1.
/// Returns the new shape of the data and the axes of the result.
static std::pair<SmallVector<int64_t>, SmallVector<int64_t>>
mergeDims(ArrayRef<int64_t> shape, ArrayRef<int64_t> axes) {
  // First dimension of the group of each dimension of the data.
  SmallVector<int64_t> groupOf(shape.size(), -1), sizes(shape.size(), 1);
  SmallVector<int64_t> order;
  int64_t last = -1;
  for (int64_t axis : axes) {
    if (shape[axis] == 1)
      continue;
    // Whether only dimensions of size 1 lie between the two.
    bool isNext = last >= 0 && last < axis &&
                  llvm::all_of(
                      shape.slice(last + 1, axis - last - 1),
                      [](int64_t extent) { return extent == 1; });
    if (!isNext)
      order.push_back(axis);
    groupOf[axis] = order.back();
    sizes[order.back()] *= shape[axis];
    last = axis;
  }
  SmallVector<int64_t> sorted(order), merged, mergedAxes;
  llvm::sort(sorted);
  for (int64_t group : sorted)
    merged.push_back(sizes[group]);
  for (int64_t group : order)
    mergedAxes.push_back(llvm::find(sorted, group) - sorted.begin());
  return {merged, mergedAxes};
}

void TiledTranspose::forBlock(const TiledDim &dim, Value number, int64_t block,
                              int64_t size, function_ref<void(Value)> body) {
  int64_t lastBlock = dim.getNumBlocks(block) - 1;
  int64_t rest = dim.extent - lastBlock * block;
  OpFoldResult steps = b.builder.getIndexAttr(llvm::divideCeil(rest, size));
  if (lastBlock != 0 && rest != block) {
    Value isLast = arith::CmpIOp::create(
        b.builder, b.loc, arith::CmpIPredicate::eq, number, b.index(lastBlock));
    Value most = b.index(llvm::divideCeil(rest, size));
    Value usual = b.index(block / size);
    steps = arith::SelectOp::create(b.builder, b.loc, isLast, most, usual)
                .getResult();
  }
  auto loop =
      tir::ForOp::create(b.builder, b.loc, b.builder.getIndexAttr(0), steps);
  OpBuilder::InsertionGuard guard(b.builder);
  b.builder.setInsertionPointToStart(&loop.getBody().front());
  Value first = b.apply(b.dim(0) * block + b.dim(1) * size,
                        {number, loop.getInductionVar()});
  if (dim.extent % size != 0)
    first = arith::MinSIOp::create(b.builder, b.loc, first,
                                   b.index(dim.extent - size));
  body(first);
}

void TiledTranspose::copy(Value source, Value target, int64_t size) {
  if (size == 1)
    b.store(b.load(data, source), result, target);
  else
    tir::TransposeOp::create(b.builder, b.loc, data, source, result, target,
                             resultLast.sourceStride, last.targetStride, size);
}

void TiledTranspose::build() {
  buildVersions(b, [&](const ISA &target) { build(target); });
}

void TiledTranspose::build(const ISA &isa) {
  constexpr int64_t blockElements = 64;
  int64_t least = std::min(last.extent, resultLast.extent), size = 1;
  for (int64_t fitting :
       tir::TransposeOp::getSizes(uma::getElement(data), isa.lanes))
    if (size == 1 && fitting <= least)
      size = fitting;
  int64_t block = size == 1 ? lineElements : blockElements;
  // A line of the data is used up before the next one if it is short.
  bool isRowFirst = last.extent < resultLast.extent && last.extent < block;
  SmallVector<int64_t> extents;
  AffineExpr source = b.expr(first), target = b.expr(place);
  for (auto [i, dim] : llvm::enumerate(others)) {
    extents.push_back(dim.extent);
    source = source + b.dim(i) * dim.sourceStride;
    target = target + b.dim(i) * dim.targetStride;
  }
  unsigned count = extents.size();
  extents.push_back(last.getNumBlocks(block));
  extents.push_back(resultLast.getNumBlocks(block));
  source = source + b.dim(count) + b.dim(count + 1) * resultLast.sourceStride;
  target = target + b.dim(count) * last.targetStride + b.dim(count + 1);
  SmallVector<LayerBuilder::Dim> dims;
  for (int64_t extent : extents)
    dims.push_back({extent});
  auto buildBlock = [&](ValueRange vars) {
    auto copyAt = [&](Value column, Value row) {
      SmallVector<Value> all(vars.take_front(count));
      all.append({column, row});
      Value from = b.apply(source, all);
      copy(from, b.apply(target, all), size);
    };
    auto forColumns = [&](function_ref<void(Value)> body) {
      forBlock(last, vars[count], block, size, body);
    };
    auto forRows = [&](function_ref<void(Value)> body) {
      forBlock(resultLast, vars[count + 1], block, size, body);
    };
    if (isRowFirst)
      forRows([&](Value row) {
        forColumns([&](Value column) { copyAt(column, row); });
      });
    else
      forColumns([&](Value column) {
        forRows([&](Value row) { copyAt(column, row); });
      });
  };
  b.loops(
      extents,
      [&](ValueRange loopVars) {
        b.block("transpose", dims, loopVars, {b.anywhere(data)},
                {b.anywhere(result)}, buildBlock);
      },
      shared && isEvenlyShared(extents[*shared]) ? *shared
                                                 : chooseParallel(extents));
}

/// Transposes by squares if the last dimensions are long enough. `shape` and
/// `axes` are those after merging.
static bool tileTranspose(LayerBuilder &b, ArrayRef<int64_t> shape,
                          ArrayRef<int64_t> axes, Value input, Value output) {
  int64_t rank = shape.size();
  SmallVector<TiledDim> dims(rank);
  int64_t stride = 1;
  for (int64_t dim = rank; dim-- > 0; stride *= shape[dim])
    dims[dim] = {shape[dim], stride, 0};
  stride = 1;
  for (int64_t axis : llvm::reverse(axes)) {
    dims[axis].targetStride = stride;
    stride *= shape[axis];
  }
  int64_t resultLast = axes.back();
  if (resultLast == rank - 1)
    return false;
  TiledTranspose transpose{b, reshapeBuffer(b, input, {stride}),
                           reshapeBuffer(b, output, {stride}), dims.back(),
                           dims[resultLast]};
  if (!transpose.isWorthTiling())
    return false;
  for (int64_t axis : axes)
    if (axis != resultLast && axis != rank - 1)
      transpose.others.push_back(dims[axis]);
  transpose.build();
  return true;
}

static bool vectorizeTranspose(LayerBuilder &b, graph::TransposeOp op,
                               ValueRange inputs, ValueRange outputs) {
  auto [shape, axes] = mergeDims(getShape(inputs[0]), op.getAxes());
  int64_t rank = shape.size();
  if (rank == 0 || llvm::is_contained(shape, 0))
    return false;
  if (tileTranspose(b, shape, axes, inputs[0], outputs[0]))
    return true;
  SmallVector<int64_t> resultShape;
  for (int64_t axis : axes)
    resultShape.push_back(shape[axis]);
  Value data = reshapeBuffer(b, inputs[0], shape);
  Value result = reshapeBuffer(b, outputs[0], resultShape);
  // Iteration variables are those of the result.
  Access source{data, SmallVector<AffineExpr>(rank)};
  for (auto [i, axis] : llvm::enumerate(axes))
    source.first[axis] = b.dim(i);
  SmallVector<LayerBuilder::Dim> dims;
  for (int64_t extent : resultShape)
    dims.push_back({extent});
  auto copy = [&](ValueRange bindings) {
    b.block("transpose", dims, bindings, {source}, {b.whole(result)},
            [&](ValueRange vars) {
              b.store(b.load(data, b.applyAll(source, vars)), result, vars);
            });
  };
  b.loops(resultShape, copy);
  return true;
}

void uma::populateTransposeStrategies(StrategyRegistry &registry) {
  addStrategy<graph::TransposeOp>(registry, vectorizeTranspose);
}
