//===- GraphOperators.h - Operators that a pattern may name ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A pattern names operators of `uma.graph`, their attributes and operands. A
// misspelt one would silently match nothing, so these functions check all of
// them against the registered operation. The accel family sees operations by
// name only: it needs no header of the graph family.
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

/// Value of a matched attribute that accepts every value.
inline constexpr llvm::StringLiteral kAnyValue = "any";

/// Value of `padding` that stands for SAME_UPPER, whatever the numbers.
inline constexpr llvm::StringLiteral kSameValue = "same";

/// Value of `padding` for which the match has a `pad` in front.
inline constexpr llvm::StringLiteral kOutsideValue = "outside";

/// Looks up `uma.graph.<kind>`. Fails, naming the closest operator, if there is
/// none that a pattern can match: one with one result and no region.
mlir::FailureOr<mlir::RegisteredOperationName>
lookupOperator(EmitErrorFn emitError, mlir::MLIRContext *context,
               llvm::StringRef kind);

/// Checks that the operator can have `count` operands.
mlir::LogicalResult verifyOperandCount(EmitErrorFn emitError,
                                       mlir::RegisteredOperationName op,
                                       size_t count);

/// Returns the type of a dim for the operator's attribute `name`: `index` for
/// an integer, `f64` for a float, `i1` for a boolean; null for others.
mlir::Type getDimType(mlir::RegisteredOperationName op, mlir::StringAttr name);

/// Returns the name in messages of a number of type `index`, `f64` or `i1`: "a
/// whole number".
llvm::StringRef describeNumberType(mlir::Type type);

/// Returns whether the operator has the attribute that an entry of
/// `matched_attributes` (see `uma.accel.op`) names, and the attribute can have
/// this value.
bool canMatchAttribute(mlir::RegisteredOperationName op,
                       mlir::NamedAttribute entry);

/// Emits an error with what the operator has if canMatchAttribute is false.
mlir::LogicalResult verifyMatchedAttribute(EmitErrorFn emitError,
                                           mlir::RegisteredOperationName op,
                                           mlir::NamedAttribute entry);

/// Fails if the operator, with `numOperands` operands, has an attribute without
/// a default that is not in `written`, which may be null.
mlir::LogicalResult verifyNoAttributeMissing(EmitErrorFn emitError,
                                             mlir::RegisteredOperationName op,
                                             mlir::DictionaryAttr written,
                                             size_t numOperands);

} // namespace uma::accel

#endif // UMA_ACCEL_IR_GRAPHOPERATORS_H
