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

/// Converts a tensor of the graph to a device's layout. Fills incomplete blocks
/// with zeros.
mlir::Value convertToDevice(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value value, mlir::AffineMap layout);

/// Converts a tensor in a device's layout to its type in the graph, `type`.
mlir::Value convertFromDevice(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value value, mlir::RankedTensorType type,
                              mlir::AffineMap layout);

/// Returns whether tensors of `type` fill all blocks of the layout completely.
bool isExact(mlir::RankedTensorType type, mlir::AffineMap layout);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_LAYOUTVIEWS_H
