//===- PanelKernel.cpp - Contractions of broadcast data -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Without fused multiply-add, and with instructions that overwrite an operand,
// a multiply-add is a copy, a product and a sum: a core that starts six
// instructions in a cycle has no time for a broadcast beside them. So the data
// of a tile of rows is broadcast once to a panel, for all channels: loading
// from it is the copy at the same time. After GotoBLAS's kernels for SSE2.
//
// For packs of channels and slices of the sums, as many as the second cache
// holds the weights of: all rows, a panel for each tile of them.
//
//===----------------------------------------------------------------------===//

#include "PanelKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

PanelKernelBuilder::PanelKernelBuilder(LayerBuilder &b, const Contraction &c,
                                       const PanelSchedule &schedule)
    : KernelBuilder(b, c, schedule.tile), schedule(schedule),
      inner(ArrayRef(c.reduce).drop_front(schedule.splitLoop)) {
  joinsRows = schedule.joinsRows;
  inner.front() /= schedule.parts;
  steps = getProduct(inner);
  slices = getProduct(c.reduce) / steps;
  reduce = {slices, steps};
}

SmallVector<int64_t> PanelKernelBuilder::getRowLoops() const {
  SmallVector<int64_t> extents(c.outer);
  int64_t lines = schedule.joinsRows ? extents.pop_back_val() : 1;
  extents.push_back(lines * c.rows);
  return extents;
}

void PanelKernelBuilder::buildRowTiles(function_ref<void()> body) {
  int64_t tileRows = schedule.tile.rows;
  SmallVector<int64_t> extents = getRowLoops();
  int64_t rows = extents.pop_back_val();
  int64_t whole = rows / tileRows, rest = rows % tileRows;
  SmallVector<int64_t> shared(extents);
  shared.push_back(whole);
  size_t parallel = chooseParallel(shared);
  auto getKind = [&](size_t loop) {
    return c.isParallel && loop == parallel + 1 ? tir::ForKind::Parallel
                                                : tir::ForKind::Serial;
  };
  buildOuterLoops(extents, getKind, [&](ValueRange outer) {
    auto buildAt = [&](int64_t size, Value start) {
      tile.rows = size;
      rowBindings.assign(outer.begin(), outer.end());
      if (joinsRows)
        rowBindings.push_back(start);
      rowBindings.push_back(start);
      body();
    };
    buildLoop(b, whole, getKind(extents.size() + 1), [&](Value index) {
      tileIndex = index;
      Value size = b.index(tileRows);
      Value start = arith::MulIOp::create(b.builder, b.loc, index, size);
      buildAt(tileRows, start);
    });
    // What is left of the rows is a smaller tile.
    if (rest != 0) {
      tileIndex = b.index(whole);
      buildAt(rest, b.index(whole * tileRows));
    }
  });
}

void PanelKernelBuilder::buildDataLoops(
    StringRef label, int64_t stride,
    function_ref<void(const Access &, const Access &, ValueRange)> body) {
  // The steps of the loops outside the slice, and the first one of the loop
  // that is split.
  SmallVector<Value> fixed;
  Value rest = slice;
  auto split = [&](int64_t extent) -> Value {
    Value bound = b.index(extent);
    Value index = arith::RemUIOp::create(b.builder, b.loc, rest, bound);
    rest = arith::DivUIOp::create(b.builder, b.loc, rest, bound);
    return index;
  };
  Value part = split(schedule.parts);
  for (int64_t extent :
       llvm::reverse(ArrayRef(c.reduce).take_front(schedule.splitLoop)))
    fixed.insert(fixed.begin(), split(extent));
  fixed.push_back(part);

  // Iteration variables: outer ones and the row, pixel, `fixed`, the steps.
  SmallVector<LayerBuilder::Dim> dims;
  for (int64_t extent : c.outer)
    dims.push_back({extent});
  unsigned row = dims.size();
  dims.push_back({c.rows});
  unsigned pixelDim = dims.size();
  dims.push_back({tile.rows});
  unsigned firstFixed = dims.size();
  for (int64_t extent : ArrayRef(c.reduce).take_front(schedule.splitLoop))
    dims.push_back({extent});
  dims.push_back({schedule.parts});
  unsigned firstStep = dims.size();
  for (int64_t extent : inner)
    dims.push_back({extent});
  IndexExprs reduceExprs = getDims(firstFixed, schedule.splitLoop);
  IndexExprs stepDims = getDims(firstStep, inner.size());
  AffineExpr step = b.expr(0);
  for (auto [i, extent] : llvm::enumerate(inner)) {
    step = step * extent + stepDims[i];
    AffineExpr expr = stepDims[i];
    if (i == 0)
      expr = b.dim(firstStep - 1) * extent + expr;
    reduceExprs.push_back(expr);
  }
  Access data{c.data, c.getDataIndices(getDims(0, c.outer.size()), b.dim(row),
                                       reduceExprs)};
  // The place in the panel for lane 0.
  Access place{panel, {step, b.dim(pixelDim), b.expr(0)}, {1, 1, tile.lanes}};
  SmallVector<Access> writes;
  if (stride == 1)
    writes.push_back(place);
  SmallVector<Value> vars;
  auto buildPixels = [&] {
    buildLoop(b, tile.rows, tir::ForKind::Unrolled, [&](Value pixel) {
      SmallVector<Value> bindings = getRowBindings(pixel);
      bindings.push_back(pixel);
      llvm::append_range(bindings, fixed);
      llvm::append_range(bindings, vars);
      b.block(label, dims, bindings, {data}, writes,
              [&](ValueRange vars) { body(data, place, vars); });
    });
  };
  std::function<void()> build = [&] {
    if (vars.size() == inner.size())
      return buildPixels();
    bool isLast = vars.size() + 1 == inner.size();
    int64_t extent = inner[vars.size()];
    if (isLast)
      extent = int64_t(llvm::divideCeil(extent, stride));
    buildLoop(b, extent, tir::ForKind::Serial, [&](Value var) {
      if (isLast && stride != 1)
        var = arith::MulIOp::create(b.builder, b.loc, var, b.index(stride));
      vars.push_back(var);
      build();
      vars.pop_back();
    });
  };
  build();
}

void PanelKernelBuilder::buildPanel() {
  panel = b.local("panel", type, {steps, tile.rows, tile.lanes});
  buildDataLoops(c.label + "_panel", 1,
                 [&](const Access &data, Access place, ValueRange vars) {
                   Value element = b.loadAt(type, data, vars);
                   buildLoop(b, tile.lanes, tir::ForKind::Vectorized,
                             [&](Value lane) {
                               SmallVector<Value> all(vars);
                               all.push_back(lane);
                               place.first.back() = getLane(all);
                               b.storeAt(element, place, all);
                             });
                 });
}

void PanelKernelBuilder::buildPanelTile() {
  if (isLastSlice)
    buildOperandPrefetch();
  sums = b.local("sum", type, {tile.rows, tile.getChannels()});
  buildStart(
      slices == 1 ? c.start : c.result, getSums(),
      [&](int64_t vector, ValueRange vars) { return getSum(vector, vars); });
  AffineExpr slice = b.dim(getFirstReduceDim());
  AffineExpr step = b.dim(getFirstReduceDim() + 1);
  AffineExpr pixelDim = b.dim(getPixelDim());
  buildLoop(b, steps, tir::ForKind::Serial, [&](Value var) {
    // What counts the steps is one instruction in ten.
    var.getParentBlock()->getParentOp()->setAttr(tir::kUnrollAttrName,
                                                 b.builder.getUnitAttr());
    SmallVector<Value> reduceVars = {this->slice, var};
    Value factors = buildWeights(reduceVars, slice * steps + step);
    buildLoop(b, tile.rows, tir::ForKind::Unrolled, [&](Value pixel) {
      // Loaded once for all channels.
      Value elements = b.local("element", type, {tile.lanes});
      Access all{elements, {b.expr(0)}, {tile.lanes}};
      Access source{panel, {step, pixelDim, b.expr(0)}, {1, 1, tile.lanes}};
      auto atLane = [&](Access access, ValueRange vars) {
        access.first.back() = getLane(vars);
        access.extents.clear();
        return access;
      };
      buildBlock(
          c.label + "_data", pixel, reduceVars, {source}, {all},
          [&](ValueRange vars) {
            buildLoop(b, tile.lanes, tir::ForKind::Vectorized, [&](Value lane) {
              SmallVector<Value> inside(vars);
              inside.push_back(lane);
              Value element = b.loadAt(type, atLane(source, inside), inside);
              b.storeAt(element, atLane(all, inside), inside);
            });
          });
      buildBlock(c.label, pixel, reduceVars,
                 {all, getFactors(factors), getSums()}, {getSums()},
                 [&](ValueRange vars) {
                   buildProducts(factors, vars, [&](ValueRange vars) {
                     return b.loadAt(type, atLane(all, vars), vars);
                   });
                 });
    });
  });
  buildResult();
}

void PanelKernelBuilder::buildSlice(Value index, Value firstPack,
                                    int64_t nextPack, int64_t nextStep) {
  slice = index;
  buildRowTiles([&] {
    buildPanel();
    buildDataPrefetch();
    buildPacks(schedule.packs, firstPack, tir::ForKind::Serial, [&] {
      buildWeightPrefetch(nextPack, nextStep);
      buildPanelTile();
    });
  });
}

void PanelKernelBuilder::build() {
  if (slices != 1) {
    // The result keeps the sums.
    joinsRows = false;
    buildPacks(c.getNumPacks(), Value(), tir::ForKind::Serial, [&] {
      buildFirst([](size_t) { return tir::ForKind::Serial; });
    });
    joinsRows = schedule.joinsRows;
  }
  int64_t groups = c.getNumPacks() / schedule.packs;
  buildLoop(b, groups, tir::ForKind::Serial, [&](Value group) {
    Value packs = b.index(schedule.packs);
    Value firstPack = arith::MulIOp::create(b.builder, b.loc, group, packs);
    isLastSlice = false;
    if (slices != 1)
      buildLoop(b, slices - 1, tir::ForKind::Serial,
                [&](Value index) { buildSlice(index, firstPack, 0, steps); });
    isLastSlice = true;
    // Then the first slice of the next group.
    bool hasNext = groups != 1;
    buildSlice(b.index(slices - 1), firstPack, hasNext ? schedule.packs : 0,
               hasNext ? -(slices - 1) * steps : 0);
  });
}
