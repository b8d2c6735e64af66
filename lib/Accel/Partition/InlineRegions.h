//===- InlineRegions.h - Undo the outlining of regions ----------*- C++ -*-===//
//-*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_PARTITION_INLINEREGIONS_H
#define UMA_LIB_ACCEL_PARTITION_INLINEREGIONS_H

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace uma::accel {

/// Replaces all calls of the device's functions `regions` by what they compute
/// and erases the functions. Composites get the target of their function, so
/// that they can be outlined again. Calls `visit` with each of them.
void inlineRegions(
    mlir::ModuleOp module, llvm::ArrayRef<mlir::func::FuncOp> regions,
    llvm::function_ref<void(graph::CompositeOp)> visit = [](auto) {});

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_INLINEREGIONS_H
