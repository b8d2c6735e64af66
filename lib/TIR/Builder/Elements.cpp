//===- Elements.cpp - Element functions of elementwise operators ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Builder/Elements.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/TIR/IR/TIROps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <cmath>
#include <functional>

using namespace mlir;
using namespace uma;

namespace {
/// Builds one element of the result. No call has two arguments that create
/// operations, since their order of evaluation is unspecified.
struct Element {
  LayerBuilder &b;
  /// Whether integer elements are unsigned; true for i1.
  bool isUnsigned;

  bool isFloat(Value x) { return isa<FloatType>(x.getType()); }
  Value constant(Value like, double value) {
    return b.constant(like.getType(), value);
  }
  template <typename OpT, typename... Operands>
  Value make(Operands... operands) {
    return OpT::create(b.builder, b.loc, operands...);
  }
  /// Builds the operation for the element type and signedness of `x`.
  template <typename FloatOp, typename SignedOp, typename UnsignedOp = SignedOp,
            typename... Operands>
  Value pick(Value x, Operands... operands) {
    if (isFloat(x))
      return make<FloatOp>(x, operands...);
    return isUnsigned ? make<UnsignedOp>(x, operands...)
                      : make<SignedOp>(x, operands...);
  }
  Value select(Value condition, Value yes, Value no) {
    return make<arith::SelectOp>(condition, yes, no);
  }
  Value isLess(Value x, Value y) { return b.lessThan(x, y, isUnsigned); }
  Value isZero(Value x) {
    return make<arith::CmpIOp>(arith::CmpIPredicate::eq, x, constant(x, 0));
  }
  Value negate(Value x) {
    if (isFloat(x))
      return make<arith::NegFOp>(x);
    return make<arith::SubIOp>(constant(x, 0), x);
  }

  //===--------------------------------------------------------------------===//
  // Arithmetic
  //===--------------------------------------------------------------------===//

  /// Divides integers by `fn`, avoiding divisors for which C leaves the result
  /// undefined: 0 is replaced by 1, and the result for -1, with which the
  /// smallest number overflows, is `ifMinusOne`.
  template <typename Fn>
  Value dividing(Value x, Value y, Value ifMinusOne, Fn fn) {
    Value one = constant(y, 1);
    Value divisor = select(isZero(y), one, y);
    if (isUnsigned)
      return fn(x, divisor);
    Value isMinusOne =
        make<arith::CmpIOp>(arith::CmpIPredicate::eq, y, constant(y, -1));
    return select(isMinusOne, ifMinusOne,
                  fn(x, select(isMinusOne, one, divisor)));
  }
  Value divide(Value x, Value y) {
    if (isFloat(x))
      return make<arith::DivFOp>(x, y);
    return dividing(x, y, negate(x), [&](Value x, Value y) {
      return isUnsigned ? make<arith::DivUIOp>(x, y)
                        : make<arith::DivSIOp>(x, y);
    });
  }
  Value mod(Value x, Value y) {
    if (isFloat(x))
      return make<arith::RemFOp>(x, y);
    return dividing(x, y, constant(x, 0), [&](Value x, Value y) {
      return isUnsigned ? make<arith::RemUIOp>(x, y)
                        : make<arith::RemSIOp>(x, y);
    });
  }
  Value floorMod(Value x, Value y) {
    Value remainder = mod(x, y);
    if (isUnsigned)
      return remainder;
    Value zero = constant(x, 0);
    Value isNegative = isLess(remainder, zero), isBelow = isLess(y, zero);
    Value differ =
        make<arith::CmpIOp>(arith::CmpIPredicate::ne, isNegative, isBelow);
    Value isWhole = isFloat(x) ? make<arith::CmpFOp>(arith::CmpFPredicate::OEQ,
                                                     remainder, zero)
                               : isZero(remainder);
    Value shifted = select(differ, b.add(remainder, y), remainder);
    return select(isWhole, remainder, shifted);
  }
  /// Returns x to the power of y. Constant exponents such as 2 and 3 become
  /// products, as <math.h> cannot specialise for them.
  Value floatPower(Value x, Value y) {
    FloatAttr exponent;
    if (matchPattern(y, m_Constant(&exponent))) {
      double value = exponent.getValueAsDouble();
      if (value == 1)
        return x;
      if (value == 2)
        return b.mul(x, x);
      if (value == 3)
        return b.mul(b.mul(x, x), x);
    }
    return make<math::PowFOp>(x, y);
  }
  Value power(Value x, Value y) {
    if (isFloat(x))
      return floatPower(x, y);
    // The low bits of the result do not depend on the width.
    Type type = x.getType(), wide = b.builder.getI64Type();
    Value base = b.convert(x, wide, isUnsigned);
    Value exponent = b.convert(y, wide, isUnsigned);
    if (isUnsigned && type == wide) {
      // ipowi treats its exponent as signed. For exponents from 2^62 on, powers
      // of odd numbers repeat and those of even numbers are 0.
      Value low = make<arith::AndIOp>(
          exponent, make<arith::ConstantOp>(b.builder.getI64IntegerAttr(
                        std::numeric_limits<int64_t>::max())));
      Value same = make<arith::OrIOp>(
          low, make<arith::ConstantOp>(
                   b.builder.getI64IntegerAttr(int64_t(1) << 62)));
      exponent =
          select(b.lessThan(exponent, constant(exponent, 0)), same, exponent);
    }
    return b.convert(make<math::IPowIOp>(base, exponent), type);
  }
  Value absolute(Value x) {
    if (isFloat(x))
      return make<math::AbsFOp>(x);
    return isUnsigned ? x : make<math::AbsIOp>(x);
  }
  Value sign(Value x) {
    Value zero = constant(x, 0), one = constant(x, 1);
    Value minusOne = constant(x, isUnsigned ? 1 : -1);
    // Zeros and NaN are returned unchanged.
    Value positive = select(isLess(zero, x), one, x);
    return isUnsigned ? positive : select(isLess(x, zero), minusOne, positive);
  }

  //===--------------------------------------------------------------------===//
  // Bits
  //===--------------------------------------------------------------------===//

  Value complement(Value x) {
    return make<arith::XOrIOp>(x,
                               constant(x, x.getType().isInteger(1) ? 1 : -1));
  }
  /// Returns `x` shifted by `amount` if that is less than the width, as C
  /// requires, and `otherwise` if not.
  template <typename ShiftOp>
  Value shift(Value x, Value amount, Value otherwise) {
    unsigned width = x.getType().getIntOrFloatBitWidth();
    Value inside = make<arith::CmpIOp>(arith::CmpIPredicate::ult, amount,
                                       constant(x, width));
    Value defined = select(inside, amount, constant(x, 0));
    return select(inside, make<ShiftOp>(x, defined), otherwise);
  }
  Value shiftRight(Value x, Value amount) {
    if (isUnsigned)
      return shift<arith::ShRUIOp>(x, amount, constant(x, 0));
    Value zero = constant(x, 0), ones = constant(x, -1);
    Value sign = select(isLess(x, zero), ones, zero);
    return shift<arith::ShRSIOp>(x, amount, sign);
  }

  /// Compares x and y with the predicate for their type: float, signed or
  /// unsigned integer.
  Value compare(Value x, Value y, arith::CmpFPredicate ifFloat,
                arith::CmpIPredicate ifSigned,
                arith::CmpIPredicate ifUnsigned) {
    if (isFloat(x))
      return make<arith::CmpFOp>(ifFloat, x, y);
    return make<arith::CmpIOp>(isUnsigned ? ifUnsigned : ifSigned, x, y);
  }

  //===--------------------------------------------------------------------===//
  // Activations
  //===--------------------------------------------------------------------===//

  Value relu(Value x) {
    if (isUnsigned) // C compilers warn about x < 0
      return x;
    // NaN is not less than 0 and stays, as in ONNX.
    Value zero = constant(x, 0);
    return select(isLess(x, zero), zero, x);
  }
  /// Returns x < 0 ? slope * x : x.
  Value leak(Value x, Value slope) {
    if (isUnsigned)
      return x;
    Value isNegative = isLess(x, constant(x, 0));
    return select(isNegative, b.mul(slope, x), x);
  }
  Value sigmoid(Value x) {
    Value one = constant(x, 1);
    return make<arith::DivFOp>(one, b.add(one, make<math::ExpOp>(negate(x))));
  }
  Value softplus(Value x) {
    Value small = make<math::ExpOp>(negate(absolute(x)));
    Value rest = make<math::Log1pOp>(small);
    return b.add(make<arith::MaximumFOp>(x, constant(x, 0)), rest);
  }
  Value silu(Value x) { return b.mul(x, sigmoid(x)); }
  Value hardSwish(Value x) {
    Value slope = b.mul(x, constant(x, 1.0 / 6));
    Value line = b.add(slope, constant(x, 0.5));
    Value atLeast = make<arith::MaximumFOp>(line, constant(x, 0));
    return b.mul(x, make<arith::MinimumFOp>(atLeast, constant(x, 1)));
  }
  Value gelu(Value x, bool approximate) {
    Value inner;
    if (approximate) {
      Value cube = b.mul(b.mul(x, x), x);
      Value sum = b.add(x, b.mul(cube, constant(x, 0.044715)));
      inner = make<math::TanhOp>(b.mul(sum, constant(x, 0.7978845608028654)));
    } else {
      inner = make<math::ErfOp>(b.mul(x, constant(x, 0.7071067811865476)));
    }
    Value half = b.mul(x, constant(x, 0.5));
    return b.mul(half, b.add(inner, constant(x, 1)));
  }
};

/// Registers the element functions of operators.
struct Registrar {
  ElementFunctions &functions;

  /// Registers `fn(element, op, values)`, which returns a result element for
  /// the elements of the operands.
  template <typename OpT, typename Fn>
  void addWithOp(Fn fn) {
    functions[OpT::getOperationName()] = [fn](LayerBuilder &b, Operation *op,
                                              ValueRange values,
                                              bool isUnsigned) -> Value {
      Element element{b, isUnsigned};
      return fn(element, cast<OpT>(op), values);
    };
  }
  template <typename OpT, typename Fn>
  void add(Fn fn) {
    addWithOp<OpT>([fn](Element &element, OpT, ValueRange x) {
      if constexpr (std::is_invocable_v<Fn, Element &, Value>)
        return std::invoke(fn, element, x[0]);
      else
        return std::invoke(fn, element, x[0], x[1]);
    });
  }
  /// Registers a unary float operator that maps to one operation.
  template <typename OpT, typename FloatOp>
  void add() {
    add<OpT>([](Element &e, Value x) { return e.make<FloatOp>(x); });
  }
  /// Registers a binary integer operator that maps to one operation.
  template <typename OpT, typename IntegerOp>
  void addIntegers() {
    add<OpT>(
        [](Element &e, Value x, Value y) { return e.make<IntegerOp>(x, y); });
  }
  template <typename OpT>
  void addComparison(arith::CmpFPredicate ifFloat,
                     arith::CmpIPredicate ifSigned,
                     arith::CmpIPredicate ifUnsigned) {
    add<OpT>([=](Element &e, Value x, Value y) {
      return e.compare(x, y, ifFloat, ifSigned, ifUnsigned);
    });
  }
};
} // namespace

static Value makeSelect(LayerBuilder &b, Value condition, Value yes, Value no) {
  return arith::SelectOp::create(b.builder, b.loc, condition, yes, no);
}

/// Returns a bound of a clip as a constant of the data's type. Returns null if
/// no element can exceed it, since C compilers warn about comparisons that are
/// always false.
static Value getClipBound(LayerBuilder &b, Type type, const APFloat &bound,
                          bool isUnsigned, bool isLow) {
  if (isa<FloatType>(type)) {
    if (bound.isInfinity() && bound.isNegative() == isLow)
      return nullptr;
    return b.constant(type, bound.convertToDouble());
  }
  // Numbers beyond an integer's range saturate.
  unsigned width = type.getIntOrFloatBitWidth();
  APSInt value(width, isUnsigned);
  bool isExact;
  bound.convertToInteger(value, APFloat::rmTowardZero, &isExact);
  if (value == (isLow ? APSInt::getMinValue(width, isUnsigned)
                      : APSInt::getMaxValue(width, isUnsigned)))
    return nullptr;
  return arith::ConstantOp::create(b.builder, b.loc,
                                   b.builder.getIntegerAttr(type, value));
}

static Value clip(LayerBuilder &b, graph::ClipOp op, Value y, bool isUnsigned) {
  Type type = y.getType();
  Value low = getClipBound(b, type, op.getAMin(), isUnsigned, /*isLow=*/true);
  Value high = getClipBound(b, type, op.getAMax(), isUnsigned, /*isLow=*/false);
  // Vectors have minima and maxima of signed integers.
  bool isSigned = isa<IntegerType>(type) && !isUnsigned;
  if (low && isSigned)
    y = arith::MaxSIOp::create(b.builder, b.loc, y, low);
  else if (low)
    y = makeSelect(b, b.lessThan(y, low, isUnsigned), low, y);
  if (high && isSigned)
    y = arith::MinSIOp::create(b.builder, b.loc, y, high);
  else if (high)
    y = makeSelect(b, b.lessThan(high, y, isUnsigned), high, y);
  return y;
}

static ElementFunctions makeElementFunctions() {
  ElementFunctions functions;
  using namespace graph;
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  using E = Element;
  Registrar table{functions};
  // clang-format off
  table.add<AddOp>([](E &e, Value x, Value y) { return e.b.add(x, y); });
  table.add<SubtractOp>([](E &e, Value x, Value y) { return e.pick<arith::SubFOp, arith::SubIOp>(x, y); });
  table.add<MultiplyOp>([](E &e, Value x, Value y) { return e.b.mul(x, y); });
  table.add<DivideOp>(&E::divide);
  table.add<ModOp>(&E::mod);
  table.add<FloorModOp>(&E::floorMod);
  table.add<PowerOp>(&E::power);
  table.add<MaximumOp>([](E &e, Value x, Value y) { return e.pick<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(x, y); });
  table.add<MinimumOp>([](E &e, Value x, Value y) { return e.pick<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>(x, y); });
  table.add<AbsOp>(&E::absolute);
  table.add<NegativeOp>(&E::negate);
  table.add<SignOp>(&E::sign);
  table.add<CeilOp, math::CeilOp>();
  table.add<FloorOp, math::FloorOp>();
  table.add<RoundOp, math::RoundEvenOp>();
  table.add<ExpOp, math::ExpOp>();
  table.add<LogOp, math::LogOp>();
  table.add<SqrtOp, math::SqrtOp>();
  table.add<ErfOp, math::ErfOp>();
  table.add<SinOp, math::SinOp>();
  table.add<CosOp, math::CosOp>();
  table.add<TanOp, math::TanOp>();
  table.add<AsinOp, math::AsinOp>();
  table.add<AcosOp, math::AcosOp>();
  table.add<AtanOp, math::AtanOp>();
  table.add<SinhOp, math::SinhOp>();
  table.add<CoshOp, math::CoshOp>();
  table.add<TanhOp, math::TanhOp>();
  table.add<AsinhOp, math::AsinhOp>();
  table.add<AcoshOp, math::AcoshOp>();
  table.add<AtanhOp, math::AtanhOp>();
  table.addComparison<EqualOp>(F::OEQ, I::eq, I::eq);
  table.addComparison<NotEqualOp>(F::UNE, I::ne, I::ne);
  table.addComparison<GreaterOp>(F::OGT, I::sgt, I::ugt);
  table.addComparison<GreaterEqualOp>(F::OGE, I::sge, I::uge);
  table.addComparison<LessOp>(F::OLT, I::slt, I::ult);
  table.addComparison<LessEqualOp>(F::OLE, I::sle, I::ule);
  table.add<IsNaNOp, math::IsNaNOp>();
  table.add<IsInfOp>([](E &e, Value x) { return e.make<arith::CmpFOp>(F::OEQ, e.absolute(x), e.constant(x, HUGE_VAL)); });
  table.addIntegers<LogicalAndOp, arith::AndIOp>();
  table.addIntegers<LogicalOrOp, arith::OrIOp>();
  table.addIntegers<LogicalXorOp, arith::XOrIOp>();
  table.add<LogicalNotOp>(&E::complement);
  table.addIntegers<BitwiseAndOp, arith::AndIOp>();
  table.addIntegers<BitwiseOrOp, arith::OrIOp>();
  table.addIntegers<BitwiseXorOp, arith::XOrIOp>();
  table.add<BitwiseNotOp>(&E::complement);
  table.add<LeftShiftOp>([](E &e, Value x, Value y) { return e.shift<arith::ShLIOp>(x, y, e.constant(x, 0)); });
  table.add<RightShiftOp>(&E::shiftRight);
  table.add<ReluOp>(&E::relu);
  table.add<SigmoidOp>(&E::sigmoid);
  table.add<SoftplusOp>(&E::softplus);
  table.add<SiluOp>(&E::silu);
  table.add<HardSwishOp>(&E::hardSwish);
  table.addWithOp<GeluOp>([](E &e, GeluOp op, ValueRange x) { return e.gelu(x[0], op.getApproximate()); });
  table.addWithOp<LeakyReluOp>([](E &e, LeakyReluOp op, ValueRange x) { return e.leak(x[0], e.constant(x[0], op.getAlpha().convertToDouble())); });
  table.add<PReluOp>(&E::leak);
  table.addWithOp<WhereOp>([](E &e, WhereOp, ValueRange x) { return e.select(x[0], x[1], x[2]); });
  table.addWithOp<FixedPointMultiplyOp>([](E &e, FixedPointMultiplyOp, ValueRange x) { return e.make<tir::FixedPointMultiplyOp>(x[0].getType(), x[0], x[1], x[2]); });
  table.addWithOp<ClipOp>([](E &e, ClipOp op, ValueRange x) { return clip(e.b, op, x[0], e.isUnsigned); });
  // clang-format on
  return functions;
}

const ElementFunctions &uma::getElementFunctions() {
  static const ElementFunctions functions = makeElementFunctions();
  return functions;
}
