//===- BufferAnalysis.h - How functions use their buffers -*- C++ -*-------===//
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

/// Returns the buffer that `buffer` is a view of: looks through casts.
mlir::Value getRootBuffer(mlir::Value buffer);

/// What the callers of a C function and its signature must know.
struct FunctionFacts {
  /// Arguments that the function, or what it calls, writes to.
  llvm::BitVector written;
  /// Arguments that may overlap another argument which is written: two
  /// `restrict` pointers to one object would be undefined behaviour.
  llvm::BitVector overlapping;
  /// A device called in it may report an error, or a check of bounds fail.
  bool fallible = false;
};

/// The functions of a module that are reachable from public ones.
class BufferAnalysis {
public:
  /// Fails with an error on the call where functions call one another in a
  /// circle, and on writes to constants.
  static mlir::FailureOr<BufferAnalysis> compute(mlir::ModuleOp module);

  /// Callees before their callers.
  llvm::ArrayRef<tir::FuncOp> getFunctions() const { return order; }
  const FunctionFacts &getFacts(tir::FuncOp function) const {
    return facts.at(function);
  }

private:
  mlir::LogicalResult visit(tir::FuncOp function);
  mlir::LogicalResult summarize(tir::FuncOp function);
  void findOverlaps(tir::FuncOp caller);

  llvm::SmallVector<tir::FuncOp> order;
  llvm::DenseMap<mlir::Operation *, FunctionFacts> facts;
  llvm::DenseSet<mlir::Operation *> active;
};

} // namespace uma

#endif // UMA_LIB_CONVERSION_TIRTOEMITC_BUFFERANALYSIS_H
