//===- TIROps.h - Operations of the tir family -*- C++ -*------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TIR_IR_TIROPS_H
#define UMA_TIR_IR_TIROPS_H

#include "uma/IR/UMADialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

// IWYU pragma: begin_exports
#include "uma/TIR/IR/TIREnums.h.inc"
// IWYU pragma: end_exports

namespace uma::tir {

/// Returns the type of the words whose dot products have these sums: i32, or a
/// vector of it with as many lanes.
mlir::Type getWordsType(mlir::Type sums);

/// Array attribute on the buffers of public functions: the shape of the tensor,
/// e.g. `array<i64: 1, 3, 32, 32>`. Set when storage is flattened.
inline constexpr llvm::StringLiteral kShapeAttrName = "uma.shape";
/// Discardable attribute on loops: the emitted C asks the compiler to unroll.
/// A unit attribute is for loops over vectors and words; an integer is the
/// number of copies of a loop whose copies need no more registers.
inline constexpr llvm::StringLiteral kUnrollAttrName = "uma.unroll";

/// Discardable unit attribute on serial loops around parallel ones: every
/// thread runs the loop, takes the same iterations of each parallel loop inside
/// of it, and does not wait for the others. So an iteration of a parallel loop
/// only depends on earlier ones of the same number. Source: TVM's pragmas
/// `parallel_launch_point` and `parallel_stride_pattern`.
inline constexpr llvm::StringLiteral kTeamAttrName = "uma.team";

/// Discardable unit attribute on loops: the iterations are virtual threads,
/// which `uma-tir-inject-virtual-thread` interleaves.
inline constexpr llvm::StringLiteral kVirtualThreadAttrName =
    "uma.virtual_thread";

/// Discardable unit attribute on buffers allocated in a loop:
/// `uma-tir-inject-double-buffer` loads the next iteration's data ahead.
inline constexpr llvm::StringLiteral kDoubleBufferAttrName =
    "uma.double_buffer";

/// State of the devices, which extern calls change: calls are neither removed
/// nor reordered.
struct DeviceResource : mlir::SideEffects::Resource::Base<DeviceResource> {
  llvm::StringRef getName() final { return "uma.device"; }
};

/// Iteration variable of a block: its kind, the value it is bound to, and the
/// extent of its domain [0, extent).
struct IterVar {
  IterKind kind;
  mlir::Value binding;
  int64_t extent;
};

/// Region of a buffer that a block accesses. `first` maps the iteration
/// variables to the first element; `extents` is the size along each dimension.
struct BufferRegion {
  mlir::Value buffer;
  mlir::AffineMap first;
  llvm::SmallVector<int64_t> extents;
};

} // namespace uma::tir

// IWYU pragma: begin_exports
#define GET_OP_CLASSES
#include "uma/TIR/IR/TIROps.h.inc"
// IWYU pragma: end_exports

#endif // UMA_TIR_IR_TIROPS_H
