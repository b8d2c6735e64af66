//===- Borders.h - What a match needs around it -*- C++ -*-----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A device that takes another layout, padded data or smaller tensors than the
// graph has gets them from operators around its composite: `pad`, `transpose`,
// `reshape`, `strided_slice`, `concatenate`, all with the attribute
// `uma.border`. The composite holds the inverse of the layouts, so that it can
// be interpreted and matched again: its body is what the pattern says.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_PARTITION_BORDERS_H
#define UMA_LIB_ACCEL_PARTITION_BORDERS_H

#include "uma/Accel/Partition/Matcher.h"
#include "uma/Graph/IR/GraphOps.h"

namespace uma::accel {

/// Returns whether the operator converts a tensor for a device.
bool isBorder(mlir::Operation *op);

/// Returns the value that the border operators before `value` convert; `value`
/// if there are none.
mlir::Value skipBorders(mlir::Value value);

/// Replaces the values of a match in a composite by those outside of its
/// inverse layouts: block arguments and what the composite yields. Fails if the
/// composite converts tensors in another way than the pattern says.
mlir::LogicalResult skipBorders(Match &match);

/// Matches the body of a composite that is in no module. Its values are those
/// inside of the layouts. Sets the reason if there is no match.
mlir::FailureOr<Match> matchTrial(PatternOp pattern,
                                  graph::CompositeOp composite,
                                  std::string &reason);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_BORDERS_H
