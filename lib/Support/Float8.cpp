//===- Float8.cpp - Floats of 8 bits --------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/Float8.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using llvm::APFloat;

bool uma::isFloat8(Type type) {
  return isa<Float8E4M3FNType, Float8E4M3FNUZType, Float8E5M2Type,
             Float8E5M2FNUZType>(type);
}

static const llvm::fltSemantics &getFloat8Semantics(Type type) {
  return cast<FloatType>(type).getFloatSemantics();
}

double uma::decodeFloat8(uint8_t code, Type type) {
  APFloat value(getFloat8Semantics(type), APInt(8, code));
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

uint8_t uma::encodeFloat8(double value, Type type) {
  const llvm::fltSemantics &semantics = getFloat8Semantics(type);
  APFloat rounded = APFloat(value);
  bool losesInfo;
  rounded.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  if (rounded.isNaN()) // without the payload
    rounded = APFloat::getQNaN(semantics, std::signbit(value));
  return uint8_t(rounded.bitcastToAPInt().getZExtValue());
}

double uma::getLargestFloat8(Type type) {
  return APFloat::getLargest(getFloat8Semantics(type)).convertToDouble();
}
