//===- ArgReductions.cpp - Vectorised argmax and argmin -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Each lane keeps its best element and the index of it in 32 bits. Along the
// last dimension, lanes hold parts of a row, and the best lane is found at the
// end; otherwise they hold columns.
//
//===----------------------------------------------------------------------===//

#include "ElementOrder.h"
#include "LayerLowering.h"
#include "Rows.h"

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <limits>

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;
using FPredicate = arith::CmpFPredicate;

namespace {
/// Index of the largest or smallest element along an axis.
struct ArgReduction : ElementOrder {
  StringRef label;
  AxisShape shape;
  bool isLast;
  Value data, result;

  void build(const ISA &target);

private:
  /// Best elements and their indices, an element for each lane.
  struct Best {
    Value elements, indices;
  };

  Best makeBest(int64_t count) {
    Value elements = b.local("best", b.builder.getF32Type(), {count});
    return {elements, b.local("index", b.builder.getI32Type(), {count})};
  }
  /// Emits the comparison of an element that comes after the best one of a
  /// place.
  void update(const Best &best, Value place, Value element, Value index);
  /// Emits the result for the elements of `best`; the index of each is that of
  /// the first lane of its vector.
  void storeRow(const Best &best, int64_t lanes, Value outer);
  void buildRow(int64_t lanes, Value outer);
  void buildColumns(int64_t vectors, int64_t lanes, Value outer, Value first);
};
} // namespace

void ArgReduction::update(const Best &best, Value place, Value element,
                          Value index) {
  Value old = b.load(best.elements, place);
  Value oldIndex = b.load(best.indices, place);
  Value wins = precedes(element, old);
  if (isLast)
    wins = either(wins, isEqual(element, old));
  b.store(select(wins, element, old), best.elements, place);
  b.store(select(wins, index, oldIndex), best.indices, place);
}

void ArgReduction::storeRow(const Best &best, int64_t lanes, Value outer) {
  Value element = b.local("largest", b.builder.getF32Type());
  Value index = b.local("position", b.builder.getI32Type());
  Value zero = b.index(0);
  b.store(b.load(best.elements, zero), element, {});
  b.store(b.load(best.indices, zero), index, {});
  buildLoop(b, lanes - 1, tir::ForKind::Serial, [&](Value other) {
    Value lane = b.apply(b.dim(0) + 1, other);
    Value x = b.load(best.elements, lane);
    Value place = b.load(best.indices, lane);
    place = b.add(place, toInteger(lane));
    Value old = b.load(element, {}), oldPlace = b.load(index, {});
    Value isNext =
        isLast ? b.lessThan(oldPlace, place) : b.lessThan(place, oldPlace);
    Value wins = either(precedes(x, old), both(isEqual(x, old), isNext));
    b.store(select(wins, x, old), element, {});
    b.store(select(wins, place, oldPlace), index, {});
  });
  Value found = b.load(index, {});
  b.store(b.convert(found, uma::getElement(result)), result,
          {outer, zero, zero});
}

void ArgReduction::buildRow(int64_t lanes, Value outer) {
  constexpr int64_t mostAccumulators = 4;
  int64_t vectors = shape.size / lanes;
  int64_t count = std::min(vectors, mostAccumulators);
  Value zero = b.index(0);
  Best best = makeBest(count * lanes);
  // Emits `body` for the lanes of the vector that starts at an element.
  auto forLanes = [&](int64_t acc, Value first,
                      function_ref<void(Value place, Value element)> body) {
    buildLoop(b, lanes, tir::ForKind::Vectorized, [&](Value lane) {
      Value place = b.apply(b.dim(0) + acc * lanes, lane);
      Value index = b.apply(b.dim(0) + b.dim(1), {first, lane});
      body(place, b.load(data, {outer, index, zero}));
    });
  };
  auto updateAt = [&](int64_t acc, Value first) {
    Value number = toInteger(first);
    forLanes(acc, first, [&](Value place, Value element) {
      update(best, place, element, number);
    });
  };
  for (int64_t acc = 0; acc < count; ++acc) {
    Value number = b.constant(b.builder.getI32Type(), double(acc * lanes));
    forLanes(acc, b.index(acc * lanes), [&](Value place, Value element) {
      b.store(element, best.elements, place);
      b.store(number, best.indices, place);
    });
  }
  buildLoop(b, vectors / count - 1, tir::ForKind::Serial, [&](Value step) {
    for (int64_t acc = 0; acc < count; ++acc)
      updateAt(acc,
               b.apply((b.dim(0) + 1) * (count * lanes) + acc * lanes, step));
  });
  for (int64_t rest = vectors / count * count; rest < vectors; ++rest)
    updateAt(rest % count, b.index(rest * lanes));
  // Accumulators hold each index of a lane in order, but not among each other.
  for (int64_t step = 1; step < count; step *= 2)
    for (int64_t acc = 0; acc + step < count; acc += 2 * step)
      buildLoop(b, lanes, tir::ForKind::Vectorized, [&](Value lane) {
        Value left = b.apply(b.dim(0) + acc * lanes, lane);
        Value right = b.apply(b.dim(0) + (acc + step) * lanes, lane);
        Value x = b.load(best.elements, left);
        Value y = b.load(best.elements, right);
        Value i = b.load(best.indices, left);
        Value j = b.load(best.indices, right);
        Value isNext = isLast ? b.lessThan(i, j) : b.lessThan(j, i);
        Value wins = either(precedes(y, x), both(isEqual(x, y), isNext));
        b.store(select(wins, y, x), best.elements, left);
        b.store(select(wins, j, i), best.indices, left);
      });
  // The last vector may overlap others: its elements have the same indices.
  if (shape.size % lanes != 0)
    updateAt(0, b.index(shape.size - lanes));
  storeRow(best, lanes, outer);
}

void ArgReduction::buildColumns(int64_t vectors, int64_t lanes, Value outer,
                                Value first) {
  Best best = makeBest(vectors * lanes);
  auto forLanes = [&](function_ref<void(Value place, Value column)> body) {
    for (int64_t vector = 0; vector < vectors; ++vector)
      buildLoop(b, lanes, tir::ForKind::Vectorized, [&](Value lane) {
        AffineExpr place = b.dim(0) + vector * lanes;
        Value column = b.apply(place + b.dim(1), {lane, first});
        body(b.apply(place, lane), column);
      });
  };
  Value zero = b.index(0), start = b.constant(b.builder.getI32Type(), 0);
  forLanes([&](Value place, Value column) {
    b.store(b.load(data, {outer, zero, column}), best.elements, place);
    b.store(start, best.indices, place);
  });
  buildLoop(b, shape.size - 1, tir::ForKind::Serial, [&](Value step) {
    Value position = b.apply(b.dim(0) + 1, step);
    Value index = toInteger(position);
    forLanes([&](Value place, Value column) {
      update(best, place, b.load(data, {outer, position, column}), index);
    });
  });
  // Lanes of 64 bits are the C compiler's.
  Value found = b.local("found", b.builder.getI32Type(), {vectors * lanes});
  forLanes([&](Value place, Value) {
    b.store(b.load(best.indices, place), found, place);
  });
  buildLoop(b, vectors * lanes, tir::ForKind::Serial, [&](Value lane) {
    Value column = b.apply(b.dim(0) + b.dim(1), {first, lane});
    Value index = b.load(found, lane);
    b.store(b.convert(index, uma::getElement(result)), result,
            {outer, zero, column});
  });
}

void ArgReduction::build(const ISA &target) {
  int64_t lanes = chooseLanes(shape.isRow() ? shape.size : shape.inner, target);
  int64_t vectors = 1;
  constexpr int64_t mostVectors = 4;
  while (!shape.isRow() && vectors < mostVectors &&
         2 * vectors * lanes <= shape.inner)
    vectors *= 2;
  VectorLoop loop(shape.inner, shape.isRow() ? 1 : vectors * lanes);
  Access writes = {result, {b.dim(0), b.expr(0), b.dim(1)}, {1, 1, loop.lanes}};
  loop.buildBlocks(b, label, {shape.outer}, {b.anywhere(data)}, {writes},
                   [&](ValueRange vars) {
                     if (shape.isRow())
                       buildRow(lanes, vars[0]);
                     else
                       buildColumns(vectors, lanes, vars[0], vars[1]);
                   });
}

template <typename OpT>
static bool lowerArgReduction(LayerBuilder &b, OpT op, ValueRange inputs,
                              ValueRange outputs) {
  AxisShape shape(getShape(inputs[0]), op.getAxis());
  if (!areFloats(inputs) || !shape.isLong() || shape.size == 1 ||
      shape.size > std::numeric_limits<int32_t>::max())
    return false;
  Value data =
      reshapeBuffer(b, inputs[0], {shape.outer, shape.size, shape.inner});
  Value result = reshapeBuffer(b, outputs[0], {shape.outer, 1, shape.inner});
  StringRef label = op->getName().getStringRef().rsplit('.').second;
  constexpr bool isMax = std::is_same_v<OpT, graph::ArgMaxOp>;
  ArgReduction kernel{{b, isMax}, label, shape, op.getSelectLastIndex(),
                      data,       result};
  buildVersions(b, [&](const ISA &target) { kernel.build(target); });
  return true;
}

void uma::populateVectorArgReductionStrategies(StrategyRegistry &registry) {
  addStrategy<graph::ArgMaxOp>(registry, lowerArgReduction<graph::ArgMaxOp>);
  addStrategy<graph::ArgMinOp>(registry, lowerArgReduction<graph::ArgMinOp>);
}
