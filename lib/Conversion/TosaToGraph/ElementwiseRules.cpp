//===- ElementwiseRules.cpp - TOSA's elementwise operators ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace uma;

static Value convertMul(TosaRewriter &r, tosa::MulOp op) {
  if (std::optional<double> shift = r.getScalar(op.getShift());
      !shift || *shift != 0)
    return r.fail("its operand 'shift' is not a constant 0; uma.graph has no "
                  "multiplication that rounds and shifts");
  // The result of narrow integers is wider than the operands.
  Type type = getElementType(op.getOutput());
  Value lhs = r.createCast(op.getInput1(), type);
  Value rhs = r.createCast(op.getInput2(), type);
  return r.create<graph::MultiplyOp>({lhs, rhs});
}

template <typename GraphOp, typename OpT>
static Value convertExtremum(TosaRewriter &r, OpT op) {
  r.requirePropagatedNaN(op.getNanMode(), op.getType());
  return r.create<GraphOp>(op->getOperands());
}

static Value convertNegate(TosaRewriter &r, tosa::NegateOp op) {
  r.requireZero(
      {{"input1_zp", op.getInput1Zp()}, {"output_zp", op.getOutputZp()}});
  return r.create<graph::NegativeOp>({op.getInput1()});
}

static Value createReciprocal(TosaRewriter &r, Value x) {
  if (!x)
    return {};
  Value one = r.createScalar(getElementType(x), 1);
  return r.create<graph::DivideOp>({one, x});
}

static Value convertArithmeticShift(TosaRewriter &r,
                                    tosa::ArithmeticRightShiftOp op) {
  if (op.getRound())
    return r.fail("it rounds; uma.graph.right_shift does not");
  return r.create<graph::RightShiftOp>(op->getOperands());
}

static Value convertLogicalShift(TosaRewriter &r,
                                 tosa::LogicalRightShiftOp op) {
  Type type = getElementType(op.getOutput());
  if (!isa<IntegerType>(type))
    return r.fail("its operands are no integers");
  // The operator shifts copies of the sign in, so clear those bits.
  Value width = r.createScalar(type, type.getIntOrFloatBitWidth());
  Value ones = r.createScalar(type, -1);
  Value rest = r.create<graph::SubtractOp>({width, op.getInput2()});
  Value signs = r.create<graph::LeftShiftOp>({ones, rest});
  Value kept = r.create<graph::BitwiseNotOp>({signs});
  Value shifted = r.create<graph::RightShiftOp>(op->getOperands());
  return r.create<graph::BitwiseAndOp>({shifted, kept});
}

/// Returns true if the bound is infinite or the largest number of its type.
static bool isLargest(Attribute bound) {
  if (auto number = dyn_cast<FloatAttr>(bound))
    return !number.getValue().isNegative() &&
           (number.getValue().isInfinity() || number.getValue().isLargest());
  auto number = dyn_cast<IntegerAttr>(bound);
  return number && number.getValue().isMaxSignedValue();
}

static bool isZero(Attribute bound) {
  if (auto number = dyn_cast<FloatAttr>(bound))
    return number.getValue().isZero();
  auto number = dyn_cast<IntegerAttr>(bound);
  return number && number.getValue().isZero();
}

static Value convertClamp(TosaRewriter &r, tosa::ClampOp op) {
  r.requirePropagatedNaN(op.getNanMode(), op.getType());
  if (isZero(op.getMinVal()) && isLargest(op.getMaxVal()))
    return r.create<graph::ReluOp>({op.getInput()});
  auto getBound = [&](Attribute bound) {
    if (auto number = dyn_cast<FloatAttr>(bound))
      return number.getValueAsDouble();
    auto number = cast<IntegerAttr>(bound);
    if (number.getValue().getSignificantBits() > 53)
      r.fail("its bound " + Twine(number.getValue().getSExtValue()) +
             " has more bits than bounds of uma.graph.clip hold exactly");
    return double(number.getValue().getSExtValue());
  };
  graph::ClipOp::Properties properties;
  properties.a_min = r.builder.getF64FloatAttr(getBound(op.getMinVal()));
  properties.a_max = r.builder.getF64FloatAttr(getBound(op.getMaxVal()));
  return r.create<graph::ClipOp>({op.getInput()}, properties);
}

static Value convertCast(TosaRewriter &r, tosa::CastOp op) {
  Value data = op.getInput();
  Type to = getElementType(op.getOutput());
  // TOSA rounds to the nearest integer, whereas the cast rounds towards zero.
  if (isa<FloatType>(getElementType(data)) && isa<IntegerType>(to) &&
      !to.isInteger(1))
    data = r.create<graph::RoundOp>({data});
  return r.createCast(data, to);
}

void uma::populateTosaElementwiseRules(TosaRules &rules) {
  rules.add<tosa::AddOp, graph::AddOp>();
  rules.add<tosa::SubOp, graph::SubtractOp>();
  rules.add<tosa::MulOp>(convertMul);
  rules.add<tosa::IntDivOp, graph::DivideOp>();
  rules.add<tosa::PowOp, graph::PowerOp>();
  rules.add<tosa::MaximumOp>(
      convertExtremum<graph::MaximumOp, tosa::MaximumOp>);
  rules.add<tosa::MinimumOp>(
      convertExtremum<graph::MinimumOp, tosa::MinimumOp>);
  rules.add<tosa::NegateOp>(convertNegate);
  rules.add<tosa::ReciprocalOp>([](TosaRewriter &r, tosa::ReciprocalOp op) {
    return createReciprocal(r, op.getInput1());
  });
  rules.add<tosa::RsqrtOp>([](TosaRewriter &r, tosa::RsqrtOp op) {
    return createReciprocal(r, r.create<graph::SqrtOp>({op.getInput1()}));
  });

  rules.add<tosa::AbsOp, graph::AbsOp>();
  rules.add<tosa::CeilOp, graph::CeilOp>();
  rules.add<tosa::CosOp, graph::CosOp>();
  rules.add<tosa::ErfOp, graph::ErfOp>();
  rules.add<tosa::ExpOp, graph::ExpOp>();
  rules.add<tosa::FloorOp, graph::FloorOp>();
  rules.add<tosa::LogOp, graph::LogOp>();
  rules.add<tosa::SigmoidOp, graph::SigmoidOp>();
  rules.add<tosa::SinOp, graph::SinOp>();
  rules.add<tosa::TanhOp, graph::TanhOp>();
  rules.add<tosa::ClampOp>(convertClamp);
  rules.add<tosa::CastOp>(convertCast);

  rules.add<tosa::EqualOp, graph::EqualOp>();
  rules.add<tosa::GreaterOp, graph::GreaterOp>();
  rules.add<tosa::GreaterEqualOp, graph::GreaterEqualOp>();
  rules.add<tosa::SelectOp, graph::WhereOp>();
  rules.add<tosa::LogicalAndOp, graph::LogicalAndOp>();
  rules.add<tosa::LogicalOrOp, graph::LogicalOrOp>();
  rules.add<tosa::LogicalXorOp, graph::LogicalXorOp>();
  rules.add<tosa::LogicalNotOp, graph::LogicalNotOp>();
  rules.add<tosa::BitwiseAndOp, graph::BitwiseAndOp>();
  rules.add<tosa::BitwiseOrOp, graph::BitwiseOrOp>();
  rules.add<tosa::BitwiseXorOp, graph::BitwiseXorOp>();
  rules.add<tosa::BitwiseNotOp, graph::BitwiseNotOp>();
  rules.add<tosa::LogicalLeftShiftOp, graph::LeftShiftOp>();
  rules.add<tosa::LogicalRightShiftOp>(convertLogicalShift);
  rules.add<tosa::ArithmeticRightShiftOp>(convertArithmeticShift);
}
