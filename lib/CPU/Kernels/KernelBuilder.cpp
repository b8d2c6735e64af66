//===- KernelBuilder.cpp - Tiles of a contraction -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A tile of the result, MR pixels by NR channels, stays in registers during the
// reduction. Each step loads the vectors of weights once and multiplies them by
// one element of the data per pixel.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

ChannelExpr KernelBuilder::getChannel(int64_t vector, AffineExpr lane) const {
  int64_t offset = vector * tile.lanes;
  int64_t block = c.channelBlock;
  if (block == 0)
    return {b.expr(0), b.dim(Channel) + offset + lane};
  return {b.dim(ChannelBlock) + offset / block,
          b.dim(Channel) + offset % block + lane};
}

Access KernelBuilder::getRegion(const ResultOperand &operand) const {
  IndexExprs first = getIndices(operand, 0, b.expr(0));
  IndexExprs last =
      getIndices(operand, tile.vectors - 1, b.expr(tile.lanes - 1));
  Access access{operand.buffer, first};
  for (auto [begin, end] : llvm::zip_equal(first, last)) {
    auto extent = dyn_cast<AffineConstantExpr>(end - begin);
    access.extents.push_back(extent ? extent.getValue() + 1 : 1);
  }
  // The region covers whole blocks, from that of the first vector to that of
  // the last. A broadcast operand has no channels.
  bool hasBlocks =
      !first.empty() && first.back() == getChannel(0, b.expr(0)).inBlock;
  if (hasBlocks && tile.getChannels() > c.channelBlock && c.channelBlock != 0)
    access.extents.back() = c.channelBlock;
  return access;
}

void KernelBuilder::forEachVector(
    ValueRange vars, function_ref<void(int64_t, ValueRange)> body) {
  for (int64_t vector = 0; vector < tile.vectors; ++vector)
    buildLoop(b, tile.lanes, tir::ForKind::Vectorized, [&](Value lane) {
      SmallVector<Value> all(vars);
      all.push_back(lane);
      body(vector, all);
    });
}

SmallVector<Value> KernelBuilder::getRowBindings(Value pixel) {
  SmallVector<Value> bindings(rowBindings);
  Value row = arith::AddIOp::create(b.builder, b.loc, bindings.back(), pixel);
  bindings.back() = row;
  if (joinsRows) {
    Value rows = b.index(c.rows);
    bindings.end()[-2] = arith::DivUIOp::create(b.builder, b.loc, row, rows);
    bindings.back() = arith::RemUIOp::create(b.builder, b.loc, row, rows);
  }
  return bindings;
}

void KernelBuilder::buildBlock(StringRef label, Value pixel,
                               ValueRange reduceVars, ArrayRef<Access> reads,
                               ArrayRef<Access> writes,
                               function_ref<void(ValueRange)> body) {
  SmallVector<LayerBuilder::Dim> dims = {
      {c.getNumPacks() * (c.packWidth / c.getPanelWidth())},
      {c.getPanelWidth()},
      {c.channelBlock == 0 ? 1 : c.channels / c.channelBlock},
      {c.channelBlock == 0 ? c.channels : c.channelBlock}};
  for (int64_t extent : c.outer)
    dims.push_back({extent});
  for (auto [var, extent] : c.tileVars.getLoops())
    dims.push_back({extent});
  dims.push_back({c.rows});
  dims.push_back({firstSum ? uma::getShape(sums).front() : tile.rows});
  for (auto [var, extent] : llvm::zip(reduceVars, reduce))
    dims.push_back({extent, tir::IterKind::Reduce});
  SmallVector<Value> bindings(channelBindings);
  llvm::append_range(bindings, getRowBindings(pixel));
  bindings.push_back(firstSum ? sum(firstSum, pixel) : pixel);
  llvm::append_range(bindings, reduceVars);
  if (joinsRows && c.joinedData) {
    dims.push_back({c.outer.back() * c.rows});
    bindings.push_back(
        arith::AddIOp::create(b.builder, b.loc, rowBindings.back(), pixel));
  }
  b.block(label, dims, bindings, reads, writes, body);
}

void KernelBuilder::buildStart(
    const std::optional<ResultOperand> &source, Access region,
    function_ref<Access(int64_t, ValueRange)> getTarget) {
  SmallVector<Access> reads;
  if (source)
    reads.push_back(getRegion(*source));
  buildBlocks(
      c.label + "_start", {}, reads, {std::move(region)}, [&](ValueRange vars) {
        Value zero = source ? Value() : b.constant(sumType, 0.0);
        forEachVector(vars, [&](int64_t vector, ValueRange vars) {
          Value start =
              source
                  ? b.loadAt(sumType, getElement(*source, vector, vars), vars)
                  : zero;
          b.storeAt(start, getTarget(vector, vars), vars);
        });
      });
}

Value KernelBuilder::buildWeights(ValueRange reduceVars, AffineExpr depth) {
  IndexExprs reduceDims = getDims(getFirstReduceDim(), reduceVars.size());
  IndexExprs prefix;
  if (c.hasWeightSets)
    prefix = {getOuter().front()};
  int64_t panel = c.getPanelWidth();
  auto weightAt = [&](int64_t vector, AffineExpr lane) {
    int64_t column = vector * tile.lanes;
    if (c.getWeightIndices)
      return Access{c.weights, c.getWeightIndices(
                                   getOuter(), b.dim(Channel) + column + lane,
                                   reduceDims)};
    Access access{c.weights, prefix};
    access.first.append({b.dim(Panel) + column / panel, depth,
                         b.dim(Column) + column % panel + lane});
    return access;
  };
  Access weights = weightAt(0, b.expr(0));
  weights.extents.assign(weights.first.size(), 1);
  weights.extents.back() = tile.getChannels();
  if (!c.getWeightIndices && tile.getChannels() > panel) {
    weights.extents.back() = panel;
    weights.extents.end()[-3] = tile.getChannels() / panel;
  }
  // Load the weights once for all pixels.
  Value factors = b.local("weight", type, {tile.getChannels()});
  buildBlock(
      c.label + "_weights", b.index(0), reduceVars, {weights},
      {getFactors(factors)}, [&](ValueRange vars) {
        forEachVector(vars, [&](int64_t vector, ValueRange vars) {
          Value factor = b.loadAt(type, weightAt(vector, getLane(vars)), vars);
          b.storeAt(factor,
                    {factors, {b.expr(vector * tile.lanes) + getLane(vars)}},
                    vars);
        });
      });
  return factors;
}

void KernelBuilder::buildProducts(Value factors, ValueRange vars,
                                  function_ref<Value(ValueRange)> getElement) {
  forEachVector(vars, [&](int64_t vector, ValueRange vars) {
    Access sum = getSum(vector, vars);
    Access factorAt = {factors, {b.expr(vector * tile.lanes) + getLane(vars)}};
    Value factor = b.loadAt(type, factorAt, vars);
    if (c.wordSize != 1) {
      Value element = getElement(vars);
      Value old = b.loadAt(sumType, sum, vars);
      b.storeAt(b.dot(element, factor, old, c.wordSize), sum, vars);
      return;
    }
    Value product = b.mul(getElement(vars), factor);
    Value old = b.loadAt(type, sum, vars);
    b.storeAt(b.add(product, old), sum, vars);
  });
}

AffineExpr KernelBuilder::getDepth() const {
  AffineExpr depth = b.expr(0);
  for (auto [i, extent] : llvm::enumerate(c.reduce))
    depth = depth * extent + b.dim(getFirstReduceDim() + i);
  return depth;
}

void KernelBuilder::buildLaneSteps(ValueRange reduceVars) {
  int64_t lanes = tile.lanes;
  IndexExprs steps = getDims(getFirstReduceDim(), c.reduce.size());
  auto getData = [&](AffineExpr lane) {
    IndexExprs dims = steps;
    dims.back() = dims.back() + lane;
    return this->getData(dims);
  };
  // Load one vector per pixel and use all lanes before the next one.
  Value elements = b.local("element", type, {tile.rows, lanes});
  auto getElements = [&](AffineExpr lane) {
    return Access{elements, {b.dim(getPixelDim()), lane}};
  };
  Access data = getData(b.expr(0)), vector = getElements(b.expr(0));
  data.extents.assign(data.first.size(), 1);
  data.extents.back() = lanes;
  vector.extents = {1, lanes};
  buildBlocks(c.label + "_data", reduceVars, {data}, {vector},
              [&](ValueRange vars) {
                buildLoop(b, lanes, tir::ForKind::Vectorized, [&](Value lane) {
                  SmallVector<Value> all(vars);
                  all.push_back(lane);
                  Value loaded = b.loadAt(type, getData(getLane(all)), all);
                  b.storeAt(loaded, getElements(getLane(all)), all);
                });
              });
  for (int64_t lane = 0; lane < lanes; ++lane) {
    SmallVector<Value> vars(reduceVars);
    vars.back() = sum(vars.back(), b.index(lane));
    Value factors = buildWeights(vars, getDepth());
    Access element = getElements(b.expr(lane));
    buildBlocks(c.label, vars, {element, getFactors(factors), getSums()},
                {getSums()}, [&](ValueRange vars) {
                  Value factor = b.loadAt(type, element, vars);
                  buildProducts(factors, vars,
                                [&](ValueRange) { return factor; });
                });
  }
}

void KernelBuilder::buildStep(ValueRange reduceVars) {
  if (isByLane)
    return buildLaneSteps(reduceVars);
  IndexExprs reduceDims = getDims(getFirstReduceDim(), c.reduce.size());
  Access data = getData(reduceDims);
  Value factors = buildWeights(reduceVars, getDepth());
  buildBlocks(c.label, reduceVars, {data, getFactors(factors), getSums()},
              {getSums()}, [&](ValueRange vars) {
                Value element = b.loadAt(type, data, vars);
                buildProducts(factors, vars,
                              [&](ValueRange) { return element; });
              });
}

Access KernelBuilder::getData(ArrayRef<AffineExpr> reduce) const {
  if (!tileData)
    return {c.data, c.getDataIndices(getOuter(), b.dim(getRowDim()), reduce)};
  return {tileData, {reduce.front(), b.dim(getPixelDim()), reduce.back()}};
}

std::pair<Value, Value> KernelBuilder::getTaps() {
  const Contraction::Taps &taps = *c.taps;
  Value row = rowBindings[taps.row];
  if (taps.stride != 1) {
    Value stride = b.index(taps.stride);
    row = arith::MulIOp::create(b.builder, b.loc, row, stride);
  }
  // Returns the distance from the row's first step to `limit`, at least 0.
  auto getRest = [&](int64_t limit) -> Value {
    Value most = b.index(limit - taps.offset);
    Value rest = arith::SubIOp::create(b.builder, b.loc, most, row);
    Value zero = b.index(0);
    return arith::MaxSIOp::create(b.builder, b.loc, rest, zero);
  };
  auto divide = [&](Value value) -> Value {
    if (taps.step == 1)
      return value;
    Value step = b.index(taps.step);
    return arith::DivSIOp::create(b.builder, b.loc, value, step);
  };
  // Steps from row 0 of the data to its last row.
  Value before = getRest(taps.step - 1);
  Value reach = getRest(taps.extent - 1 + taps.step);
  Value first = divide(before), steps = divide(reach);
  Value most = b.index(c.reduce[taps.loop]);
  Value end = arith::MinSIOp::create(b.builder, b.loc, steps, most);
  return {first, end};
}

void KernelBuilder::buildChunks(ValueRange outerVars, int64_t stepWidth,
                                function_ref<void(Value)> build) {
  int64_t extent = c.reduce.back();
  int64_t chunk = isSplitIntoLines(extent) ? lineElements : extent;
  Value part = b.index(0);
  for (auto [steps, var] : llvm::zip(c.reduce, outerVars))
    part = sum(scaled(part, steps), var);
  int64_t chunks = extent / chunk;
  buildLoop(b, chunks, tir::ForKind::Serial, [&](Value index) {
    if (prefetchWeights)
      prefetchWeights(sum(scaled(part, chunks), index));
    if (prefetchesData()) {
      SmallVector<Value> vars(outerVars);
      vars.push_back(index);
      buildDataPrefetch(vars, chunk);
    }
    buildLoop(b, chunk / stepWidth, tir::ForKind::Serial, [&](Value var) {
      build(sum(scaled(index, chunk), scaled(var, stepWidth)));
    });
  });
}

void KernelBuilder::buildSum() {
  SmallVector<Value> reduceVars;
  std::function<void()> build = [&] {
    size_t loop = reduceVars.size();
    if (loop == c.reduce.size())
      return buildStep(reduceVars);
    auto buildStepAt = [&](Value var) {
      reduceVars.push_back(var);
      build();
      reduceVars.pop_back();
    };
    bool isSliced = slices != 1 && loop == 0;
    if (c.taps && c.taps->loop == loop && !isSliced) {
      auto [first, end] = getTaps();
      auto taps = tir::ForOp::create(b.builder, b.loc, OpFoldResult(first),
                                     OpFoldResult(end));
      OpBuilder::InsertionGuard guard(b.builder);
      b.builder.setInsertionPointToStart(&taps.getBody().front());
      return buildStepAt(taps.getInductionVar());
    }
    int64_t extent = isSliced ? c.reduce[loop] / slices : c.reduce[loop];
    bool isInnermost = loop + 1 == c.reduce.size();
    int64_t width = isInnermost ? stepWidth : 1;
    // A few steps are not worth a loop.
    bool isShort = isInnermost && extent <= 4;
    if (isInnermost && (prefetchWeights || prefetchesData()))
      return buildChunks(SmallVector<Value>(reduceVars), width, buildStepAt);
    buildLoop(b, extent / width,
              isShort ? tir::ForKind::Unrolled : tir::ForKind::Serial,
              [&](Value var) {
                var = scaled(var, width);
                buildStepAt(isSliced ? sum(firstStep, var) : var);
              });
  };
  build();
}

void KernelBuilder::buildResult() {
  SmallVector<Access> reads = {getSums()};
  bool addsStart = startsAtZero && c.start;
  if (addsStart)
    reads.push_back(getRegion(*c.start));
  if (isLastSlice)
    for (const ResultOperand &operand : c.operands)
      reads.push_back(getRegion(operand));
  buildBlocks(c.label + "_result", {}, reads, {getRegion(c.result)},
              [&](ValueRange vars) {
                forEachVector(vars, [&](int64_t vector, ValueRange vars) {
                  Value sum = b.loadAt(sumType, getSum(vector, vars), vars);
                  if (addsStart) {
                    Value start = b.loadAt(
                        sumType, getElement(*c.start, vector, vars), vars);
                    sum = b.add(start, sum);
                  }
                  if (!isLastSlice) {
                    b.storeAt(sum, getElement(c.result, vector, vars), vars);
                    return;
                  }
                  IndexExprs outer = getOuter();
                  storeResult(b, c, sum,
                              {outer, b.dim(getRowDim()),
                               getChannel(vector, getLane(vars))},
                              vars);
                });
              });
}

void KernelBuilder::buildTile() {
  sums = b.local("sum", sumType, {tile.rows, tile.getChannels()});
  buildStart(
      slices == 1 ? c.start : c.result, getSums(),
      [&](int64_t vector, ValueRange vars) { return getSum(vector, vars); });
  buildSum();
  buildResult();
}
