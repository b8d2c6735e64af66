//===- LayoutViews.h - Tensors in the layout of a device -*- C++ -*--------===//
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

/// Converts a tensor of the graph to the layout of a device. Blocks that the
/// tensor does not fill end in zeros.
mlir::Value convertToDevice(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value value, mlir::AffineMap layout);

/// Converts a tensor in the layout of a device to `type`, that of the graph.
mlir::Value convertFromDevice(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value value, mlir::RankedTensorType type,
                              mlir::AffineMap layout);

/// Returns whether tensors of `type` fill all blocks of the layout.
bool isExact(mlir::RankedTensorType type, mlir::AffineMap layout);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_LAYOUTVIEWS_H
