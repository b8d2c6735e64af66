//===- AccelOps.h - Operations of the accel family -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_ACCELOPS_H
#define UMA_ACCEL_IR_ACCELOPS_H

#include "uma/IR/UMADialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <string>

#include "uma/Accel/IR/NumberFunctionOpInterface.h"
#include "uma/Accel/IR/TensorTypeOpInterface.h"

// IWYU pragma: begin_exports
#define GET_TYPEDEF_CLASSES
#include "uma/Accel/IR/AccelTypes.h.inc"
#define GET_OP_CLASSES
#include "uma/Accel/IR/AccelOps.h.inc"

namespace uma::accel {

/// Returns whether an accelerator of the module describes instructions.
bool hasInstructions(mlir::ModuleOp module);
/// Returns the instructions of the module's accelerators whose operands lie in
/// memory, in order.
llvm::SmallVector<InstructionOp> getTileInstructions(mlir::ModuleOp module);

} // namespace uma::accel
// IWYU pragma: end_exports

namespace uma::accel {

/// Newest supported version of the description language.
inline constexpr int64_t kLanguageVersion = 2;

/// Largest alignment that a memory may require, in bytes: one page.
inline constexpr int64_t kMaxAlignment = 4096;

/// Returns the phases that a pipeline may name, in execution order.
llvm::ArrayRef<llvm::StringLiteral> getPhases();

/// Returns the kinds of operators that can produce a tensor of a pattern, such
/// as "conv2d": one for an `op`, several for a `choice`, none for an input.
llvm::SmallVector<llvm::StringRef> getOperatorKinds(mlir::Value tensor);

/// Returns the number that `op` reads from a match, in description syntax: "n"
/// for a dim, "bytes(x)" for a measure. Returns an empty string for other
/// operations.
std::string getNumberName(mlir::Operation *op);

/// Like getNumberName, but also returns the name of a target attribute that
/// `op` reads.
std::string getSourceName(mlir::Operation *op);

/// Returns the name by which messages refer to a tensor of a pattern.
std::string getTensorName(mlir::Value tensor);

/// Returns the operation that constrains the type of a tensor of a pattern: its
/// `input`, or the `result` for it. Returns null if the type is unconstrained.
TensorTypeOpInterface getTensorTypeOp(mlir::Value tensor);

/// Name of the memory that the host and the device share.
inline constexpr llvm::StringLiteral kMainMemory = "main";

/// Returns the axis of a tensor of a pattern that a dim names in its type, or
/// std::nullopt if there is none.
std::optional<unsigned> findAxis(mlir::Value tensor, mlir::Value dim);

/// Returns the first axis of the device's tensor that depends on an axis of the
/// tensor in the graph.
unsigned getDeviceAxis(TensorTypeOpInterface type, unsigned axis);

/// Returns the operations that compute `value`, a number of a pattern, in the
/// order of the pattern.
llvm::SmallVector<mlir::Operation *> getComputation(mlir::Value value);

} // namespace uma::accel

#endif // UMA_ACCEL_IR_ACCELOPS_H
