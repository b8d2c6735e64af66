//===- PhaseDialects.h - Dialects that hooked passes may build -*- C++ -*--===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Headers of the dialects in `phaseDialects` in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_PIPELINES_PHASEDIALECTS_H
#define UMA_LIB_PIPELINES_PHASEDIALECTS_H

#include "uma/IR/UMADialect.h"

// IWYU pragma: begin_exports
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
// IWYU pragma: end_exports

#endif // UMA_LIB_PIPELINES_PHASEDIALECTS_H
