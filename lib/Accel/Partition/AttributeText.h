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

/// The value of an attribute as descriptions write it: `[1, 1]`, `NCHW`, `i32`,
/// `0.5`; "not set" for null; a dim by its name.
std::string getAttributeText(mlir::Attribute attribute);

/// `sizes` in brackets: "[1, 3, 32, 32]".
std::string getListText(llvm::ArrayRef<int64_t> sizes);

/// The integers of an array attribute of any of MLIR's kinds; nothing for
/// another attribute.
std::optional<llvm::SmallVector<int64_t>>
getIntegers(mlir::Attribute attribute);

/// True when an operator's attribute has the value that a description writes,
/// whatever kind of MLIR attribute each of them is.
bool haveEqualValue(mlir::Attribute actual, mlir::Attribute wanted);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_ATTRIBUTETEXT_H
