//===- AcceleratorCalls.h - Convert matches to extern calls -*- C++ -*-----===//
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

/// Returns the buffer of a tensor of the graph.
using GetBufferFn = llvm::function_ref<mlir::Value(mlir::Value tensor)>;

/// Returns memory of the given type for the calls of one match.
using GetScratchFn =
    llvm::function_ref<mlir::Value(accel::ScratchOp, mlir::MemRefType)>;

/// Returns the constant buffer of an array of numbers that calls take, or null
/// if its tensor is not part of the match.
using GetArrayFn = llvm::function_ref<mlir::Value(accel::ArrayOp)>;

/// Buffer that a pattern places in a memory of the device.
struct PlacedBuffer {
  mlir::Value buffer;
  accel::MemoryOp memory;
};

/// Adds the line of a call in the description to `loc`. Only the file name is
/// kept, since the emitted C must not depend on folders.
mlir::Location addDescribedLine(mlir::Location loc,
                                accel::AcceleratorOp accelerator,
                                mlir::Operation *description);

/// Returns true for operators that do not move elements.
inline bool isView(mlir::Operation *op) {
  return mlir::isa<graph::ReshapeOp, graph::BatchFlattenOp>(op);
}

/// Returns the name of the layer that `composite` computes: the name of its
/// location or, if it has none, of its pattern.
std::string getCompositeName(graph::CompositeOp composite);

/// Builds the code of a composite in its device's function: the calls of its
/// pattern or, if it has none, loops. `getBuffer` is called for the composite's
/// operands and results, and for tensors inside that pass from one operator or
/// call to the next; `getScratch` for the memory of its calls, `getArray` for
/// their arrays. Emits an error on the composite and fails if its body no
/// longer matches its pattern.
mlir::LogicalResult buildComposite(mlir::OpBuilder &builder,
                                   graph::CompositeOp composite,
                                   const StrategyRegistry &strategies,
                                   GetBufferFn getBuffer,
                                   GetScratchFn getScratch, GetArrayFn getArray,
                                   llvm::SmallVectorImpl<PlacedBuffer> &placed);

/// Builds the calls of a matched pattern. `getBuffer` takes tensors of the
/// match, scratches and arrays of the pattern.
void buildCalls(mlir::OpBuilder &builder, mlir::Location loc,
                llvm::StringRef layer, const accel::Match &match,
                GetBufferFn getBuffer);

/// Builds the calls in the body of an `init`, `launch` or `await`, and appends
/// them to `created` if it is given.
mlir::LogicalResult
buildRegionCalls(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Block &body,
                 llvm::SmallVectorImpl<tir::CallExternOp> *created = nullptr);

/// Builds the loops, or calls to the device's own strategies, of a match.
mlir::LogicalResult lowerMatch(mlir::OpBuilder &builder,
                               graph::CompositeOp composite,
                               const accel::Match &match,
                               const StrategyRegistry &strategies,
                               GetBufferFn getBuffer);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_ACCELERATORCALLS_H
