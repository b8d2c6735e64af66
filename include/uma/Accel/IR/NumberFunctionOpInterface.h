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

/// View of a match for the functions of expressions.
class MatchView {
public:
  virtual ~MatchView() = default;
  /// Returns whether a tensor of the pattern is part of the match.
  virtual bool isPresent(mlir::Value tensor) const = 0;
  /// Returns the device's type of a tensor, or null if it is not part of the
  /// match.
  virtual mlir::RankedTensorType getType(mlir::Value tensor) const = 0;
  /// Returns the element type of a tensor in the graph, which may be quantized,
  /// or null if it is not part of the match.
  virtual mlir::Type getElementType(mlir::Value tensor) const = 0;
  /// Returns the index of the alternative that a choice takes, or the number of
  /// alternatives if it takes none.
  virtual unsigned getAlternative(mlir::Operation *choice) const = 0;
  /// Returns the number of multiply-accumulate operations of the match.
  virtual int64_t getMACs() const = 0;
};

} // namespace uma::accel

// IWYU pragma: begin_exports
#include "uma/Accel/IR/NumberFunctionOpInterface.h.inc"
// IWYU pragma: end_exports

namespace uma::accel {

/// Returns the function called `name`, or null if it does not exist.
NumberFunctionOpInterface::Concept *
lookupNumberFunction(mlir::MLIRContext *context, llvm::StringRef name);

/// Returns the names of all functions in alphabetical order.
llvm::SmallVector<llvm::StringRef>
getNumberFunctions(mlir::MLIRContext *context);

} // namespace uma::accel

#endif // UMA_ACCEL_IR_NUMBERFUNCTIONOPINTERFACE_H
