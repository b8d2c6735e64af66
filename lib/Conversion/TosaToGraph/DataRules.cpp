//===- DataRules.cpp - TOSA's constants, matrices and reductions ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace uma;

static Value convertMatMul(TosaRewriter &r, tosa::MatMulOp op) {
  r.requireZero({{"a_zp", op.getAZp()}, {"b_zp", op.getBZp()}});
  graph::BatchMatmulOp::Properties properties;
  Type element = getElementType(op.getOutput());
  if (element != getElementType(op.getA()))
    properties.out_dtype = TypeAttr::get(element);
  return r.create<graph::BatchMatmulOp>({op.getA(), op.getB()}, properties);
}

template <typename GraphOp, typename OpT>
static Value convertReduction(TosaRewriter &r, OpT op) {
  if constexpr (std::is_same_v<OpT, tosa::ReduceMaxOp> ||
                std::is_same_v<OpT, tosa::ReduceMinOp>)
    r.requirePropagatedNaN(op.getNanMode(), op.getType());
  typename GraphOp::Properties properties;
  properties.axis = r.builder.getDenseI64ArrayAttr({op.getAxis()});
  properties.keepdims = r.builder.getBoolAttr(true);
  return r.create<GraphOp>({op.getInput()}, properties);
}

static Value convertArgMax(TosaRewriter &r, tosa::ArgMaxOp op) {
  r.requirePropagatedNaN(op.getNanMode(), op.getInput().getType());
  graph::ArgMaxOp::Properties properties;
  properties.axis = r.builder.getI64IntegerAttr(op.getAxis());
  Value index = r.create<graph::ArgMaxOp>({op.getInput()}, properties);
  return r.createCast(index, getElementType(op.getOutput()));
}

void uma::populateTosaDataRules(TosaRules &rules) {
  rules.add<tosa::ConstOp>([](TosaRewriter &r, tosa::ConstOp op) {
    return r.createConstant(op.getValues());
  });
  rules.add<tosa::IdentityOp>(
      [](TosaRewriter &, tosa::IdentityOp op) { return op.getInput1(); });
  rules.add<tosa::MatMulOp>(convertMatMul);
  rules.add<tosa::ReduceSumOp>(
      convertReduction<graph::SumOp, tosa::ReduceSumOp>);
  rules.add<tosa::ReduceProductOp>(
      convertReduction<graph::ProdOp, tosa::ReduceProductOp>);
  rules.add<tosa::ReduceMaxOp>(
      convertReduction<graph::MaxOp, tosa::ReduceMaxOp>);
  rules.add<tosa::ReduceMinOp>(
      convertReduction<graph::MinOp, tosa::ReduceMinOp>);
  // The maximum of truth values is true if any is true.
  rules.add<tosa::ReduceAnyOp>(
      convertReduction<graph::MaxOp, tosa::ReduceAnyOp>);
  rules.add<tosa::ReduceAllOp>(
      convertReduction<graph::MinOp, tosa::ReduceAllOp>);
  rules.add<tosa::ArgMaxOp>(convertArgMax);

  rules.refuse<tosa::RescaleOp>(
      "uma.graph has no requantisation with multiplier and shift");
  rules.refuse<tosa::IfOp>("uma.graph has no control flow");
  rules.refuse<tosa::WhileOp>("uma.graph has no control flow");
  StringRef state = "uma.graph has no state";
  rules.refuse<tosa::VariableOp>(state);
  rules.refuse<tosa::VariableReadOp>(state);
  rules.refuse<tosa::VariableWriteOp>(state);
}
