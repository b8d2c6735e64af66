//===- RecurrentStrategies.cpp - Recurrent layers as loops ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Loops over time around matrix-vector products. The results for the last
// states hold the current states, so that a layer needs no other memory. New
// states are first written to the result of all steps, because every unit reads
// the old states of all units.
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Builder/RecurrentMath.h"

#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;
using graph::RecurrentActivation;

namespace {
/// Indices of a step: direction, sequence in the batch, and position in the
/// sequence.
struct Step {
  Value direction, sequence, time;
};

/// Common lowering of lstm, gru and rnn.
template <typename OpT>
class RecurrentLowering {
public:
  RecurrentLowering(LayerBuilder &b, OpT op, ValueRange inputs,
                    ValueRange outputs)
      : b(b), op(op), dims(op.getDims()),
        f{b, LayerBuilder::getComputeType(getElement(outputs[0]))},
        data(inputs[0]), weight(inputs[1]), recurrence(inputs[2]),
        output(outputs[0]), outputH(outputs[1]) {
    unsigned next = 3;
    bias = op.getBias() ? inputs[next++] : Value();
    sequenceLens = op.getSequenceLens() ? inputs[next++] : Value();
    initialH = op.getInitialH() ? inputs[next++] : Value();
    rest = inputs.drop_front(next);
  }

  /// Builds `step` for every step, which stores the new states in `output`,
  /// then copies them to `outputH`. `start` initialises further states.
  void
  run(function_ref<void(Value direction)> start,
      function_ref<void(const Step &, ArrayRef<RecurrentActivation> functions)>
          step);

  /// Initialises the state `to` of a direction from `from`, or to 0 if that is
  /// null.
  void initialize(Value to, Value from, Value direction);
  /// Builds a loop over the units.
  void forEachUnit(function_ref<void(Value unit)> body) {
    b.loops({dims.units}, [&](ValueRange vars) { body(vars[0]); });
  }

  /// Returns the row of the weights for gate `gate` of a unit.
  Value getRow(int64_t gate, Value unit) {
    return b.apply(b.dim(0) + gate * dims.units, unit);
  }
  /// Returns the bias of a row, or null if there is none. `half` 0 is the bias
  /// of the data's product, 1 that of the states'.
  Value getBias(int64_t half, const Step &at, Value row) {
    if (!bias)
      return {};
    int64_t rows = getShape(bias)[1] / 2;
    return load(bias, {at.direction, b.apply(b.dim(0) + half * rows, row)});
  }
  /// Loads an element, converted to the layer's compute type.
  Value load(Value buffer, ValueRange at) {
    return b.loadAs(f.type, buffer, at);
  }
  /// Builds start + the product of a step's data with a row of `weight`.
  Value addInputs(Value start, const Step &at, Value row) {
    return dot("inputs", start, dims.inputs, {data, weight}, [&](Value k) {
      return b.mul(load(data, {at.time, at.sequence, k}),
                   load(weight, {at.direction, row, k}));
    });
  }
  /// Builds start + the product of the states with a row of `recurrence`.
  Value addStates(Value start, const Step &at, Value row) {
    return dot("states", start, dims.units, {outputH, recurrence},
               [&](Value k) {
                 return b.mul(load(outputH, {at.direction, at.sequence, k}),
                              load(recurrence, {at.direction, row, k}));
               });
  }
  /// Builds start + the sum of `term(k)` for k in [0, extent).
  Value dot(StringRef label, Value start, int64_t extent,
            ArrayRef<Value> buffers, function_ref<Value(Value)> term) {
    SmallVector<Access> reads;
    for (Value buffer : buffers)
      reads.push_back(b.anywhere(buffer));
    Value sum = b.reduce(
        label, {}, {}, {extent}, f.type, start, reads,
        [&](ValueRange vars, Value acc) { return b.add(acc, term(vars[0])); });
    return b.load(sum, {});
  }
  /// Builds the operand of a gate's activation, before clipping.
  Value getGate(int64_t gate, const Step &at, Value unit) {
    Value row = getRow(gate, unit);
    Value start = f.constant(0.0);
    if (bias)
      start = b.add(getBias(0, at, row), getBias(1, at, row));
    return addStates(addInputs(start, at, row), at, row);
  }
  /// Builds the activation of a sum, which is clipped first.
  Value activate(const RecurrentActivation &function, Value sum) {
    return f.activate(function, sum, op.getClip());
  }
  /// Loads the state of a unit before a step.
  Value loadState(const Step &at, Value unit) {
    return load(outputH, {at.direction, at.sequence, unit});
  }
  void storeState(Value value, const Step &at, Value unit) {
    b.store(value, output, {at.time, at.direction, at.sequence, unit});
  }

  LayerBuilder &b;
  OpT op;
  graph::RecurrentDims dims;
  FloatMath f;
  Value data, weight, recurrence, bias, sequenceLens, initialH;
  Value output, outputH;
  ValueRange rest; ///< operands after the common ones

private:
  Value getLength(Value sequence);
};
} // namespace

template <typename OpT>
void RecurrentLowering<OpT>::initialize(Value to, Value from, Value direction) {
  b.loops({dims.batch, dims.units}, [&](ValueRange vars) {
    SmallVector<Value> at = {direction, vars[0], vars[1]};
    b.store(from ? load(from, at) : f.constant(0.0), to, at);
  });
}

/// Returns the number of steps of a sequence, clamped to [0, the maximum].
template <typename OpT>
Value RecurrentLowering<OpT>::getLength(Value sequence) {
  Value length = b.load(sequenceLens, {sequence});
  Type index = b.builder.getIndexType();
  length = b.isUnsigned(sequenceLens)
               ? arith::IndexCastUIOp::create(b.builder, b.loc, index, length)
                     .getResult()
               : arith::IndexCastOp::create(b.builder, b.loc, index, length)
                     .getResult();
  length = arith::MaxSIOp::create(b.builder, b.loc, length, b.index(0));
  return arith::MinSIOp::create(b.builder, b.loc, length, b.index(dims.steps));
}

template <typename OpT>
void RecurrentLowering<OpT>::run(
    function_ref<void(Value)> start,
    function_ref<void(const Step &, ArrayRef<RecurrentActivation>)> step) {
  // Directions differ in their functions and order, so each has separate loops.
  for (int64_t d = 0; d < dims.directions; ++d) {
    bool isReverse = dims.isReverse || d == 1;
    Value direction = b.index(d);
    SmallVector<RecurrentActivation> functions = op.getActivationsOf(d);
    initialize(outputH, initialH, direction);
    start(direction);
    b.loops({dims.batch}, [&](ValueRange batch) {
      Value sequence = batch[0];
      Value length = sequenceLens ? getLength(sequence) : b.index(dims.steps);
      b.loops({dims.steps}, [&](ValueRange steps) {
        OpBuilder::InsertionGuard guard(b.builder);
        if (sequenceLens) {
          Value isInside = arith::CmpIOp::create(
              b.builder, b.loc, arith::CmpIPredicate::slt, steps[0], length);
          auto branch = scf::IfOp::create(b.builder, b.loc, isInside,
                                          /*withElseRegion=*/true);
          b.builder.setInsertionPoint(branch.elseYield());
          forEachUnit([&](Value unit) {
            storeState(f.constant(0.0), {direction, sequence, steps[0]}, unit);
          });
          b.builder.setInsertionPoint(branch.thenYield());
        }
        Value time = steps[0];
        if (isReverse) {
          Value last = arith::SubIOp::create(b.builder, b.loc, length, time);
          time = arith::SubIOp::create(b.builder, b.loc, last, b.index(1));
        }
        Step at = {direction, sequence, time};
        step(at, functions);
        forEachUnit([&](Value unit) {
          b.store(load(output, {time, direction, sequence, unit}), outputH,
                  {direction, sequence, unit});
        });
      });
    });
  }
}

//===----------------------------------------------------------------------===//
// LSTMOp, GRUOp, RNNOp
//===----------------------------------------------------------------------===//

static LogicalResult lowerLSTM(LayerBuilder &b, graph::LSTMOp op,
                               ValueRange inputs, ValueRange outputs) {
  RecurrentLowering<graph::LSTMOp> layer(b, op, inputs, outputs);
  FloatMath &f = layer.f;
  Value outputC = outputs[2];
  Value initialC = op.getInitialC() ? layer.rest.front() : Value();
  Value peephole = op.getPeephole() ? layer.rest.back() : Value();
  layer.run(
      [&](Value direction) { layer.initialize(outputC, initialC, direction); },
      [&](const Step &at, ArrayRef<RecurrentActivation> functions) {
        layer.forEachUnit([&](Value unit) {
          SmallVector<Value> cellAt = {at.direction, at.sequence, unit};
          Value cell = layer.load(outputC, cellAt);
          auto addPeephole = [&](Value sum, int64_t gate, Value state) {
            if (!peephole)
              return sum;
            Value factor =
                layer.load(peephole, {at.direction, layer.getRow(gate, unit)});
            return b.add(sum, b.mul(factor, state));
          };
          // Gates in the order i, o, f, c; peepholes in the order i, o, f.
          Value in = layer.activate(
              functions[0], addPeephole(layer.getGate(0, at, unit), 0, cell));
          Value forget =
              op.getInputForget()
                  ? f.sub(f.constant(1.0), in)
                  : layer.activate(
                        functions[0],
                        addPeephole(layer.getGate(2, at, unit), 2, cell));
          Value candidate =
              layer.activate(functions[1], layer.getGate(3, at, unit));
          cell = b.add(b.mul(forget, cell), b.mul(in, candidate));
          cell = f.clip(cell, op.getCellClip());
          b.store(cell, outputC, cellAt);
          Value out = layer.activate(
              functions[0], addPeephole(layer.getGate(1, at, unit), 1, cell));
          layer.storeState(b.mul(out, f.activate(functions[2], cell)), at,
                           unit);
        });
      });
  return success();
}

static LogicalResult lowerGRU(LayerBuilder &b, graph::GRUOp op,
                              ValueRange inputs, ValueRange outputs) {
  RecurrentLowering<graph::GRUOp> layer(b, op, inputs, outputs);
  FloatMath &f = layer.f;
  // h' = (1 - z) * candidate + z * h
  auto finish = [&](const Step &at, Value unit, Value update, Value candidate) {
    Value rest = f.sub(f.constant(1.0), update);
    layer.storeState(
        b.add(b.mul(rest, candidate), b.mul(update, layer.loadState(at, unit))),
        at, unit);
  };
  if (op.getLinearBeforeReset()) {
    layer.run([](Value) {},
              [&](const Step &at, ArrayRef<RecurrentActivation> functions) {
                layer.forEachUnit([&](Value unit) {
                  Value update =
                      layer.activate(functions[0], layer.getGate(0, at, unit));
                  Value reset =
                      layer.activate(functions[0], layer.getGate(1, at, unit));
                  Value row = layer.getRow(2, unit), zero = f.constant(0.0);
                  Value start = layer.getBias(1, at, row);
                  Value states = layer.addStates(start ? start : zero, at, row);
                  start = layer.getBias(0, at, row);
                  Value sum = layer.addInputs(start ? start : zero, at, row);
                  sum = b.add(sum, b.mul(reset, states));
                  finish(at, unit, update, layer.activate(functions[1], sum));
                });
              });
    return success();
  }

  // Each candidate reads the reset states of all units.
  Value resetStates = tir::AllocOp::create(
      b.builder, b.loc, MemRefType::get({layer.dims.units}, f.type),
      tir::Scope::Local, /*offset=*/nullptr,
      b.builder.getStringAttr("reset_states"));
  layer.run(
      [](Value) {},
      [&](const Step &at, ArrayRef<RecurrentActivation> functions) {
        layer.forEachUnit([&](Value unit) {
          Value reset =
              layer.activate(functions[0], layer.getGate(1, at, unit));
          b.store(b.mul(reset, layer.loadState(at, unit)), resetStates, {unit});
        });
        layer.forEachUnit([&](Value unit) {
          Value update =
              layer.activate(functions[0], layer.getGate(0, at, unit));
          Value row = layer.getRow(2, unit), start = f.constant(0.0);
          if (layer.bias)
            start = b.add(layer.getBias(0, at, row), layer.getBias(1, at, row));
          Value sum = layer.dot(
              "reset_states", layer.addInputs(start, at, row), layer.dims.units,
              {resetStates, layer.recurrence}, [&](Value k) {
                return b.mul(
                    b.load(resetStates, {k}),
                    layer.load(layer.recurrence, {at.direction, row, k}));
              });
          finish(at, unit, update, layer.activate(functions[1], sum));
        });
      });
  return success();
}

static LogicalResult lowerRNN(LayerBuilder &b, graph::RNNOp op,
                              ValueRange inputs, ValueRange outputs) {
  RecurrentLowering<graph::RNNOp> layer(b, op, inputs, outputs);
  layer.run([](Value) {},
            [&](const Step &at, ArrayRef<RecurrentActivation> functions) {
              layer.forEachUnit([&](Value unit) {
                layer.storeState(
                    layer.activate(functions[0], layer.getGate(0, at, unit)),
                    at, unit);
              });
            });
  return success();
}

void uma::populateRecurrentStrategies(StrategyRegistry &registry) {
  registry.add<graph::LSTMOp>(lowerLSTM);
  registry.add<graph::GRUOp>(lowerGRU);
  registry.add<graph::RNNOp>(lowerRNN);
}
