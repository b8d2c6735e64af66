//===- Rows.cpp - Vectorised rows and columns -----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// An addition has a latency of four cycles, and two start per cycle: four
// accumulators hide most of the latency. Narrower vectors process the rest of a
// row after the full ones; overlapping vectors would count elements twice.
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

#include "LayerLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

//===----------------------------------------------------------------------===//
// Combiners
//===----------------------------------------------------------------------===//

Value uma::combine(LayerBuilder &b, Combiner combiner, Value acc, Value x) {
  switch (combiner) {
  case Combiner::Sum:
    return b.add(acc, x);
  case Combiner::Product:
    return b.mul(acc, x);
  case Combiner::Maximum:
    return arith::MaximumFOp::create(b.builder, b.loc, x, acc);
  case Combiner::Minimum:
    return arith::MinimumFOp::create(b.builder, b.loc, x, acc);
  case Combiner::LargestNumber: {
    Value isLess = b.lessThan(acc, x);
    return arith::SelectOp::create(b.builder, b.loc, isLess, x, acc);
  }
  }
  llvm_unreachable("every combiner has an operation");
}

Value uma::getStart(LayerBuilder &b, Combiner combiner, Type type) {
  if (!type)
    type = b.builder.getF32Type();
  if (combiner == Combiner::Sum || combiner == Combiner::Product)
    return b.constant(type, combiner == Combiner::Sum ? 0.0 : 1.0);
  return arith::ConstantOp::create(
      b.builder, b.loc,
      b.builder.getFloatAttr(type,
                             APFloat::getInf(APFloat::IEEEsingle(),
                                             combiner != Combiner::Minimum)));
}

static vector::CombiningKind getKind(Combiner combiner) {
  switch (combiner) {
  case Combiner::Sum:
    return vector::CombiningKind::ADD;
  case Combiner::Product:
    return vector::CombiningKind::MUL;
  case Combiner::Minimum:
    return vector::CombiningKind::MINIMUMF;
  case Combiner::Maximum:
  case Combiner::LargestNumber:
    return vector::CombiningKind::MAXIMUMF;
  }
  llvm_unreachable("every combiner has a kind");
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

AxisShape::AxisShape(ArrayRef<int64_t> shape, int64_t axis) {
  if (axis < 0)
    axis += shape.size();
  if (axis > 0)
    lastOuter = shape[axis - 1];
  for (auto [dim, extent] : llvm::enumerate(shape))
    (int64_t(dim) < axis   ? outer
     : int64_t(dim) > axis ? inner
                           : size) *= extent;
}

std::optional<AxisShape> AxisShape::get(ArrayRef<int64_t> shape,
                                        ArrayRef<bool> isReduced) {
  AxisShape result;
  bool isBehind = false;
  for (auto [extent, reduced] : llvm::zip_equal(shape, isReduced)) {
    if (extent == 1)
      continue;
    if (!reduced) {
      isBehind = result.size != 1;
      (isBehind ? result.inner : result.outer) *= extent;
      continue;
    }
    if (isBehind)
      return std::nullopt;
    result.size *= extent;
  }
  return result;
}

bool AxisShape::isLong() const {
  constexpr int64_t fewest = 4;
  return (isRow() ? size : inner) >= fewest;
}

Value uma::reshapeBuffer(LayerBuilder &b, Value buffer,
                         ArrayRef<int64_t> shape) {
  auto type = MemRefType::get(shape, uma::getElement(buffer));
  if (type == buffer.getType())
    return buffer;
  auto [strides, offset] = type.getStridesAndOffset();
  return memref::ReinterpretCastOp::create(b.builder, b.loc, type, buffer,
                                           offset, type.getShape(), strides);
}

bool uma::areOfType(ValueRange buffers, Type type) {
  return llvm::all_of(buffers, [type](Value buffer) {
    return uma::getElement(buffer) == type &&
           !llvm::is_contained(uma::getShape(buffer), 0);
  });
}

bool uma::areFloats(ValueRange buffers) {
  return buffers.empty() ||
         areOfType(buffers, Float32Type::get(buffers.front().getContext()));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void RowKernel::forLanes(int64_t width, AffineExpr first, ValueRange vars,
                         function_ref<void(Value, Value)> body) const {
  if (width == 1)
    return body(b.index(0), b.apply(first, vars));
  buildLoop(b, width, tir::ForKind::Vectorized, [&](Value lane) {
    SmallVector<Value> all(vars);
    all.push_back(lane);
    body(lane, b.apply(first + b.dim(vars.size()), all));
  });
}

SmallVector<std::pair<int64_t, int64_t>> RowKernel::getRest() const {
  SmallVector<std::pair<int64_t, int64_t>> rest;
  int64_t first = size / lanes * lanes;
  for (int64_t width = lanes / 2; width > 1; width /= 2)
    if (width > 2 && size - first >= width) {
      rest.push_back({first, width});
      first += width;
    }
  for (; first < size; ++first)
    rest.push_back({first, 1});
  return rest;
}

void RowKernel::map(function_ref<void(Value)> body) const {
  auto ignoreLane = [&](Value, Value index) { body(index); };
  if (size >= lanes)
    buildLoop(b, size / lanes, tir::ForKind::Serial, [&](Value vector) {
      forLanes(lanes, b.dim(0) * lanes, vector, ignoreLane);
    });
  for (auto [first, width] : getRest())
    forLanes(width, b.expr(first), {}, ignoreLane);
}

Value RowKernel::getLanes(Value buffer, Combiner combiner,
                          int64_t width) const {
  Value zero = b.index(0);
  if (width == 1)
    return b.load(buffer, zero);
  auto type = VectorType::get({width}, uma::getElement(buffer));
  Value vector = vector::LoadOp::create(b.builder, b.loc, type, buffer, zero);
  return vector::ReductionOp::create(b.builder, b.loc, getKind(combiner),
                                     vector);
}

Value RowKernel::reduce(
    Combiner combiner, StringRef label, int64_t rows,
    function_ref<Value(Value row, Value index)> element) const {
  constexpr int64_t mostAccumulators = 4;
  int64_t vectors = size / lanes, count = std::min(vectors, mostAccumulators);
  Value total;
  auto add = [&](Value value) {
    total = total ? combine(b, combiner, total, value) : value;
  };
  auto forRows = [&](function_ref<void(Value)> body) {
    if (rows == 1)
      return body(Value());
    buildLoop(b, rows, tir::ForKind::Serial, body);
  };
  if (vectors > 0) {
    // Layout: [accumulators, lanes].
    Value accs = b.local(label, type, {count * lanes});
    auto at = [&](AffineExpr acc, ValueRange vars, Value lane) {
      SmallVector<Value> all(vars);
      all.push_back(lane);
      return b.apply(acc * lanes + b.dim(vars.size()), all);
    };
    Value row;
    auto update = [&](AffineExpr acc, AffineExpr vector, ValueRange vars) {
      forLanes(lanes, vector * lanes, vars, [&](Value lane, Value index) {
        Value place = at(acc, vars, lane);
        Value x = element(row, index);
        Value old = b.load(accs, place);
        b.store(combine(b, combiner, old, x), accs, place);
      });
    };
    Value start = getStart(b, combiner, type);
    for (int64_t acc = 0; acc < count; ++acc)
      forLanes(lanes, b.expr(0), {}, [&](Value lane, Value) {
        b.store(start, accs, at(b.expr(acc), {}, lane));
      });
    forRows([&](Value current) {
      row = current;
      buildLoop(b, vectors / count, tir::ForKind::Serial, [&](Value step) {
        for (int64_t acc = 0; acc < count; ++acc)
          update(b.expr(acc), b.dim(0) * count + acc, step);
      });
      for (int64_t rest = vectors / count * count; rest < vectors; ++rest)
        update(b.expr(rest % count), b.expr(rest), {});
    });
    for (int64_t step = 1; step < count; step *= 2)
      for (int64_t acc = 0; acc + step < count; acc += 2 * step)
        forLanes(lanes, b.expr(0), {}, [&](Value lane, Value) {
          Value left = at(b.expr(acc), {}, lane);
          Value right = at(b.expr(acc + step), {}, lane);
          Value x = b.load(accs, left);
          Value y = b.load(accs, right);
          b.store(combine(b, combiner, x, y), accs, left);
        });
    add(getLanes(accs, combiner, lanes));
  }
  for (const auto &part : getRest()) {
    int64_t first = part.first, width = part.second;
    if (width == 1 && rows == 1) {
      add(element(Value(), b.index(first)));
      continue;
    }
    Value piece = b.local(label, type, {width});
    if (rows != 1)
      forLanes(width, b.expr(0), {}, [&](Value lane, Value) {
        b.store(getStart(b, combiner, type), piece, lane);
      });
    forRows([&](Value row) {
      forLanes(width, b.expr(first), {}, [&](Value lane, Value index) {
        Value x = element(row, index);
        if (row) {
          Value old = b.load(piece, lane);
          x = combine(b, combiner, old, x);
        }
        b.store(x, piece, lane);
      });
    });
    add(getLanes(piece, combiner, width));
  }
  return total;
}

Value uma::reduceColumn(LayerBuilder &b, int64_t size, Combiner combiner,
                        StringRef label, RowKernel::ElementFn element,
                        Type type) {
  Value start = getStart(b, combiner, type);
  Value acc = b.local(label, start.getType());
  b.store(start, acc, {});
  buildLoop(b, size, tir::ForKind::Serial, [&](Value position) {
    Value x = element(position);
    Value old = b.load(acc, {});
    b.store(combine(b, combiner, old, x), acc, {});
  });
  return b.load(acc, {});
}

void AxisKernel::build(LayerBuilder &b, RowFn row, ColumnFn column) const {
  buildVersions(b, [&](const ISA &target) {
    VectorLoop vectors(shape.inner, target);
    int64_t width = shape.isRow() ? 1 : vectors.lanes;
    auto getAccess = [&](Value buffer) -> Access {
      return {buffer,
              {b.dim(0), b.expr(0), b.dim(1)},
              {1, uma::getShape(buffer)[1], width}};
    };
    SmallVector<Access> reads;
    for (Value buffer : ArrayRef<Value>(buffers).drop_back())
      reads.push_back(getAccess(buffer));
    for (Value parameter : parameters)
      reads.push_back(b.anywhere(parameter));
    Access writes = getAccess(buffers.back());
    // Threads share the rows of each matrix, as they share those of products.
    int64_t rows = shape.lastOuter, sets = shape.outer / rows;
    bool sharesRows =
        sets != 1 && !isEvenlyShared(sets) && isEvenlyShared(rows);
    SmallVector<int64_t> extents = {shape.outer};
    std::optional<size_t> parallel;
    if (sharesRows) {
      extents = {sets, rows};
      parallel = 1;
    }
    auto buildOuter = [&](ValueRange outer) {
      Value index = outer.front();
      if (sharesRows)
        index = b.apply(b.dim(0) * rows + b.dim(1), outer);
      auto buildBlock = [&](Value first,
                            function_ref<void(Value, Value)> body) {
        SmallVector<Value> bindings = {index, first};
        b.block(label, {{shape.outer}, {shape.inner}}, bindings, reads,
                {writes}, [&](ValueRange vars) { body(vars[0], vars[1]); });
      };
      if (shape.isRow()) {
        buildBlock(b.index(0), [&](Value outer, Value) {
          row(RowKernel(b, shape.size, target, type), outer);
        });
        return;
      }
      vectors.build(b, [&](Value first) {
        buildBlock(first, [&](Value outer, Value first) {
          buildLoop(
              b, vectors.lanes, tir::ForKind::Vectorized, [&](Value lane) {
                column(outer, b.apply(b.dim(0) + b.dim(1), {first, lane}));
              });
        });
      });
    };
    b.loops(extents, buildOuter, parallel);
  });
}
