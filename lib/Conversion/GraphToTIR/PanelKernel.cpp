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

#include <limits>
#include <numeric>

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

static int64_t getProduct(ArrayRef<int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t(1),
                         std::multiplies<>());
}

/// Chooses slices and packs, whose weights the second cache should hold: false
/// where there are none.
static bool choosePanelSlices(const Contraction &c, PanelSchedule &schedule) {
  // What the panel may hold, on the stack, and the weights of a slice: a third
  // of the second cache.
  constexpr int64_t mostElements = 14 * 1024, mostWeights = 80 * 1024;
  // Cycles of a copied element and of the beginning and end of a tile; a
  // multiply-add takes half of one.
  constexpr double copyCost = 1.2, tileCost = 40;
  const RegisterTile &tile = schedule.tile;
  double best = std::numeric_limits<double>::infinity();
  int64_t depth = getProduct(c.reduce), rest = depth;
  for (auto [loop, extent] : llvm::enumerate(c.reduce)) {
    rest /= extent;
    for (int64_t parts = 1; parts <= extent; ++parts) {
      int64_t steps = rest * (extent / parts);
      if (extent % parts != 0 ||
          steps * tile.rows * tile.lanes > mostElements ||
          (steps != depth && !c.keepsSums()))
        continue;
      for (int64_t packs = 1; packs <= c.getNumPacks(); ++packs) {
        int64_t channels = std::min(packs * c.packWidth, c.channels);
        if (c.getNumPacks() % packs != 0 ||
            (packs != 1 && channels * steps > mostWeights))
          continue;
        double cost = copyCost / double(channels) +
                      tileCost / double(tile.rows * tile.getChannels() * steps);
        if (cost >= best)
          continue;
        best = cost;
        schedule.packs = packs;
        schedule.splitLoop = loop;
        schedule.parts = parts;
      }
    }
  }
  return best < std::numeric_limits<double>::infinity();
}

std::optional<PanelSchedule> uma::choosePanelSchedule(const Contraction &c) {
  // What makes a panel worth the copy.
  constexpr int64_t leastChannels = 32;
  // What the registers hold. Loops of fewer sums wait for them.
  PanelSchedule schedule{{6, 2, 4}};
  Type type = LayerBuilder::getComputeType(getElement(c.data));
  int64_t channels = schedule.tile.getChannels();
  if (!type.isF32() || c.getWeightIndices || c.channels < leastChannels ||
      c.getPanelWidth() % channels != 0 || c.channelBlock % channels != 0)
    return std::nullopt;
  // A tile that was measured, other than the one that was measured first.
  SIMDTarget target = getUnfusedTarget();
  Contraction untuned = c;
  untuned.tuned.reset();
  if (c.tuned && c.tuned->lanes == target.lanes &&
      !(c.tuned->tile == untuned.chooseTile(target)))
    return std::nullopt;
  int64_t rows = c.rows;
  // The first outer dimension may have weights of its own.
  size_t first = c.getWeightPrefix ? 1 : 0;
  if (c.outer.size() > first && c.outer.back() != 1 &&
      rows % schedule.tile.rows != 0) {
    schedule.joinsRows = true;
    rows *= c.outer.back();
  }
  if (rows < schedule.tile.rows || !choosePanelSlices(c, schedule))
    return std::nullopt;
  return schedule;
}

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

void PanelKernelBuilder::buildWeightPrefetch(int64_t nextPack,
                                             int64_t nextStep) {
  // Where rows go through the weights often, that takes longer than reading
  // them; and smaller ones stay in the second cache.
  constexpr int64_t mostTiles = 64, leastWeights = 128 * 1024;
  SmallVector<int64_t> extents = getRowLoops();
  int64_t rows = extents.pop_back_val();
  int64_t tiles = int64_t(llvm::divideCeil(rows, schedule.tile.rows));
  int64_t depth = getProduct(c.reduce);
  if ((nextPack == 0 && nextStep == 0) || c.getWeightPrefix ||
      getProduct(extents) != 1 || tiles > mostTiles ||
      depth * c.channels < leastWeights)
    return;
  int64_t width = c.getPanelWidth();
  int64_t panels = c.getNumPacks() * (c.packWidth / width);
  auto sum = [&](Value left, Value right) -> Value {
    return arith::AddIOp::create(b.builder, b.loc, left, right);
  };
  auto scaled = [&](Value value, int64_t factor) -> Value {
    return arith::MulIOp::create(b.builder, b.loc, value, b.index(factor));
  };
  auto atMost = [&](Value value, int64_t limit) -> Value {
    return arith::MinSIOp::create(b.builder, b.loc, value, b.index(limit));
  };
  // Each tile asks for some steps, of all columns.
  int64_t columns = width / tile.getChannels();
  int64_t share = int64_t(llvm::divideCeil(steps, tiles * columns));
  Value sliceStart = scaled(slice, steps);
  Value nextStart = sum(sliceStart, b.index(nextStep));
  Value part = arith::DivUIOp::create(b.builder, b.loc, channelBindings[Column],
                                      b.index(tile.getChannels()));
  Value tileStart = scaled(tileIndex, share * columns);
  Value partStart = sum(tileStart, scaled(part, share));
  Value first = atMost(sum(nextStart, partStart), depth - share);
  Value nextPanels = b.index(nextPack * (c.packWidth / width));
  Value panel = atMost(sum(channelBindings[Panel], nextPanels), panels - 1);
  buildLoop(b, share, tir::ForKind::Serial, [&](Value var) {
    Value step = sum(first, var);
    Access weights{c.weights, {b.dim(0), b.dim(1), b.expr(0)}};
    b.block(c.label + "_prefetch", {{panels}, {depth}}, {panel, step},
            {weights}, {},
            [&](ValueRange vars) { b.prefetchAt(weights, vars); });
  });
}

void PanelKernelBuilder::buildDataPrefetch() {
  // A window has read most of its data before.
  if (getContractionShape(c.getWorkload()).taps != 1 ||
      tile.rows != schedule.tile.rows)
    return;
  constexpr int64_t line = 16;
  SmallVector<int64_t> extents = getRowLoops();
  Value rows = b.index(tile.rows);
  Value last = b.index(std::max<int64_t>(extents.back() - tile.rows, 0));
  SmallVector<Value> known(rowBindings);
  Value next =
      arith::AddIOp::create(b.builder, b.loc, rowBindings.back(), rows);
  rowBindings.back() = arith::MinSIOp::create(b.builder, b.loc, next, last);
  buildDataLoops(c.label + "_prefetch", line,
                 [&](const Access &data, const Access &, ValueRange vars) {
                   b.prefetchAt(data, vars);
                 });
  rowBindings = known;
}

void PanelKernelBuilder::buildOperandPrefetch() {
  for (const ResultOperand &operand : c.operands) {
    // What differs from row to row: the others are near.
    Access access{operand.buffer, getIndices(operand, 0, b.expr(0))};
    if (llvm::none_of(access.first, [&](AffineExpr index) {
          return index.isFunctionOfDim(getRowDim());
        }))
      continue;
    buildBlocks(c.label + "_prefetch", {}, {access}, {},
                [&](ValueRange vars) { b.prefetchAt(access, vars); });
  }
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
