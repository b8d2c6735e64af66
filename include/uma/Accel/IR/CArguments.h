//===- CArguments.h - Arguments of a call in C -*- C++ -*------------------===//
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

/// Keys of elements that are dictionaries.
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

/// Returns the struct that an element is; std::nullopt for other elements.
std::optional<CStruct> getStruct(mlir::Attribute element);

/// Returns the elements of a call: its `c_arguments`, or its operands in their
/// order.
llvm::SmallVector<mlir::Attribute> getCArguments(CallOp call);

/// Returns the constants of the header that an element names.
llvm::SmallVector<llvm::StringRef> getConstants(mlir::Attribute element);

/// Returns the declaration of the struct that argument `index` is: statements
/// that define `uma_argINDEX` and set all of it to 0.
std::string getStructDeclaration(const CStruct &type, unsigned index);

/// Returns the C of a field of that struct.
std::string getField(unsigned index, llvm::StringRef designator);

/// Returns the C of an argument that is a struct: its variable, or the address.
std::string getStructArgument(const CStruct &type, unsigned index);

/// Returns the C of an element that is no struct. `getOperand` returns the C of
/// an operand; a `pick` takes the element that `getPick` returns, or chooses
/// at run time if it returns std::nullopt.
std::string
getCText(mlir::Attribute element,
         llvm::function_ref<std::string(unsigned operand)> getOperand,
         llvm::function_ref<std::optional<int64_t>(unsigned operand)> getPick);

} // namespace uma::accel

#endif // UMA_ACCEL_IR_CARGUMENTS_H
