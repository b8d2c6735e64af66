//===- CountText.h - Human-readable numbers -*- C++ -*---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_COUNTTEXT_H
#define UMA_SUPPORT_COUNTTEXT_H

#include <cstdint>
#include <string>

namespace uma {

/// Formats a number with separated thousands: "12 345".
inline std::string getCountText(int64_t count) {
  std::string digits = std::to_string(count);
  int64_t first = count < 0 ? 1 : 0;
  for (int64_t at = int64_t(digits.size()) - 3; at > first; at -= 3)
    digits.insert(at, " ");
  return digits;
}

} // namespace uma

#endif // UMA_SUPPORT_COUNTTEXT_H
