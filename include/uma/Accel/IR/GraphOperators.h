//===- GraphOperators.h - Operators that a pattern may name ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Checks of the `uma.graph` operators, attributes and operands that patterns
// name. A misspelt name would silently match nothing, so these functions check
// it against the registered operation. They look operations up by name, so the
// accel family does not depend on headers of the graph family.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_GRAPHOPERATORS_H
#define UMA_ACCEL_IR_GRAPHOPERATORS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"

namespace uma::accel {

/// Callback that starts an error message.
using EmitErrorFn = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// Value of a matched attribute that accepts any value.
inline constexpr llvm::StringLiteral kAnyValue = "any";

/// Value of `padding` that accepts any SAME_UPPER padding.
inline constexpr llvm::StringLiteral kSameValue = "same";

/// Value of `padding` that moves the padding to a `pad` before the operator.
inline constexpr llvm::StringLiteral kOutsideValue = "outside";

/// Looks up `uma.graph.<kind>`. Patterns match only operators with one result
/// and no region. Otherwise emits an error, which suggests the closest
/// operator, and fails.
mlir::FailureOr<mlir::RegisteredOperationName>
lookupOperator(EmitErrorFn emitError, mlir::MLIRContext *context,
               llvm::StringRef kind);

/// Checks that the operator can have `count` operands. Emits an error and fails
/// if not.
mlir::LogicalResult verifyOperandCount(EmitErrorFn emitError,
                                       mlir::RegisteredOperationName op,
                                       size_t count);

/// Returns the type of a dim that binds the operator's attribute `name`:
/// `index` for an integer, `f64` for a float, `i1` for a boolean. Returns null
/// for other attributes.
mlir::Type getDimType(mlir::RegisteredOperationName op, mlir::StringAttr name);

/// Returns the description in messages of a number of type `index`, `f64` or
/// `i1`, such as "a whole number".
llvm::StringRef describeNumberType(mlir::Type type);

/// Returns whether the operator has the attribute named by an entry of
/// `matched_attributes` (see `uma.accel.op`) and the attribute can have the
/// entry's value.
bool canMatchAttribute(mlir::RegisteredOperationName op,
                       mlir::NamedAttribute entry);

/// Emits an error and fails if canMatchAttribute returns false. The error lists
/// the operator's attributes or the values they take.
mlir::LogicalResult verifyMatchedAttribute(EmitErrorFn emitError,
                                           mlir::RegisteredOperationName op,
                                           mlir::NamedAttribute entry);

/// Emits an error and fails if the operator, with `numOperands` operands, has
/// an attribute without a default that is not in `written`, which may be null.
mlir::LogicalResult verifyNoAttributeMissing(EmitErrorFn emitError,
                                             mlir::RegisteredOperationName op,
                                             mlir::DictionaryAttr written,
                                             size_t numOperands);

} // namespace uma::accel

#endif // UMA_ACCEL_IR_GRAPHOPERATORS_H
