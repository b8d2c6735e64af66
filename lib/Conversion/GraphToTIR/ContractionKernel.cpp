//===- ContractionKernel.cpp - Sums of products in registers --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One schedule for all contractions: loops over tiles, which KernelBuilder.cpp
// computes. What is left of a row is a smaller tile; the last pack of channels
// begins early, and computes some of them twice.
//
// Where the weights of a tile are more than the nearest cache holds, the sums
// are computed in slices: all rows go through one slice of the weights before
// the next one. The result keeps the sums meanwhile.
//
//===----------------------------------------------------------------------===//

#include "ContractionKernel.h"
#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <utility>

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

Workload Contraction::getWorkload() const {
  return {label,        outer,  rows,    channels,
          channelBlock, reduce, strides, dilations};
}

RegisterTile Contraction::chooseTile(const SIMDTarget &target) const {
  if (tuned && tuned->lanes == target.lanes)
    return tuned->tile;
  return uma::chooseTile(getContractionShape(getWorkload()), packWidth, target);
}

int64_t Contraction::chooseSlices(const RegisterTile &tile) const {
  // Channels that two packs compute would be added to twice.
  bool keepsSums = !getWeightIndices && channels % packWidth == 0 &&
                   uma::getElement(result.buffer) ==
                       LayerBuilder::getComputeType(uma::getElement(data)) &&
                   llvm::none_of(operands, [&](const ResultOperand &operand) {
                     return operand.buffer == result.buffer;
                   });
  if (!keepsSums)
    return 1;
  ContractionShape shape = getContractionShape(getWorkload());
  // Each of these has weights of its own.
  if (getWeightPrefix)
    shape.outer /= outer.front();
  return uma::chooseSlices(shape, reduce.front(), packWidth, tile);
}

void uma::storeResult(LayerBuilder &b, const Contraction &c, Value sum,
                      const ResultPoint &point, ValueRange vars) {
  SmallVector<Value> elements;
  for (const ResultOperand &operand : c.operands) {
    Type type = LayerBuilder::getComputeType(uma::getElement(operand.buffer));
    elements.push_back(
        b.loadAt(type, {operand.buffer, operand.getIndices(point)}, vars));
  }
  Value value = c.finish ? c.finish(b, sum, elements) : sum;
  b.storeAt(value, {c.result.buffer, c.result.getIndices(point)}, vars);
}

void uma::buildLoop(LayerBuilder &b, int64_t extent, tir::ForKind kind,
                    function_ref<void(Value)> body) {
  auto loop = tir::ForOp::create(b.builder, b.loc, b.builder.getIndexAttr(0),
                                 b.builder.getIndexAttr(extent), kind);
  OpBuilder::InsertionGuard guard(b.builder);
  b.builder.setInsertionPointToStart(&loop.getBody().front());
  body(loop.getInductionVar());
}

void uma::buildVersions(LayerBuilder &b,
                        function_ref<void(const SIMDTarget &)> build) {
  ArrayRef<SIMDTarget> targets = getSIMDTargets();
  auto lanes = llvm::map_to_vector(targets.drop_back(),
                                   [](const SIMDTarget &t) { return t.lanes; });
  auto versions = tir::MultiversionOp::create(b.builder, b.loc, lanes);
  OpBuilder::InsertionGuard guard(b.builder);
  for (auto [region, target] :
       llvm::zip_equal(versions.getVersions(), targets)) {
    b.builder.setInsertionPointToStart(&region.front());
    build(target);
  }
}

Value KernelBuilder::rotateRow(Value row) {
  // The first row through the weights brings them near: one that sees all of
  // them does so in order, and those that miss some at the top come last.
  int64_t top = llvm::divideCeil(-c.taps->offset, c.taps->stride);
  if (top <= 0 || top >= c.outer[c.taps->row])
    return row;
  Value shift = b.index(top), extent = b.index(c.outer[c.taps->row]);
  row = arith::AddIOp::create(b.builder, b.loc, row, shift);
  return arith::RemSIOp::create(b.builder, b.loc, row, extent);
}

void KernelBuilder::buildOuterLoops(KindFn getKind,
                                    function_ref<void(ValueRange)> body) {
  SmallVector<Value> vars;
  std::function<void()> build = [&] {
    if (vars.size() == c.outer.size())
      return body(vars);
    size_t loop = vars.size();
    bool isPart = c.range && loop + 1 == c.outer.size();
    int64_t extent = isPart ? c.range->extent : c.outer[loop];
    buildLoop(b, extent, getKind(loop + 1), [&](Value var) {
      if (isPart)
        var = arith::AddIOp::create(b.builder, b.loc, c.range->first, var);
      else if (c.taps && c.taps->row == loop)
        var = rotateRow(var);
      vars.push_back(var);
      build();
      vars.pop_back();
    });
  };
  build();
}

void KernelBuilder::buildTiles(KindFn getKind, function_ref<void()> body) {
  SmallVector<Value> known = channelBindings;
  auto buildAt = [&](ValueRange outer, Value rowStart) {
    llvm::append_range(channelBindings, outer);
    llvm::append_range(channelBindings, llvm::make_first_range(c.turn));
    channelBindings.push_back(rowStart);
    body();
    channelBindings = known;
  };
  buildOuterLoops(getKind, [&](ValueRange outer) {
    int64_t whole = c.rows / tile.rows, rest = c.rows % tile.rows;
    buildLoop(b, whole, getKind(c.outer.size() + 1), [&](Value index) {
      Value rows = b.index(tile.rows);
      Value start = arith::MulIOp::create(b.builder, b.loc, index, rows);
      buildAt(outer, start);
    });
    if (rest == 0)
      return;
    // What is left of the rows is a smaller tile.
    int64_t rows = std::exchange(tile.rows, rest);
    buildAt(outer, b.index(whole * rows));
    tile.rows = rows;
  });
}

void KernelBuilder::buildChannels(KindFn getKind) {
  auto build = [&] { buildTiles(getKind, [&] { buildTile(); }); };
  if (slices == 1)
    return build();
  int64_t rows = std::exchange(tile.rows, 1);
  buildTiles(getKind, [&] {
    buildStart(c.start, getRegion(c.result),
               [&](int64_t vector, ValueRange vars) {
                 return getElement(c.result, vector, vars);
               });
  });
  tile.rows = rows;
  int64_t steps = c.reduce.front() / slices;
  isLastSlice = false;
  buildLoop(b, slices - 1, tir::ForKind::Serial, [&](Value slice) {
    Value extent = b.index(steps);
    firstStep = arith::MulIOp::create(b.builder, b.loc, slice, extent);
    build();
  });
  isLastSlice = true;
  firstStep = b.index((slices - 1) * steps);
  build();
}

void KernelBuilder::build() {
  int64_t numBlocks = llvm::divideCeil(c.channels, c.packWidth);
  int64_t width = tile.getChannels(), block = c.channelBlock;
  // Tiles in a pack of weights: blocks of channels or panels, then parts of
  // one.
  int64_t panel = c.getPanelWidth();
  int64_t step = std::max({width, block, panel});
  auto scaled = [&](Value value, int64_t factor) -> Value {
    return arith::MulIOp::create(b.builder, b.loc, value, b.index(factor));
  };
  auto sum = [&](Value left, Value right) -> Value {
    return arith::AddIOp::create(b.builder, b.loc, left, right);
  };
  auto atMost = [&](Value value, int64_t limit, bool isNeeded) -> Value {
    if (!isNeeded)
      return value;
    Value bound = b.index(limit);
    return arith::MinSIOp::create(b.builder, b.loc, value, bound);
  };
  bool isRagged = c.channels % c.packWidth != 0;
  // Threads share the first loop that is long enough to be shared evenly.
  SmallVector<int64_t> shared = {numBlocks};
  llvm::append_range(shared, c.outer);
  shared.push_back(c.rows / tile.rows);
  constexpr int64_t enough = 8;
  size_t parallel = std::distance(
      shared.begin(),
      llvm::find_if(shared, [](int64_t extent) { return extent >= enough; }));
  if (parallel == shared.size())
    parallel = std::distance(shared.begin(), llvm::max_element(shared));
  auto getKind = [&](size_t loop) {
    return c.isParallel && loop == parallel ? tir::ForKind::Parallel
                                            : tir::ForKind::Serial;
  };
  auto buildPack = [&](Value pack) {
    // In units of channel blocks where there are any, so that no index has to
    // be divided.
    int64_t unit = block == 0 ? 1 : block;
    Value first = atMost(scaled(pack, c.packWidth / unit),
                         (c.channels - c.packWidth) / unit, isRagged);
    buildLoop(b, c.packWidth / step, tir::ForKind::Serial, [&](Value part) {
      Value start = sum(first, scaled(part, step / unit));
      buildLoop(b, step / width, tir::ForKind::Serial, [&](Value inner) {
        // A tile is a part of a panel, or several.
        Value panels = scaled(pack, c.packWidth / panel);
        Value zero = b.index(0);
        Value column = scaled(inner, width);
        channelBindings = {sum(panels, scaled(part, step / panel)), column};
        if (block == 0)
          channelBindings.append({zero, sum(start, column)});
        else
          channelBindings.append({start, column});
        buildChannels(getKind);
      });
    });
  };
  if (c.pack)
    buildPack(c.pack);
  else
    buildLoop(b, numBlocks, getKind(0), buildPack);
}

void uma::buildContraction(LayerBuilder &b, const Contraction &contraction,
                           const SIMDTarget &target) {
  KernelBuilder(b, contraction, target).build();
}

void uma::buildContraction(LayerBuilder &b, const Contraction &contraction) {
  buildVersions(b, [&](const SIMDTarget &target) {
    buildContraction(b, contraction, target);
  });
}
