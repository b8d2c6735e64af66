//===- LayoutViews.h - Conversion to device layouts -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_PARTITION_LAYOUTVIEWS_H
#define UMA_LIB_ACCEL_PARTITION_LAYOUTVIEWS_H

#include "Borders.h"

namespace uma::accel {

/// Marks an operator as a border and returns its result.
mlir::Value markBorder(mlir::Operation *op);

/// Returns the integers that store a quantized tensor; any other tensor is
/// returned as it is.
mlir::Value convertToStorage(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value value);

/// Returns the quantized tensor of type `type` that the integers `value` store.
mlir::Value convertFromStorage(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value value, mlir::Type type);

/// Returns the number by which `number` is stored: `number` itself, or for a
/// quantized type 0 as its zero point and -infinity as its smallest integer.
llvm::APFloat getStoredNumber(mlir::Type element, double number);

/// Converts a tensor of the graph to a device's layout. Quantized tensors
/// become the integers that store them. Fills incomplete blocks with zeros.
mlir::Value convertToDevice(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value value, mlir::AffineMap layout);

/// Converts a tensor in a device's layout to its type in the graph, `type`,
/// which may be quantized.
mlir::Value convertFromDevice(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value value, mlir::RankedTensorType type,
                              mlir::AffineMap layout);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_LAYOUTVIEWS_H
