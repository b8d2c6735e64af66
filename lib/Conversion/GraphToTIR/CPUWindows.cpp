//===- CPUWindows.cpp - Layers that compute one vector at a time ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Depthwise convolutions, pools and elementwise layers: each vector of the
// result needs the same channels of the data only, so that vectors of channels
// are all there is to schedule. The sums of a depthwise convolution are values
// of one block, and each vector of data serves every window that it is in.
//
//===----------------------------------------------------------------------===//

#include "CPULowering.h"
#include "WindowModel.h"

#include "uma/Support/LayerName.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

VectorLoop::VectorLoop(int64_t extent, const SIMDTarget &target)
    : extent(extent), lanes(target.lanes) {
  // Narrower vectors where the wide ones would overlap a lot.
  while (lanes > 1 &&
         (lanes > extent || (extent < 64 && lanes > 4 && extent % lanes != 0 &&
                             extent % (lanes / 2) == 0)))
    lanes /= 2;
  if (lanes == 2)
    lanes = 1;
}

void VectorLoop::build(LayerBuilder &b, function_ref<void(Value)> body) const {
  buildLoop(b, llvm::divideCeil(extent, lanes), tir::ForKind::Serial,
            [&](Value index) {
              Value step = b.index(lanes);
              Value start =
                  arith::MulIOp::create(b.builder, b.loc, index, step);
              if (extent % lanes != 0) {
                Value last = b.index(extent - lanes);
                start = arith::MinSIOp::create(b.builder, b.loc, start, last);
              }
              body(start);
            });
}

/// The first element of `operand`, and `lanes` of them along the channels.
static Access getVectorRegion(LayerBuilder &b, const ResultOperand &operand,
                              ResultPoint point, int64_t lanes) {
  Access access{operand.buffer, operand.getIndices(point)};
  point.channel.inBlock = point.channel.inBlock + (lanes - 1);
  IndexExprs last = operand.getIndices(point);
  for (auto [first, end] : llvm::zip_equal(access.first, last)) {
    auto extent = dyn_cast<AffineConstantExpr>(end - first);
    access.extents.push_back(extent ? extent.getValue() + 1 : 1);
  }
  return access;
}

void uma::buildLanes(LayerBuilder &b, ValueRange vars, int64_t lanes,
                     function_ref<void(ValueRange)> body) {
  buildLoop(b, lanes, tir::ForKind::Vectorized, [&](Value lane) {
    SmallVector<Value> all(vars);
    all.push_back(lane);
    body(all);
  });
}

//===----------------------------------------------------------------------===//
// Depthwise convolutions
//===----------------------------------------------------------------------===//

void LayerLowering::lowerDepthwise(graph::Conv2dOp op) {
  graph::ConvDims dims = op.getDims();
  const graph::Window &window = dims.window;
  auto kernel = *graph::KernelLayout::parse(op.getKernelLayout());
  auto names = *graph::WindowLayout::parse(op.getDataLayout());
  BufferLayout wanted = layers.getLayout(layer.getResult());
  int64_t block = wanted.block;
  wanted.removeHalo();
  ConvGeometry::of(op)->requireHalo(wanted);
  Argument data = addArgument(provider.request(op.getData(), wanted));
  addOperands();
  result = addArgument(provider.getCanonical(layer.getResult()));

  // [C / block, KH, KW, block]
  FailureOr<HostTensor> weights = getHostTensor(op.getWeight());
  SmallVector<int64_t> strides = computeStrides(
      cast<RankedTensorType>(op.getWeight().getType()).getShape());
  WeightOrder order;
  order.channels = dims.outChannels;
  order.channelStride = strides[kernel.o];
  order.extents.assign({window.kernel[0], window.kernel[1]});
  order.strides = {strides[kernel.spatial[0]], strides[kernel.spatial[1]]};
  std::string name = getLayerName(op) + "_packed";
  Argument packed =
      addArgument({provider.makeConstant(
                       packWeights(*weights, order, block, block, name), name),
                   BufferLayout()});

  Workload workload{Workload::depthwise.str(),
                    {dims.batch, window.getOutput(0)},
                    window.getOutput(1),
                    dims.outChannels,
                    block,
                    {window.kernel[0], window.kernel[1]},
                    {window.strides[0], window.strides[1]},
                    {window.dilations[0], window.dilations[1]}};
  const TuningEntry *tuned = lookupTuned(workload);
  int64_t width = window.getOutput(1), height = window.getOutput(0);

  build([&](LayerBuilder &b) {
    if (result.layout.hasHalo())
      buildZeroHalo(b, getBuffer(b, result), result.layout);
    auto getPoint = [&](const ResultPoint &point) {
      return getImagePlace(b, names, point.outer[0], point.outer[1], point.row);
    };
    Contraction c;
    setResult(b, c, getPoint, false);
    startWithBias(c);
    Value source = getBuffer(b, data), taps = getBuffer(b, packed);
    buildVersions(b, [&](const SIMDTarget &target) {
      VectorLoop vectors(block, target);
      bool isTuned = tuned && layers.getOptions().tuning->lanes == target.lanes;
      int64_t count = isTuned ? tuned->choice.tile.rows
                              : rankWindows(workload, target).front();
      int64_t lanes = vectors.lanes;
      int64_t columns = (count - 1) * window.strides[1] + window.getExtent(1);
      // Iteration variables: image, block, first channel in it, row, first
      // window; behind them the lane.
      SmallVector<LayerBuilder::Dim> blockDims = {
          {dims.batch}, {dims.outChannels / block}, {block}, {height}, {width}};
      AffineExpr channel = b.dim(2), lane = b.dim(5);
      IndexExprs outer = {b.dim(0), b.dim(3)};
      auto getResultPoint = [&](int64_t i, AffineExpr inBlock) {
        return ResultPoint{outer, b.dim(4) + i, {b.dim(1), inBlock}};
      };
      auto dataAt = [&](int64_t tap, int64_t column, AffineExpr inBlock) {
        IndexExprs place(4);
        place[names.n] = b.dim(0);
        place[names.c] = b.expr(0);
        place[names.spatial[0]] = b.dim(3) * window.strides[0] +
                                  tap * window.dilations[0] -
                                  window.padBegin[0];
        place[names.spatial[1]] =
            b.dim(4) * window.strides[1] + column - window.padBegin[1];
        return Access{source,
                      data.layout.getIndices(place, {b.dim(1), inBlock})};
      };
      auto tapAt = [&](int64_t y, int64_t x, AffineExpr inBlock) {
        return Access{taps,
                      {b.dim(1), b.expr(y * window.kernel[1] + x), inBlock}};
      };
      Access reads = dataAt(0, 0, channel);
      reads.extents = {1, 1, window.getExtent(0), columns, lanes};
      Access tapReads = tapAt(0, 0, channel);
      tapReads.extents = {1, window.kernel[0] * window.kernel[1], lanes};
      Access writes =
          getVectorRegion(b, c.result, getResultPoint(0, channel), lanes);
      writes.extents[3] = count;
      SmallVector<Access> allReads = {reads, tapReads};
      for (const ResultOperand &operand : c.operands)
        allReads.push_back(b.anywhere(operand.buffer));

      auto buildTile = [&](ValueRange bindings) {
        b.block("depthwise_conv2d", blockDims, bindings, allReads, {writes},
                [&](ValueRange vars) {
                  buildLanes(b, vars, lanes, [&](ValueRange vars) {
                    Type type = b.builder.getF32Type();
                    AffineExpr inBlock = channel + lane;
                    Value start =
                        c.start ? b.loadAt(type,
                                           {c.start->buffer,
                                            c.start->getIndices(
                                                getResultPoint(0, inBlock))},
                                           vars)
                                : b.constant(type, 0.0);
                    SmallVector<Value> sums(count, start);
                    for (int64_t y = 0; y < window.kernel[0]; ++y) {
                      SmallVector<Value> weights;
                      for (int64_t x = 0; x < window.kernel[1]; ++x)
                        weights.push_back(
                            b.loadAt(type, tapAt(y, x, inBlock), vars));
                      for (int64_t column = 0; column < columns; ++column) {
                        Value element;
                        for (int64_t x = 0; x < window.kernel[1]; ++x) {
                          int64_t offset = column - x * window.dilations[1];
                          int64_t i = offset / window.strides[1];
                          if (offset < 0 || offset % window.strides[1] != 0 ||
                              i >= count)
                            continue;
                          if (!element)
                            element = b.loadAt(type, dataAt(y, column, inBlock),
                                               vars);
                          sums[i] = b.add(b.mul(element, weights[x]), sums[i]);
                        }
                      }
                    }
                    for (int64_t i = 0; i < count; ++i) {
                      ResultPoint point = getResultPoint(i, inBlock);
                      storeResult(b, c, sums[i], point, vars);
                    }
                  });
                });
      };
      b.loops(
          {dims.batch, dims.outChannels / block},
          [&](ValueRange blocks) {
            vectors.build(b, [&](Value first) {
              buildLoop(b, height, tir::ForKind::Serial, [&](Value row) {
                buildLoop(
                    b, llvm::divideCeil(width, count), tir::ForKind::Serial,
                    [&](Value index) {
                      Value step = b.index(count);
                      Value start =
                          arith::MulIOp::create(b.builder, b.loc, index, step);
                      if (width % count != 0) {
                        Value last = b.index(width - count);
                        start = arith::MinSIOp::create(b.builder, b.loc, start,
                                                       last);
                      }
                      buildTile({blocks[0], blocks[1], first, row, start});
                    });
              });
            });
          },
          /*isParallel=*/true);
    });
  });
  // Row by row through both buffers, the data's rows being the longer ones:
  // with a row between them, no place is written that is still read. Vectors of
  // a block follow each other, but see lanes of their own, as long as blocks
  // lie over blocks; none is computed twice.
  constexpr int64_t multiple = 64, elementBytes = 4;
  if (!result.layout.hasHalo() && multiple % (block * elementBytes) == 0)
    allowInPlace(data, width * block * elementBytes);
}

//===----------------------------------------------------------------------===//
// Elementwise layers
//===----------------------------------------------------------------------===//

void LayerLowering::lowerElementwise() {
  addOperands();
  result = addArgument(provider.getCanonical(layer.getResult()));
  RankedTensorType type = layer.getType();
  int64_t rank = type.getRank(), channelDim = getChannelDim();
  BufferLayout layout = result.layout;
  // Where every operand is there for each element, or once, one loop will do.
  bool isOneLoop = !layout.hasHalo();
  for (auto [operand, argument] : llvm::zip_equal(operands, operandArguments))
    isOneLoop &= !argument.layout.hasHalo() &&
                 (operand.isFull(type) || operand.getOnlyDim(type) == -1);

  build([&](LayerBuilder &b) {
    if (layout.hasHalo())
      buildZeroHalo(b, getBuffer(b, result), layout);
    Contraction c;
    c.finish = [this](LayerBuilder &b, Value sum, ValueRange elements) {
      return finish(b, sum, elements);
    };
    SmallVector<int64_t> extents;
    int64_t neighbours;
    if (isOneLoop) {
      neighbours = type.getNumElements();
      c.result = {getBuffer(b, result, {neighbours}),
                  [](const ResultPoint &point) {
                    return IndexExprs{point.channel.inBlock};
                  }};
      for (auto [operand, argument] :
           llvm::zip_equal(operands, operandArguments)) {
        bool isFull = operand.isFull(type);
        int64_t size = isFull ? neighbours : 1;
        c.operands.push_back(
            {getBuffer(b, argument, {size}),
             [isFull, zero = b.expr(0)](const ResultPoint &point) {
               return IndexExprs{isFull ? point.channel.inBlock : zero};
             }});
      }
    } else {
      // Blocks of channels in front of the other dimensions but the first.
      neighbours = layout.block != 0 ? layout.block
                   : rank == 0       ? 1
                                     : type.getShape().back();
      SmallVector<int64_t> order;
      for (int64_t dim = 0; dim < rank; ++dim)
        if (dim != channelDim)
          order.push_back(dim);
      for (int64_t dim : order)
        extents.push_back(type.getDimSize(dim));
      if (layout.block != 0)
        extents.push_back(type.getDimSize(channelDim) / layout.block);
      auto getPoint = [&b, order, rank](const ResultPoint &point) {
        IndexExprs place(rank, b.expr(0));
        for (auto [i, dim] : llvm::enumerate(order))
          place[dim] = point.outer[i];
        return place;
      };
      setResult(b, c, getPoint, false);
    }
    buildVersions(b, [&](const SIMDTarget &target) {
      VectorLoop vectors(neighbours, target);
      SmallVector<LayerBuilder::Dim> dims;
      for (int64_t extent : extents)
        dims.push_back({extent});
      dims.push_back({neighbours});
      unsigned last = dims.size() - 1;
      IndexExprs outer;
      for (unsigned i = 0; i < last; ++i)
        outer.push_back(b.dim(i));
      AffineExpr zero = b.expr(0);
      bool isBlocked = !isOneLoop && getChannelBlock() != 0;
      auto getResultPoint = [&](AffineExpr inBlock) {
        return ResultPoint{
            outer, zero, {isBlocked ? outer.back() : zero, inBlock}};
      };
      SmallVector<Access> reads;
      for (const ResultOperand &operand : c.operands)
        reads.push_back(getVectorRegion(b, operand, getResultPoint(b.dim(last)),
                                        vectors.lanes));
      Access writes = getVectorRegion(b, c.result, getResultPoint(b.dim(last)),
                                      vectors.lanes);
      b.loops(
          extents,
          [&](ValueRange loopVars) {
            vectors.build(b, [&](Value first) {
              SmallVector<Value> bindings(loopVars);
              bindings.push_back(first);
              b.block("elementwise", dims, bindings, reads, {writes},
                      [&](ValueRange vars) {
                        buildLanes(
                            b, vars, vectors.lanes, [&](ValueRange vars) {
                              ResultPoint point =
                                  getResultPoint(b.dim(last) + b.dim(last + 1));
                              storeResult(b, c, Value(), point, vars);
                            });
                      });
            });
          },
          /*isParallel=*/true);
    });
  });
}
