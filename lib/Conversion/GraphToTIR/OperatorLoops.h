//===- OperatorLoops.h - Loops of one of several operators -*- C++ -*------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_OPERATORLOOPS_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_OPERATORLOOPS_H

#include "AcceleratorCalls.h"

namespace uma {

/// Builds the loops of `op` by `strategy`, in a function with the loops of
/// several operators. `strategy` may be null for a reshape, whose result is
/// copied to a separate buffer.
mlir::LogicalResult buildOperatorLoops(mlir::OpBuilder &builder,
                                       mlir::Operation *op,
                                       const Strategy *strategy,
                                       GetBufferFn getBuffer);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_OPERATORLOOPS_H
