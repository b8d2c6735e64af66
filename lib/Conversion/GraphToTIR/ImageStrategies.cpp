//===- ImageStrategies.cpp - Operators that sample images as loops --------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Builder/IndexMath.h"

#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;
using FPredicate = arith::CmpFPredicate;

namespace {
/// Builds arithmetic on coordinates, which are floats of one type.
class CoordinateMath {
public:
  CoordinateMath(LayerBuilder &b, Type type) : b(b), type(type) {}

  Value number(double value) { return b.constant(type, value); }
  Value add(Value lhs, Value rhs) { return b.add(lhs, rhs); }
  Value add(Value lhs, double rhs) {
    return rhs == 0 ? lhs : b.add(lhs, number(rhs));
  }
  Value sub(Value lhs, Value rhs) {
    return arith::SubFOp::create(b.builder, b.loc, lhs, rhs);
  }
  Value sub(double lhs, Value rhs) { return sub(number(lhs), rhs); }
  Value mul(Value lhs, Value rhs) { return b.mul(lhs, rhs); }
  Value mul(Value lhs, double rhs) {
    return rhs == 1 ? lhs : b.mul(lhs, number(rhs));
  }
  Value compare(FPredicate how, Value lhs, Value rhs) {
    return arith::CmpFOp::create(b.builder, b.loc, how, lhs, rhs);
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(b.builder, b.loc, condition, yes, no);
  }
  /// Clamps to the bounds. NaN becomes the lower one, so that the result can be
  /// converted to an integer.
  Value clamp(Value value, double low, double high) {
    Value atLeast = select(compare(FPredicate::OGE, value, number(low)), value,
                           number(low));
    return select(compare(FPredicate::OLT, atLeast, number(high)), atLeast,
                  number(high));
  }
  Value maximum(Value lhs, Value rhs) {
    return select(compare(FPredicate::OLT, lhs, rhs), rhs, lhs);
  }
  Value floor(Value value) {
    return math::FloorOp::create(b.builder, b.loc, value);
  }
  /// Converts a whole number to an index.
  Value toIndex(Value value) {
    Value integer = arith::FPToSIOp::create(b.builder, b.loc,
                                            b.builder.getI32Type(), value);
    return IndexMath(b).cast(integer);
  }
  Value fromIndex(Value index) {
    Value integer = arith::IndexCastOp::create(b.builder, b.loc,
                                               b.builder.getI32Type(), index);
    return arith::SIToFPOp::create(b.builder, b.loc, type, integer);
  }

private:
  LayerBuilder &b;
  Type type;
};
} // namespace

//===----------------------------------------------------------------------===//
// Interpolate
//===----------------------------------------------------------------------===//

static LogicalResult lowerInterpolate(LayerBuilder &b, graph::InterpolateOp op,
                                      ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], indices = inputs[1], weights = inputs[2];
  Value result = outputs[0];
  int64_t rank = getShape(data).size();
  int64_t axis = static_cast<int64_t>(op.getAxis());
  if (axis < 0)
    axis += rank;
  Type type = LayerBuilder::getComputeType(getElement(result));
  IndexMath math(b);
  Access source = b.whole(data);
  source.extents.assign(rank, 1);
  source.first[axis] = b.expr(0);
  source.extents[axis] = getShape(data)[axis];
  Access chooser{indices, {b.dim(axis), b.dim(rank)}};
  Access weight{weights, {b.dim(axis), b.dim(rank)}};
  ArrayRef<int64_t> shape = getShape(result);
  b.loops(shape, [&](ValueRange outer) {
    Value sum = b.reduce(
        "interpolate", outer, shape, {getShape(indices)[1]}, type,
        b.constant(type, 0.0), {source, chooser, weight},
        [&](ValueRange vars, Value acc) {
          SmallVector<Value> at(vars.take_front(rank));
          Value term[] = {vars[axis], vars[rank]};
          at[axis] = math.clamp(math.cast(b.load(indices, term)), 0,
                                getShape(data)[axis] - 1);
          return b.add(acc, b.mul(b.convert(b.load(data, at), type),
                                  b.convert(b.load(weights, term), type)));
        });
    b.storeScalar("store", outer, sum, result);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// GridSample
//===----------------------------------------------------------------------===//

namespace {
/// Sampling along one dimension of the images that a grid_sample reads.
class GridAxis {
public:
  GridAxis(LayerBuilder &b, CoordinateMath &math, graph::GridSampleOp op,
           int64_t size)
      : b(b), math(math), method(op.getMethod()), padding(op.getPaddingMode()),
        alignCorners(op.getAlignCorners()), size(size),
        low(alignCorners ? 0.0 : -0.5), range(double(size) - 1 - 2 * low) {}

  /// Element next to a position: its index, its weight, and whether it is
  /// inside of the image (null if every index is).
  struct Tap {
    Value index, weight, isInside;
  };

  SmallVector<Tap, 4> getTaps(Value coordinate) {
    Value position = getPosition(coordinate);
    Value base = math.floor(position);
    SmallVector<Value, 4> weights = getWeights(math.sub(position, base));
    SmallVector<Tap, 4> taps;
    for (auto [i, weight] : llvm::enumerate(weights)) {
      Value at = math.add(base, double(i) - (method == "bicubic" ? 1 : 0));
      Value isInside;
      if (padding == "zeros") {
        isInside = arith::AndIOp::create(
            b.builder, b.loc, math.compare(FPredicate::OGE, at, math.number(0)),
            math.compare(FPredicate::OLE, at, math.number(double(size - 1))));
      } else if (padding == "reflection") {
        at = reflect(at);
      }
      taps.push_back({math.toIndex(math.clamp(at, 0, double(size - 1))), weight,
                      isInside});
    }
    return taps;
  }

private:
  Value getPosition(Value coordinate) {
    Value position =
        alignCorners
            ? math.mul(math.add(coordinate, 1), (double(size) - 1) / 2)
            : math.add(math.mul(math.add(coordinate, 1), double(size) / 2),
                       -0.5);
    if (method == "nearest")
      position = math::RoundEvenOp::create(b.builder, b.loc, position);
    // Only positions outside of the image change, and those on its border.
    Value isInside = arith::AndIOp::create(
        b.builder, b.loc,
        math.compare(FPredicate::OGE, position, math.number(low)),
        math.compare(FPredicate::OLE, position, math.number(low + range)));
    // A cubic curve reads the border for its outer points, instead of being
    // evaluated at the border.
    if (padding == "border" && method != "bicubic")
      position = math.select(isInside, position,
                             math.clamp(position, 0, double(size - 1)));
    else if (padding == "reflection")
      position = math.select(isInside, position, reflect(position));
    // Positions farther outside give the same result.
    return math.clamp(position, -4, double(size + 3));
  }

  Value reflect(Value position) {
    if (range == 0)
      return math.number(0);
    Value distance =
        math::AbsFOp::create(b.builder, b.loc, math.add(position, -low));
    Value rest = arith::RemFOp::create(b.builder, b.loc, distance,
                                       math.number(2 * range));
    Value mirrored = math.sub(2 * range, rest);
    return math.add(math.select(math.compare(FPredicate::OLT, rest, mirrored),
                                rest, mirrored),
                    low);
  }

  SmallVector<Value, 4> getWeights(Value rest) {
    if (method == "nearest")
      return {math.number(1)};
    if (method == "bilinear")
      return {math.sub(1, rest), rest};
    constexpr double a = -0.75;
    auto far = [&](Value x) {
      Value y = math.add(math.mul(x, a), -5 * a);
      y = math.add(math.mul(y, x), 8 * a);
      return math.add(math.mul(y, x), -4 * a);
    };
    auto near = [&](Value x) {
      Value y = math.add(math.mul(x, a + 2), -(a + 3));
      return math.add(math.mul(math.mul(y, x), x), 1);
    };
    return {far(math.add(rest, 1)), near(rest), near(math.sub(1, rest)),
            far(math.sub(2, rest))};
  }

  LayerBuilder &b;
  CoordinateMath &math;
  StringRef method, padding;
  bool alignCorners;
  int64_t size;
  double low, range; ///< of positions inside the image
};
} // namespace

static LogicalResult lowerGridSample(LayerBuilder &b, graph::GridSampleOp op,
                                     ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], grid = inputs[1], result = outputs[0];
  Type type = LayerBuilder::getComputeType(getElement(result));
  CoordinateMath math(b, type);
  GridAxis height(b, math, op, getShape(data)[2]);
  GridAxis width(b, math, op, getShape(data)[3]);
  // All channels of a point have the same taps.
  int64_t channels = getShape(data)[1];
  ArrayRef<int64_t> shape = getShape(result);
  SmallVector<int64_t> extents = {shape[0], shape[2], shape[3]};
  Access images{data,
                {b.dim(0), b.expr(0), b.expr(0), b.expr(0)},
                {1, channels, getShape(data)[2], getShape(data)[3]}};
  Access point{grid, {b.dim(0), b.dim(1), b.dim(2), b.expr(0)}, {1, 1, 1, 2}};
  Access writes{
      result, {b.dim(0), b.expr(0), b.dim(1), b.dim(2)}, {1, channels, 1, 1}};
  auto sample = [&](ValueRange vars) {
    auto getCoordinate = [&](int64_t which) {
      Value at[] = {vars[0], vars[1], vars[2], b.index(which)};
      return b.convert(b.load(grid, at), type);
    };
    auto columns = width.getTaps(getCoordinate(0));
    auto rows = height.getTaps(getCoordinate(1));
    struct Term {
      Value row, column, weight, isInside;
    };
    SmallVector<Term> terms;
    for (const GridAxis::Tap &row : rows)
      for (const GridAxis::Tap &column : columns) {
        Term term = {row.index, column.index,
                     math.mul(row.weight, column.weight), row.isInside};
        if (row.isInside)
          term.isInside = arith::AndIOp::create(b.builder, b.loc, row.isInside,
                                                column.isInside);
        terms.push_back(term);
      }
    b.loops({channels}, [&](ValueRange channel) {
      Value sum;
      for (const Term &term : terms) {
        Value at[] = {vars[0], channel[0], term.row, term.column};
        Value value = b.convert(b.load(data, at), type);
        value = math.mul(value, term.weight);
        if (term.isInside)
          value = math.select(term.isInside, value, math.number(0));
        sum = sum ? math.add(sum, value) : value;
      }
      b.store(sum, result, {vars[0], channel[0], vars[1], vars[2]});
    });
  };
  b.loops(extents, [&](ValueRange loopVars) {
    b.block("grid_sample", {{extents[0]}, {extents[1]}, {extents[2]}}, loopVars,
            {images, point}, {writes}, sample);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// RoiAlign
//===----------------------------------------------------------------------===//

namespace {
/// Neighbours of a sample in one dimension.
struct Neighbours {
  Value isInside, low, high, rest;

  Neighbours(LayerBuilder &b, CoordinateMath &math, Value position,
             int64_t size) {
    isInside = arith::AndIOp::create(
        b.builder, b.loc,
        math.compare(FPredicate::OGE, position, math.number(-1)),
        math.compare(FPredicate::OLE, position, math.number(double(size))));
    Value inner = math.clamp(position, 0, double(size - 1));
    low = math.toIndex(inner);
    high = IndexMath(b).clamp(IndexMath(b).add(low, 1), 0, size - 1);
    rest = math.sub(inner, math.floor(inner));
  }
};
} // namespace

static LogicalResult lowerRoiAlign(LayerBuilder &b, graph::RoiAlignOp op,
                                   ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], rois = inputs[1], batches = inputs[2];
  Value result = outputs[0];
  ArrayRef<int64_t> images = getShape(data), shape = getShape(result);
  Type type = LayerBuilder::getComputeType(getElement(result));
  CoordinateMath math(b, type);
  bool isMax = op.getMode() == "max", isAligned = op.getAligned();
  double scale = op.getSpatialScale().convertToDouble();
  int64_t ratio = static_cast<int64_t>(op.getSampleRatio());

  auto getPosition = [&](ValueRange vars, int64_t dim) {
    // Regions have x before y, the data height before width.
    auto getCorner = [&](int64_t which) {
      Value at[] = {vars[0], b.index(which)};
      return math.add(math.mul(b.convert(b.load(rois, at), type), scale),
                      isAligned ? -0.5 : 0);
    };
    Value start = getCorner(1 - dim);
    Value extent = math.sub(getCorner(3 - dim), start);
    if (!isAligned)
      extent = math.maximum(extent, math.number(1));
    Value bin = math.mul(extent, 1.0 / double(op.getPooledSize()[dim]));
    Value steps =
        math.add(math.fromIndex(vars[2 + dim]),
                 math.mul(math.add(math.fromIndex(vars[4 + dim]), 0.5),
                          1.0 / double(ratio)));
    return math.add(start, math.mul(steps, bin));
  };
  Value start =
      isMax ? Value(arith::ConstantOp::create(
                  b.builder, b.loc,
                  b.builder.getFloatAttr(
                      type,
                      APFloat::getInf(cast<FloatType>(type).getFloatSemantics(),
                                      /*Negative=*/true))))
            : b.constant(type, 0.0);
  b.loops(shape, [&](ValueRange outer) {
    Access region{rois, {b.dim(0), b.expr(0)}, {1, 4}};
    Value value = b.reduce(
        "roi_align", outer, shape, {ratio, ratio}, type, start,
        {b.anywhere(data), region, {batches, {b.dim(0)}}},
        [&](ValueRange vars, Value acc) -> Value {
          Value batch = IndexMath(b).clamp(
              IndexMath(b).cast(b.load(batches, vars[0])), 0, images[0] - 1);
          Neighbours y(b, math, getPosition(vars, 0), images[2]);
          Neighbours x(b, math, getPosition(vars, 1), images[3]);
          Value isInside =
              arith::AndIOp::create(b.builder, b.loc, y.isInside, x.isInside);
          Value sum;
          for (bool isLower : {false, true})
            for (bool isRight : {false, true}) {
              Value at[] = {batch, vars[1], isLower ? y.high : y.low,
                            isRight ? x.high : x.low};
              Value weight = math.mul(isLower ? y.rest : math.sub(1, y.rest),
                                      isRight ? x.rest : math.sub(1, x.rest));
              Value term = math.mul(weight, b.convert(b.load(data, at), type));
              if (!sum)
                sum = term;
              else
                sum = isMax ? math.maximum(sum, term) : math.add(sum, term);
            }
          Value sample = math.select(isInside, sum, math.number(0));
          return isMax ? math.maximum(acc, sample) : math.add(acc, sample);
        });
    b.storeScalar("store", outer, value, result, [&](Value sum, ValueRange) {
      return isMax ? sum : math.mul(sum, 1.0 / double(ratio * ratio));
    });
  });
  return success();
}

void uma::populateImageStrategies(StrategyRegistry &registry) {
  registry.add<graph::InterpolateOp>(lowerInterpolate);
  registry.add<graph::GridSampleOp>(lowerGridSample);
  registry.add<graph::RoiAlignOp>(lowerRoiAlign);
}
