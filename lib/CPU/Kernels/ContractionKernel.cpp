//===- ContractionKernel.cpp - Contractions in registers ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// All contractions have the same loops over tiles; KernelBuilder.cpp emits the
// tiles. Tiles of a row differ in size by at most one. The last pack of
// channels begins early if necessary, and recomputes some channels.
//
// If the weights of a tile exceed the L1 cache, the sums are computed in slices
// (KC): all rows are computed for one slice of the weights before the next. The
// result holds the partial sums.
//
//===----------------------------------------------------------------------===//

#include "ContractionKernel.h"
#include "BlockedKernel.h"
#include "KernelBuilder.h"
#include "TileKernel.h"

#include "uma/CPU/Model/TileInstructions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

#include <utility>

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

AffineExpr uma::getOffset(ArrayRef<int64_t> shape,
                          ArrayRef<AffineExpr> indices) {
  AffineExpr offset = getAffineConstantExpr(0, indices.front().getContext());
  for (auto [index, stride] : llvm::zip_equal(indices, computeStrides(shape)))
    offset = offset + index * stride;
  return offset;
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

tir::ForOp uma::buildLoop(LayerBuilder &b, int64_t extent, tir::ForKind kind,
                          function_ref<void(Value)> body) {
  auto loop = tir::ForOp::create(b.builder, b.loc, b.builder.getIndexAttr(0),
                                 b.builder.getIndexAttr(extent), kind);
  OpBuilder::InsertionGuard guard(b.builder);
  b.builder.setInsertionPointToStart(&loop.getBody().front());
  body(loop.getInductionVar());
  return loop;
}

void uma::buildVersions(LayerBuilder &b, ArrayRef<const ISA *> isas,
                        function_ref<void(const ISA &)> build) {
  SmallVector<int64_t> lanes;
  SmallVector<StringRef> guards;
  for (const ISA *isa : isas.drop_back()) {
    lanes.push_back(isa->lanes);
    guards.push_back(isa->guard);
  }
  auto versions = tir::MultiversionOp::create(b.builder, b.loc, lanes, guards);
  OpBuilder::InsertionGuard guard(b.builder);
  for (auto [region, isa] : llvm::zip_equal(versions.getVersions(), isas)) {
    b.builder.setInsertionPointToStart(&region.front());
    build(*isa);
  }
}

void uma::buildVersions(LayerBuilder &b, ScheduleAttr schedule,
                        function_ref<void(VersionAttr)> build) {
  const VersionAttr *version = schedule.getVersions().begin();
  auto isas =
      llvm::map_to_vector(schedule.getVersions(), [](VersionAttr version) {
        return ISA::lookup(version.getIsa().getValue());
      });
  buildVersions(b, isas, [&](const ISA &) { build(*version++); });
}

void uma::buildVersions(LayerBuilder &b,
                        function_ref<void(const ISA &)> build) {
  auto module =
      b.builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  std::vector<ISA> usual = Processor::of(module).getUsual();
  auto isas = llvm::map_to_vector(usual, [](const ISA &isa) { return &isa; });
  buildVersions(b, isas, build);
}

Value KernelBuilder::rotateRow(Value row) {
  // Begin with a row that reads all weights, in order, to bring them into the
  // cache. Rows that skip some at the top come last.
  int64_t top = llvm::divideCeil(-c.taps->offset, c.taps->stride);
  if (top <= 0 || top >= c.outer[c.taps->row])
    return row;
  Value shift = b.index(top), extent = b.index(c.outer[c.taps->row]);
  row = arith::AddIOp::create(b.builder, b.loc, row, shift);
  return arith::RemSIOp::create(b.builder, b.loc, row, extent);
}

void KernelBuilder::buildShared(int64_t extent, tir::ForKind kind,
                                function_ref<void(Value)> body) {
  tir::ForOp loop = buildLoop(b, extent, kind, body);
  if (c.isParallel && kind == tir::ForKind::Serial)
    loop->setAttr(tir::kTeamAttrName, b.builder.getUnitAttr());
}

void KernelBuilder::buildOuterLoops(ArrayRef<int64_t> extents, KindFn getKind,
                                    function_ref<void(ValueRange)> body) {
  SmallVector<Value> vars;
  if (weightsVar)
    vars.push_back(weightsVar);
  std::function<void()> build = [&] {
    if (vars.size() == extents.size())
      return body(vars);
    size_t loop = vars.size();
    bool isPart = c.range && loop + 1 == c.outer.size();
    int64_t extent = isPart ? c.range->extent : extents[loop];
    buildShared(extent, getKind(loop + 1), [&](Value var) {
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

void KernelBuilder::buildRows(int64_t rows, tir::ForKind kind,
                              function_ref<void(Value, Value)> body) {
  int64_t most = tile.rows;
  RowTiles tiles = RowTiles::of(rows, most);
  // Build tile `index` of those of `size` rows, which follow `firstTile` tiles
  // of one more.
  auto buildTileAt = [&](Value index, int64_t size, int64_t firstTile) {
    tile.rows = size;
    Value start = scaled(index, size);
    if (firstTile != 0)
      start = sum(b.index(firstTile), start);
    body(index, start);
  };
  auto build = [&](int64_t size, int64_t count, int64_t firstTile) {
    tile.rows = size;
    auto buildAt = [&](Value index) {
      if (firstTile != 0)
        index = sum(b.index(firstTile), index);
      buildTileAt(index, size, firstTile);
    };
    if (kind != tir::ForKind::Parallel) {
      prepareRows();
      buildLoop(b, count, kind, buildAt);
      return;
    }
    // Threads do not share the state of a device.
    int64_t prepared = getPreparedTiles(count);
    buildLoop(b, count / prepared, kind, [&](Value part) {
      prepareRows();
      if (prepared == 1)
        return buildAt(part);
      buildLoop(b, prepared, tir::ForKind::Serial, [&](Value index) {
        buildAt(sum(scaled(part, prepared), index));
      });
    });
  };
  int64_t count = tiles.count, total = count + tiles.restCount;
  if (kind == tir::ForKind::Parallel && tiles.restCount != 0 &&
      getPreparedTiles(total) == 1) {
    // Tiles of both sizes in one loop, so that each thread has neighbours.
    buildLoop(b, total, kind, [&](Value index) {
      Value isLarge = b.lessThan(index, b.index(count));
      auto choice = scf::IfOp::create(b.builder, b.loc, isLarge,
                                      /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(b.builder);
      auto buildBranch = [&](Block *block, int64_t size, int64_t firstTile) {
        b.builder.setInsertionPointToStart(block);
        tile.rows = size;
        prepareRows();
        buildTileAt(index, size, firstTile);
      };
      buildBranch(choice.thenBlock(), tiles.size, 0);
      buildBranch(choice.elseBlock(), tiles.size - 1, count);
    });
  } else {
    build(tiles.size, count, 0);
    if (tiles.restCount != 0)
      build(tiles.size - 1, tiles.restCount, count);
  }
  tile.rows = most;
}

void KernelBuilder::buildTiles(KindFn getKind, function_ref<void()> body) {
  buildOuterLoops(c.outer, getKind, [&](ValueRange outer) {
    buildRows(c.rows, getKind(c.outer.size() + 1),
              [&](Value index, Value start) {
                tileIndex = index;
                rowBindings.assign(outer.begin(), outer.end());
                llvm::append_range(
                    rowBindings, llvm::make_first_range(c.tileVars.getLoops()));
                rowBindings.push_back(start);
                body();
              });
  });
}

void KernelBuilder::buildFirst(KindFn getKind) {
  int64_t rows = std::exchange(tile.rows, 1);
  buildTiles(getKind, [&] {
    buildStart(c.start, getRegion(c.result),
               [&](int64_t vector, ValueRange vars) {
                 return getElement(c.result, vector, vars);
               });
  });
  tile.rows = rows;
}

void KernelBuilder::buildChannels(KindFn getKind) {
  auto build = [&] {
    buildTiles(getKind, [&] {
      planNextWeights();
      buildTile();
    });
  };
  if (slices == 1)
    return build();
  buildFirst(getKind);
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

Value KernelBuilder::sum(Value left, Value right) const {
  return arith::AddIOp::create(b.builder, b.loc, left, right);
}

Value KernelBuilder::scaled(Value value, int64_t factor) const {
  if (factor == 1)
    return value;
  return arith::MulIOp::create(b.builder, b.loc, value, b.index(factor));
}

Value KernelBuilder::quotient(Value value, int64_t divisor) const {
  return arith::DivUIOp::create(b.builder, b.loc, value, b.index(divisor));
}

Value KernelBuilder::remainder(Value value, int64_t divisor) const {
  return arith::RemUIOp::create(b.builder, b.loc, value, b.index(divisor));
}

Value KernelBuilder::atMost(Value value, int64_t limit) const {
  return arith::MinSIOp::create(b.builder, b.loc, value, b.index(limit));
}

/// Returns whether threads can share one of the loops over `rows` about evenly:
/// of 7 tiles, a thread computes 4, which takes no longer than the data of the
/// other would.
static bool hasEnoughRows(ArrayRef<int64_t> rows) {
  constexpr int64_t enough = 7;
  return llvm::any_of(rows, [](int64_t extent) {
    return extent >= enough || isEvenlyShared(extent);
  });
}

bool KernelBuilder::prefersRows(ArrayRef<int64_t> rows) const {
  ContractionShape shape = c.getShape();
  int64_t pixels = shape.outer * shape.rows;
  if (c.hasWeightSets) {
    // Batches of matrices share the batch, groups of channels the rows. Groups
    // have a loop over images, too.
    if (c.outer.size() == 1)
      return false;
    pixels /= rows.front();
    rows = rows.drop_front();
  }
  if (c.channelBlock != 0 && !sharesRows(shape.outer * shape.rows))
    return false;
  // Threads that share rows read all weights, but only data that they wrote in
  // the layer before, if all layers share rows. Prefer that if the data or the
  // result has as many elements as the weights.
  return hasEnoughRows(rows) &&
         std::min(shape.channels * shape.taps, shape.depth) <= pixels;
}

size_t KernelBuilder::chooseShared(int64_t packs,
                                   ArrayRef<int64_t> rows) const {
  if (prefersRows(rows)) {
    size_t first = c.hasWeightSets ? 1 : 0;
    return 1 + first + chooseParallel(rows.drop_front(first));
  }
  SmallVector<int64_t> extents = {packs};
  llvm::append_range(extents, rows);
  if (!c.hasWeightSets)
    return chooseParallel(extents);
  // Sets first, then rows, like layers that compute the rows of each matrix.
  return isEvenlyShared(rows.front()) || hasEnoughRows(rows)
             ? 1 + chooseParallel(rows)
             : chooseParallel(extents);
}

void KernelBuilder::buildPacks(int64_t numPacks, Value firstPack,
                               tir::ForKind kind, function_ref<void()> body) {
  int64_t width = tile.getChannels(), block = c.channelBlock;
  // Tiles of a pack: blocks of channels or panels, then parts of one.
  int64_t panel = c.getPanelWidth();
  int64_t step = std::max({width, block, panel});
  bool isRagged = c.channels % c.packWidth != 0;
  auto buildPack = [&](Value pack) {
    if (firstPack)
      pack = sum(firstPack, pack);
    // Count in channel blocks if there are any, so that no index has to be
    // divided.
    int64_t unit = block == 0 ? 1 : block;
    Value first = scaled(pack, c.packWidth / unit);
    if (isRagged)
      first = atMost(first, (c.channels - c.packWidth) / unit);
    buildShared(c.packWidth / step, tir::ForKind::Serial, [&](Value part) {
      Value start = sum(first, scaled(part, step / unit));
      buildShared(step / width, tir::ForKind::Serial, [&](Value inner) {
        // A tile is a part of a panel, or several panels.
        Value panels = scaled(pack, c.packWidth / panel);
        Value zero = b.index(0);
        Value column = scaled(inner, width);
        Value whole = sum(panels, scaled(part, step / panel));
        // A block of channels may hold several panels.
        if (step == panel || step == width)
          channelBindings = {whole, column};
        else if (width % panel == 0)
          channelBindings = {sum(whole, scaled(inner, width / panel)), zero};
        else
          channelBindings = {sum(whole, quotient(column, panel)),
                             remainder(column, panel)};
        if (block == 0)
          channelBindings.append({zero, sum(start, column)});
        else
          channelBindings.append({start, column});
        body();
      });
    });
  };
  if (c.tileVars.pack)
    buildPack(c.tileVars.pack);
  else
    buildShared(numPacks, kind, buildPack);
}

void KernelBuilder::build() {
  if (c.producer)
    return buildWithProducer();
  SmallVector<int64_t> rows(c.outer);
  rows.push_back(RowTiles::of(c.rows, tile.rows).getCount());
  size_t parallel = chooseShared(c.getNumPacks(), rows);
  threadsSharePacks = c.isParallel && parallel == 0;
  auto getKind = [&](size_t loop) {
    return c.isParallel && loop == parallel ? tir::ForKind::Parallel
                                            : tir::ForKind::Serial;
  };
  auto buildAll = [&] {
    buildPacks(c.getNumPacks(), Value(), getKind(0),
               [&] { buildChannels(getKind); });
  };
  if (!c.hasWeightSets)
    return buildAll();
  // The outer loop over sets of weights is outside of the loop over packs, so
  // that its data stays in the cache.
  buildShared(c.outer.front(), getKind(1), [&](Value var) {
    weightsVar = var;
    buildAll();
    weightsVar = nullptr;
  });
}

static void buildVersion(LayerBuilder &b, const Contraction &contraction,
                         VersionAttr version) {
  if (version.getBlocking())
    BlockedKernelBuilder(b, contraction, version).build();
  else
    KernelBuilder(b, contraction, version).build();
}

/// Builds a version of a contraction. An instruction with operands in memory
/// replaces it where the processor has one.
static void build(LayerBuilder &b, const Contraction &contraction,
                  VersionAttr version) {
  TileInstructionAttr tile = contraction.schedule.getInstruction();
  const ISA *isa = ISA::lookup(version.getIsa().getValue());
  if (!tile || tile.getLanes() != isa->lanes)
    return buildVersion(b, contraction, version);
  Value exists = tir::HasInstructionOp::create(
      b.builder, b.loc, b.builder.getI1Type(), tile.getName());
  auto choice = scf::IfOp::create(b.builder, b.loc, exists,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b.builder);
  b.builder.setInsertionPointToStart(choice.thenBlock());
  Contraction merged = contraction;
  static_cast<ContractionProblem &>(merged) = mergeSteps(contraction);
  // Joined lines read padding like data.
  if (tile.getLines() != 1)
    merged.taps.reset();
  TileKernelBuilder(b, merged, version, tile).build();
  b.builder.setInsertionPointToStart(choice.elseBlock());
  buildVersion(b, contraction, version);
}

void uma::buildContraction(LayerBuilder &b, const Contraction &contraction,
                           const ISA &isa) {
  build(b, contraction,
        *llvm::find_if(contraction.schedule.getVersions(),
                       [&](VersionAttr version) {
                         return version.getIsa().getValue() == isa.name;
                       }));
}

void uma::buildContraction(LayerBuilder &b, const Contraction &contraction) {
  buildVersions(b, contraction.schedule,
                [&](VersionAttr version) { build(b, contraction, version); });
}
