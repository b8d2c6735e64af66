//===- Moves.cpp - Concatenation and interpolation of images --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Keeps images between convolutions in channel blocks: copies to row-major
// order and back would cost more than the operator itself.
//
//===----------------------------------------------------------------------===//

#include "LayerLowering.h"
#include "uma/TIR/Builder/IndexMath.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

namespace {
/// Loops over the vectors of an image in channel blocks.
struct ImageLoops {
  /// Iteration variables: image, block, row, column, first channel, then the
  /// lane and other variables that select the place in the data.
  enum : unsigned { Image, Block, Row, Column, First, Lane, Other };

  ImageLoops(LayerBuilder &b, const BufferLayout &layout,
             RankedTensorType type);
  /// Returns the loop that iterates over dimension `dim` of the tensor.
  unsigned getVariable(int64_t dim) const;
  /// Returns the element at a place and a channel of its block.
  Access getAccess(Value buffer, const BufferLayout &order,
                   ArrayRef<AffineExpr> place, AffineExpr channel) const;
  /// Returns the iteration variables of the place, in order.
  SmallVector<AffineExpr, 4> getPlace() const {
    return {b.dim(Image), b.dim(Block), b.dim(Row), b.dim(Column)};
  }
  /// Builds a block for each vector; `body` receives its variables and the
  /// number of lanes.
  void build(StringRef label, const ISA &target, ArrayRef<Access> reads,
             Access writes,
             function_ref<void(ValueRange vars, int64_t lanes)> body) const;

  LayerBuilder &b;
  const BufferLayout &layout;
  int64_t batchDim = 0;
  SmallVector<int64_t, 4> extents;
};
} // namespace

ImageLoops::ImageLoops(LayerBuilder &b, const BufferLayout &layout,
                       RankedTensorType type)
    : b(b), layout(layout) {
  while (batchDim == layout.channelDim ||
         llvm::is_contained(layout.spatialDims, batchDim))
    ++batchDim;
  extents = {type.getDimSize(batchDim),
             type.getDimSize(layout.channelDim) / layout.block,
             type.getDimSize(layout.spatialDims[0]),
             type.getDimSize(layout.spatialDims[1])};
}

unsigned ImageLoops::getVariable(int64_t dim) const {
  return dim == layout.channelDim       ? Block
         : dim == layout.spatialDims[0] ? Row
         : dim == layout.spatialDims[1] ? Column
                                        : Image;
}

Access ImageLoops::getAccess(Value buffer, const BufferLayout &order,
                             ArrayRef<AffineExpr> place,
                             AffineExpr channel) const {
  IndexExprs indices(4, b.expr(0));
  for (int64_t dim = 0; dim < 4; ++dim)
    if (dim != layout.channelDim)
      indices[dim] = place[getVariable(dim)];
  return {buffer, order.getIndices(indices, {place[Block], channel})};
}

void ImageLoops::build(StringRef label, const ISA &target,
                       ArrayRef<Access> reads, Access writes,
                       function_ref<void(ValueRange, int64_t)> body) const {
  VectorLoop vectors(layout.block, target);
  writes.extents = {1, 1, 1, 1, vectors.lanes};
  vectors.buildBlocks(
      b, label, extents, reads, {writes},
      [&](ValueRange vars) { body(vars, vectors.lanes); },
      chooseParallelRows(extents[0], extents[1], extents[2], extents[3]));
}

static int64_t getAxis(Operation *op) {
  int64_t axis = op->getAttrOfType<IntegerAttr>("axis").getInt();
  return axis < 0 ? axis + 4 : axis;
}

namespace {
class Concatenate : public LayerLowering {
public:
  using LayerLowering::LayerLowering;
  void lower() override;
};

class Interpolate : public LayerLowering {
public:
  using LayerLowering::LayerLowering;
  void lower() override;
};
} // namespace

void Concatenate::lower() {
  BufferLayout wanted = layer.getResultLayout();
  wanted.removeHalo();
  SmallVector<Argument> parts;
  for (Value tensor : layer.anchor->getOperands())
    parts.push_back(addArgument(tensor));
  addResult();
  int64_t axis = getAxis(layer.anchor);
  build([&](LayerBuilder &b) {
    Value target = getBuffer(b, result);
    buildBorder(b);
    buildVersions(b, [&](const ISA &simd) {
      int64_t offset = 0;
      for (auto [tensor, part] :
           llvm::zip_equal(layer.anchor->getOperands(), parts)) {
        auto type = cast<RankedTensorType>(tensor.getType());
        ImageLoops loops(b, wanted, type);
        unsigned variable = loops.getVariable(axis);
        AffineExpr first = b.dim(ImageLoops::First);
        AffineExpr channel = first + b.dim(ImageLoops::Lane);
        auto place = loops.getPlace();
        Value source = getBuffer(b, part);
        Access from = loops.getAccess(source, part.layout, place, channel);
        place[variable] = place[variable] + offset;
        Access to = loops.getAccess(target, result.layout, place, channel);
        loops.build("concatenate", simd, {b.anywhere(source)},
                    loops.getAccess(target, result.layout, place, first),
                    [&](ValueRange vars, int64_t lanes) {
                      buildLanes(b, vars, lanes, [&](ValueRange vars) {
                        Type element = b.builder.getF32Type();
                        Value value = b.loadAt(element, from, vars);
                        b.storeAt(finish(b, value, {}), to, vars);
                      });
                    });
        offset += loops.extents[variable];
      }
    });
  });
}

void Interpolate::lower() {
  auto op = cast<graph::InterpolateOp>(layer.anchor);
  BufferLayout wanted = layer.getResultLayout();
  wanted.removeHalo();
  Argument data = addArgument(op.getData());
  Argument indices = addArgument(op.getIndices());
  Argument weights = addArgument(op.getWeights());
  addResult();
  int64_t axis = getAxis(op);
  int64_t size =
      cast<RankedTensorType>(op.getData().getType()).getDimSize(axis);
  int64_t taps =
      cast<RankedTensorType>(op.getIndices().getType()).getDimSize(1);
  build([&](LayerBuilder &b) {
    Value target = getBuffer(b, result), source = getBuffer(b, data);
    buildBorder(b);
    ImageLoops loops(b, wanted, layer.getType());
    unsigned variable = loops.getVariable(axis);
    AffineExpr first = b.dim(ImageLoops::First);
    AffineExpr channel = first + b.dim(ImageLoops::Lane);
    auto place = loops.getPlace();
    Access to = loops.getAccess(target, result.layout, place, channel);
    Access writes = loops.getAccess(target, result.layout, place, first);
    place[variable] = b.dim(ImageLoops::Other);
    Access from = loops.getAccess(source, data.layout, place, channel);
    SmallVector<Access> reads = {b.anywhere(source)};
    for (const Argument &table : {indices, weights})
      reads.push_back(
          {getBuffer(b, table), {b.dim(variable), b.expr(0)}, {1, taps}});
    IndexMath math(b);
    Type element = b.builder.getF32Type();
    buildVersions(b, [&](const ISA &simd) {
      loops.build(
          "interpolate", simd, reads, writes,
          [&](ValueRange vars, int64_t lanes) {
            SmallVector<Value> chosen, factors;
            for (int64_t tap = 0; tap < taps; ++tap) {
              Value term[] = {vars[variable], b.index(tap)};
              Value index = math.cast(b.load(getBuffer(b, indices), term));
              chosen.push_back(math.clamp(index, 0, size - 1));
              factors.push_back(b.load(getBuffer(b, weights), term));
            }
            buildLanes(b, vars, lanes, [&](ValueRange vars) {
              Value sum;
              for (auto [index, factor] : llvm::zip_equal(chosen, factors)) {
                SmallVector<Value> all(vars);
                all.push_back(index);
                Value value = b.loadAt(element, from, all);
                Value product = b.mul(value, factor);
                sum = sum ? b.add(product, sum) : product;
              }
              b.storeAt(sum, to, vars);
            });
          });
    });
  });
}

/// Returns whether a concatenation copies whole blocks of channels.
static bool copiesBlocks(const CPULayer &layer) {
  BufferLayout own = layer.getResultLayout();
  return !layer.getChannelMap(own.channelDim) ||
         llvm::all_of(layer.anchor->getOperands(), [&](Value data) {
           auto type = cast<RankedTensorType>(data.getType());
           return layer.getLayout(data).block == own.block &&
                  type.getDimSize(own.channelDim) % own.block == 0;
         });
}

LayerLoweringPtr uma::createConcatenate(const CPULayer &layer,
                                        BufferProvider &provider) {
  if (!copiesBlocks(layer))
    return createChannelMoves(layer, provider);
  return std::make_unique<Concatenate>(layer, provider);
}

LayerLoweringPtr uma::createInterpolate(const CPULayer &layer,
                                        BufferProvider &provider) {
  return std::make_unique<Interpolate>(layer, provider);
}
