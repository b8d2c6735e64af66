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

/// Cycles of a depthwise convolution by the model, for tiles of so many
/// windows.
double getWindowCost(const Workload &workload, const RegisterTile &tile,
                     const ISA &isa);

/// Returns the numbers of windows of a row that may be computed together, the
/// fastest by the model first: each vector of data serves all windows it is in,
/// and the last tile of a row computes some windows twice.
llvm::SmallVector<int64_t> rankWindows(const Workload &workload,
                                       const ISA &isa);

} // namespace uma

#endif // UMA_CPU_MODEL_WINDOWMODEL_H
