//===- NumberFunctionOpInterface.h - Functions of expressions -*- C++ -*---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_NUMBERFUNCTIONOPINTERFACE_H
#define UMA_ACCEL_IR_NUMBERFUNCTIONOPINTERFACE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/SmallVector.h"

#include <utility>

namespace uma::accel {

/// The parts of a match that functions of expressions read.
class MatchView {
public:
  virtual ~MatchView() = default;
  /// Returns whether a tensor of the pattern is part of the match.
  virtual bool isPresent(mlir::Value tensor) const = 0;
  /// Returns the type of a tensor; null if it is no part of the match.
  virtual mlir::RankedTensorType getType(mlir::Value tensor) const = 0;
  /// Returns the number of the alternative of a choice, from 0; the number of
  /// alternatives if there is none.
  virtual unsigned getAlternative(mlir::Operation *choice) const = 0;
  /// Returns the multiply-accumulate operations of the match.
  virtual int64_t getMACs() const = 0;
};

} // namespace uma::accel

// IWYU pragma: begin_exports
#include "uma/Accel/IR/NumberFunctionOpInterface.h.inc"
// IWYU pragma: end_exports

namespace uma::accel {

/// Returns the function of this name; null if there is none.
NumberFunctionOpInterface::Concept *
lookupNumberFunction(mlir::MLIRContext *context, llvm::StringRef name);

/// Returns the names of all functions in alphabetical order.
llvm::SmallVector<llvm::StringRef>
getNumberFunctions(mlir::MLIRContext *context);

} // namespace uma::accel

#endif // UMA_ACCEL_IR_NUMBERFUNCTIONOPINTERFACE_H
