//===- FixedPointWide.cpp - Functions of 16-bit integers ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The kernels interpolate between the entries of small tables.
//
//===----------------------------------------------------------------------===//

#include "FixedPoint.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::tflite;

namespace {
/// Operators on i32 with scalars.
struct Integers {
  Node &node;

  Value scalar(int64_t number) {
    return node.createScalar(node.getBuilder().getI32Type(), double(number));
  }
  Value add(Value data, int64_t number) {
    return node.create<graph::AddOp>({data, scalar(number)});
  }
  Value multiply(Value data, int64_t number) {
    return node.create<graph::MultiplyOp>({data, scalar(number)});
  }
  Value shiftRight(Value data, int64_t bits) {
    return node.create<graph::RightShiftOp>({data, scalar(bits)});
  }
  /// Returns the `bits` low bits.
  Value getLowBits(Value data, int64_t bits) {
    return node.create<graph::BitwiseAndOp>(
        {data, scalar((int64_t(1) << bits) - 1)});
  }
};

/// A piecewise linear function: numbers at equal distances, and the distance of
/// each one to the next one.
struct Table {
  HostTensor bases, slopes;

  Table(MLIRContext *context, int64_t size)
      : bases(RankedTensorType::get({size}, IntegerType::get(context, 32))),
        slopes(bases) {}
};
} // namespace

/// Returns the entry of each index and its fraction: `base + slope * fraction`
/// without rounding, where slopes are multiplied by `fraction`, and the product
/// alone.
static std::pair<Value, Value> lookUpLine(Node &node, const Table &table,
                                          Value index, Value fraction) {
  return {lookUp(node, index, 0, table.bases),
          node.create<graph::MultiplyOp>(
              {lookUp(node, index, 0, table.slopes), fraction})};
}

//===----------------------------------------------------------------------===//
// LOGISTIC, TANH
//===----------------------------------------------------------------------===//

/// Returns the entry of the kernels' table for `sigmoid(index / 24)` in 16
/// bits: half of the error of an interpolation to the next entry is subtracted.
static int64_t getSigmoidEntry(int64_t index) {
  constexpr int64_t kLast = 255;
  if (index == kLast)
    return std::numeric_limits<uint16_t>::max();
  auto sigmoid = [&](double distance) {
    return 65536 / (1 + std::exp(-(double(index) + distance) / 24));
  };
  double error = (sigmoid(0) + sigmoid(1)) / 2 - sigmoid(0.5);
  return int64_t(std::round(sigmoid(0) - error / 2));
}

/// Returns the table of a sigmoid, shifted to the left by `bits`. The last
/// entry is `last`, for all larger numbers.
static Table makeSigmoidTable(MLIRContext *context, int64_t bits,
                              int64_t last) {
  constexpr int64_t kSize = 256;
  Table table(context, kSize);
  for (int64_t i = 0; i + 1 < kSize; ++i) {
    table.bases.setInt(i, getSigmoidEntry(i) << bits);
    table.slopes.setInt(i, getSigmoidEntry(i + 1) - getSigmoidEntry(i));
  }
  table.bases.setInt(kSize - 1, last);
  table.slopes.setInt(kSize - 1, 0);
  return table;
}

/// Returns the steps of the operand with the scale 1 / (3 * 2^12), as the
/// tables need them. Scales from 2^-12 to 2^`exponent - 12` that are powers of
/// two need no rounding. Returns null for scales that the kernels refuse.
static Value scaleForSigmoid(Node &node, int64_t exponent) {
  Integers integers{node};
  float scale = float(getQuantization(node.getStored(0)).scales.front());
  double multiplier = double(scale) * 4096 * 3;
  int64_t shift = 0;
  std::optional<int64_t> power = getExponent(scale);
  if (power && *power >= -12 && *power <= exponent - 12)
    multiplier = double(3 << (*power + 12));
  else
    for (; multiplier <= 32767.0 / 2 && shift <= 30; ++shift)
      multiplier *= 2;
  if (multiplier > 32767)
    return {};
  Value data = integers.multiply(getSteps(node, 0), int64_t(multiplier));
  if (shift == 0)
    return data;
  // More bits leave 0 or -1, as with 31.
  return integers.shiftRight(integers.add(data, int64_t(1) << (shift - 1)),
                             shift);
}

/// Looks up a function by the magnitude of `data`, whose index is followed by
/// `bits` bits of a fraction. `last` is its value beyond the table. `positive`
/// or `negative` is added, and `drop` bits are rounded away.
static Value lookUpSigmoid(Node &node, Value data, int64_t bits, int64_t last,
                           int64_t positive, int64_t negative, int64_t drop) {
  if (!data)
    return {};
  Integers integers{node};
  Value magnitude = node.create<graph::AbsOp>({data});
  Value index = node.create<graph::MinimumOp>(
      {integers.shiftRight(magnitude, bits), integers.scalar(255)});
  auto [base, rest] =
      lookUpLine(node, makeSigmoidTable(node.getContext(), bits, last), index,
                 integers.getLowBits(magnitude, bits));
  Value sum = node.create<graph::AddOp>({base, rest});
  Value half = integers.scalar(int64_t(1) << (drop - 1));
  Value above = integers.add(sum, positive);
  Value below = integers.add(integers.multiply(sum, -1), negative - 1);
  Value isNegative = node.create<graph::LessOp>({data, integers.scalar(0)});
  Value result = node.create<graph::AddOp>(
      {node.create<graph::WhereOp>({isNegative, below, above}), half});
  return integers.shiftRight(result, drop);
}

Value tflite::createLogisticSteps(Node &node, Value data) {
  return lookUpSigmoid(node, data, /*bits=*/9, /*last=*/0x7fff << 10,
                       /*positive=*/0, /*negative=*/1 << 25, /*drop=*/10);
}

Value tflite::createTanhSteps(Node &node, Value data) {
  // 2 * sigmoid(2 * x) - 1.
  return lookUpSigmoid(node, data, /*bits=*/8, /*last=*/0xffff << 8,
                       /*positive=*/-(1 << 23), /*negative=*/1 << 23,
                       /*drop=*/8);
}

/// Applies a function to the operand; see scaleForSigmoid() for `exponent`.
static Value createSigmoid(Node &node, int64_t exponent,
                           Value (*function)(Node &, Value)) {
  RankedTensorType type = getFixedPointType(node, 1, /*takesWide=*/true);
  if (!type || !isWide(type.getElementType()))
    return {};
  Quantization to = Quantization::of(type.getElementType());
  if (getExponent(float(to.scales.front())) != -15)
    return {};
  return storeSteps(node, function(node, scaleForSigmoid(node, exponent)),
                    type.getElementType(), {to.min, to.max});
}

Value tflite::createWideLogistic(Node &node) {
  return createSigmoid(node, /*exponent=*/0, createLogisticSteps);
}

Value tflite::createWideTanh(Node &node) {
  return createSigmoid(node, /*exponent=*/1, createTanhSteps);
}

//===----------------------------------------------------------------------===//
// SOFTMAX
//===----------------------------------------------------------------------===//

/// Returns the table of a function over [`low`, `high`] in 512 pieces, whose
/// values have 15 bits. The kernel moves entries by half of the error in the
/// middle of a piece.
static Table makeTable(MLIRContext *context, float low, float high,
                       float (*function)(float)) {
  constexpr int64_t kPieces = 512;
  constexpr float kMin = -32768, kMax = 32767;
  float step = (high - low) / kPieces, halfStep = step / 2;
  float outScale = 2.0f / 65535;
  float inverse = 65536.0f / (outScale * kMax - outScale * kMin);
  SmallVector<int64_t> entries;
  for (int64_t i = 0; i < kPieces; ++i) {
    float at = low + float(i) * step;
    float value = std::round(function(at) * inverse);
    float next = function(low + float(i + 1) * step) * inverse;
    float middle = std::round(function(at + halfStep) * inverse);
    float error = std::round((next + value) / 2) - middle;
    entries.push_back(
        int64_t(std::clamp(value - std::round(error / 2), kMin, kMax)));
  }
  entries.push_back(
      int64_t(std::clamp(std::round(function(high) * inverse), kMin, kMax)));
  Table table(context, kPieces);
  for (int64_t i = 0; i < kPieces; ++i) {
    table.bases.setInt(i, entries[i]);
    table.slopes.setInt(i, entries[i + 1] - entries[i]);
  }
  return table;
}

/// Looks up numbers, limited to 16 bits, of which the 9 high ones are the index
/// of a piece.
static Value lookUpPiece(Node &node, const Table &table, Value data) {
  if (!data)
    return {};
  Integers integers{node};
  constexpr int64_t kBits = 7;
  data = integers.add(node.createClip(data, -32768, 32767), 32768);
  auto [base, rest] = lookUpLine(node, table, integers.shiftRight(data, kBits),
                                 integers.getLowBits(data, kBits));
  return node.create<graph::AddOp>(
      {base, integers.shiftRight(integers.add(rest, 1 << (kBits - 1)), kBits)});
}

Value tflite::createWideSoftmax(Node &node, float beta) {
  RankedTensorType type = getFixedPointType(node, 1, /*takesWide=*/true);
  if (!type || !isWide(type.getElementType()) || type.getShape().empty() ||
      type.getShape().back() >= 1 << 16)
    return {};
  Quantization from = getQuantization(node.getStored(0));
  Quantization to = Quantization::of(type.getElementType());
  constexpr double kScale = 1.0 / 32768;
  double factor = from.scales.front() * double(beta) / (10.0 / 65535.0);
  if (std::abs(to.scales.front() - kScale) > 0.001 * kScale || !(factor > 0))
    return {};
  Integers integers{node};
  MLIRContext *context = node.getContext();
  Value data = getSteps(node, 0);
  if (!data)
    return {};
  Value distances = node.create<graph::SubtractOp>(
      {data, node.createReduction<graph::MaxOp>(data, {-1}, true)});
  constexpr float kRange = 10.0f / 65535;
  Value exponentials = lookUpPiece(
      node,
      makeTable(context, kRange * -65535, kRange * 0,
                [](float value) { return std::exp(value); }),
      integers.add(createFixedPointMultiply(node, distances,
                                            FixedPointFactor::of(factor)),
                   32767));
  Value sums = node.createReduction<graph::SumOp>(exponentials, {-1}, true);
  Value zeros = countLeadingZeros(node, sums);
  // The sum in [1, 2), with 16 bits behind the point.
  Value mantissa =
      node.create<graph::LeftShiftOp>({sums, integers.add(zeros, -1)});
  mantissa = integers.shiftRight(
      integers.add(integers.shiftRight(mantissa, 13), 1), 1);
  Value reciprocal =
      lookUpPiece(node,
                  makeTable(context, 0, 1.0f / 65535 * 65535,
                            [](float value) { return 1 / (1 + value); }),
                  integers.add(mantissa, -(1 << 15) - (1 << 16)));
  Value shift = node.create<graph::SubtractOp>({integers.scalar(31), zeros});
  Value half = node.create<graph::LeftShiftOp>(
      {integers.scalar(1), integers.add(shift, -1)});
  Value products = node.create<graph::MultiplyOp>({exponentials, reciprocal});
  Value result = node.create<graph::RightShiftOp>(
      {node.create<graph::AddOp>({products, half}), shift});
  return storeSteps(node, result, type.getElementType(), {0, to.max});
}
