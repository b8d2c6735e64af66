//===- Constants.h - Constants of a graph in patterns -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_PARTITION_CONSTANTS_H
#define UMA_LIB_ACCEL_PARTITION_CONSTANTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/APFloat.h"

#include <string>

namespace uma::accel {

/// Returns whether the operation is a constant, possibly a quantized one: a
/// `uma.graph.storage_cast` of a constant. Constants are no layers.
bool isConstantOp(mlir::Operation *op);

/// Returns whether the value is a constant of the graph or, in a composite's
/// body, a block argument for one.
bool isConstant(mlir::Value value);

/// Returns whether the value is a constant whose elements all equal `number`,
/// rounded to the element type.
bool isSplatOf(mlir::Value value, const llvm::APFloat &number);

/// Formats a number in description syntax: 0.5, 6, true.
std::string getNumberText(mlir::TypedAttr number);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_CONSTANTS_H
