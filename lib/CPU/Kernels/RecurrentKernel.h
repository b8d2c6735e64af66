//===- RecurrentKernel.h - Loops of recurrent layers -*- C++ -* -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CPU_KERNELS_RECURRENTKERNEL_H
#define UMA_LIB_CPU_KERNELS_RECURRENTKERNEL_H

#include "LayerLowering.h"

#include "uma/CPU/Model/RecurrentLayer.h"
#include "uma/TIR/Builder/RecurrentMath.h"

namespace uma {

/// A product of the gates with its contraction.
struct GateContraction {
  GateProduct product;
  Contraction contraction;
};

/// Buffers of a recurrent layer; null if the layer has no such tensor.
struct RecurrentBuffers {
  mlir::Value data; ///< [steps * batch, inputs]
  mlir::Value bias, initialH, initialC, peephole;
  mlir::Value output, outputH, outputC;
  mlir::Value inputSums;   ///< [steps * batch, rows]
  mlir::Value stateSums;   ///< [batch, rows], of the current step
  mlir::Value resetStates; ///< [batch, units]
};

/// Builds the loops for one instruction set.
class RecurrentKernel {
public:
  RecurrentKernel(LayerBuilder &b, const RecurrentLayer &layer,
                  const RecurrentBuffers &buffers, const ISA &target)
      : b(b), layer(layer), dims(layer.dims), buffers(buffers), target(target),
        f{b, b.builder.getF32Type()} {}

  /// Builds one direction. `products` are the product of the inputs, then those
  /// of the states in the order in which a step uses them.
  void build(int64_t direction, llvm::ArrayRef<GateContraction> products);

private:
  struct Place {
    mlir::Value time, sequence, unit;
  };

  void buildProduct(const GateContraction &gates, mlir::Value states = {});
  /// Emits loops over the sequences and vectors of units.
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
  /// Emits the pre-activation of a gate, before clipping.
  mlir::Value loadGate(int64_t gate, const Place &at) {
    mlir::Value inputs = loadInputs(gate, at);
    return b.add(inputs, loadStates(gate, at));
  }
  mlir::Value activate(size_t function, mlir::Value x) {
    return f.activate(layer.functions[direction][function], x, layer.clip);
  }
  /// Returns the indices of a unit in the final states.
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
  ISA target;
  FloatMath f;
  int64_t direction = 0;
};

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_RECURRENTKERNEL_H
