//===- Passes.td - Passes that partition a graph for accelerators -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_PARTITION_PASSES_TD
#define UMA_ACCEL_PARTITION_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // UMA_ACCEL_PARTITION_PASSES_TD
