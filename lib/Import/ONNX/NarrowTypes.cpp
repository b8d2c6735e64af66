//===- NarrowTypes.cpp - Element types that are stored in bytes -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "NarrowTypes.h"

#include "Composition.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

/// Returns the value of a code, exactly.
static double decode(unsigned code, const llvm::fltSemantics &semantics) {
  llvm::APFloat value(
      semantics,
      llvm::APInt(llvm::APFloat::semanticsSizeInBits(semantics), code));
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

Value importer::createFromNarrow(Node &node, Value stored, int32_t type) {
  if (!stored)
    return {};
  if (isNarrowInteger(type)) {
    // The same bytes, but a value that does not stand for narrow ones.
    graph::ReshapeOp::Properties properties;
    properties.newshape =
        node.getBuilder().getDenseI64ArrayAttr(getShape(stored));
    return node.create<graph::ReshapeOp>({stored}, properties);
  }
  const llvm::fltSemantics &semantics = type == kFloat4E2M1
                                            ? llvm::APFloat::Float4E2M1FN()
                                            : llvm::APFloat::Float8E8M0FNU();
  HostTensor table(
      RankedTensorType::get({256}, node.getBuilder().getF32Type()));
  for (unsigned code = 0; code < 256; ++code)
    table.setDouble(code,
                    decode(type == kFloat4E2M1 ? code % 16 : code, semantics));
  graph::TakeOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(0);
  Value indices = node.createCast(stored, node.getBuilder().getI32Type());
  return node.create<graph::TakeOp>({node.createConstant(table), indices},
                                    properties);
}

/// Keeps the low `bits` bits of integers and extends their sign.
static Value wrap(Node &node, Value data, unsigned bits, Type stored) {
  Value value = createWith<graph::BitwiseAndOp>(
      node, node.createCast(data, node.getBuilder().getI32Type()),
      (1 << bits) - 1);
  if (!stored.isUnsignedInteger()) {
    double sign = 1 << (bits - 1);
    value = createWith<graph::BitwiseXorOp>(node, value, sign);
    value = createWith<graph::SubtractOp>(node, value, sign);
  }
  return node.createCast(value, stored);
}

static Value select(Node &node, Value condition, Value yes, Value no) {
  return node.create<graph::WhereOp>({condition, yes, no});
}

/// Rounds f32 to the codes of float4e2m1, ties to even. Numbers are limited to
/// 6; NaN becomes 0 of the opposite sign, as in ml_dtypes.
static Value encodeFloat4(Node &node, Value data, Type stored) {
  // 1 / x tells the sign of 0.
  Value inverse = node.create<graph::DivideOp>(
      {node.createScalar(getElementType(data), 1), data});
  Value isNaN = node.create<graph::IsNaNOp>({data});
  Value sign = node.create<graph::LogicalOrOp>(
      {createWith<graph::LessOp>(node, data, 0),
       createWith<graph::LessOp>(node, inverse, 0)});
  sign = node.create<graph::LogicalXorOp>({sign, isNaN});
  Value size =
      createWith<graph::MinimumOp>(node, node.create<graph::AbsOp>({data}), 6);
  size = select(node, isNaN, node.createScalar(getElementType(data), 0), size);
  // Codes are a half apart below 2, 1 below 4 and 2 above.
  auto round = [&](double scale, double offset) {
    Value scaled = node.create<graph::RoundOp>(
        {createWith<graph::MultiplyOp>(node, size, scale)});
    return createWith<graph::AddOp>(node, scaled, offset);
  };
  Value code = select(node, createWith<graph::LessOp>(node, size, 4),
                      round(1, 2), round(0.5, 4));
  code =
      select(node, createWith<graph::LessOp>(node, size, 2), round(2, 0), code);
  Value negative = createWith<graph::AddOp>(node, code, 8);
  return node.createCast(select(node, sign, negative, code), stored);
}

/// Rounds f32 to the codes of float8e8m0, powers of two: the exponents. Ignores
/// the sign. NaN and infinities become NaN.
static Value encodeExponent(Node &node, Value data, Rounding rounding,
                            Type stored) {
  Value size = node.create<graph::AbsOp>({data});
  Value isFinite = createWith<graph::LessEqualOp>(
      node, size, std::numeric_limits<float>::max());
  // Scale to 1 <= size < 2 and count the exponent; a product by a power of two
  // is exact. Numbers below 2^-126 have the exponent 0.
  Value isSmall = createWith<graph::LessOp>(node, size, std::ldexp(1, -126));
  Value isFraction = createWith<graph::LessOp>(node, size, 1);
  Type number = getElementType(size);
  size = select(node, isFraction,
                createWith<graph::MultiplyOp>(node, size, std::ldexp(1, 126)),
                size);
  Value exponent = select(node, isFraction, node.createScalar(number, 1),
                          node.createScalar(number, 127));
  for (int step : {64, 32, 16, 8, 4, 2, 1}) {
    Value isLarge =
        createWith<graph::GreaterEqualOp>(node, size, std::ldexp(1, step));
    size = select(
        node, isLarge,
        createWith<graph::MultiplyOp>(node, size, std::ldexp(1, -step)), size);
    exponent = select(node, isLarge,
                      createWith<graph::AddOp>(node, exponent, step), exponent);
  }
  exponent = select(node, isSmall, node.createScalar(number, 0), exponent);
  // The fraction of a small number counts from 0, not from 1.
  Value fraction =
      select(node, isSmall, size, createWith<graph::SubtractOp>(node, size, 1));
  Value roundsUp;
  if (rounding.mode == "up") {
    roundsUp = createWith<graph::GreaterOp>(node, fraction, 0);
  } else if (rounding.mode == "nearest") {
    // A half rounds up, but not from the smallest exponent.
    roundsUp = node.create<graph::LogicalOrOp>(
        {createWith<graph::GreaterOp>(node, fraction, 0.5),
         node.create<graph::LogicalAndOp>(
             {createWith<graph::EqualOp>(node, fraction, 0.5),
              createWith<graph::GreaterOp>(node, exponent, 0)})});
  } else if (rounding.mode != "down") {
    (void)node.badInput("attribute 'round_mode' is " + quote(rounding.mode) +
                        "; expected 'up', 'down' or 'nearest'");
    return {};
  }
  if (roundsUp)
    exponent = select(node, roundsUp,
                      createWith<graph::AddOp>(node, exponent, 1), exponent);
  if (rounding.saturates)
    exponent = createWith<graph::MinimumOp>(node, exponent, 254);
  exponent = select(node, isFinite, exponent, node.createScalar(number, 255));
  return node.createCast(exponent, stored);
}

Value importer::createToNarrow(Node &node, Value data, int32_t type,
                               Rounding rounding) {
  if (!data)
    return {};
  auto stored = node.getElementType(type, /*allowsNarrow=*/true);
  if (failed(stored))
    return {};
  Type number = node.getBuilder().getF32Type();
  // Integers of other types are cast to i32 at once.
  if (!isNarrowInteger(type) || !isa<IntegerType>(getElementType(data)))
    data = node.createCast(data, number);
  Value result;
  if (isNarrowInteger(type))
    result = wrap(node, data, getNarrowBits(type), *stored);
  else if (type == kFloat4E2M1)
    result = encodeFloat4(node, data, *stored);
  else
    result = encodeExponent(node, data, rounding, *stored);
  node.markNarrow(result, type);
  return result;
}
