//===- RecurrentKernel.h - Loops of recurrent layers -*- C++ -* -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_RECURRENTKERNEL_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_RECURRENTKERNEL_H

#include "CPULowering.h"
#include "RecurrentMath.h"

#include "llvm/ADT/TypeSwitch.h"

namespace uma {

/// What lstm, gru and rnn have in common, and what they have not.
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
  }
  explicit RecurrentLayer(graph::GRUOp op) : RecurrentLayer(op, Kind::GRU, 3) {
    resetsFirst = !op.getLinearBeforeReset();
  }
  explicit RecurrentLayer(graph::RNNOp op) : RecurrentLayer(op, Kind::RNN, 1) {}

  /// Rows of the weights of one direction.
  int64_t getRows() const { return numGates * dims.units; }

  Kind kind;
  int64_t numGates;
  graph::RecurrentDims dims;
  std::optional<llvm::APFloat> clip;
  /// Per direction.
  llvm::SmallVector<llvm::SmallVector<graph::RecurrentActivation>> functions;
  mlir::Value data, weight, recurrence;
  /// Null where not given.
  mlir::Value bias, sequenceLens, initialH, initialC, peephole;
  bool isInputForget = false;
  /// Whether the states of a gru are reset before the product.
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

/// The product of the inputs, or of the states, of one direction with some rows
/// of its weights.
struct GateProduct {
  bool isOfStates;
  int64_t firstRow, numRows, depth;
  int64_t packWidth = 1;
  mlir::Value weights = nullptr;
};

/// The contraction of the product, without its buffers.
Contraction makeContraction(const RecurrentLayer &layer,
                            const GateProduct &product);

/// Null where the layer has none.
struct RecurrentBuffers {
  mlir::Value data; ///< [steps * batch, inputs]
  mlir::Value bias, initialH, initialC, peephole;
  mlir::Value output, outputH, outputC;
  mlir::Value inputSums;   ///< [steps * batch, rows]
  mlir::Value stateSums;   ///< [batch, rows], those of the present step
  mlir::Value resetStates; ///< [batch, units]
};

/// Builds the version for one target.
class RecurrentKernel {
public:
  RecurrentKernel(LayerBuilder &b, const RecurrentLayer &layer,
                  const RecurrentBuffers &buffers, const SIMDTarget &target)
      : b(b), layer(layer), dims(layer.dims), buffers(buffers), target(target),
        f{b, b.builder.getF32Type()} {}

  /// `products` are that of the inputs and those of the states, in the order in
  /// which a step needs them.
  void build(int64_t direction, llvm::ArrayRef<GateProduct> products);

private:
  struct Place {
    mlir::Value time, sequence, unit;
  };

  void buildProduct(const GateProduct &product, mlir::Value states = {});
  /// Loops over the sequences and vectors of units.
  void forEachUnit(llvm::StringRef label, mlir::Value time,
                   llvm::function_ref<void(const Place &)> body);
  void buildLSTM(const Place &at);
  void buildReset(const Place &at);
  void buildGRU(const Place &at);
  void buildRNN(const Place &at);

  mlir::Value getColumn(int64_t gate, const Place &at) {
    return b.apply(b.dim(0) + gate * dims.units, at.unit);
  }
  mlir::Value loadInputs(int64_t gate, const Place &at) {
    mlir::Value row =
        b.apply(b.dim(0) * dims.batch + b.dim(1), {at.time, at.sequence});
    return b.load(buffers.inputSums, {row, getColumn(gate, at)});
  }
  mlir::Value loadStates(int64_t gate, const Place &at) {
    return b.load(buffers.stateSums, {at.sequence, getColumn(gate, at)});
  }
  /// What goes into the activation of a gate, but for the clip.
  mlir::Value loadGate(int64_t gate, const Place &at) {
    mlir::Value inputs = loadInputs(gate, at);
    return b.add(inputs, loadStates(gate, at));
  }
  mlir::Value activate(size_t function, mlir::Value x) {
    return f.activate(layer.functions[direction][function], x, layer.clip);
  }
  /// The place of a unit in the last states.
  llvm::SmallVector<mlir::Value> getState(const Place &at) {
    mlir::Value d = b.index(direction);
    return {d, at.sequence, at.unit};
  }
  void storeState(mlir::Value state, const Place &at) {
    llvm::SmallVector<mlir::Value> place = getState(at);
    b.store(state, buffers.outputH, place);
    place.insert(place.begin(), at.time);
    b.store(state, buffers.output, place);
  }

  LayerBuilder &b;
  const RecurrentLayer &layer;
  const graph::RecurrentDims &dims;
  const RecurrentBuffers &buffers;
  SIMDTarget target;
  FloatMath f;
  int64_t direction = 0;
};

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_RECURRENTKERNEL_H
