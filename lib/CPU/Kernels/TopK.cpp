//===- TopK.cpp - Vectorised selection of the largest elements ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Along the last dimension, bisection over values and bits finds the k-th
// largest element: each step counts the elements that are not smaller, in
// vectors. Elements above it are then sorted by counting those before each.
// Otherwise each lane holds a column and keeps its best elements in order.
//
//===----------------------------------------------------------------------===//

#include "ElementOrder.h"
#include "LayerLowering.h"
#include "Rows.h"

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;
using FPredicate = arith::CmpFPredicate;
using IPredicate = arith::CmpIPredicate;

namespace {
/// Indices of the k largest elements along an axis, the largest first. Of equal
/// elements, the first ones are taken.
struct TopK : ElementOrder {
  AxisShape shape;
  int64_t k;
  Value data, result;

  void buildRow(const RowKernel &row, Value outer);
  void buildColumns(int64_t lanes, Value outer, Value first);

private:
  Type f32() { return b.builder.getF32Type(); }
  Type i32() { return b.builder.getI32Type(); }
  Type i64() { return b.builder.getI64Type(); }
  using ElementOrder::compare;
  Value compare(IPredicate how, Value lhs, Value rhs) {
    return arith::CmpIOp::create(b.builder, b.loc, how, lhs, rhs);
  }
  Value toIndex(Value integer) {
    return arith::IndexCastOp::create(b.builder, b.loc,
                                      b.builder.getIndexType(), integer);
  }
  void buildIf(Value condition, function_ref<void()> body) {
    auto branch = scf::IfOp::create(b.builder, b.loc, condition,
                                    /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b.builder);
    b.builder.setInsertionPointToStart(branch.thenBlock());
    body();
  }
  /// Reverses the order of the bits of negative floats.
  Value mirrorNegative(Value bits) {
    Value isNegative = b.lessThan(bits, b.constant(i32(), 0));
    Value mask = arith::ConstantOp::create(
        b.builder, b.loc, b.builder.getI32IntegerAttr(INT32_MAX));
    Value mirrored = arith::XOrIOp::create(b.builder, b.loc, bits, mask);
    return select(isNegative, mirrored, bits);
  }
  Value loadRow(Value outer, Value position) {
    return b.load(data, {outer, position, b.index(0)});
  }
  /// Emits the number of elements, as a float, for which a condition holds.
  Value count(const RowKernel &row,
              function_ref<Value(Value position)> condition) {
    Value one = b.constant(f32(), 1), none = b.constant(f32(), 0);
    return row.reduce(Combiner::Sum, "count", [&](Value position) {
      return select(condition(position), one, none);
    });
  }
  /// Emits a number of which at most k elements are larger or NaN, and at
  /// least k elements are not smaller.
  Value findLimit(const RowKernel &row, Value outer);
};
} // namespace

Value TopK::findLimit(const RowKernel &row, Value outer) {
  // As integers, the bits of floats of one sign are in order; those of negative
  // numbers are reversed.
  constexpr int64_t infinity = 0x7f800000;
  Value low = b.local("low", i64()), high = b.local("high", i64());
  Value found = b.local("found", f32());
  Value limit = b.local("limit", f32());
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b.builder, b.loc,
                                     b.builder.getI64IntegerAttr(value));
  };
  auto toFloat = [&](Value key) -> Value {
    Value bits = arith::TruncIOp::create(b.builder, b.loc, i32(), key);
    return arith::BitcastOp::create(b.builder, b.loc, f32(),
                                    mirrorNegative(bits));
  };
  auto toKey = [&](Value x) -> Value {
    Value bits = arith::BitcastOp::create(b.builder, b.loc, i32(), x);
    return b.convert(mirrorNegative(bits), i64());
  };
  // Means of bounds come close in few steps if elements are spread as usual.
  // Any number will do: it is limited to what is left of the bits.
  Value bottom = b.local("bottom", f32()), top = b.local("top", f32());
  auto loadElement = [&](Value position) { return loadRow(outer, position); };
  b.store(row.reduce(Combiner::Minimum, "bottom", loadElement), bottom, {});
  b.store(row.reduce(Combiner::Maximum, "top", loadElement), top, {});
  b.store(number(-infinity - 1), low, {});
  b.store(number(infinity + 1), high, {});
  b.store(b.constant(f32(), double(shape.size)), found, {});
  b.store(toFloat(number(-infinity - 1)), limit, {});
  Value wanted = b.constant(f32(), double(k));
  constexpr int64_t meanSteps = 12, mostSteps = meanSteps + 32;
  buildLoop(b, mostSteps, tir::ForKind::Serial, [&](Value step) {
    Value from = b.load(low, {}), to = b.load(high, {});
    Value isOpen = b.lessThan(b.add(from, number(1)), to);
    Value differs = compare(FPredicate::UNE, b.load(found, {}), wanted);
    buildIf(both(isOpen, differs), [&] {
      Value below = b.load(bottom, {}), over = b.load(top, {});
      Value half = b.constant(f32(), 0.5);
      Value left = b.mul(below, half), right = b.mul(over, half);
      Value key = toKey(b.add(left, right));
      Value least = b.add(from, number(1));
      Value most = b.sub(to, number(1));
      key = arith::MaxSIOp::create(b.builder, b.loc, key, least);
      key = arith::MinSIOp::create(b.builder, b.loc, key, most);
      Value middle =
          arith::ShRSIOp::create(b.builder, b.loc, b.add(from, to), number(1));
      Value isEarly = compare(IPredicate::slt, step, b.index(meanSteps));
      middle = select(isEarly, key, middle);
      Value bound = toFloat(middle);
      Value larger = count(row, [&](Value position) {
        return compare(FPredicate::UGE, loadRow(outer, position), bound);
      });
      Value isEnough = compare(FPredicate::OGE, larger, wanted);
      b.store(select(isEnough, bound, below), bottom, {});
      b.store(select(isEnough, over, bound), top, {});
      b.store(select(isEnough, middle, from), low, {});
      b.store(select(isEnough, to, middle), high, {});
      b.store(select(isEnough, larger, b.load(found, {})), found, {});
      b.store(select(isEnough, bound, b.load(limit, {})), limit, {});
    });
  });
  return b.load(limit, {});
}

void TopK::buildRow(const RowKernel &row, Value outer) {
  Value limit = findLimit(row, outer);
  Value above = count(row, [&](Value position) {
    return compare(FPredicate::UGT, loadRow(outer, position), limit);
  });
  Value elements = b.local("element", f32(), {k});
  Value positions = b.local("position", i32(), {k});
  Value ranks = b.local("rank", f32(), {k});
  Value taken = b.local("taken", i32()), equal = b.local("equal", f32());
  Value zero = b.index(0), one = b.constant(i32(), 1);
  b.store(b.constant(i32(), 0), taken, {});
  // All of them are overwritten, but C compilers cannot know.
  buildLoop(b, k, tir::ForKind::Serial, [&](Value place) {
    b.store(b.constant(f32(), 0), elements, place);
    b.store(b.constant(i32(), 0), positions, place);
    Value number =
        arith::SIToFPOp::create(b.builder, b.loc, f32(), toInteger(place));
    b.store(number, ranks, place);
  });
  // As many elements that equal the limit as are missing.
  Value all = b.constant(f32(), double(k));
  b.store(b.sub(all, above), equal, {});
  auto take = [&](Value position) {
    Value x = loadRow(outer, position);
    buildIf(compare(FPredicate::UGE, x, limit), [&] {
      Value isAbove = compare(FPredicate::UGT, x, limit);
      Value rest = b.load(equal, {}), number = b.load(taken, {});
      Value isMissing = b.lessThan(b.constant(f32(), 0), rest);
      Value hasSpace = b.lessThan(number, b.constant(i32(), double(k)));
      buildIf(both(hasSpace, either(isAbove, isMissing)), [&] {
        Value place = toIndex(number);
        b.store(x, elements, place);
        b.store(toInteger(position), positions, place);
        b.store(b.add(number, one), taken, {});
        Value cost =
            select(isAbove, b.constant(f32(), 0), b.constant(f32(), 1));
        b.store(b.sub(rest, cost), equal, {});
      });
    });
  };
  // Vectors skip most of the row.
  constexpr int64_t blockSize = 32;
  int64_t numBlocks = row.getTarget().lanes > 1 ? shape.size / blockSize : 0;
  RowKernel block(b, blockSize, row.getTarget());
  buildLoop(b, numBlocks, tir::ForKind::Serial, [&](Value number) {
    auto getPosition = [&](Value element) {
      return b.apply(b.dim(0) * blockSize + b.dim(1), {number, element});
    };
    Value hits = count(block, [&](Value element) {
      Value x = loadRow(outer, getPosition(element));
      return compare(FPredicate::UGE, x, limit);
    });
    buildIf(compare(FPredicate::OGT, hits, b.constant(f32(), 0)), [&] {
      buildLoop(b, blockSize, tir::ForKind::Serial,
                [&](Value element) { take(getPosition(element)); });
    });
  });
  int64_t done = numBlocks * blockSize;
  buildLoop(b, shape.size - done, tir::ForKind::Serial,
            [&](Value element) { take(b.apply(b.dim(0) + done, {element})); });
  RowKernel chosen(b, k, row.getTarget());
  buildLoop(b, k, tir::ForKind::Serial, [&](Value place) {
    Value x = b.load(elements, place), own = b.load(ranks, place);
    Value before = count(chosen, [&](Value other) {
      Value y = b.load(elements, other);
      Value isFirst = b.lessThan(b.load(ranks, other), own);
      return either(precedes(y, x), both(isEqual(x, y), isFirst));
    });
    Value rank =
        toIndex(arith::FPToSIOp::create(b.builder, b.loc, i32(), before));
    Value index = b.convert(b.load(positions, place), i64());
    b.store(index, result, {outer, rank, zero});
  });
}

void TopK::buildColumns(int64_t lanes, Value outer, Value first) {
  Value elements = b.local("element", f32(), {k * lanes});
  Value positions = b.local("position", i32(), {k * lanes});
  auto forLanes = [&](function_ref<void(Value lane, Value column)> body) {
    buildLoop(b, lanes, tir::ForKind::Vectorized, [&](Value lane) {
      body(lane, b.apply(b.dim(0) + b.dim(1), {lane, first}));
    });
  };
  auto at = [&](int64_t rank, Value lane) {
    return b.apply(b.dim(0) + rank * lanes, lane);
  };
  Value none = b.constant(i32(), -1), zero = b.constant(f32(), 0);
  for (int64_t rank = 0; rank < k; ++rank)
    forLanes([&](Value lane, Value) {
      b.store(zero, elements, at(rank, lane));
      b.store(none, positions, at(rank, lane));
    });
  buildLoop(b, shape.size, tir::ForKind::Serial, [&](Value position) {
    Value own = toInteger(position);
    forLanes([&](Value lane, Value column) {
      Value x = b.load(data, {outer, position, column});
      // From the last one on, elements behind the new one move by a place.
      Value start = b.constant(i32(), 0);
      SmallVector<Value> isBehind, values, indices;
      for (int64_t rank = 0; rank < k; ++rank) {
        values.push_back(b.load(elements, at(rank, lane)));
        indices.push_back(b.load(positions, at(rank, lane)));
        isBehind.push_back(either(precedes(x, values.back()),
                                  b.lessThan(indices.back(), start)));
      }
      for (int64_t rank = k; rank-- > 0;) {
        Value value = x, index = own;
        if (rank > 0) {
          value = select(isBehind[rank - 1], values[rank - 1], x);
          index = select(isBehind[rank - 1], indices[rank - 1], own);
        }
        b.store(select(isBehind[rank], value, values[rank]), elements,
                at(rank, lane));
        b.store(select(isBehind[rank], index, indices[rank]), positions,
                at(rank, lane));
      }
    });
  });
  // Lanes of 64 bits are the C compiler's.
  Value found = b.local("found", i32(), {k * lanes});
  for (int64_t rank = 0; rank < k; ++rank)
    forLanes([&](Value lane, Value) {
      b.store(b.load(positions, at(rank, lane)), found, at(rank, lane));
    });
  buildLoop(b, k, tir::ForKind::Serial, [&](Value rank) {
    buildLoop(b, lanes, tir::ForKind::Serial, [&](Value lane) {
      Value place = b.apply(b.dim(0) * lanes + b.dim(1), {rank, lane});
      Value column = b.apply(b.dim(0) + b.dim(1), {first, lane});
      b.store(b.convert(b.load(found, place), i64()), result,
              {outer, rank, column});
    });
  });
}

static bool vectorizeTopK(LayerBuilder &b, graph::TopKOp op, ValueRange inputs,
                          ValueRange outputs) {
  // Chosen elements are on the stack; floats count up to 2^24.
  constexpr int64_t mostRow = 512, mostColumn = 8, mostElements = 1 << 24;
  AxisShape shape(getShape(inputs[0]), op.getAxis());
  int64_t k = op.getK();
  if (!areFloats(inputs) || op.getIsAscend() || k == 0 ||
      shape.size > mostElements || !shape.isLong() ||
      k > (shape.isRow() ? mostRow : mostColumn) ||
      !getElement(outputs[0]).isInteger(64))
    return false;
  TopK kernel{
      {b},
      shape,
      k,
      reshapeBuffer(b, inputs[0], {shape.outer, shape.size, shape.inner}),
      reshapeBuffer(b, outputs[0], {shape.outer, k, shape.inner})};
  buildVersions(b, [&](const ISA &target) {
    VectorLoop columns =
        shape.isRow() ? VectorLoop(1, 1) : VectorLoop(shape.inner, target);
    Access writes = {
        kernel.result, {b.dim(0), b.expr(0), b.dim(1)}, {1, k, columns.lanes}};
    columns.buildBlocks(
        b, "topk", {shape.outer}, {b.anywhere(kernel.data)}, {writes},
        [&](ValueRange vars) {
          if (shape.isRow())
            kernel.buildRow(RowKernel(b, shape.size, target), vars[0]);
          else
            kernel.buildColumns(columns.lanes, vars[0], vars[1]);
        });
  });
  return true;
}

void uma::populateVectorTopKStrategies(StrategyRegistry &registry) {
  addStrategy<graph::TopKOp>(registry, vectorizeTopK);
}
