//===- FixedPointMath.cpp - Functions of fixed-point numbers --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "FixedPointMath.h"

#include "uma/Support/QuantizedTypes.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace uma;
using namespace uma::tflite;

static constexpr int64_t kOne = std::numeric_limits<int32_t>::max();
/// 1 with two integer bits.
static constexpr int64_t kOneOfTwoBits = int64_t(1) << 29;

int64_t uma::tflite::getInputRadius(int64_t integerBits, int64_t leftShift) {
  double largest = std::ldexp(double((int64_t(1) << integerBits) - 1),
                              int(31 - integerBits));
  return int64_t(std::floor(std::ldexp(largest, int(-leftShift))));
}

static int64_t saturate(int64_t number) {
  return std::clamp<int64_t>(number, std::numeric_limits<int32_t>::min(), kOne);
}

/// Returns the exponential of a number in [-1/4, 0) by its Taylor polynomial
/// around -1/8.
static int64_t expOfQuarter(int64_t number) {
  constexpr int64_t kExpOfCenter = 1895147668, kThird = 715827883;
  int64_t x = number + (int64_t(1) << 28);
  int64_t square = multiplyHigh(x, x);
  int64_t cube = multiplyHigh(square, x);
  int64_t quarter = divideByPowerOfTwo(multiplyHigh(square, square), 2);
  int64_t rest =
      divideByPowerOfTwo(multiplyHigh(quarter + cube, kThird) + square, 1);
  return kExpOfCenter + multiplyHigh(kExpOfCenter, x + rest);
}

int64_t uma::tflite::expOfNegative(int64_t number, int64_t integerBits) {
  if (number == 0)
    return kOne;
  int64_t fractionBits = 31 - integerBits;
  int64_t quarter = int64_t(1) << (fractionBits - 2);
  // In [-1/4, 0), and the multiple of 1/4 below.
  int64_t part = (number & (quarter - 1)) - quarter;
  int64_t rest = part - number;
  int64_t result = expOfQuarter(part * (int64_t(1) << integerBits));
  // The exponentials of -1/4, -1/2, -1, -2, -4 and -8 and -16.
  constexpr int64_t kPowers[] = {1672461947, 1302514674, 790015084, 290630308,
                                 39332535,   720401,     242};
  for (int64_t i = 0; i < integerBits + 2; ++i)
    if (rest & (quarter << i))
      result = multiplyHigh(result, kPowers[i]);
  return result;
}

/// Returns `2 / (1 + number)` with two integer bits for a number in [0, 1] with
/// none: three steps of Newton's method.
static int64_t divideTwoByOnePlus(int64_t number) {
  constexpr int64_t kFirst = 1515870810, kSecond = -1010580540; // 48/17, -32/17
  // The halved sum is rounded away from zero; both numbers are positive.
  int64_t half = (number + kOne + 1) / 2;
  int64_t x = kFirst + multiplyHigh(half, kSecond);
  for (int step = 0; step < 3; ++step)
    x += saturate(multiplyHigh(x, kOneOfTwoBits - multiplyHigh(half, x)) * 4);
  return x;
}

int64_t uma::tflite::logistic(int64_t number) {
  if (number == 0)
    return int64_t(1) << 30;
  int64_t exponential = expOfNegative(-std::abs(number), /*integerBits=*/4);
  int64_t result = saturate(divideTwoByOnePlus(exponential) * 2);
  return number > 0 ? result : kOne - result;
}

int64_t uma::tflite::tanhOf(int64_t number) {
  if (number == 0)
    return 0;
  // (1 - exp(-2x)) / (1 + exp(-2x)); the same bits with 5 integer bits are 2x.
  int64_t exponential = expOfNegative(-std::abs(number), /*integerBits=*/5);
  int64_t result =
      saturate((divideTwoByOnePlus(exponential) - kOneOfTwoBits) * 4);
  return number > 0 ? result : -result;
}
