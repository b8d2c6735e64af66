//===- UMADialect.h - The `uma` dialect -*- C++ -*-------------------------===//
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

/// Discardable unit attribute on private functions: the operators in it are
/// lowered together (Relay's `Primitive`).
inline constexpr llvm::StringLiteral kPrimitiveAttrName = "uma.primitive";

/// Discardable attribute on a device's function: what passes on the graph leave
/// for passes on TIR.
inline constexpr llvm::StringLiteral kNotesAttrName = "uma.notes";

/// Discardable attribute on operations: the number of the accelerator region
/// that merge-compiler-regions assigned.
inline constexpr llvm::StringLiteral kRegionAttrName = "uma.region";

/// Discardable attribute on functions: the name of the network, which is the
/// prefix of names in the emitted C.
inline constexpr llvm::StringLiteral kNetworkAttrName = "uma.network";
/// Version that the model's file says it has, a positive integer on a module.
inline constexpr llvm::StringLiteral kModelVersionAttrName =
    "uma.model_version";

/// Discardable attribute on function arguments and results: the name of the
/// tensor in the model.
inline constexpr llvm::StringLiteral kTensorNameAttrName = "uma.name";

/// Discardable unit attribute on arguments of an entry function in TIR: the
/// argument is an output of the network.
inline constexpr llvm::StringLiteral kOutputAttrName = "uma.output";

/// Discardable attribute on arguments of an entry function in TIR: the type of
/// the tensor in the model, as in `tensor<1x3x32x32xui8>`. Buffers have no
/// signedness and lose the shape when storage is flattened.
inline constexpr llvm::StringLiteral kTensorTypeAttrName = "uma.type";

/// Discardable attribute on extern calls: the name of the layer that they
/// compute.
inline constexpr llvm::StringLiteral kLayerAttrName = "uma.layer";

/// Discardable attribute on functions of plain TIR: an array of the names of
/// all layers that they compute, several if fused; empty for functions that
/// only copy data to another layout.
inline constexpr llvm::StringLiteral kLayersAttrName = "uma.layers";

/// Discardable attribute on functions in schedulable TIR: the
/// `transform.named_sequence` that schedules them (`uma-cpu-apply-scripts`).
inline constexpr llvm::StringLiteral kScriptAttrName = "uma.script";

/// Discardable attribute on entry functions in plain TIR: the size of the
/// workspace in bytes, set by the memory plan.
inline constexpr llvm::StringLiteral kWorkspaceSizeAttrName =
    "uma.workspace_size";

/// Discardable attribute on arguments of entry functions in plain TIR: the
/// offset of the input or output in the workspace, in bytes
/// (`uma-tir-plan-memory{io=inside}`).
inline constexpr llvm::StringLiteral kOffsetAttrName = "uma.offset";

} // namespace uma

#endif // UMA_IR_UMADIALECT_H
