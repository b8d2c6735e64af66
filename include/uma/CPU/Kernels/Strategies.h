//===- Strategies.h - Operators along one axis, with vectors -*- C++ -*----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_KERNELS_STRATEGIES_H
#define UMA_CPU_KERNELS_STRATEGIES_H

#include "uma/Conversion/GraphToTIR/Strategy.h"

namespace uma {

/// Strategies with vectors, for operators that have others already.
void populateVectorReductionStrategies(StrategyRegistry &registry);
void populateVectorNormStrategies(StrategyRegistry &registry);
void populateTransposeStrategies(StrategyRegistry &registry);

} // namespace uma

#endif // UMA_CPU_KERNELS_STRATEGIES_H
