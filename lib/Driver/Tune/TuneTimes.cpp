//===- TuneTimes.cpp - Comparison of schedules by time --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "TuneTimes.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir;
using namespace uma;

/// Maximum time of a candidate relative to the model's choice that it replaces.
/// Smaller differences are noise.
static constexpr double kNotNoise = 0.98;

double uma::getMedian(std::vector<double> values) {
  if (values.empty())
    return 0;
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<double> uma::sumCalls(const CallTimes &times,
                                  ArrayRef<size_t> calls) {
  std::vector<double> sums(times[calls.front()].size());
  for (size_t call : calls)
    for (auto [sum, time] : llvm::zip_equal(sums, times[call]))
      sum += time;
  return sums;
}

double uma::getRatio(const std::vector<double> &before,
                     const std::vector<double> &after) {
  std::vector<double> ratios;
  for (auto [old, now] : llvm::zip_equal(before, after))
    ratios.push_back(old > 0 ? now / old : 1);
  return getMedian(std::move(ratios));
}

bool uma::isFaster(const std::vector<double> &before,
                   const std::vector<double> &after) {
  size_t won = 0;
  for (auto [old, now] : llvm::zip_equal(before, after))
    won += now < old;
  return 4 * won >= 3 * before.size() && getRatio(before, after) < kNotNoise;
}
