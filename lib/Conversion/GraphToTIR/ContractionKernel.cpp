//===- ContractionKernel.cpp - Sums of products in registers --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One schedule for all contractions. A tile of the result, some pixels by some
// vectors of channels, stays in registers while the sum runs; each step loads
// the vectors of weights once and multiplies them by one element of the data
// per pixel. Where the tile does not divide a row, the last one begins early
// and computes some pixels twice: no tile is smaller than the others. The same
// goes for the last block of channels.
//
// Where the weights of a tile are more than the nearest cache holds, the sums
// are computed in slices: all rows go through one slice of the weights before
// the next one. The result keeps the sums meanwhile.
//
//===----------------------------------------------------------------------===//

#include "ContractionKernel.h"

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

namespace {
/// Builds the version for one target.
class KernelBuilder {
public:
  KernelBuilder(LayerBuilder &b, const Contraction &c, const SIMDTarget &target)
      : b(b), c(c), tile(c.chooseTile(target)), slices(c.chooseSlices(tile)),
        type(LayerBuilder::getComputeType(uma::getElement(c.data))) {}

  void build();

private:
  // The iteration variables of all blocks, in this order: panel of packed
  // weights, first column in it, block of channels, first channel in it, outer
  // variables, row, pixel of the tile, variables of the sum.
  enum : unsigned { Panel, Column, ChannelBlock, Channel, FirstOuter };
  unsigned getRowDim() const { return FirstOuter + c.outer.size(); }
  unsigned getPixelDim() const { return getRowDim() + 1; }
  unsigned getFirstReduceDim() const { return getPixelDim() + 1; }
  IndexExprs getOuter() const { return getDims(FirstOuter, c.outer.size()); }
  IndexExprs getDims(unsigned first, unsigned count) const {
    IndexExprs dims;
    for (unsigned i = 0; i < count; ++i)
      dims.push_back(b.dim(first + i));
    return dims;
  }

  using KindFn = llvm::function_ref<tir::ForKind(size_t)>;

  /// The outer loops, whose kinds `getKind` knows from 1 on.
  void buildOuterLoops(KindFn getKind,
                       llvm::function_ref<void(ValueRange)> body);
  /// All results of a tile's channels.
  void buildChannels(KindFn getKind);
  /// `body` for the tiles of all rows, the variables up to the row bound.
  void buildTiles(KindFn getKind, llvm::function_ref<void()> body);
  void buildTile();
  /// Sets what `getTarget` gives for a vector, which is in `region`, to the
  /// elements of `source`, or to 0 without one.
  void buildStart(const std::optional<ResultOperand> &source, Access region,
                  function_ref<Access(int64_t, ValueRange)> getTarget);
  void buildSum();
  void buildStep(ValueRange reduceVars);
  /// Stores the sums, or results if there is nothing to be added to them.
  void buildResult();
  /// A block inside the loops of the sum, if any, for pixel `pixel` of the
  /// tile.
  void buildBlock(StringRef label, Value pixel, ValueRange reduceVars,
                  ArrayRef<Access> reads, ArrayRef<Access> writes,
                  function_ref<void(ValueRange)> body);
  /// The same for each pixel of the tile.
  void buildBlocks(StringRef label, ValueRange reduceVars,
                   ArrayRef<Access> reads, ArrayRef<Access> writes,
                   function_ref<void(ValueRange)> body) {
    buildLoop(b, tile.rows, tir::ForKind::Unrolled, [&](Value pixel) {
      buildBlock(label, pixel, reduceVars, reads, writes, body);
    });
  }
  /// The channel of lane `lane` of vector `vector` of the tile.
  ChannelExpr getChannel(int64_t vector, AffineExpr lane) const;
  IndexExprs getIndices(const ResultOperand &operand, int64_t vector,
                        AffineExpr lane) const {
    IndexExprs outer = getOuter();
    return operand.getIndices(
        {outer, b.dim(getRowDim()), getChannel(vector, lane)});
  }
  /// The last iteration variable in a loop over lanes.
  AffineExpr getLane(ValueRange vars) const {
    return b.dim(unsigned(vars.size()) - 1);
  }
  Access getSum(int64_t vector, ValueRange vars) const {
    return {
        sums,
        {b.dim(getPixelDim()), b.expr(vector * tile.lanes) + getLane(vars)}};
  }
  Access getElement(const ResultOperand &operand, int64_t vector,
                    ValueRange vars) const {
    return {operand.buffer, getIndices(operand, vector, getLane(vars))};
  }
  /// The part of the operand that one pixel of the tile touches.
  Access getRegion(const ResultOperand &operand) const;
  Access getSums() const {
    return {sums, {b.dim(getPixelDim()), b.expr(0)}, {1, tile.getChannels()}};
  }
  /// Calls `body` for every vector of a pixel, inside a loop over its lanes,
  /// with the iteration variables and the lane behind them.
  void forEachVector(ValueRange vars,
                     function_ref<void(int64_t vector, ValueRange vars)> body);

  LayerBuilder &b;
  const Contraction &c;
  RegisterTile tile;
  /// The parts that the outermost loop of the sums is split into, the first
  /// step of the present one and whether it is the last one.
  int64_t slices;
  Value firstStep;
  bool isLastSlice = true;
  Type type;
  Value sums;
  /// The bindings of the first iteration variables, up to the outer ones.
  SmallVector<Value> channelBindings;
};
} // namespace

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
  // From the first vector's block to the last one's, all of each block; a
  // broadcast operand has no channels.
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

void KernelBuilder::buildBlock(StringRef label, Value pixel,
                               ValueRange reduceVars, ArrayRef<Access> reads,
                               ArrayRef<Access> writes,
                               function_ref<void(ValueRange)> body) {
  SmallVector<LayerBuilder::Dim> dims = {
      {int64_t(llvm::divideCeil(c.channels, c.packWidth)) *
       (c.packWidth / c.getPanelWidth())},
      {c.getPanelWidth()},
      {c.channelBlock == 0 ? 1 : c.channels / c.channelBlock},
      {c.channelBlock == 0 ? c.channels : c.channelBlock}};
  for (int64_t extent : c.outer)
    dims.push_back({extent});
  dims.push_back({c.rows});
  dims.push_back({tile.rows});
  for (auto [var, extent] : llvm::zip(reduceVars, c.reduce))
    dims.push_back({extent, tir::IterKind::Reduce});
  SmallVector<Value> bindings(channelBindings);
  bindings.back() =
      arith::AddIOp::create(b.builder, b.loc, bindings.back(), pixel);
  bindings.push_back(pixel);
  llvm::append_range(bindings, reduceVars);
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
        Value zero = source ? Value() : b.constant(type, 0.0);
        forEachVector(vars, [&](int64_t vector, ValueRange vars) {
          Value start =
              source ? b.loadAt(type, getElement(*source, vector, vars), vars)
                     : zero;
          b.storeAt(start, getTarget(vector, vars), vars);
        });
      });
}

void KernelBuilder::buildStep(ValueRange reduceVars) {
  AffineExpr depth = b.expr(0);
  for (auto [i, extent] : llvm::enumerate(c.reduce))
    depth = depth * extent + b.dim(getFirstReduceDim() + i);
  IndexExprs reduceDims = getDims(getFirstReduceDim(), c.reduce.size());
  Access data{c.data,
              c.getDataIndices(getOuter(), b.dim(getRowDim()), reduceDims)};
  IndexExprs prefix;
  if (c.getWeightPrefix)
    prefix = c.getWeightPrefix(getOuter());
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
  // Loaded once for all pixels.
  Value factors = b.local("weight", type, {tile.getChannels()});
  Access allFactors{factors, {b.expr(0)}, {tile.getChannels()}};
  auto factorAt = [&](int64_t vector, ValueRange vars) {
    return Access{factors, {b.expr(vector * tile.lanes) + getLane(vars)}};
  };
  buildBlock(c.label + "_weights", b.index(0), reduceVars, {weights},
             {allFactors}, [&](ValueRange vars) {
               forEachVector(vars, [&](int64_t vector, ValueRange vars) {
                 Value factor =
                     b.loadAt(type, weightAt(vector, getLane(vars)), vars);
                 b.storeAt(factor, factorAt(vector, vars), vars);
               });
             });
  buildBlocks(c.label, reduceVars, {data, allFactors, getSums()}, {getSums()},
              [&](ValueRange vars) {
                Value element = b.loadAt(type, data, vars);
                forEachVector(vars, [&](int64_t vector, ValueRange vars) {
                  Access sum = getSum(vector, vars);
                  Value factor = b.loadAt(type, factorAt(vector, vars), vars);
                  Value product = b.mul(element, factor);
                  Value old = b.loadAt(type, sum, vars);
                  b.storeAt(b.add(product, old), sum, vars);
                });
              });
}

void KernelBuilder::buildSum() {
  SmallVector<Value> reduceVars;
  std::function<void()> build = [&] {
    size_t loop = reduceVars.size();
    if (loop == c.reduce.size())
      return buildStep(reduceVars);
    bool isSliced = slices != 1 && loop == 0;
    int64_t extent = isSliced ? c.reduce[loop] / slices : c.reduce[loop];
    bool isInnermost = loop + 1 == c.reduce.size();
    // A handful of steps is not worth a loop.
    bool isShort = isInnermost && extent <= 4;
    buildLoop(b, extent,
              isShort ? tir::ForKind::Unrolled : tir::ForKind::Serial,
              [&](Value var) {
                if (isSliced)
                  var = arith::AddIOp::create(b.builder, b.loc, firstStep, var);
                reduceVars.push_back(var);
                build();
                reduceVars.pop_back();
              });
  };
  build();
}

void KernelBuilder::buildResult() {
  SmallVector<Access> reads = {getSums()};
  if (isLastSlice)
    for (const ResultOperand &operand : c.operands)
      reads.push_back(getRegion(operand));
  buildBlocks(c.label + "_result", {}, reads, {getRegion(c.result)},
              [&](ValueRange vars) {
                forEachVector(vars, [&](int64_t vector, ValueRange vars) {
                  Value sum = b.loadAt(type, getSum(vector, vars), vars);
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
  sums = b.local("sum", type, {tile.rows, tile.getChannels()});
  buildStart(
      slices == 1 ? c.start : c.result, getSums(),
      [&](int64_t vector, ValueRange vars) { return getSum(vector, vars); });
  buildSum();
  buildResult();
}

void KernelBuilder::buildOuterLoops(KindFn getKind,
                                    function_ref<void(ValueRange)> body) {
  SmallVector<Value> vars;
  std::function<void()> build = [&] {
    if (vars.size() == c.outer.size())
      return body(vars);
    size_t loop = vars.size();
    buildLoop(b, c.outer[loop], getKind(loop + 1), [&](Value var) {
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
  buildLoop(b, numBlocks, getKind(0), [&](Value pack) {
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
  });
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
