//===- TIRTransformOps.h - Schedule primitives in scripts -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Extension of upstream's transform dialect: schedules as scripts that
// `--transform-interpreter` runs.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TIR_TRANSFORMOPS_TIRTRANSFORMOPS_H
#define UMA_TIR_TRANSFORMOPS_TIRTRANSFORMOPS_H

#include "uma/TIR/IR/TIROps.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpImplementation.h"

// IWYU pragma: begin_exports
#define GET_OP_CLASSES
#include "uma/TIR/TransformOps/TIRTransformOps.h.inc"
// IWYU pragma: end_exports

namespace uma::tir {

/// Registers the operations `transform.uma.*`.
void registerTransformDialectExtension(mlir::DialectRegistry &registry);

} // namespace uma::tir

#endif // UMA_TIR_TRANSFORMOPS_TIRTRANSFORMOPS_H
