//===- Passes.h - Passes that partition a graph for accelerators ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_PARTITION_PASSES_H
#define UMA_ACCEL_PARTITION_PASSES_H

#include "uma/Accel/Partition/Policy.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace uma::accel {

#define GEN_PASS_DECL
#include "uma/Accel/Partition/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "uma/Accel/Partition/Passes.h.inc"

/// Returns whether `uma-accel-inline-lowered` would change `module`: whether a
/// device's function holds a lowered match and the device has no strategy, pass
/// or script for loops.
bool hasMatchesForCPU(mlir::ModuleOp module);

/// Returns whether `uma-accel-split-regions` would change `module`: whether a
/// device with commands computes several layers in one region.
bool hasRegionsOfCommands(mlir::ModuleOp module);

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_PASSES_H
