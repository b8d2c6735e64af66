//===- DeviceReferences.h - References for device functions -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_DEVICEREFERENCES_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_DEVICEREFERENCES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace uma {

/// Returns the value of `uma.references` (kReferencesAttrName), which describes
/// the computation of each composite of `function`, an outlined function of an
/// accelerator. `getArgument` returns the position of the TIR argument that
/// holds an operand or result of a composite. Emits an error and fails if a
/// composite does not match its pattern.
mlir::FailureOr<mlir::ArrayAttr>
buildDeviceReferences(mlir::func::FuncOp function,
                      llvm::function_ref<int64_t(mlir::Value)> getArgument);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_DEVICEREFERENCES_H
