//===- RecurrentOps.cpp - Evaluates recurrent layers ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::kernels;
using Kind = RecurrentActivation::Kind;

static double apply(const RecurrentActivation &function, double x) {
  double alpha = function.alpha, beta = function.beta;
  switch (function.kind) {
  case Kind::Affine:
    return alpha * x + beta;
  case Kind::Elu:
    return x < 0 ? alpha * std::expm1(x) : x;
  case Kind::HardSigmoid:
    return std::min(std::max(alpha * x + beta, 0.0), 1.0);
  case Kind::LeakyRelu:
    return x < 0 ? alpha * x : x;
  case Kind::Relu:
    return x < 0 ? 0 : x;
  case Kind::ScaledTanh:
    return alpha * std::tanh(beta * x);
  case Kind::Sigmoid:
    return 1 / (1 + std::exp(-x));
  case Kind::Softplus:
    return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
  case Kind::Softsign:
    return x / (1 + std::fabs(x));
  case Kind::Tanh:
    return std::tanh(x);
  case Kind::ThresholdedRelu:
    return x > alpha ? x : 0;
  }
  return x;
}

namespace {
using Vector = std::vector<double>;

/// Operands and states of a layer, in double.
struct Layer {
  template <typename OpT>
  Layer(OpT op, Operands operands, int64_t gates)
      : dims(op.getDims()), gates(gates), data(load<double>(operands[0])),
        weight(load<double>(operands[1])),
        recurrence(load<double>(operands[2])) {
    unsigned next = 3;
    if (op.getBias())
      bias = load<double>(operands[next++]);
    bias.resize(dims.directions * 2 * gates * dims.units);
    if (op.getSequenceLens())
      lens = load<int64_t>(operands[next++]);
    lens.resize(dims.batch, op.getSequenceLens() ? 0 : dims.steps);
    for (int64_t &length : lens)
      length = std::clamp<int64_t>(length, 0, dims.steps);
    if (op.getInitialH())
      states = load<double>(operands[next++]);
    states.resize(dims.directions * dims.batch * dims.units);
    output.resize(dims.steps * states.size());
    rest = operands.drop_front(next);
    if (std::optional<APFloat> value = op.getClip())
      clip = value->convertToDouble();
  }

  double activate(const RecurrentActivation &function, double x) const {
    return apply(function, clip ? std::clamp(x, -*clip, *clip) : x);
  }
  /// Returns bias + weight * data of row `row`: one gate of one unit.
  double addInputs(int64_t d, int64_t t, int64_t b, int64_t row) const {
    double sum = bias[d * 2 * gates * dims.units + row];
    for (int64_t i = 0; i < dims.inputs; ++i)
      sum += data[(t * dims.batch + b) * dims.inputs + i] *
             weight[(d * gates * dims.units + row) * dims.inputs + i];
    return sum;
  }
  /// Returns bias + recurrence * `vector` of row `row`.
  double addStates(int64_t d, int64_t row, const double *vector) const {
    double sum = bias[(d * 2 + 1) * gates * dims.units + row];
    for (int64_t k = 0; k < dims.units; ++k)
      sum += vector[k] *
             recurrence[(d * gates * dims.units + row) * dims.units + k];
    return sum;
  }
  /// Returns the arguments of all gates of all units for `state`: [gates *
  /// units].
  Vector getGates(int64_t d, int64_t t, int64_t b, const double *state) const {
    Vector sums;
    for (int64_t row = 0; row < gates * dims.units; ++row)
      sums.push_back(addInputs(d, t, b, row) + addStates(d, row, state));
    return sums;
  }

  /// Calls `step(d, b, t, state)`, which returns the new state, for every step.
  template <typename StepFn>
  void run(StepFn step) {
    for (int64_t d = 0; d < dims.directions; ++d)
      for (int64_t b = 0; b < dims.batch; ++b) {
        double *state = &states[(d * dims.batch + b) * dims.units];
        for (int64_t s = 0; s < lens[b]; ++s) {
          int64_t t = dims.isReverse || d == 1 ? lens[b] - 1 - s : s;
          Vector next = step(d, b, t, state);
          llvm::copy(next, state);
          llvm::copy(next,
                     &output[((t * dims.directions + d) * dims.batch + b) *
                             dims.units]);
        }
      }
  }

  RecurrentDims dims;
  int64_t gates;
  Vector data, weight, recurrence, bias, states, output;
  std::vector<int64_t> lens;
  Operands rest; ///< operands after the ones common to all layers
  std::optional<double> clip;
};
} // namespace

static RankedTensorType getType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

Results kernels::runAll(LSTMOp op, Operands operands, EmitErrorFn emitError) {
  Layer layer(op, operands, /*gates=*/4);
  int64_t units = layer.dims.units;
  Vector cells, peephole;
  if (op.getInitialC())
    cells = load<double>(layer.rest.front());
  cells.resize(layer.states.size());
  if (op.getPeephole())
    peephole = load<double>(layer.rest.back());
  peephole.resize(layer.dims.directions * 3 * units);
  std::optional<double> cellClip;
  if (std::optional<APFloat> value = op.getCellClip())
    cellClip = value->convertToDouble();
  layer.run([&](int64_t d, int64_t b, int64_t t, const double *state) {
    auto functions = op.getActivationsOf(d);
    double *cell = &cells[(d * layer.dims.batch + b) * units];
    const double *peep = &peephole[d * 3 * units];
    Vector gates = layer.getGates(d, t, b, state), next(units);
    for (int64_t j = 0; j < units; ++j) {
      double in = layer.activate(functions[0], gates[j] + peep[j] * cell[j]);
      double forget =
          op.getInputForget()
              ? 1 - in
              : layer.activate(functions[0], gates[2 * units + j] +
                                                 peep[2 * units + j] * cell[j]);
      cell[j] = forget * cell[j] +
                in * layer.activate(functions[1], gates[3 * units + j]);
      if (cellClip)
        cell[j] = std::clamp(cell[j], -*cellClip, *cellClip);
      double out = layer.activate(functions[0],
                                  gates[units + j] + peep[units + j] * cell[j]);
      next[j] = out * apply(functions[2], cell[j]);
    }
    return next;
  });
  return SmallVector<HostTensor>{store(getType(op.getOutput()), layer.output),
                                 store(getType(op.getOutputH()), layer.states),
                                 store(getType(op.getOutputC()), cells)};
}

Results kernels::runAll(GRUOp op, Operands operands, EmitErrorFn emitError) {
  Layer layer(op, operands, /*gates=*/3);
  int64_t units = layer.dims.units;
  layer.run([&](int64_t d, int64_t b, int64_t t, const double *state) {
    auto functions = op.getActivationsOf(d);
    Vector gates = layer.getGates(d, t, b, state), next(units), reset(units);
    for (int64_t j = 0; j < units; ++j)
      reset[j] = layer.activate(functions[0], gates[units + j]);
    Vector resetState(units);
    for (int64_t j = 0; j < units; ++j)
      resetState[j] = reset[j] * state[j];
    for (int64_t j = 0; j < units; ++j) {
      int64_t row = 2 * units + j;
      double states = op.getLinearBeforeReset()
                          ? reset[j] * layer.addStates(d, row, state)
                          : layer.addStates(d, row, resetState.data());
      double candidate =
          layer.activate(functions[1], layer.addInputs(d, t, b, row) + states);
      double update = layer.activate(functions[0], gates[j]);
      next[j] = (1 - update) * candidate + update * state[j];
    }
    return next;
  });
  return SmallVector<HostTensor>{store(getType(op.getOutput()), layer.output),
                                 store(getType(op.getOutputH()), layer.states)};
}

Results kernels::runAll(RNNOp op, Operands operands, EmitErrorFn emitError) {
  Layer layer(op, operands, /*gates=*/1);
  layer.run([&](int64_t d, int64_t b, int64_t t, const double *state) {
    auto functions = op.getActivationsOf(d);
    Vector next = layer.getGates(d, t, b, state);
    for (double &value : next)
      value = layer.activate(functions[0], value);
    return next;
  });
  return SmallVector<HostTensor>{store(getType(op.getOutput()), layer.output),
                                 store(getType(op.getOutputH()), layer.states)};
}
