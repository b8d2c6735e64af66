//===- CArguments.h - C arguments of calls -*- C++ -*----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Reads `c_arguments` of `uma.accel.call`.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_CARGUMENTS_H
#define UMA_ACCEL_IR_CARGUMENTS_H

#include "uma/Accel/IR/AccelOps.h"

#include <optional>

namespace uma::accel {

/// Keys of dictionary elements of `c_arguments`.
inline constexpr llvm::StringLiteral kSumKey = "sum";
inline constexpr llvm::StringLiteral kPickKey = "pick";
inline constexpr llvm::StringLiteral kOfKey = "of";
inline constexpr llvm::StringLiteral kStructKey = "struct";
inline constexpr llvm::StringLiteral kPointerKey = "pointer";
inline constexpr llvm::StringLiteral kFieldsKey = "fields";

/// A struct among the arguments of a call.
struct CStruct {
  llvm::StringRef type; ///< e.g. `npu_cfg` or `struct npu_cfg`
  bool isPointer = false;
  /// Designators, such as `pad.top` or `strides[0]`, and their values.
  llvm::SmallVector<std::pair<llvm::StringRef, mlir::Attribute>> fields;
};

/// Parses an element as a struct. Returns std::nullopt for other elements.
std::optional<CStruct> getStruct(mlir::Attribute element);

/// Returns the elements of a call: its `c_arguments` if given, otherwise its
/// operands in order.
llvm::SmallVector<mlir::Attribute> getCArguments(CallOp call);

/// Returns the header constants that an element names.
llvm::SmallVector<llvm::StringRef> getConstants(mlir::Attribute element);

/// Returns the C statements that define the struct argument `index` as the
/// variable `uma_argINDEX` and zero it.
std::string getStructDeclaration(const CStruct &type, unsigned index);

/// Returns the C lvalue of a field of the struct argument `index`.
std::string getField(unsigned index, llvm::StringRef designator);

/// Returns the C expression that passes a struct argument: its variable, or the
/// variable's address.
std::string getStructArgument(const CStruct &type, unsigned index);

/// Returns the C expression of an element that is not a struct. `getOperand`
/// returns the C expression of an operand. A `pick` becomes the element whose
/// index `getPick` returns, or a selection at run time if that is std::nullopt.
std::string
getCText(mlir::Attribute element,
         llvm::function_ref<std::string(unsigned operand)> getOperand,
         llvm::function_ref<std::optional<int64_t>(unsigned operand)> getPick);

} // namespace uma::accel

#endif // UMA_ACCEL_IR_CARGUMENTS_H
