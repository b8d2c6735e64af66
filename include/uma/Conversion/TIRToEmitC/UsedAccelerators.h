//===- UsedAccelerators.h - Accelerators that a module calls -*- C++ -*----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CONVERSION_TIRTOEMITC_USEDACCELERATORS_H
#define UMA_CONVERSION_TIRTOEMITC_USEDACCELERATORS_H

#include "uma/Accel/IR/AccelOps.h"

#include "mlir/IR/BuiltinOps.h"

namespace uma {

/// Returns the accelerators that functions with device code target
/// (`uma.target`), in module order. Device code is a `uma.tir.call_extern` or a
/// prologue or epilogue of a description. Returns all accelerators if a
/// function with such a call has no target.
llvm::SmallVector<accel::AcceleratorOp>
getUsedAccelerators(mlir::ModuleOp module);

} // namespace uma

#endif // UMA_CONVERSION_TIRTOEMITC_USEDACCELERATORS_H
