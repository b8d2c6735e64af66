//===- CheckGraph.h - Precondition of the conversion to TIR -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_CHECKGRAPH_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_CHECKGRAPH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace uma {

/// Emits an error and fails unless `function` is one block of operators whose
/// arguments and results are statically shaped tensors of integers or floats.
mlir::LogicalResult checkGraph(mlir::func::FuncOp function);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_CHECKGRAPH_H
