//===- Interpreter.h - Reference interpreter of uma.graph -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Says what the numbers of a graph are. Written for clarity: floats of every
// width are computed in double and rounded once at the end of each operator;
// integers are computed in 64 bits and wrap to the result's type. Lowering and
// accelerators are compared with it, constant folding uses it.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_INTERPRETER_INTERPRETER_H
#define UMA_GRAPH_INTERPRETER_INTERPRETER_H

#include "uma/Support/HostTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

namespace uma::graph {

class RoundingSides;

/// Called after each operation that computes something, with its results; also
/// inside called functions and composites, before the call or composite itself.
using TraceFn = llvm::function_ref<void(mlir::Operation *op,
                                        llvm::ArrayRef<HostTensor> results)>;

/// Evaluates one operation of uma.graph (a composite included) on `operands`,
/// which have the types of its operands. `op` must verify. Fails with an error
/// when the operation is of another kind, when an operand does not have the
/// type that the operation expects, when an element type has no storage on the
/// host, and for an integer division by zero.
mlir::FailureOr<llvm::SmallVector<HostTensor>>
evaluate(mlir::Operation *op, llvm::ArrayRef<HostTensor> operands);

/// Returns the same, with errors sent to `emitError` instead of the operation.
mlir::FailureOr<llvm::SmallVector<HostTensor>>
evaluate(mlir::Operation *op, llvm::ArrayRef<HostTensor> operands,
         llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Runs `entry`, a function of one block that holds uma.graph operations, calls
/// to functions of the same module and a return. `inputs` are its arguments in
/// order; the results are what it returns. Fails with an error that names the
/// argument when an input has another type, and as `evaluate` does. `sides`, if
/// given, evaluates `uma.graph.round`.
mlir::FailureOr<llvm::SmallVector<HostTensor>>
interpret(mlir::func::FuncOp entry, llvm::ArrayRef<HostTensor> inputs,
          TraceFn trace = nullptr, RoundingSides *sides = nullptr);

} // namespace uma::graph

#endif // UMA_GRAPH_INTERPRETER_INTERPRETER_H
