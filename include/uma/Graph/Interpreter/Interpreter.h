//===- Interpreter.h - Reference interpreter of uma.graph -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Defines the numerical results of a graph. Floats of every width are computed
// in double and rounded once at the end of each operator; integers are computed
// in 64 bits and wrap to the result's type. The code favours clarity over
// speed. It is the reference for lowering and accelerators, and constant
// folding uses it.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_INTERPRETER_INTERPRETER_H
#define UMA_GRAPH_INTERPRETER_INTERPRETER_H

#include "uma/Support/HostTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

namespace uma::graph {

class RoundingSides;

/// Callback that runs after each operation with its results. Operations inside
/// called functions and composites come before the call or composite itself.
using TraceFn = llvm::function_ref<void(mlir::Operation *op,
                                        llvm::ArrayRef<HostTensor> results)>;

/// Evaluates one operation of uma.graph, which may be a composite, on
/// `operands`. `op` must verify. Emits an error and fails if `op` belongs to
/// another family, if an operand has another type than `op` expects, if an
/// element type has no storage on the host, or if an integer is divided by
/// zero.
mlir::FailureOr<llvm::SmallVector<HostTensor>>
evaluate(mlir::Operation *op, llvm::ArrayRef<HostTensor> operands);

/// Evaluates `op` as above and emits errors by `emitError`.
mlir::FailureOr<llvm::SmallVector<HostTensor>>
evaluate(mlir::Operation *op, llvm::ArrayRef<HostTensor> operands,
         llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Runs `entry` on `inputs` and returns its results. `entry` is a function of
/// one block with uma.graph operations, calls to functions of the same module
/// and a return. Emits an error that names the argument and fails if an input
/// has the wrong type; also fails like `evaluate`. `sides`, if given, evaluates
/// `uma.graph.round`.
mlir::FailureOr<llvm::SmallVector<HostTensor>>
interpret(mlir::func::FuncOp entry, llvm::ArrayRef<HostTensor> inputs,
          TraceFn trace = nullptr, RoundingSides *sides = nullptr);

} // namespace uma::graph

#endif // UMA_GRAPH_INTERPRETER_INTERPRETER_H
