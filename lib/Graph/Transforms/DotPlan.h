//===- DotPlan.h - Quantized layers as dot products -*- C++ -*- ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_TRANSFORMS_DOTPLAN_H
#define UMA_LIB_GRAPH_TRANSFORMS_DOTPLAN_H

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/HostTensor.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace uma::graph {

/// The layers of a module on quantized tensors that are computed as dot
/// products of words; see uma-graph-legalize-quantization.
struct DotPlan {
  /// The layers. Only looked up, never iterated.
  llvm::DenseSet<mlir::Operation *> layers;
  /// The element types of the steps of their data, weights, biases and sums.
  /// Only looked up, never iterated.
  llvm::DenseMap<mlir::Value, mlir::Type> types;

  /// Chooses the layers, outside of functions of devices, and words of four
  /// bytes where there are instructions for them (`hasQuads`) and data and
  /// weights fit.
  static DotPlan of(mlir::ModuleOp module, bool hasQuads);
};

/// Returns the stored integers of the bias that is added to the sums of `op`,
/// and false if there is a bias that is not constant.
std::pair<std::optional<HostTensor>, bool> getStoredBias(mlir::Operation *op);

/// Returns the dimension of the output channels in the weights of `op`.
int64_t getOutAxis(mlir::Operation *op);

/// Returns whether the sums of `op`, a quantized convolution or dense layer
/// with or without a constant bias, are in the range of i32 for all data.
bool hasSumsOfI32(mlir::Operation *op);

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_DOTPLAN_H
