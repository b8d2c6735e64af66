//===- RecurrentMath.cpp - Functions of recurrent layers ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Builder/RecurrentMath.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <utility>

using namespace mlir;
using namespace uma;
using graph::RecurrentActivation;

Value FloatMath::affine(double alpha, Value x, double beta) {
  Value product = b.mul(constant(alpha), x);
  return b.add(product, constant(beta));
}

Value FloatMath::clamp(Value x, double low, double high) {
  Value min = constant(low), max = constant(high);
  x = select(b.lessThan(x, min), min, x);
  return select(b.lessThan(max, x), max, x);
}

Value FloatMath::clip(Value x, std::optional<APFloat> limit) {
  if (!limit)
    return x;
  return clamp(x, -limit->convertToDouble(), limit->convertToDouble());
}

Value FloatMath::activate(const RecurrentActivation &function, Value x,
                          std::optional<APFloat> limit) {
  OpBuilder &builder = b.builder;
  Location loc = b.loc;
  x = clip(x, std::move(limit));
  double alpha = function.alpha, beta = function.beta;
  Value zero = constant(0.0), one = constant(1.0);
  using Kind = RecurrentActivation::Kind;
  switch (function.kind) {
  case Kind::Affine:
    return affine(alpha, x, beta);
  case Kind::Elu: {
    Value power = math::ExpM1Op::create(builder, loc, x);
    Value curve = b.mul(power, constant(alpha));
    return select(b.lessThan(x, zero), curve, x);
  }
  case Kind::HardSigmoid:
    return clamp(affine(alpha, x, beta), 0.0, 1.0);
  case Kind::LeakyRelu: {
    Value scaled = b.mul(x, constant(alpha));
    return select(b.lessThan(x, zero), scaled, x);
  }
  case Kind::Relu:
    return select(b.lessThan(x, zero), zero, x);
  case Kind::ScaledTanh: {
    Value scaled = b.mul(x, constant(beta));
    Value curve = math::TanhOp::create(builder, loc, scaled);
    return b.mul(curve, constant(alpha));
  }
  case Kind::Sigmoid: {
    Value power = math::ExpOp::create(builder, loc, sub(zero, x));
    return div(one, b.add(one, power));
  }
  case Kind::Softplus: {
    // max(x, 0) + log(1 + exp(-|x|)): the exponential cannot overflow.
    Value size = math::AbsFOp::create(builder, loc, x);
    Value decay = math::ExpOp::create(builder, loc, sub(zero, size));
    Value log = math::Log1pOp::create(builder, loc, decay);
    return b.add(select(b.lessThan(x, zero), zero, x), log);
  }
  case Kind::Softsign: {
    Value size = math::AbsFOp::create(builder, loc, x);
    return div(x, b.add(one, size));
  }
  case Kind::Tanh:
    return math::TanhOp::create(builder, loc, x);
  case Kind::ThresholdedRelu: {
    Value isAbove = b.lessThan(constant(alpha), x);
    return select(isAbove, x, zero);
  }
  }
  llvm_unreachable("every kind of function is above");
}
