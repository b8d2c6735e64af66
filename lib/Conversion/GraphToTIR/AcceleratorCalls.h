//===- AcceleratorCalls.h - Matches become extern calls -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_ACCELERATORCALLS_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_ACCELERATORCALLS_H

#include "uma/Accel/Partition/Matcher.h"
#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/TIR/IR/TIROps.h"

#include "mlir/IR/Builders.h"

#include <string>

namespace uma {

/// Gives the buffer of a tensor of the graph.
using GetBufferFn = llvm::function_ref<mlir::Value(mlir::Value tensor)>;

/// Gives memory of a type to the calls of one match.
using GetScratchFn =
    llvm::function_ref<mlir::Value(accel::ScratchOp, mlir::MemRefType)>;

/// A buffer that a pattern places in a memory of the device.
struct PlacedBuffer {
  mlir::Value buffer;
  accel::MemoryOp memory;
};

/// Operators that keep the elements where they are.
inline bool isView(mlir::Operation *op) {
  return mlir::isa<graph::ReshapeOp, graph::BatchFlattenOp>(op);
}

/// Returns the name of the layer that `composite` computes: its location's,
/// else that of its pattern.
std::string getCompositeName(graph::CompositeOp composite);

/// Returns the tensor outside the composite that `inner` stands for: the
/// operand behind a block argument, the result behind a yielded value, else
/// `inner` itself.
mlir::Value getOuterTensor(graph::CompositeOp composite, mlir::Value inner);

/// Builds what a composite becomes in its device's function: the calls that its
/// pattern names, else loops. `getBuffer` is asked for the composite's
/// operands, for its results and for tensors inside that pass from one operator
/// or call to the next, `getScratch` for the memory of its calls. Fails with an
/// error on the composite when its body no longer matches its pattern.
mlir::LogicalResult buildComposite(mlir::OpBuilder &builder,
                                   graph::CompositeOp composite,
                                   const StrategyRegistry &strategies,
                                   GetBufferFn getBuffer,
                                   GetScratchFn getScratch,
                                   llvm::SmallVectorImpl<PlacedBuffer> &placed);

/// Builds the calls of a pattern that matched; `getBuffer` takes tensors of the
/// match and scratches of the pattern.
void buildCalls(mlir::OpBuilder &builder, mlir::Location loc,
                llvm::StringRef layer, const accel::Match &match,
                GetBufferFn getBuffer);

/// Builds the calls in the body of an `init` or `await`.
mlir::LogicalResult buildRegionCalls(mlir::OpBuilder &builder,
                                     mlir::Location loc, mlir::Block &body);

/// Builds the loops, or calls to the device's own strategies, of a match.
mlir::LogicalResult lowerMatch(mlir::OpBuilder &builder,
                               graph::CompositeOp composite,
                               const accel::Match &match,
                               const StrategyRegistry &strategies,
                               GetBufferFn getBuffer);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_ACCELERATORCALLS_H
