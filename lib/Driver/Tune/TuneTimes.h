//===- TuneTimes.h - Comparison of schedules by time -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_TUNE_TUNETIMES_H
#define UMA_LIB_DRIVER_TUNE_TUNETIMES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace uma {

/// Times in microseconds, by call to a layer and by round.
using CallTimes = std::vector<std::vector<double>>;

/// Returns the median, or 0 for no values.
double getMedian(std::vector<double> values);

/// Returns the total time of these calls in each round.
std::vector<double> sumCalls(const CallTimes &times,
                             llvm::ArrayRef<size_t> calls);

/// Returns the median over the rounds of the second time relative to the first
/// one. A round is measured on one machine.
double getRatio(const std::vector<double> &before,
                const std::vector<double> &after);

/// Returns whether the second times are lower by more than noise: the median
/// ratio is lower, and the times are lower in most rounds.
bool isFaster(const std::vector<double> &before,
              const std::vector<double> &after);

} // namespace uma

#endif // UMA_LIB_DRIVER_TUNE_TUNETIMES_H
