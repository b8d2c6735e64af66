//===- WindowLoops.cpp - Index arithmetic of sliding windows in TIR -------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "WindowLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;

void uma::appendInsideConditions(LayerBuilder &builder,
                                 const graph::Window &window, int64_t dim,
                                 AffineExpr expression, ValueRange vars,
                                 SmallVectorImpl<Value> &conditions) {
  bool before = window.padBegin[dim] > 0;
  int64_t last = (window.getOutput(dim) - 1) * window.strides[dim] +
                 window.getExtent(dim) - 1 - window.padBegin[dim];
  bool behind = last >= window.input[dim];
  if (!before && !behind)
    return;
  Value position = builder.apply(expression, vars);
  auto compare = [&](arith::CmpIPredicate predicate, int64_t bound) {
    conditions.push_back(arith::CmpIOp::create(builder.builder, builder.loc,
                                               predicate, position,
                                               builder.index(bound)));
  };
  if (before)
    compare(arith::CmpIPredicate::sge, 0);
  if (behind)
    compare(arith::CmpIPredicate::slt, window.input[dim]);
}

Value uma::loadAt(LayerBuilder &builder, const LayerBuilder::Access &access,
                  ValueRange vars, Type type) {
  SmallVector<Value> indices;
  for (AffineExpr expression : access.first)
    indices.push_back(builder.apply(expression, vars));
  return builder.loadAs(type, access.buffer, indices);
}

WindowData::WindowData(LayerBuilder &builder, const graph::Window &window,
                       ArrayRef<int64_t> spatial, Value data, unsigned firstTap)
    : builder(builder), window(window), spatial(spatial),
      access(builder.whole(data)) {
  for (auto [index, dim] : llvm::enumerate(spatial))
    access.first[dim] =
        getDataPosition(window, index, builder.dim(dim),
                        builder.dim(firstTap + unsigned(index)));
}

SmallVector<Value> WindowData::getInside(ValueRange vars) const {
  SmallVector<Value> conditions;
  for (auto [index, dim] : llvm::enumerate(spatial))
    appendInsideConditions(builder, window, index, access.first[dim], vars,
                           conditions);
  return conditions;
}

Value WindowData::load(ValueRange vars, Type type) const {
  return loadAt(builder, access, vars, type);
}
