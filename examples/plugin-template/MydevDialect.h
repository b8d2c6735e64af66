//===- MydevDialect.h - Dialect and passes of the device -*- C++ -*------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef MYDEV_DIALECT_H
#define MYDEV_DIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Pass/Pass.h"

#include "MydevDialect.h.inc"
#define GET_OP_CLASSES
#include "MydevOps.h.inc"

namespace mydev {

/// Rewrites power(x, 2) as multiply(x, x), which the device computes.
std::unique_ptr<mlir::Pass> createRaiseSquarePass();

/// Inserts a mydev.fence after each call to the device.
std::unique_ptr<mlir::Pass> createInsertFencesPass();

/// Removes fences that no call to the device precedes since the last fence.
std::unique_ptr<mlir::Pass> createRemoveFencesPass();

/// Rewrites mydev.fence as a call to mydev_fence.
std::unique_ptr<mlir::Pass> createLowerFencesPass();

/// Registers the passes, once.
void registerPasses();

} // namespace mydev

#endif // MYDEV_DIALECT_H
