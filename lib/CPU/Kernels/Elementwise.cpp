//===- Elementwise.cpp - Elementwise layers and vector loops --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Elementwise layers, and the vector loops that they share with pools and
// depthwise convolutions. Each vector of the result depends only on the same
// channels of the data, so only vectors of channels are scheduled.
//
//===----------------------------------------------------------------------===//

#include "LayerLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

void uma::buildSteps(LayerBuilder &b, int64_t extent, int64_t step,
                     function_ref<void(Value)> body) {
  buildLoop(b, llvm::divideCeil(extent, step), tir::ForKind::Serial,
            [&](Value index) {
              Value size = b.index(step);
              Value start =
                  arith::MulIOp::create(b.builder, b.loc, index, size);
              if (extent % step != 0) {
                Value last = b.index(extent - step);
                start = arith::MinSIOp::create(b.builder, b.loc, start, last);
              }
              body(start);
            });
}

void VectorLoop::buildBlocks(LayerBuilder &b, StringRef label,
                             ArrayRef<int64_t> extents, ArrayRef<Access> reads,
                             ArrayRef<Access> writes,
                             function_ref<void(ValueRange)> body,
                             std::optional<size_t> parallel) const {
  SmallVector<LayerBuilder::Dim> dims;
  for (int64_t outer : extents)
    dims.push_back({outer});
  dims.push_back({extent});
  b.loops(
      extents,
      [&](ValueRange loopVars) {
        build(b, [&](Value first) {
          SmallVector<Value> bindings(loopVars);
          bindings.push_back(first);
          b.block(label, dims, bindings, reads, writes, body);
        });
      },
      parallel ? parallel : chooseParallel(extents));
}

LayerBuilder::Access uma::getVectorRegion(const ResultOperand &operand,
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
// Elementwise layers
//===----------------------------------------------------------------------===//

namespace {
class Elementwise : public LayerLowering {
public:
  using LayerLowering::LayerLowering;
  void lower() override;
};
} // namespace

void Elementwise::lower() {
  addOperands();
  addResult();
  RankedTensorType type = layer.getType();
  int64_t rank = type.getRank(), channelDim = layer.getChannelDim();
  BufferLayout layout = result.layout;
  // One loop is enough if every operand is full or a scalar.
  bool isOneLoop = !layout.hasHalo();
  for (auto [operand, argument] : llvm::zip_equal(operands, operandArguments))
    isOneLoop &= !argument.layout.hasHalo() &&
                 (operand.isFull(type) || operand.getOnlyDim(type) == -1);

  build([&](LayerBuilder &b) {
    buildBorder(b);
    Contraction c;
    c.finish = [this](LayerBuilder &b, Value sum, ValueRange elements) {
      return finish(b, sum, elements);
    };
    SmallVector<int64_t> extents;
    int64_t neighbours;
    std::optional<size_t> blockLoop, parallel;
    if (isOneLoop) {
      // Threads share the rows of an image, as in other layers.
      neighbours = type.getNumElements();
      if (layout.block != 0 && layout.spatialDims.size() == 2) {
        int64_t rows = type.getDimSize(layout.spatialDims[0]);
        int64_t columns = type.getDimSize(layout.spatialDims[1]);
        int64_t row = columns * layout.block;
        if (isEvenlyShared(rows) && sharesRows(rows * columns)) {
          extents = {neighbours / (rows * row), rows};
          neighbours = row;
        }
      }
      SmallVector<int64_t> shape(extents);
      shape.push_back(neighbours);
      auto getAll = [](const ResultPoint &point) {
        IndexExprs indices(point.outer);
        indices.push_back(point.channel.inBlock);
        return indices;
      };
      c.result = {getBuffer(b, result, shape), getAll};
      for (auto [operand, argument] :
           llvm::zip_equal(operands, operandArguments)) {
        if (operand.isFull(type))
          c.operands.push_back({getBuffer(b, argument, shape), getAll});
        else
          c.operands.push_back({getBuffer(b, argument, {1}),
                                [zero = b.expr(0)](const ResultPoint &) {
                                  return IndexExprs{zero};
                                }});
      }
    } else {
      // Loops in the order of the buffer: channel blocks follow the images.
      neighbours = layout.block != 0 ? layout.block
                   : rank == 0       ? 1
                                     : type.getShape().back();
      SmallVector<int64_t> order;
      for (int64_t dim = 0; dim < rank; ++dim)
        if (dim != channelDim)
          order.push_back(dim);
      for (int64_t dim : order)
        extents.push_back(type.getDimSize(dim));
      if (layout.block != 0) {
        blockLoop = std::min<size_t>(1, order.size());
        order.insert(order.begin() + *blockLoop, channelDim);
        extents.insert(extents.begin() + *blockLoop,
                       type.getDimSize(channelDim) / layout.block);
      }
      auto getPoint = [&b, order, rank, channelDim](const ResultPoint &point) {
        IndexExprs place(rank, b.expr(0));
        for (auto [i, dim] : llvm::enumerate(order))
          if (dim != channelDim)
            place[dim] = point.outer[i];
        return place;
      };
      if (layout.block != 0 && extents.size() > 3)
        parallel =
            chooseParallelRows(extents[0], extents[1], extents[2], extents[3]);
      setResult(b, c, getPoint, false);
    }
    buildVersions(b, [&](const ISA &target) {
      VectorLoop vectors(neighbours, target);
      unsigned last = extents.size();
      IndexExprs outer;
      for (unsigned i = 0; i < last; ++i)
        outer.push_back(b.dim(i));
      AffineExpr zero = b.expr(0);
      AffineExpr blockIndex = blockLoop ? outer[*blockLoop] : zero;
      auto getResultPoint = [&](AffineExpr inBlock) {
        return ResultPoint{outer, zero, {blockIndex, inBlock}};
      };
      SmallVector<Access> reads;
      for (const ResultOperand &operand : c.operands)
        reads.push_back(getVectorRegion(operand, getResultPoint(b.dim(last)),
                                        vectors.lanes));
      Access writes =
          getVectorRegion(c.result, getResultPoint(b.dim(last)), vectors.lanes);
      vectors.buildBlocks(
          b, "elementwise", extents, reads, {writes},
          [&](ValueRange vars) {
            buildLanes(b, vars, vectors.lanes, [&](ValueRange vars) {
              ResultPoint point = getResultPoint(b.dim(last) + b.dim(last + 1));
              storeResult(b, c, Value(), point, vars);
            });
          },
          parallel);
    });
  });
}

LayerLoweringPtr uma::createElementwise(const CPULayer &layer,
                                        BufferProvider &provider) {
  return std::make_unique<Elementwise>(layer, provider);
}
