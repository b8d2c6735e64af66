//===- GraphOperators.h - What a pattern may say of an operator -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A pattern names operators of `uma.graph`, their attributes and operands. A
// misspelt one would silently match nothing, so everything is checked here
// against what the registered operation says of itself. The accel family sees
// operations by name only: it needs no header of the graph family.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_GRAPHOPERATORS_H
#define UMA_ACCEL_IR_GRAPHOPERATORS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"

namespace uma::accel {

/// Starts an error message.
using EmitErrorFn = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// The value of a matched attribute that lifts every constraint on it.
inline constexpr llvm::StringLiteral kAnyValue = "any";

/// The value of `padding` that stands for SAME_UPPER, whatever the numbers.
inline constexpr llvm::StringLiteral kSameValue = "same";

/// Looks up `uma.graph.<kind>` where a pattern can match it: it has one result
/// and no region. Fails, naming the closest operator, where there is none.
mlir::FailureOr<mlir::RegisteredOperationName>
lookupOperator(EmitErrorFn emitError, mlir::MLIRContext *context,
               llvm::StringRef kind);

/// Checks that the operator can have `count` operands.
mlir::LogicalResult verifyOperandCount(EmitErrorFn emitError,
                                       mlir::RegisteredOperationName op,
                                       size_t count);

/// The type of a dim that stands for the operator's attribute `name`: `index`
/// for an integer, `f64` for a float, `i1` for a boolean; null for others.
mlir::Type getDimType(mlir::RegisteredOperationName op, mlir::StringAttr name);

/// What a number of this type, `index`, `f64` or `i1`, is in messages: "a whole
/// number".
llvm::StringRef describeNumberType(mlir::Type type);

/// Whether the operator has the attribute of one entry of `matched_attributes`
/// (see `uma.accel.op`), and can have this value.
bool canMatchAttribute(mlir::RegisteredOperationName op,
                       mlir::NamedAttribute entry);

/// Fails where canMatchAttribute is false, and says what the operator has.
mlir::LogicalResult verifyMatchedAttribute(EmitErrorFn emitError,
                                           mlir::RegisteredOperationName op,
                                           mlir::NamedAttribute entry);

/// Fails where the operator, with `numOperands` operands, has an attribute
/// without a default that `written`, which may be null, does not hold.
mlir::LogicalResult verifyNoAttributeMissing(EmitErrorFn emitError,
                                             mlir::RegisteredOperationName op,
                                             mlir::DictionaryAttr written,
                                             size_t numOperands);

} // namespace uma::accel

#endif // UMA_ACCEL_IR_GRAPHOPERATORS_H
