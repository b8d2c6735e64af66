//===- RoundingSides.cpp - Roundings with two right results ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Interpreter/RoundingSides.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

/// Largest error of a value before a rounding, relative to the largest value of
/// its tensor: 64 times the relative error of one operation.
static double getError(Type type) {
  int precision =
      APFloat::semanticsPrecision(cast<FloatType>(type).getFloatSemantics());
  return 64 * std::ldexp(1.0, -precision);
}

/// A bit that depends on all bits of `seed` and `number`: the finaliser of
/// SplitMix64 (Steele, Lea, Flood 2014).
static bool drawBit(uint64_t seed, uint64_t number) {
  uint64_t z = seed * 0x9e3779b97f4a7c15u + number;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (z ^ (z >> 31)) & 1;
}

HostTensor RoundingSides::round(const HostTensor &data) {
  int64_t count = data.getNumElements();
  double largest = 0;
  for (int64_t i = 0; i < count; ++i)
    if (double x = std::fabs(data.getDouble(i)); std::isfinite(x))
      largest = std::max(largest, x);
  double error = largest * getError(data.getElementType());
  HostTensor result(data.getType());
  for (int64_t i = 0; i < count; ++i, ++numRounded) {
    double x = data.getDouble(i);
    double below = std::floor(x);
    // Not for infinities and NaN, whose distance is NaN.
    bool isOpen = std::fabs(x - below - 0.5) <= error;
    numOpen += isOpen;
    bool takesSide = isOpen && seed != 0;
    result.setDouble(i, takesSide ? below + drawBit(seed, numRounded)
                                  : std::nearbyint(x));
  }
  return result;
}
