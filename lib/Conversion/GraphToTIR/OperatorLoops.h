//===- OperatorLoops.h - Loops of one operator of several -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_OPERATORLOOPS_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_OPERATORLOOPS_H

#include "AcceleratorCalls.h"

namespace uma {

/// Builds the loops of `op` behind those of others in one function, as
/// `strategy` does, which may be null for a reshape: its result has a buffer of
/// its own here.
mlir::LogicalResult buildOperatorLoops(mlir::OpBuilder &builder,
                                       mlir::Operation *op,
                                       const Strategy *strategy,
                                       GetBufferFn getBuffer);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_OPERATORLOOPS_H
