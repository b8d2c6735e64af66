//===- ModelTrust.h - What a model may hold -*- C++ -*---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_COMPILE_MODELTRUST_H
#define UMA_LIB_DRIVER_COMPILE_MODELTRUST_H

#include "mlir/IR/BuiltinOps.h"

namespace uma {

/// Checks that a module given as a model is data: functions of graph operators
/// with attributes that describe tensors and layers. Emits an error at the
/// first operation that becomes C text as it stands, names a file or runs
/// passes, or that no model needs, and fails.
mlir::LogicalResult checkModelIsData(mlir::ModuleOp module);

} // namespace uma

#endif // UMA_LIB_DRIVER_COMPILE_MODELTRUST_H
