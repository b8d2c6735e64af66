//===- AttributeText.h - Attributes of operators in messages -*- C++ -*----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_PARTITION_ATTRIBUTETEXT_H
#define UMA_LIB_ACCEL_PARTITION_ATTRIBUTETEXT_H

#include "mlir/IR/BuiltinAttributes.h"

#include <optional>
#include <string>

namespace uma::accel {

/// Returns an attribute in description syntax: `[1, 1]`, `NCHW`, `i32`, `0.5`;
/// "not set" for null; the name for a dim.
std::string getAttributeText(mlir::Attribute attribute);

/// Returns `sizes` in brackets: "[1, 3, 32, 32]".
std::string getListText(llvm::ArrayRef<int64_t> sizes);

/// Returns the integers of an array attribute of any of MLIR's kinds, or
/// std::nullopt for other attributes.
std::optional<llvm::SmallVector<int64_t>>
getIntegers(mlir::Attribute attribute);

/// Returns whether an operator's attribute has the value that a description
/// writes, even if they are MLIR attributes of different kinds.
bool haveEqualValue(mlir::Attribute actual, mlir::Attribute wanted);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_ATTRIBUTETEXT_H
