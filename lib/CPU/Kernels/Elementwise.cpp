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
                             function_ref<void(ValueRange)> body) const {
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
      /*isParallel=*/true);
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
      // Loops over the dimensions other than the channel, then over channel
      // blocks.
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
    buildVersions(b, [&](const ISA &target) {
      VectorLoop vectors(neighbours, target);
      unsigned last = extents.size();
      IndexExprs outer;
      for (unsigned i = 0; i < last; ++i)
        outer.push_back(b.dim(i));
      AffineExpr zero = b.expr(0);
      bool isBlocked = !isOneLoop && layer.getChannelBlock() != 0;
      auto getResultPoint = [&](AffineExpr inBlock) {
        return ResultPoint{
            outer, zero, {isBlocked ? outer.back() : zero, inBlock}};
      };
      SmallVector<Access> reads;
      for (const ResultOperand &operand : c.operands)
        reads.push_back(getVectorRegion(operand, getResultPoint(b.dim(last)),
                                        vectors.lanes));
      Access writes =
          getVectorRegion(c.result, getResultPoint(b.dim(last)), vectors.lanes);
      vectors.buildBlocks(
          b, "elementwise", extents, reads, {writes}, [&](ValueRange vars) {
            buildLanes(b, vars, vectors.lanes, [&](ValueRange vars) {
              ResultPoint point = getResultPoint(b.dim(last) + b.dim(last + 1));
              storeResult(b, c, Value(), point, vars);
            });
          });
    });
  });
}

LayerLoweringPtr uma::createElementwise(const CPULayer &layer,
                                        BufferProvider &provider) {
  return std::make_unique<Elementwise>(layer, provider);
}
