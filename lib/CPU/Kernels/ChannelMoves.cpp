//===- ChannelMoves.cpp - Concatenation and shuffle of channels -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Data and result may have different blocks of channels. Each vector of the
// result is put together from vectors of the data by permutations in registers,
// so that each element is loaded about once and stored once. Vectors whose
// sources have the same lanes, at a constant distance, share a loop.
//
//===----------------------------------------------------------------------===//

#include "ChannelMoves.h"
#include "LayerLowering.h"
#include "Rows.h"
#include "uma/TIR/Builder/IndexMath.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace uma;

//===----------------------------------------------------------------------===//
// The moves of a pixel
//===----------------------------------------------------------------------===//

ChannelOrder::ChannelOrder(const BufferLayout &layout, RankedTensorType type)
    : block(layout.block) {
  SmallVector<int64_t> shape = layout.getShape(type.getShape());
  rowPitch = shape[3] * block;
  blockPitch = shape[2] * rowPitch;
  imagePitch = shape[1] * blockPitch;
  first = layout.padBegin[0] * rowPitch + layout.padBegin[1] * block;
}

/// Returns the vector of `lanes` channels of `order` that holds the source of
/// lane `lane`, and of most lanes of `places` that are `open`.
static MovePiece choosePiece(ArrayRef<ChannelPlace> places, size_t lane,
                             ArrayRef<bool> open, const ChannelOrder &order) {
  auto lanes = int64_t(places.size());
  ChannelPlace place = places[lane];
  int64_t start = place.channel / order.block * order.block;
  int64_t last = start + order.block - lanes;
  MovePiece best;
  int64_t most = 0;
  // A vector of the same lanes needs no permutation.
  for (int64_t wish : {place.channel - int64_t(lane), place.channel}) {
    int64_t first = std::clamp(wish, start, last);
    MovePiece piece{place.operand, order.getOffset(first),
                    SmallVector<int64_t>(lanes, -1)};
    int64_t count = 0;
    for (auto [i, other] : llvm::enumerate(places)) {
      int64_t source = other.channel - first;
      if (!open[i] || other.operand != place.operand || source < 0 ||
          source >= lanes)
        continue;
      piece.lanes[i] = source;
      ++count;
    }
    if (piece.lanes[lane] >= 0 && count > most) {
      most = count;
      best = std::move(piece);
    }
  }
  return best;
}

SmallVector<VectorMove, 0> uma::getVectorMoves(ArrayRef<ChannelPlace> places,
                                               ArrayRef<ChannelOrder> sources,
                                               const ChannelOrder &target,
                                               int64_t lanes) {
  SmallVector<VectorMove, 0> moves;
  auto channels = int64_t(places.size());
  for (int64_t block = 0; block < channels; block += target.block)
    for (int64_t part = 0; part < target.block; part += lanes) {
      // The last vector of a block may overlap the one before.
      int64_t channel = block + std::min(part, target.block - lanes);
      ArrayRef<ChannelPlace> own = places.slice(channel, lanes);
      VectorMove &move = moves.emplace_back();
      move.target = target.getOffset(channel);
      SmallVector<bool> open(lanes, true);
      for (int64_t lane = 0; lane < lanes; ++lane) {
        if (!open[lane])
          continue;
        MovePiece piece =
            choosePiece(own, lane, open, sources[own[lane].operand]);
        for (auto [i, source] : llvm::enumerate(piece.lanes))
          open[i] = open[i] && source < 0;
        move.pieces.push_back(std::move(piece));
      }
    }
  return moves;
}

/// Returns whether two moves differ in their places only.
static bool isSimilar(const VectorMove &left, const VectorMove &right) {
  return llvm::equal(left.pieces, right.pieces,
                     [](const MovePiece &left, const MovePiece &right) {
                       return left.operand == right.operand &&
                              left.lanes == right.lanes;
                     });
}

/// Returns the distance between the places of two similar moves: that of the
/// results, then that of each piece.
static SmallVector<int64_t, 4> getSteps(const VectorMove &from,
                                        const VectorMove &to) {
  SmallVector<int64_t, 4> steps = {to.target - from.target};
  for (auto [left, right] : llvm::zip_equal(from.pieces, to.pieces))
    steps.push_back(right.first - left.first);
  return steps;
}

static SmallVector<MoveLoop, 0> getLoops(ArrayRef<VectorMove> moves,
                                         size_t period) {
  SmallVector<MoveLoop, 0> loops;
  for (size_t begin = 0; begin < std::min(period, moves.size()); ++begin)
    for (size_t i = begin; i < moves.size(); i += period) {
      const VectorMove &move = moves[i];
      if (i != begin) {
        MoveLoop &loop = loops.back();
        const VectorMove &before = moves[i - period];
        if (isSimilar(before, move)) {
          SmallVector<int64_t, 4> steps = getSteps(before, move);
          if (loop.count == 1 || loop.steps == steps) {
            loop.steps = std::move(steps);
            ++loop.count;
            continue;
          }
        }
      }
      loops.push_back({move, 1, {}});
    }
  return loops;
}

SmallVector<MoveLoop, 0> uma::getMoveLoops(ArrayRef<VectorMove> moves) {
  constexpr size_t longest = 16;
  SmallVector<MoveLoop, 0> best = getLoops(moves, 1);
  for (size_t period = 2; period <= longest; ++period) {
    SmallVector<MoveLoop, 0> loops = getLoops(moves, period);
    if (loops.size() < best.size())
      best = std::move(loops);
  }
  return best;
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

namespace {
class ChannelMoves : public LayerLowering {
public:
  using LayerLowering::LayerLowering;
  void lower() override;

private:
  /// Buffers of the operands and the result, as vectors of elements.
  struct Buffers {
    SmallVector<Value> sources;
    Value target;
  };

  /// Returns the lanes of vectors that fit all blocks.
  int64_t getLanes(const ISA &isa) const;
  /// Adds the tables of the places of single channels, one per operand.
  void addTables();
  /// Emits the moves of the pixels of one row, whose indices are `vars`.
  void buildRow(LayerBuilder &b, const Buffers &buffers,
                ArrayRef<MoveLoop> loops, int64_t lanes, ValueRange vars);
  /// Emits the moves of single channels of a row, by tables.
  void buildByTables(LayerBuilder &b, const Buffers &buffers, ValueRange vars);
  /// Emits one move; `vars` are image, row, iteration and pixel.
  void buildMove(LayerBuilder &b, const Buffers &buffers, const MoveLoop &loop,
                 int64_t lanes, ValueRange vars) const;
  /// Emits loads and permutations of the pieces of a move. Returns the vector.
  Value buildVector(LayerBuilder &b, const Buffers &buffers,
                    const MoveLoop &loop, VectorType type,
                    ValueRange vars) const;
  /// Returns the offset of a vector, which is `first` at the first pixel, as an
  /// expression of the variables of buildMove. `step` is the index of its
  /// distance in the steps of the loop.
  AffineExpr getPlace(LayerBuilder &b, const ChannelOrder &order,
                      const MoveLoop &loop, int64_t first, size_t step) const;
  /// Returns the offset in a buffer as an expression of image and row.
  AffineExpr getRowPlace(LayerBuilder &b, const ChannelOrder &order) const {
    return b.dim(0) * order.imagePitch + b.dim(1) * order.rowPitch;
  }
  Value applyEpilogue(LayerBuilder &b, Value value) const {
    return layer.kind == CPULayer::Kind::Concatenate ? finish(b, value, {})
                                                     : value;
  }

  ChannelMap map;
  SmallVector<Argument> parts, tables;
  SmallVector<ChannelOrder> sources;
  ChannelOrder target;
  int64_t pixels = 1;
};
} // namespace

int64_t ChannelMoves::getLanes(const ISA &isa) const {
  int64_t smallest = target.block;
  for (const ChannelOrder &source : sources)
    smallest = std::min(smallest, source.block);
  int64_t lanes = isa.lanes;
  while (lanes > 1 && (lanes > smallest || lanes == 2))
    lanes /= 2;
  return lanes;
}

void ChannelMoves::addTables() {
  MLIRContext *context = layer.getFunction().getContext();
  SmallVector<SmallVector<int32_t>> places(sources.size());
  for (auto [channel, place] : llvm::enumerate(map.places)) {
    SmallVector<int32_t> &own = places[place.operand];
    own.push_back(int32_t(target.getOffset(int64_t(channel))));
    own.push_back(int32_t(sources[place.operand].getOffset(place.channel)));
  }
  for (ArrayRef<int32_t> own : places) {
    auto type = RankedTensorType::get({int64_t(own.size()) / 2, 2},
                                      IntegerType::get(context, 32));
    tables.push_back(
        addConstant(DenseElementsAttr::get(type, own), "channels"));
  }
}

void ChannelMoves::buildByTables(LayerBuilder &b, const Buffers &buffers,
                                 ValueRange vars) {
  IndexMath math(b);
  for (size_t i = 0; i < tables.size(); ++i) {
    Value source = buffers.sources[i], list = getBuffer(b, tables[i]);
    AffineExpr from =
        getRowPlace(b, sources[i]) + b.dim(2) * sources[i].block + b.dim(3);
    AffineExpr to = getRowPlace(b, target) + b.dim(2) * target.block + b.dim(4);
    buildLoop(b, getShape(list)[0], tir::ForKind::Serial, [&](Value entry) {
      Value targetPlace = math.cast(b.load(list, {entry, b.index(0)}));
      Value sourcePlace = math.cast(b.load(list, {entry, b.index(1)}));
      buildLoop(b, pixels, tir::ForKind::Serial, [&](Value pixel) {
        SmallVector<Value> all(vars);
        all.append({pixel, sourcePlace, targetPlace});
        Value value = applyEpilogue(b, b.load(source, b.apply(from, all)));
        b.store(value, buffers.target, b.apply(to, all));
      });
    });
  }
}

AffineExpr ChannelMoves::getPlace(LayerBuilder &b, const ChannelOrder &order,
                                  const MoveLoop &loop, int64_t first,
                                  size_t step) const {
  AffineExpr place = getRowPlace(b, order) + b.dim(3) * order.block;
  if (loop.count != 1)
    place = place + b.dim(2) * loop.steps[step];
  return place + first;
}

Value ChannelMoves::buildVector(LayerBuilder &b, const Buffers &buffers,
                                const MoveLoop &loop, VectorType type,
                                ValueRange vars) const {
  int64_t lanes = type.getNumElements();
  Value vector;
  // The lane of `vector` that holds each lane of the result; -1 if none does.
  SmallVector<int64_t> known(lanes, -1);
  for (auto [i, piece] : llvm::enumerate(loop.first.pieces)) {
    AffineExpr place =
        getPlace(b, sources[piece.operand], loop, piece.first, i + 1);
    Value first = b.apply(place, vars);
    Value loaded = vector::LoadOp::create(
        b.builder, b.loc, type, buffers.sources[piece.operand], first);
    if (!vector) {
      // The next permutation moves the lanes of this piece, too.
      vector = loaded;
      known = piece.lanes;
      if (loop.first.pieces.size() > 1)
        continue;
    }
    SmallVector<int64_t> mask;
    for (auto [lane, source] : llvm::enumerate(piece.lanes)) {
      // Lanes that no piece has set yet may hold anything.
      bool isNew = i != 0 && source >= 0;
      mask.push_back(isNew ? lanes + source
                           : std::max<int64_t>(known[lane], 0));
      if (isNew || known[lane] >= 0)
        known[lane] = int64_t(lane);
    }
    vector = vector::ShuffleOp::create(b.builder, b.loc, vector, loaded, mask);
  }
  return vector;
}

void ChannelMoves::buildMove(LayerBuilder &b, const Buffers &buffers,
                             const MoveLoop &loop, int64_t lanes,
                             ValueRange vars) const {
  AffineExpr place = getPlace(b, target, loop, loop.first.target, 0);
  auto storeLanes = [&](function_ref<Value(ValueRange)> load) {
    buildLanes(b, vars, lanes, [&](ValueRange vars) {
      Value value = applyEpilogue(b, load(vars));
      b.store(value, buffers.target, b.apply(place + b.dim(4), vars));
    });
  };
  const MovePiece &front = loop.first.pieces.front();
  if (front.isWhole()) {
    AffineExpr from = getPlace(b, sources[front.operand], loop, front.first, 1);
    return storeLanes([&](ValueRange vars) {
      return b.load(buffers.sources[front.operand],
                    b.apply(from + b.dim(4), vars));
    });
  }
  auto type = VectorType::get({lanes}, uma::getElement(buffers.target));
  Value vector = buildVector(b, buffers, loop, type, vars);
  if (layer.kind != CPULayer::Kind::Concatenate || layer.ops.size() == 1) {
    vector::StoreOp::create(b.builder, b.loc, vector, buffers.target,
                            b.apply(place, vars));
    return;
  }
  Value moved = b.local("moved", type.getElementType(), {lanes});
  vector::StoreOp::create(b.builder, b.loc, vector, moved, b.index(0));
  storeLanes([&](ValueRange vars) { return b.load(moved, vars.back()); });
}

void ChannelMoves::buildRow(LayerBuilder &b, const Buffers &buffers,
                            ArrayRef<MoveLoop> loops, int64_t lanes,
                            ValueRange vars) {
  for (const MoveLoop &loop : loops) {
    auto buildPixels = [&](Value iteration) {
      buildLoop(b, pixels, tir::ForKind::Serial, [&](Value pixel) {
        SmallVector<Value> all(vars);
        all.append({iteration, pixel});
        buildMove(b, buffers, loop, lanes, all);
      });
    };
    if (loop.count == 1)
      buildPixels(b.index(0));
    else
      buildLoop(b, loop.count, tir::ForKind::Serial, buildPixels);
  }
}

void ChannelMoves::lower() {
  // More single channels take more code than a table takes memory.
  constexpr size_t mostLoops = 16;
  // Loops over the pixels of a row keep the data in the nearest cache. Rows of
  // small images are short.
  constexpr int64_t fewPixels = 64;
  RankedTensorType type = layer.getType();
  const BufferLayout own = layer.getResultLayout();
  map = *layer.getChannelMap(own.channelDim);
  bool hasHalo = false;
  for (Value tensor : layer.anchor->getOperands()) {
    parts.push_back(addArgument(tensor));
    sources.push_back(ChannelOrder(parts.back().layout,
                                   cast<RankedTensorType>(tensor.getType())));
    hasHalo |= parts.back().layout.hasHalo();
  }
  addResult();
  target = ChannelOrder(result.layout, type);
  hasHalo |= result.layout.hasHalo();
  SmallVector<MoveLoop, 0> single =
      getMoveLoops(getVectorMoves(map.places, sources, target, 1));
  if (single.size() > mostLoops)
    addTables();
  int64_t rows = type.getDimSize(own.spatialDims[0]);
  pixels = type.getDimSize(own.spatialDims[1]);
  if (!hasHalo && rows * pixels <= fewPixels) {
    pixels *= rows;
    rows = 1;
  }
  int64_t images =
      type.getNumElements() / int64_t(map.places.size()) / (rows * pixels);
  build([&](LayerBuilder &b) {
    buildBorder(b);
    Buffers buffers;
    auto flatten = [&](const Argument &argument) {
      Value buffer = getBuffer(b, argument);
      auto type = cast<MemRefType>(buffer.getType());
      return reshapeBuffer(b, buffer, type.getNumElements());
    };
    SmallVector<LayerBuilder::Access> reads;
    for (const Argument &part : parts) {
      buffers.sources.push_back(flatten(part));
      reads.push_back(b.anywhere(buffers.sources.back()));
    }
    for (const Argument &table : tables)
      reads.push_back(b.anywhere(getBuffer(b, table)));
    buffers.target = flatten(result);
    buildVersions(b, [&](const ISA &isa) {
      int64_t lanes = getLanes(isa);
      SmallVector<MoveLoop, 0> loops =
          lanes == 1 ? single
                     : getMoveLoops(
                           getVectorMoves(map.places, sources, target, lanes));
      auto buildBody = [&](ValueRange vars) {
        if (lanes == 1 && !tables.empty())
          buildByTables(b, buffers, vars);
        else
          buildRow(b, buffers, loops, lanes, vars);
      };
      b.loops(
          {images, rows},
          [&](ValueRange vars) {
            b.block("move", {{images}, {rows}}, vars, reads,
                    {b.anywhere(buffers.target)}, buildBody);
          },
          chooseParallel({images, rows}));
    });
  });
}

LayerLoweringPtr uma::createChannelMoves(const CPULayer &layer,
                                         BufferProvider &provider) {
  return std::make_unique<ChannelMoves>(layer, provider);
}
