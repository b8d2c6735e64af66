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

/// Returns the largest error of a value before it is rounded, relative to the
/// largest value of its tensor; see docs/getting-started.md. The errors in the
/// int8 networks of MLPerf Tiny are 20 times smaller.
static double getError(Type type) {
  int precision =
      APFloat::semanticsPrecision(cast<FloatType>(type).getFloatSemantics());
  return 8 * std::ldexp(1.0, -precision);
}

HostTensor RoundingSides::round(const HostTensor &data, Operation *op) {
  int64_t count = data.getNumElements();
  const HostTensor *integers = nullptr;
  if (followed) {
    size_t run = numRuns[op]++;
    if (auto known = followed->find(op);
        known != followed->end() && run < known->second.size())
      integers = &known->second[run];
  }
  double largest = 0;
  for (int64_t i = 0; i < count; ++i)
    if (double x = std::fabs(data.getDouble(i)); std::isfinite(x))
      largest = std::max(largest, x);
  double error = largest * getError(data.getElementType());
  HostTensor result(data.getType());
  for (int64_t i = 0; i < count; ++i, ++numRounded) {
    double x = data.getDouble(i);
    double rounded = std::nearbyint(x);
    double below = std::floor(x);
    double distance = std::fabs(x - below - 0.5);
    // False for infinities and NaN, whose distance is NaN.
    if (distance <= error) {
      open.push_back({numRounded, error > 0 ? distance / error : 0});
      double other = rounded == below ? below + 1 : below;
      if (integers ? integers->getDouble(i) == other
                   : flipped.contains(numRounded)) {
        rounded = other;
        ++numFlipped;
      }
    }
    result.setDouble(i, rounded);
  }
  return result;
}
