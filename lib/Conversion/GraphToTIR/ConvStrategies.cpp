//===- ConvStrategies.cpp - Convolutions as loops -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Plain loops around a scalar accumulator, for every layout, stride, group and
// padding. Transposed convolutions gather: each element of the result finds the
// elements of the data that contribute to it, so that loops over the result are
// independent.
//
//===----------------------------------------------------------------------===//

#include "WindowLoops.h"

#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

/// Returns the `i`-th input channel in the group of output channel `o`.
static AffineExpr getInChannel(int64_t groups, int64_t inChannels,
                               int64_t outChannels, AffineExpr o,
                               AffineExpr i) {
  if (groups == 1)
    return i;
  return o.floorDiv(outChannels / groups) * (inChannels / groups) + i;
}

//===----------------------------------------------------------------------===//
// Conv2dOp, Conv3dOp
//===----------------------------------------------------------------------===//

template <typename ConvOp>
static LogicalResult lowerConv(LayerBuilder &b, ConvOp op, ValueRange inputs,
                               ValueRange outputs) {
  Value weight = inputs[1], result = outputs[0];
  graph::ConvDims dims = op.getDims();
  auto layout = *graph::WindowLayout::parse(op.getDataLayout());
  auto kernel = *graph::KernelLayout::parse(op.getKernelLayout());
  Type accType = LayerBuilder::getComputeType(getElement(result));

  // Iteration variables: the result's dimensions in its layout, then the input
  // channel of the group and the position in the kernel.
  unsigned rank = getShape(result).size();
  AffineExpr o = b.dim(layout.c), i = b.dim(rank);
  int64_t channelsPerGroup = dims.inChannels / dims.groups;
  WindowData data(b, dims.window, layout.spatial, inputs[0], rank + 1);
  data.access.first[layout.c] =
      getInChannel(dims.groups, dims.inChannels, dims.outChannels, o, i);
  Access weightAccess{weight, SmallVector<AffineExpr>(rank)};
  weightAccess.first[kernel.o] = o;
  weightAccess.first[kernel.i] = i;
  SmallVector<int64_t> extents = {channelsPerGroup};
  for (auto [index, dim] : llvm::enumerate(kernel.spatial)) {
    weightAccess.first[dim] = b.dim(rank + 1 + index);
    extents.push_back(dims.window.kernel[index]);
  }

  std::string label = op->getName().stripDialect().rsplit('.').second.str();
  Value zero = b.constant(accType, 0.0);
  b.loops(getShape(result), [&](ValueRange outer) {
    Value acc = b.reduce(
        label, outer, getShape(result), extents, accType, zero,
        {data.access, weightAccess}, [&](ValueRange vars, Value acc) {
          return b.guarded(data.getInside(vars), acc, [&] {
            return b.add(acc, b.mul(data.load(vars, accType),
                                    loadAt(b, weightAccess, vars, accType)));
          });
        });
    b.storeScalar(label + "_result", outer, acc, result);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Transposed convolutions, Col2ImOp
//===----------------------------------------------------------------------===//

namespace {
/// Finds the window that contains a given element of the image at a given tap:
/// the inverse of `position = window * stride + tap * dilation - pad`.
class WindowSearch {
public:
  WindowSearch(LayerBuilder &b, const graph::Window &window,
               ArrayRef<int64_t> counts)
      : b(b), window(window), counts(counts) {}

  /// Builds `inside` of the windows that contain element `position` of the
  /// image at `taps`, or yields `otherwise` if none does. All arguments have
  /// one value per dimension.
  Value find(ValueRange position, ValueRange taps, Value otherwise,
             function_ref<Value(ValueRange)> inside) {
    SmallVector<Value> offsets, conditions, windows;
    auto compare = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
      conditions.push_back(
          arith::CmpIOp::create(b.builder, b.loc, predicate, lhs, rhs));
    };
    for (int64_t dim = 0; dim < window.getRank(); ++dim) {
      Value offset = b.apply(b.dim(0) + window.padBegin[dim] -
                                 b.dim(1) * window.dilations[dim],
                             {position[dim], taps[dim]});
      Value stride = b.index(window.strides[dim]);
      Value end = b.index(counts[dim] * window.strides[dim]);
      compare(arith::CmpIPredicate::sge, offset, b.index(0));
      compare(arith::CmpIPredicate::slt, offset, end);
      if (window.strides[dim] == 1) {
        windows.push_back(offset);
        continue;
      }
      // For negative numbers, C's remainder is still 0 exactly for multiples.
      compare(arith::CmpIPredicate::eq,
              arith::RemSIOp::create(b.builder, b.loc, offset, stride),
              b.index(0));
      windows.push_back({});
      offsets.push_back(offset);
    }
    return b.guarded(conditions, otherwise, [&] {
      auto *next = offsets.begin();
      for (int64_t dim = 0; dim < window.getRank(); ++dim)
        if (!windows[dim])
          windows[dim] = arith::DivSIOp::create(b.builder, b.loc, *next++,
                                                b.index(window.strides[dim]));
      return inside(windows);
    });
  }

private:
  LayerBuilder &b;
  const graph::Window &window;
  ArrayRef<int64_t> counts;
};
} // namespace

template <typename ConvOp>
static LogicalResult lowerConvTranspose(LayerBuilder &b, ConvOp op,
                                        ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], weight = inputs[1], result = outputs[0];
  graph::Window window = op.getResultWindow();
  ArrayRef<int64_t> shape = getShape(result);
  unsigned rank = shape.size(), spatial = rank - 2;
  Type accType = LayerBuilder::getComputeType(getElement(result));
  int64_t groups = op.getGroups();
  int64_t inChannels = getShape(data)[1], outChannels = shape[1];

  // Iteration variables: the result's dimensions, then the input channel of the
  // group and the position in the kernel.
  SmallVector<int64_t> extents = {inChannels / groups};
  extents.append(window.kernel.begin(), window.kernel.end());
  AffineExpr inChannel =
      getInChannel(groups, inChannels, outChannels, b.dim(1), b.dim(rank));
  AffineExpr outChannel =
      groups == 1 ? b.dim(1) : b.dim(1) % (outChannels / groups);
  WindowSearch search(b, window, getShape(data).drop_front(2));
  std::string label = op->getName().stripDialect().rsplit('.').second.str();
  Value zero = b.constant(accType, 0.0);
  b.loops(shape, [&](ValueRange outer) {
    Value acc = b.reduce(
        label, outer, shape, extents, accType, zero,
        {b.anywhere(data), b.anywhere(weight)},
        [&](ValueRange vars, Value acc) {
          ValueRange taps = vars.drop_front(rank + 1);
          return search.find(
              vars.slice(2, spatial), taps, acc, [&](ValueRange windows) {
                Value channel = b.apply(inChannel, vars);
                SmallVector<Value> dataAt = {vars[0], channel};
                llvm::append_range(dataAt, windows);
                SmallVector<Value> weightAt = {channel,
                                               b.apply(outChannel, vars)};
                llvm::append_range(weightAt, taps);
                return b.add(acc, b.mul(b.loadAs(accType, data, dataAt),
                                        b.loadAs(accType, weight, weightAt)));
              });
        });
    b.storeScalar(label + "_result", outer, acc, result);
  });
  return success();
}

static LogicalResult lowerCol2Im(LayerBuilder &b, graph::Col2ImOp op,
                                 ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], result = outputs[0];
  graph::Window window = op.getResultWindow();
  ArrayRef<int64_t> shape = getShape(result);
  unsigned rank = shape.size(), spatial = rank - 2;
  Type accType = LayerBuilder::getComputeType(getElement(result));
  SmallVector<int64_t> counts;
  for (unsigned dim = 0; dim < spatial; ++dim)
    counts.push_back(window.getOutput(dim));
  WindowSearch search(b, window, counts);

  // Row-major indices of the tap in its window and of the window.
  AffineExpr tap = b.dim(1), windowIndex = b.expr(0);
  for (unsigned dim = 0; dim < spatial; ++dim) {
    tap = tap * window.kernel[dim] + b.dim(rank + dim);
    windowIndex = windowIndex * counts[dim] + b.dim(dim);
  }
  Value zero = b.constant(accType, 0.0);
  b.loops(shape, [&](ValueRange outer) {
    Value acc = b.reduce("col2im", outer, shape, window.kernel, accType, zero,
                         {b.anywhere(data)}, [&](ValueRange vars, Value acc) {
                           return search.find(
                               vars.slice(2, spatial), vars.drop_front(rank),
                               acc, [&](ValueRange windows) {
                                 SmallVector<Value> at = {
                                     vars[0], b.apply(tap, vars),
                                     b.apply(windowIndex, windows)};
                                 return b.add(acc, b.loadAs(accType, data, at));
                               });
                         });
    b.storeScalar("col2im_result", outer, acc, result);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// DeformableConv2dOp
//===----------------------------------------------------------------------===//

/// Loads the data at a fractional position by bilinear interpolation; 0
/// outside.
static Value loadBilinear(LayerBuilder &b, Value data, Value n, Value channel,
                          ValueRange position, Type type) {
  ArrayRef<int64_t> shape = getShape(data);
  auto compare = [&](arith::CmpFPredicate predicate, Value lhs, double rhs) {
    return arith::CmpFOp::create(b.builder, b.loc, predicate, lhs,
                                 b.constant(type, rhs))
        .getResult();
  };
  // The position only fits an index under these conditions; comparisons with
  // NaN are false.
  SmallVector<Value> near;
  for (unsigned dim : {0, 1}) {
    near.push_back(compare(arith::CmpFPredicate::OGT, position[dim], -1.0));
    near.push_back(compare(arith::CmpFPredicate::OLT, position[dim],
                           double(shape[2 + dim])));
  }
  Value zero = b.constant(type, 0.0);
  return b.guarded(near, zero, [&] {
    // The corner before the position, and the weight of the one after it.
    Value corner[2], fraction[2];
    for (unsigned dim : {0, 1}) {
      Value floor = math::FloorOp::create(b.builder, b.loc, position[dim]);
      fraction[dim] =
          arith::SubFOp::create(b.builder, b.loc, position[dim], floor);
      corner[dim] =
          arith::IndexCastOp::create(b.builder, b.loc, b.builder.getIndexType(),
                                     b.convert(floor, b.builder.getI64Type()));
    }
    Value sum = zero;
    for (int corners = 0; corners < 4; ++corners) {
      Value at[2], weight;
      SmallVector<Value> inside;
      for (unsigned dim : {0, 1}) {
        bool isBehind = corners >> dim & 1;
        at[dim] = b.apply(b.dim(0) + int64_t(isBehind), corner[dim]);
        Value part = fraction[dim];
        if (!isBehind)
          part = arith::SubFOp::create(b.builder, b.loc, b.constant(type, 1.0),
                                       part);
        weight = weight ? b.mul(weight, part) : part;
        inside.push_back(arith::CmpIOp::create(
            b.builder, b.loc, arith::CmpIPredicate::sge, at[dim], b.index(0)));
        inside.push_back(
            arith::CmpIOp::create(b.builder, b.loc, arith::CmpIPredicate::slt,
                                  at[dim], b.index(shape[2 + dim])));
      }
      sum = b.guarded(inside, sum, [&] {
        Value element = b.loadAs(type, data, {n, channel, at[0], at[1]});
        return b.add(sum, b.mul(element, weight));
      });
    }
    return sum;
  });
}

static LogicalResult lowerDeformableConv2d(LayerBuilder &b,
                                           graph::DeformableConv2dOp op,
                                           ValueRange inputs,
                                           ValueRange outputs) {
  Value data = inputs[0], offset = inputs[1], weight = inputs[2];
  Value mask = op.getMask() ? inputs[3] : Value(), result = outputs[0];
  graph::Window window = op.getWindow();
  ArrayRef<int64_t> shape = getShape(result);
  Type type = LayerBuilder::getComputeType(getElement(result));
  int64_t groups = op.getGroups(), inChannels = getShape(data)[1];
  int64_t channelsPerOffset = inChannels / int64_t(op.getOffsetGroups());
  int64_t height = window.kernel[0], width = window.kernel[1];

  // Iteration variables: the result's dimensions, then the input channel of the
  // group, kernel row and kernel column.
  AffineExpr channel =
      getInChannel(groups, inChannels, shape[1], b.dim(1), b.dim(4));
  AffineExpr tap =
      (channel.floorDiv(channelsPerOffset) * height + b.dim(5)) * width +
      b.dim(6);
  Access offsetAccess[2] = {
      {offset, {b.dim(0), tap * 2, b.dim(2), b.dim(3)}},
      {offset, {b.dim(0), tap * 2 + 1, b.dim(2), b.dim(3)}}};
  Access weightAccess = {weight, {b.dim(1), b.dim(4), b.dim(5), b.dim(6)}};
  SmallVector<Access> reads = {b.anywhere(data), offsetAccess[0],
                               offsetAccess[1], weightAccess};
  if (mask)
    reads.push_back({mask, {b.dim(0), tap, b.dim(2), b.dim(3)}});
  Value zero = b.constant(type, 0.0);
  b.loops(shape, [&](ValueRange outer) {
    Value acc = b.reduce(
        "deformable_conv2d", outer, shape, {inChannels / groups, height, width},
        type, zero, reads, [&](ValueRange vars, Value acc) {
          SmallVector<Value> position;
          for (unsigned dim : {0, 1}) {
            Value start = b.apply(
                getDataPosition(window, dim, b.dim(2 + dim), b.dim(5 + dim)),
                vars);
            Value narrow = arith::IndexCastOp::create(
                b.builder, b.loc, b.builder.getI64Type(), start);
            Value moved = loadAt(b, offsetAccess[dim], vars, type);
            position.push_back(b.add(b.convert(narrow, type), moved));
          }
          Value element = loadBilinear(b, data, vars[0], b.apply(channel, vars),
                                       position, type);
          if (mask)
            element = b.mul(element, loadAt(b, reads.back(), vars, type));
          return b.add(acc,
                       b.mul(element, loadAt(b, weightAccess, vars, type)));
        });
    b.storeScalar("deformable_conv2d_result", outer, acc, result);
  });
  return success();
}

void uma::populateConvStrategies(StrategyRegistry &registry) {
  registry.add<graph::Conv2dOp>(lowerConv<graph::Conv2dOp>);
  registry.add<graph::Conv3dOp>(lowerConv<graph::Conv3dOp>);
  registry.add<graph::Conv2dTransposeOp>(
      lowerConvTranspose<graph::Conv2dTransposeOp>);
  registry.add<graph::Conv3dTransposeOp>(
      lowerConvTranspose<graph::Conv3dTransposeOp>);
  registry.add<graph::Col2ImOp>(lowerCol2Im);
  registry.add<graph::DeformableConv2dOp>(lowerDeformableConv2d);
}
