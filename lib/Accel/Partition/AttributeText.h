//===- AttributeText.h - Text of attributes in messages -*- C++ -*---------===//
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

/// Formats an attribute in description syntax: `[1, 1]`, `NCHW`, `i32`, `0.5`,
/// or a dim's name. Returns "not set" for null.
std::string getAttributeText(mlir::Attribute attribute);

/// Formats `sizes` in brackets: "[1, 3, 32, 32]".
std::string getListText(llvm::ArrayRef<int64_t> sizes);

/// Returns the integers of an ArrayAttr or dense array of integers, or
/// std::nullopt for other attributes.
std::optional<llvm::SmallVector<int64_t>>
getIntegers(mlir::Attribute attribute);

/// Returns whether an operator's attribute and a description's have the same
/// value, even if they are MLIR attributes of different kinds.
bool haveEqualValue(mlir::Attribute actual, mlir::Attribute wanted);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_ATTRIBUTETEXT_H
