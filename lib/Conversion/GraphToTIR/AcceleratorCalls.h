//===- AcceleratorCalls.h - Matches become extern calls -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_ACCELERATORCALLS_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_ACCELERATORCALLS_H

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/IR/Builders.h"

#include <string>

namespace uma {

/// Gives the buffer of a tensor of the graph; called once per tensor.
using GetBufferFn = llvm::function_ref<mlir::Value(mlir::Value tensor)>;

/// The name of the layer that `composite` computes: its location's, else that
/// of its pattern.
std::string getCompositeName(graph::CompositeOp composite);

/// Builds the calls that the pattern of `composite` names. `getBuffer` is asked
/// for the composite's operands, for its results and for tensors inside that
/// pass from one call to the next. Fails with an error on the composite when
/// its body no longer matches its pattern.
mlir::LogicalResult buildAcceleratorCalls(mlir::OpBuilder &builder,
                                          graph::CompositeOp composite,
                                          GetBufferFn getBuffer);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_ACCELERATORCALLS_H
