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

#include <numeric>

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

std::optional<PanelSchedule> uma::choosePanelSchedule(const Contraction &c) {
  // What the panel may hold, on the stack, and the channels that make it worth
  // the copy.
  constexpr int64_t mostElements = 14 * 1024, leastChannels = 32;
  // Weights of a slice, a half of the second cache.
  constexpr int64_t mostChannels = 512;
  constexpr RegisterTile best{6, 2, 4};
  Type type = LayerBuilder::getComputeType(getElement(c.data));
  int64_t channels = best.getChannels();
  if (!type.isF32() || c.getWeightIndices || c.channels < leastChannels ||
      c.getPanelWidth() % channels != 0 || c.channelBlock % channels != 0)
    return std::nullopt;
  // A tile that was measured, and is another one than was measured first.
  SIMDTarget target = getUnfusedTarget();
  Contraction untuned = c;
  untuned.tuned.reset();
  if (c.tuned && c.tuned->lanes == target.lanes &&
      !(c.tuned->tile == untuned.chooseTile(target)))
    return std::nullopt;
  PanelSchedule schedule;
  schedule.tile = best;
  int64_t rows = c.rows;
  // The first outer dimension may have weights of its own.
  size_t first = c.getWeightPrefix ? 1 : 0;
  if (c.outer.size() > first && c.outer.back() != 1 &&
      rows % best.rows != 0) {
    schedule.joinsRows = true;
    rows *= c.outer.back();
  }
  if (rows < best.rows)
    return std::nullopt;
  schedule.packs = c.getNumPacks();
  int64_t depth = std::accumulate(c.reduce.begin(), c.reduce.end(),
                                  int64_t(1), std::multiplies<>());
  int64_t most = mostElements / (best.rows * best.lanes);
  schedule.parts = 1;
  if (depth <= most)
    return schedule;
  if (!c.keepsSums())
    return std::nullopt;
  // The longest slice that fits.
  int64_t rest = depth;
  for (int64_t extent : c.reduce) {
    rest /= extent;
    if (rest <= most) {
      for (schedule.parts = 1; extent / schedule.parts * rest > most ||
                               extent % schedule.parts != 0;
           ++schedule.parts)
        ;
      break;
    }
    ++schedule.splitLoop;
  }
  while (schedule.packs * c.packWidth > mostChannels && schedule.packs > 1) {
    int64_t packs = schedule.packs;
    do
      --schedule.packs;
    while (packs % schedule.packs != 0);
  }
  return schedule;
}

PanelKernelBuilder::PanelKernelBuilder(LayerBuilder &b, const Contraction &c,
                                       const PanelSchedule &schedule)
    : KernelBuilder(b, c, schedule.tile), schedule(schedule),
      inner(ArrayRef(c.reduce).drop_front(schedule.splitLoop)) {
  joinsRows = schedule.joinsRows;
  inner.front() /= schedule.parts;
  steps = std::accumulate(inner.begin(), inner.end(), int64_t(1),
                          std::multiplies<>());
  slices = std::accumulate(c.reduce.begin(), c.reduce.end(), int64_t(1),
                           std::multiplies<>()) /
           steps;
  reduce = {slices, steps};
}

void PanelKernelBuilder::buildRowTiles(function_ref<void()> body) {
  int64_t tileRows = schedule.tile.rows;
  SmallVector<int64_t> extents(c.outer);
  int64_t rows = c.rows;
  if (joinsRows)
    rows *= extents.pop_back_val();
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
      Value size = b.index(tileRows);
      Value start = arith::MulIOp::create(b.builder, b.loc, index, size);
      buildAt(tileRows, start);
    });
    // What is left of the rows is a smaller tile.
    if (rest != 0)
      buildAt(rest, b.index(whole * tileRows));
  });
}

void PanelKernelBuilder::buildPanel() {
  panel = b.local("panel", type, {steps, tile.rows, tile.lanes});
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
  for (int64_t extent :
       ArrayRef(c.reduce).take_front(schedule.splitLoop))
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
  Access data{c.data, c.getDataIndices(getDims(0, c.outer.size()),
                                       b.dim(row), reduceExprs)};
  SmallVector<Value> vars;
  std::function<void()> build = [&] {
    if (vars.size() != inner.size())
      return buildLoop(b, inner[vars.size()], tir::ForKind::Serial,
                       [&](Value var) {
                         vars.push_back(var);
                         build();
                         vars.pop_back();
                       });
    buildLoop(b, tile.rows, tir::ForKind::Unrolled, [&](Value pixel) {
      SmallVector<Value> bindings = getRowBindings(pixel);
      bindings.push_back(pixel);
      llvm::append_range(bindings, fixed);
      llvm::append_range(bindings, vars);
      Access target{panel, {step, b.dim(pixelDim), b.expr(0)}, {1, 1, tile.lanes}};
      b.block(c.label + "_panel", dims, bindings, {data}, {target},
              [&](ValueRange vars) {
                Value element = b.loadAt(type, data, vars);
                buildLoop(b, tile.lanes, tir::ForKind::Vectorized,
                          [&](Value lane) {
                            SmallVector<Value> all(vars);
                            all.push_back(lane);
                            b.storeAt(element,
                                      {panel,
                                       {step, b.dim(pixelDim), getLane(all)}},
                                      all);
                          });
              });
    });
  };
  build();
}

void PanelKernelBuilder::buildPanelTile() {
  sums = b.local("sum", type, {tile.rows, tile.getChannels()});
  buildStart(
      slices == 1 ? c.start : c.result, getSums(),
      [&](int64_t vector, ValueRange vars) { return getSum(vector, vars); });
  AffineExpr slice = b.dim(getFirstReduceDim());
  AffineExpr step = b.dim(getFirstReduceDim() + 1);
  AffineExpr pixelDim = b.dim(getPixelDim());
  buildLoop(b, steps, tir::ForKind::Serial, [&](Value var) {
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
      buildBlock(c.label + "_data", pixel, reduceVars, {source}, {all},
                 [&](ValueRange vars) {
                   buildLoop(
                       b, tile.lanes, tir::ForKind::Vectorized,
                       [&](Value lane) {
                         SmallVector<Value> inside(vars);
                         inside.push_back(lane);
                         Value element =
                             b.loadAt(type, atLane(source, inside), inside);
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

void PanelKernelBuilder::buildSlice(Value index, Value firstPack) {
  slice = index;
  buildRowTiles([&] {
    buildPanel();
    buildPacks(schedule.packs, firstPack, tir::ForKind::Serial,
               [&] { buildPanelTile(); });
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
  buildLoop(b, c.getNumPacks() / schedule.packs, tir::ForKind::Serial,
            [&](Value group) {
              Value packs = b.index(schedule.packs);
              Value firstPack =
                  arith::MulIOp::create(b.builder, b.loc, group, packs);
              if (slices != 1) {
                isLastSlice = false;
                buildLoop(b, slices - 1, tir::ForKind::Serial,
                          [&](Value index) { buildSlice(index, firstPack); });
                isLastSlice = true;
              }
              buildSlice(b.index(slices - 1), firstPack);
            });
}
