//===- BufferAnalysis.h - Analysis of buffer arguments -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_TIRTOEMITC_BUFFERANALYSIS_H
#define UMA_LIB_CONVERSION_TIRTOEMITC_BUFFERANALYSIS_H

#include "uma/TIR/IR/TIROps.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/BitVector.h"

namespace uma {

/// Returns the buffer that underlies `buffer`, looking through casts.
mlir::Value getRootBuffer(mlir::Value buffer);

/// Properties of a C function that its signature and its callers depend on.
struct FunctionFacts {
  /// Arguments that the function or its callees write.
  llvm::BitVector written;
  /// Arguments that may overlap another argument, one of which is written: two
  /// `restrict` pointers to the same object would be undefined behaviour.
  llvm::BitVector overlapping;
  /// Whether a thread may overwrite what another one still reads, if they share
  /// a loop.
  bool hasThreadConflicts = false;
  /// Whether a device that it calls may report an error, or a bounds check may
  /// fail.
  bool fallible = false;
};

/// Analysis of the functions that are reachable from public ones.
class BufferAnalysis {
public:
  /// Analyses the module. Emits an error and fails on recursion (on the call)
  /// and on writes to constants.
  static mlir::FailureOr<BufferAnalysis> compute(mlir::ModuleOp module);

  /// Reachable functions, callees before their callers.
  llvm::ArrayRef<tir::FuncOp> getFunctions() const { return order; }
  const FunctionFacts &getFacts(tir::FuncOp function) const {
    return facts.at(function);
  }

  /// Returns the function that `call` calls, or null if there is none.
  tir::FuncOp getCallee(tir::CallOp call) const {
    return symbols.lookup<tir::FuncOp>(call.getCallee());
  }

private:
  explicit BufferAnalysis(mlir::ModuleOp module) : symbols(module) {}

  mlir::LogicalResult visit(tir::FuncOp function);
  mlir::LogicalResult summarize(tir::FuncOp function);
  void findOverlaps(tir::FuncOp caller);

  mlir::SymbolTable symbols;
  llvm::SmallVector<tir::FuncOp> order;
  llvm::DenseMap<mlir::Operation *, FunctionFacts> facts;
  llvm::DenseSet<mlir::Operation *> active;
};

} // namespace uma

#endif // UMA_LIB_CONVERSION_TIRTOEMITC_BUFFERANALYSIS_H
