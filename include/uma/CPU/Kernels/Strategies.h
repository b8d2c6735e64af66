//===- Strategies.h - Vectorised strategies -*- C++ -*---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_KERNELS_STRATEGIES_H
#define UMA_CPU_KERNELS_STRATEGIES_H

#include "uma/Conversion/GraphToTIR/Strategy.h"

namespace uma {

/// Replace strategies of operators by vectorised ones. The previous strategy is
/// the fallback for cases that are not vectorised, so it must be registered.
void populateVectorReductionStrategies(StrategyRegistry &registry);
void populateVectorArgReductionStrategies(StrategyRegistry &registry);
void populateVectorTopKStrategies(StrategyRegistry &registry);
void populateVectorInterpolationStrategies(StrategyRegistry &registry);
void populateVectorNormStrategies(StrategyRegistry &registry);
void populateTransposeStrategies(StrategyRegistry &registry);

} // namespace uma

#endif // UMA_CPU_KERNELS_STRATEGIES_H
