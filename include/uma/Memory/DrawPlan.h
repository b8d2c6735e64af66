//===- DrawPlan.h - Memory plans as pictures -*- C++ -*--------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_MEMORY_DRAWPLAN_H
#define UMA_MEMORY_DRAWPLAN_H

#include "uma/Memory/Planner.h"

namespace uma::memory {

/// Returns a plan as an SVG picture, time to the right and offset upwards. A
/// rectangle per buffer has its name, size, offset and live range as a title,
/// which browsers show on hover. A line shows the live bytes, a dashed one the
/// capacity, if any. Follows the light or dark scheme of the reader.
std::string drawPlan(const Problem &problem, const Plan &plan,
                     std::optional<int64_t> capacity = std::nullopt);

} // namespace uma::memory

#endif // UMA_MEMORY_DRAWPLAN_H
