//===- BlockedKernel.cpp - Contractions with cache blocking ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Loop order of GotoBLAS: for each group of packs and slice of the reduction,
// whose weights fit the L2 cache, all rows are computed in tiles. The data of a
// tile is copied to a panel once for all channels, so that it is contiguous and
// in the cache. Tiles may continue in the next row of the image.
//
// Without fused multiply-add, and with instructions that overwrite an operand,
// a multiply-add is a copy, a product and a sum. A core that issues six
// instructions per cycle has no slot left for a broadcast. So the panel holds
// broadcast data: the load from it replaces the copy.
//
//===----------------------------------------------------------------------===//

#include "BlockedKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

Blocking::Blocking(VersionAttr version) {
  BlockingAttr blocking = version.getBlocking();
  isBroadcast = blocking.getData() == DataOrder::Broadcast;
  copies = blocking.getData() != DataOrder::Stored;
  joinsRows = blocking.getJoinRows();
  packs = blocking.getPacks();
  splitLoop = size_t(blocking.getLoop());
  parts = blocking.getParts();
}

BlockedKernelBuilder::BlockedKernelBuilder(LayerBuilder &b,
                                           const Contraction &c,
                                           VersionAttr version)
    : KernelBuilder(b, c, version), schedule(version),
      inner(ArrayRef(c.reduce).drop_front(schedule.splitLoop)) {
  joinsRows = schedule.joinsRows;
  inner.front() /= schedule.parts;
  steps = getProduct(inner);
  slices = getProduct(c.reduce) / steps;
  if (!schedule.isBroadcast && isSplitIntoLines(inner.back())) {
    inner.back() /= lineElements;
    inner.push_back(lineElements);
    splitsChunk = true;
  }
  chunk = schedule.isBroadcast ? 1 : inner.back();
  reduce = {slices, steps / chunk, chunk};
}

SmallVector<int64_t> BlockedKernelBuilder::getRowLoops() const {
  SmallVector<int64_t> extents(c.outer);
  int64_t lines = schedule.joinsRows ? extents.pop_back_val() : 1;
  extents.push_back(lines * c.rows);
  return extents;
}

SmallVector<int64_t> BlockedKernelBuilder::getTileLoops() const {
  SmallVector<int64_t> extents = getRowLoops();
  extents.back() = RowTiles::of(extents.back(), tile.rows).getCount();
  return extents;
}

bool BlockedKernelBuilder::sharesPacks(int64_t groups) const {
  // Layers with blocking often have few tiles.
  return c.isParallel && !prefersRows(getTileLoops()) &&
         (groups == 2 || isEvenlyShared(groups));
}

void BlockedKernelBuilder::buildRowTiles(function_ref<void()> body) {
  SmallVector<int64_t> extents = getRowLoops();
  int64_t rows = extents.pop_back_val();
  size_t parallel = chooseParallel(getTileLoops());
  auto getKind = [&](size_t loop) {
    return c.isParallel && !sharesGroups && loop == parallel + 1
               ? tir::ForKind::Parallel
               : tir::ForKind::Serial;
  };
  buildOuterLoops(extents, getKind, [&](ValueRange outer) {
    tir::ForKind kind = getKind(extents.size() + 1);
    buildRows(rows, kind, [&](Value index, Value start) {
      tileIndex = index;
      rowBindings.assign(outer.begin(), outer.end());
      if (joinsRows)
        rowBindings.push_back(start);
      rowBindings.push_back(start);
      body();
    });
  });
}

Access BlockedKernelBuilder::getDataAccess() const {
  IndexExprs reduceExprs = getDims(getDataPixelDim() + 1, schedule.splitLoop);
  IndexExprs stepDims = getDims(getFirstStepDim(), inner.size());
  int64_t first = inner.front();
  if (splitsChunk) {
    AffineExpr inChunk = stepDims.pop_back_val();
    stepDims.back() = stepDims.back() * chunk + inChunk;
    first *= stepDims.size() == 1 ? chunk : 1;
  }
  AffineExpr part = b.dim(getFirstStepDim() - 1);
  stepDims.front() = part * first + stepDims.front();
  llvm::append_range(reduceExprs, stepDims);
  return {c.data, c.getDataIndices(getDims(0, c.outer.size()),
                                   b.dim(c.outer.size()), reduceExprs)};
}

Access BlockedKernelBuilder::getPlace() const {
  IndexExprs dims = getDims(getFirstStepDim(), inner.size());
  AffineExpr pixel = b.dim(getDataPixelDim()), last = b.expr(0);
  if (!schedule.isBroadcast)
    last = dims.pop_back_val();
  AffineExpr step = b.expr(0);
  for (auto [dim, extent] : llvm::zip(dims, inner))
    step = step * extent + dim;
  return {panel, {step, pixel, last}};
}

void BlockedKernelBuilder::buildDataLoops(StringRef label, int64_t stride,
                                          const Access &reads,
                                          ArrayRef<Access> writes,
                                          function_ref<void(ValueRange)> body) {
  // Steps of the loops outside of the slice, and the part of the loop that is
  // split.
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

  SmallVector<LayerBuilder::Dim> dims;
  for (int64_t extent : c.outer)
    dims.push_back({extent});
  dims.push_back({c.rows});
  dims.push_back({tile.rows});
  for (int64_t extent : ArrayRef(c.reduce).take_front(schedule.splitLoop))
    dims.push_back({extent});
  dims.push_back({schedule.parts});
  for (int64_t extent : inner)
    dims.push_back({extent});
  SmallVector<Value> vars;
  auto buildPixels = [&] {
    buildLoop(b, tile.rows, tir::ForKind::Unrolled, [&](Value pixel) {
      SmallVector<Value> bindings = getRowBindings(pixel);
      bindings.push_back(pixel);
      llvm::append_range(bindings, fixed);
      llvm::append_range(bindings, vars);
      b.block(label, dims, bindings, {reads}, writes, body);
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

void BlockedKernelBuilder::buildPanel() {
  Access data = getDataAccess();
  // Broadcast an element to a vector, or copy neighbours together.
  int64_t lanes = tile.lanes, width = schedule.isBroadcast ? lanes : chunk;
  unsigned innermost = getFirstStepDim() + inner.size() - 1;
  bool isVector = !schedule.isBroadcast && chunk % lanes == 0 &&
                  isContiguous(data.first, innermost) &&
                  uma::getElement(c.data) == type;
  int64_t stride = isVector ? lanes : 1;
  data.extents.assign(data.first.size(), 1);
  data.extents.back() = stride;
  panel = b.local("panel", type, {steps / chunk, tile.rows, width});
  Access place = getPlace();
  place.extents = {1, 1, schedule.isBroadcast ? lanes : stride};
  auto atLane = [&](Access access, ValueRange vars) {
    access.first.back() = access.first.back() + getLane(vars);
    access.extents.clear();
    return access;
  };
  buildDataLoops(c.label + "_panel", stride, data, {place},
                 [&](ValueRange vars) {
                   Value element;
                   if (!isVector)
                     element = b.loadAt(type, data, vars);
                   buildLoop(b, place.extents.back(), tir::ForKind::Vectorized,
                             [&](Value lane) {
                               SmallVector<Value> all(vars);
                               all.push_back(lane);
                               Value value = element;
                               if (isVector)
                                 value = b.loadAt(type, atLane(data, all), all);
                               b.storeAt(value, atLane(place, all), all);
                             });
                 });
}

Access BlockedKernelBuilder::getElements() const {
  unsigned first = getFirstReduceDim();
  AffineExpr step = b.dim(first + 1), inChunk = b.dim(first + 2);
  if (schedule.copies)
    return {panel, {step, b.dim(getPixelDim()), inChunk}};
  // Only the last loop and one loop before it have more than one step.
  AffineExpr chunks = b.dim(first) * (steps / chunk) + step;
  IndexExprs place(c.reduce.size(), b.expr(0));
  auto *blocks = llvm::find_if(ArrayRef(c.reduce).drop_back(),
                               [](int64_t extent) { return extent != 1; });
  bool isBlocked = blocks != c.reduce.end() - 1;
  place.back() = isBlocked ? inChunk : chunks * chunk + inChunk;
  if (isBlocked)
    place[blocks - c.reduce.begin()] = chunks;
  if (joinsRows)
    return {c.joinedData,
            c.getJoinedIndices(getOuter(), b.dim(first + 3), place)};
  return {c.data, c.getDataIndices(getOuter(), b.dim(getRowDim()), place)};
}

void BlockedKernelBuilder::buildBlockedStep(ValueRange reduceVars) {
  unsigned first = getFirstReduceDim();
  AffineExpr step = b.dim(first + 1) * chunk + b.dim(first + 2);
  Value factors = buildWeights(reduceVars, b.dim(first) * steps + step);
  Access data = getElements();
  buildLoop(b, tile.rows, tir::ForKind::Unrolled, [&](Value pixel) {
    if (schedule.isBroadcast)
      return buildBroadcastProducts(pixel, reduceVars, factors);
    buildBlock(
        c.label, pixel, reduceVars, {data, getFactors(factors), getSums()},
        {getSums()}, [&](ValueRange vars) {
          Value element = b.loadAt(type, data, vars);
          buildProducts(factors, vars, [&](ValueRange) { return element; });
        });
  });
}

void BlockedKernelBuilder::buildBroadcastProducts(Value pixel,
                                                  ValueRange reduceVars,
                                                  Value factors) {
  // Load the data once for all channels.
  Value elements = b.local("element", type, {tile.lanes});
  Access all{elements, {b.expr(0)}, {tile.lanes}};
  Access source = getElements();
  source.extents = {1, 1, tile.lanes};
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
  buildBlock(c.label, pixel, reduceVars, {all, getFactors(factors), getSums()},
             {getSums()}, [&](ValueRange vars) {
               buildProducts(factors, vars, [&](ValueRange vars) {
                 return b.loadAt(type, atLane(all, vars), vars);
               });
             });
}

void BlockedKernelBuilder::buildBlockedTile() {
  if (isLastSlice)
    buildOperandPrefetch();
  sums = b.local("sum", type, {tile.rows, tile.getChannels()});
  buildStart(
      isFirstSlice ? c.start : c.result, getSums(),
      [&](int64_t vector, ValueRange vars) { return getSum(vector, vars); });
  if (prefetchWeights && schedule.isBroadcast)
    prefetchWeights(Value());
  buildLoop(b, steps / chunk, tir::ForKind::Serial, [&](Value var) {
    if (prefetchWeights && !schedule.isBroadcast)
      prefetchWeights(var);
    // Unroll: the loop counter would be one instruction in ten.
    if (schedule.isBroadcast)
      var.getParentBlock()->getParentOp()->setAttr(tir::kUnrollAttrName,
                                                   b.builder.getUnitAttr());
    buildLoop(b, chunk, tir::ForKind::Serial,
              [&](Value lane) { buildBlockedStep({slice, var, lane}); });
  });
  buildResult();
}

void BlockedKernelBuilder::buildSlice(Value index, Value firstPack,
                                      int64_t nextPack, int64_t nextStep) {
  slice = index;
  buildRowTiles([&] {
    buildPanel();
    buildDataPrefetch();
    buildPacks(schedule.packs, firstPack, tir::ForKind::Serial, [&] {
      planWeightPrefetch(nextPack, nextStep);
      buildBlockedTile();
    });
  });
}

void BlockedKernelBuilder::buildGroups(tir::ForKind shared) {
  if (slices != 1) {
    // The result holds the partial sums.
    joinsRows = false;
    buildPacks(c.getNumPacks(), Value(), shared, [&] {
      buildFirst([](size_t) { return tir::ForKind::Serial; });
    });
    joinsRows = schedule.joinsRows;
  }
  isFirstSlice = slices == 1;
  int64_t groups = c.getNumPacks() / schedule.packs;
  sharesGroups = sharesPacks(groups);
  tir::ForKind kind = sharesGroups ? shared : tir::ForKind::Serial;
  buildShared(groups, kind, [&](Value group) {
    Value packs = b.index(schedule.packs);
    Value firstPack = arith::MulIOp::create(b.builder, b.loc, group, packs);
    isLastSlice = false;
    if (slices != 1)
      buildShared(slices - 1, tir::ForKind::Serial,
                  [&](Value index) { buildSlice(index, firstPack, 0, steps); });
    isLastSlice = true;
    // The first slice of the next group follows.
    bool hasNext = groups != 1;
    buildSlice(b.index(slices - 1), firstPack, hasNext ? schedule.packs : 0,
               hasNext ? -(slices - 1) * steps : 0);
  });
}

void BlockedKernelBuilder::buildInOrder(tir::ForKind shared) {
  sharesGroups = sharesPacks(c.getNumPacks());
  auto forEachPanel = [&](function_ref<void()> body) {
    buildPacks(c.getNumPacks(), Value(),
               sharesGroups ? shared : tir::ForKind::Serial, body);
  };
  auto buildSlice = [&](Value index) {
    slice = index;
    buildRowTiles([&] {
      planNextPanelPrefetch();
      buildBlockedTile();
    });
  };
  // More than two slices would load and store all sums too often. With two, the
  // data of one slice stays in the L2 cache for all channels.
  isFirstSlice = true;
  if (slices == 2) {
    isLastSlice = false;
    forEachPanel([&] { buildSlice(b.index(0)); });
    isFirstSlice = false;
  }
  isLastSlice = true;
  forEachPanel([&] { buildSlice(b.index(slices - 1)); });
}

void BlockedKernelBuilder::build() {
  tir::ForKind shared =
      c.isParallel ? tir::ForKind::Parallel : tir::ForKind::Serial;
  if (schedule.copies)
    buildGroups(shared);
  else
    buildInOrder(shared);
}
