//===- TuneTimes.h - Which of two schedules is faster -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_TUNETIMES_H
#define UMA_LIB_DRIVER_TUNETIMES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace uma {

/// Times by the call of a layer and the turn.
using CallTimes = std::vector<std::vector<double>>;

/// Zero of nothing.
double getMedian(std::vector<double> values);

/// By turn, what these calls take together.
std::vector<double> sumCalls(const CallTimes &times,
                             llvm::ArrayRef<size_t> calls);

/// True if the second times are less by more than what is noise: in the middle,
/// and in most turns.
bool isFaster(const std::vector<double> &before,
              const std::vector<double> &after);

} // namespace uma

#endif // UMA_LIB_DRIVER_TUNETIMES_H
