//===- WindowLoops.cpp - Index arithmetic of sliding windows in TIR -*- C++
//-*-===//
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
                                 const graph::Window2D &window, int dim,
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
