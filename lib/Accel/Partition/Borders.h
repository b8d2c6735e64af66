//===- Borders.h - Conversions around matches -*- C++ -*-------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Borders are operators around a composite that convert tensors for a device
// which needs other layouts, padded data or smaller tensors than the graph has:
// `pad`, `transpose`, `reshape`, `strided_slice` and `concatenate` with the
// attribute `uma.border`. The composite contains the inverse layout
// conversions, so that its body still matches the pattern and can be
// interpreted.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_PARTITION_BORDERS_H
#define UMA_LIB_ACCEL_PARTITION_BORDERS_H

#include "uma/Accel/Partition/Matcher.h"
#include "uma/Graph/IR/GraphOps.h"

namespace uma::accel {

/// Returns whether the operator is a border.
bool isBorder(mlir::Operation *op);

/// Replaces the values of a match in a composite's body by the block arguments
/// and yielded values outside of the inverse layout conversions. Fails if these
/// conversions differ from the pattern's layouts.
mlir::LogicalResult skipBorders(Match &match);

/// Matches the body of a composite that is not in a module. The match refers to
/// the values inside of the layout conversions. On failure, sets `reason`.
mlir::FailureOr<Match> matchTrial(PatternOp pattern,
                                  graph::CompositeOp composite,
                                  std::string &reason);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_BORDERS_H
