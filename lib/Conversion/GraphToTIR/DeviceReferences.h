//===- DeviceReferences.h - What a device's function computes ---*- C++ -*-===//
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

/// Describes what each composite of `function`, an outlined function of an
/// accelerator, computes: the value of `uma.references` (kReferencesAttrName).
/// `getArgument` returns the position of the argument that holds an operand or
/// result of a composite in TIR. Fails with an error if a composite is no match
/// of its pattern.
mlir::FailureOr<mlir::ArrayAttr>
buildDeviceReferences(mlir::func::FuncOp function,
                      llvm::function_ref<int64_t(mlir::Value)> getArgument);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_DEVICEREFERENCES_H
