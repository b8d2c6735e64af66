//===- UsedAccelerators.h - The accelerators that C calls -*- C++ -*-------===//
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

/// Returns the accelerators of the module that some `uma.tir.call_extern`
/// needs, in the order of the module: those that the functions with such calls
/// have as `uma.target`, and all of them where such a function names none.
llvm::SmallVector<accel::AcceleratorOp>
getUsedAccelerators(mlir::ModuleOp module);

} // namespace uma

#endif // UMA_CONVERSION_TIRTOEMITC_USEDACCELERATORS_H
