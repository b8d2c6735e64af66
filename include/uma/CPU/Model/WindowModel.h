//===- WindowModel.h - Tiles of depthwise convolutions -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_WINDOWMODEL_H
#define UMA_CPU_MODEL_WINDOWMODEL_H

#include "uma/CPU/Model/TileModel.h"

namespace uma {

/// Returns the estimated cycles of a depthwise convolution with tiles of
/// `tile.rows` windows.
double getWindowCost(const Workload &workload, const RegisterTile &tile,
                     const ISA &isa);

/// Returns the possible tile sizes, in windows of a row, the fastest by the
/// model first. Each vector of data serves all windows that contain it; the
/// last tile of a row may recompute some windows.
llvm::SmallVector<int64_t> rankWindows(const Workload &workload,
                                       const ISA &isa);

} // namespace uma

#endif // UMA_CPU_MODEL_WINDOWMODEL_H
