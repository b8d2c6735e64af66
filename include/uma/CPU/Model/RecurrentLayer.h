//===- RecurrentLayer.h - Common form of lstm, gru and rnn -*- C++ -*------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_RECURRENTLAYER_H
#define UMA_CPU_MODEL_RECURRENTLAYER_H

#include "uma/CPU/Model/Contraction.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Graph/IR/Recurrent.h"

#include "llvm/ADT/TypeSwitch.h"

namespace uma {

/// The common form of lstm, gru and rnn.
struct RecurrentLayer {
  enum class Kind { LSTM, GRU, RNN };

  static std::optional<RecurrentLayer> get(mlir::Operation *op) {
    return llvm::TypeSwitch<mlir::Operation *, std::optional<RecurrentLayer>>(
               op)
        .Case<graph::LSTMOp, graph::GRUOp, graph::RNNOp>(
            [](auto op) { return RecurrentLayer(op); })
        .Default(std::nullopt);
  }

  explicit RecurrentLayer(graph::LSTMOp op)
      : RecurrentLayer(op, Kind::LSTM, 4) {
    initialC = op.getInitialC();
    peephole = op.getPeephole();
    isInputForget = op.getInputForget();
    cellClip = op.getCellClip();
  }
  explicit RecurrentLayer(graph::GRUOp op) : RecurrentLayer(op, Kind::GRU, 3) {
    resetsFirst = !op.getLinearBeforeReset();
  }
  explicit RecurrentLayer(graph::RNNOp op) : RecurrentLayer(op, Kind::RNN, 1) {}

  /// Returns the rows of the weights of one direction.
  int64_t getRows() const { return numGates * dims.units; }

  Kind kind;
  int64_t numGates;
  graph::RecurrentDims dims;
  std::optional<llvm::APFloat> clip;
  /// Activations of each direction.
  llvm::SmallVector<llvm::SmallVector<graph::RecurrentActivation>> functions;
  mlir::Value data, weight, recurrence;
  /// Null if absent.
  mlir::Value bias, sequenceLens, initialH, initialC, peephole;
  bool isInputForget = false;
  std::optional<llvm::APFloat> cellClip;
  /// Whether a gru multiplies the states by the reset gate before the product.
  bool resetsFirst = false;

private:
  template <typename OpT>
  RecurrentLayer(OpT op, Kind kind, int64_t numGates)
      : kind(kind), numGates(numGates), dims(op.getDims()), clip(op.getClip()),
        data(op.getData()), weight(op.getWeight()),
        recurrence(op.getRecurrence()), bias(op.getBias()),
        sequenceLens(op.getSequenceLens()), initialH(op.getInitialH()) {
    for (int64_t d = 0; d < dims.directions; ++d)
      functions.push_back(op.getActivationsOf(d));
  }
};

/// The product of the inputs or states of one direction with rows of its
/// weights.
struct GateProduct {
  bool isOfStates;
  int64_t firstRow, numRows, depth;
};

/// Returns the products of a direction in the order in which a step uses them.
llvm::SmallVector<GateProduct> getGateProducts(const RecurrentLayer &layer);

/// Returns the contraction that computes a product.
ContractionProblem getProblem(const RecurrentLayer &layer,
                              const GateProduct &product);

} // namespace uma

#endif // UMA_CPU_MODEL_RECURRENTLAYER_H
