//===- UMADialect.h - The one dialect of the project -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IR_UMADIALECT_H
#define UMA_IR_UMADIALECT_H

#include "uma/CPU/IR/CPUEnums.h"
#include "uma/IR/Family.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"

// IWYU pragma: begin_exports
#include "uma/IR/UMADialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "uma/IR/UMAAttributes.h.inc"
// IWYU pragma: end_exports

namespace uma {

/// Discardable attribute naming the accelerator of an operation or function
/// (`#uma.target<...>`).
inline constexpr llvm::StringLiteral kTargetAttrName = "uma.target";

/// Discardable attribute on operations: the number of the accelerator region
/// that merge-compiler-regions put the operation in.
inline constexpr llvm::StringLiteral kRegionAttrName = "uma.region";

/// Discardable attribute on functions: the name of the network, from which the
/// emitted C takes its prefix.
inline constexpr llvm::StringLiteral kNetworkAttrName = "uma.network";

/// Discardable attribute on function arguments and results: the name of the
/// tensor in the model.
inline constexpr llvm::StringLiteral kTensorNameAttrName = "uma.name";

/// Discardable unit attribute on arguments of an entry function in TIR: the
/// argument is an output of the network.
inline constexpr llvm::StringLiteral kOutputAttrName = "uma.output";

/// Discardable attribute on arguments of an entry function in TIR: the type of
/// the tensor in the model, as in `tensor<1x3x32x32xui8>`. Buffers lose its
/// shape when storage is flattened and have no signedness.
inline constexpr llvm::StringLiteral kTensorTypeAttrName = "uma.type";

/// Discardable attribute on extern calls: the layer of the model they compute.
inline constexpr llvm::StringLiteral kLayerAttrName = "uma.layer";

/// Discardable attribute on functions of plain TIR: an array of the names of
/// all layers that they compute, for fused ones; empty if data only changes its
/// order.
inline constexpr llvm::StringLiteral kLayersAttrName = "uma.layers";

/// Discardable attribute on functions in schedulable TIR: the
/// `transform.named_sequence` that schedules them (`uma-cpu-apply-scripts`).
inline constexpr llvm::StringLiteral kScriptAttrName = "uma.script";

/// Discardable attribute on entry functions in plain TIR: the size of the
/// workspace in bytes, set by the memory plan.
inline constexpr llvm::StringLiteral kWorkspaceSizeAttrName =
    "uma.workspace_size";

} // namespace uma

#endif // UMA_IR_UMADIALECT_H
