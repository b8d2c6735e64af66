//===- ArenaModel.h - Memory that a graph needs at least -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_PIPELINES_ARENAMODEL_H
#define UMA_LIB_PIPELINES_ARENAMODEL_H

#include "uma/Graph/Transforms/Stripes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace uma {

/// Layer of a function before layers are formed: the operators that one kernel
/// computes.
struct ArenaStep {
  llvm::SmallVector<mlir::Operation *, 4> ops;

  /// Returns the operator that computes the result.
  mlir::Operation *getResultOp() const { return ops.back(); }
};

/// Chain of steps that is computed in stripes. `last` computes its result.
struct StripedChain {
  size_t first = 0, last = 0;
  int64_t rows = 0;
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallVector<graph::Stripe> stripes;
  /// Multiply-accumulates that are computed more than once.
  int64_t recomputed = 0;
  /// Most bytes live from step `first` to step `last`.
  int64_t peak = 0;

  /// Returns operators whose results the chain begins with.
  llvm::SmallVector<mlir::Operation *> getBegins() const;
};

/// Lower bound of the workspace of a function, with chains in stripes or
/// without. A result is assumed to overlap all data that its step is the last
/// to read, row by row.
class ArenaModel {
public:
  /// `formsLayers` if uma-cpu-form-layers runs. Inputs and outputs count if
  /// `placesArguments`.
  ArenaModel(mlir::func::FuncOp function, bool formsLayers,
             bool placesArguments);

  llvm::ArrayRef<ArenaStep> getSteps() const { return steps; }

  /// Returns the most bytes live at each step, in all stripes of a step that is
  /// part of a chain. Chains do not overlap each other.
  llvm::SmallVector<int64_t>
  getLiveBytes(llvm::ArrayRef<const StripedChain *> chains) const;

private:
  struct Tensor {
    mlir::Value value;
    int64_t bytes = 0;
    bool isInput = false, isOutput = false;
  };
  class Simulation;

  /// Returns the index of the tensor that a value is, maybe in another shape,
  /// or std::nullopt if it is inside of a step or not in the workspace.
  std::optional<size_t> getTensor(mlir::Value value) const;
  void addTensor(mlir::Value value, bool isInput);

  std::vector<ArenaStep> steps;
  std::vector<Tensor> tensors;
  llvm::DenseMap<mlir::Value, size_t> tensorOf;
};

} // namespace uma

#endif // UMA_LIB_PIPELINES_ARENAMODEL_H
