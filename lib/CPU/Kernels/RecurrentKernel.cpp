//===- RecurrentKernel.cpp - Loops of recurrent layers --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "RecurrentKernel.h"

#include "Rows.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void RecurrentKernel::buildProduct(const GateContraction &gates, Value states) {
  const GateProduct &product = gates.product;
  Contraction c = gates.contraction;
  // Small products finish before other threads would have started.
  constexpr int64_t enough = int64_t(1) << 18;
  c.isParallel = c.rows * c.channels * product.depth >= enough;
  AffineExpr d = b.expr(direction);
  bool isOfState = states == buffers.outputH;
  c.data = states ? states : buffers.data;
  c.getDataIndices = [=](ArrayRef<AffineExpr>, AffineExpr row,
                         ArrayRef<AffineExpr> reduce) {
    IndexExprs indices = {row, reduce[0]};
    if (isOfState)
      indices.insert(indices.begin(), d);
    return indices;
  };
  int64_t first = product.firstRow;
  if (buffers.bias) {
    // The first half of the bias belongs to the product of the inputs.
    int64_t half = product.isOfStates ? layer.getRows() : 0;
    c.start = {buffers.bias, [=](const ResultPoint &point) {
                 return IndexExprs{d, point.channel.inBlock + half + first};
               }};
  }
  c.result = {product.isOfStates ? buffers.stateSums : buffers.inputSums,
              [=](const ResultPoint &point) {
                return IndexExprs{point.row, point.channel.inBlock + first};
              }};
  buildContraction(b, c, target);
}

void RecurrentKernel::forEachUnit(StringRef label, Value time,
                                  function_ref<void(const Place &)> body) {
  SmallVector<Access> reads, writes;
  for (Value buffer : {buffers.initialH, buffers.initialC, buffers.peephole,
                       buffers.inputSums, buffers.stateSums})
    if (buffer)
      reads.push_back(b.anywhere(buffer));
  for (Value buffer :
       {buffers.output, buffers.outputH, buffers.outputC, buffers.resetStates})
    if (buffer) {
      reads.push_back(b.anywhere(buffer));
      writes.push_back(b.anywhere(buffer));
    }
  b.loops({dims.batch}, [&](ValueRange sequences) {
    SmallVector<Value> bindings = {time, sequences[0]};
    b.block(label, {{dims.steps}, {dims.batch}}, bindings, reads, writes,
            [&](ValueRange vars) {
              RowKernel(b, dims.units, target).map([&](Value unit) {
                body({vars[0], vars[1], unit});
              });
            });
  });
}

//===----------------------------------------------------------------------===//
// Gates
//===----------------------------------------------------------------------===//

void RecurrentKernel::buildLSTM(const Place &at) {
  SmallVector<Value> cellAt = getState(at);
  Value cell = b.load(buffers.outputC, cellAt);
  auto addPeephole = [&](Value sum, int64_t gate) {
    if (!buffers.peephole)
      return sum;
    Value factor =
        b.load(buffers.peephole, {cellAt.front(), getColumn(gate, at)});
    return b.add(sum, b.mul(factor, cell));
  };
  // Gate order is i, o, f, c; peephole order is i, o, f.
  Value in = activate(0, addPeephole(loadGate(0, at), 0));
  Value forget = layer.isInputForget
                     ? f.sub(f.constant(1.0), in)
                     : activate(0, addPeephole(loadGate(2, at), 2));
  Value candidate = activate(1, loadGate(3, at));
  Value kept = b.mul(forget, cell);
  cell = b.add(kept, b.mul(in, candidate));
  cell = f.clip(cell, layer.cellClip);
  b.store(cell, buffers.outputC, cellAt);
  Value out = activate(0, addPeephole(loadGate(1, at), 1));
  Value shown = f.activate(layer.functions[direction][2], cell);
  storeState(b.mul(out, shown), at);
}

void RecurrentKernel::buildReset(const Place &at) {
  Value reset = activate(0, loadGate(1, at));
  Value state = b.load(buffers.outputH, getState(at));
  b.store(b.mul(reset, state), buffers.resetStates, {at.sequence, at.unit});
}

void RecurrentKernel::buildGRU(const Place &at) {
  Value update = activate(0, loadGate(0, at));
  Value sum;
  if (layer.resetsFirst) {
    sum = loadGate(2, at);
  } else {
    Value reset = activate(0, loadGate(1, at));
    Value states = b.mul(reset, loadStates(2, at));
    sum = b.add(loadInputs(2, at), states);
  }
  Value candidate = activate(1, sum);
  Value rest = f.sub(f.constant(1.0), update);
  Value fresh = b.mul(rest, candidate);
  Value old = b.load(buffers.outputH, getState(at));
  storeState(b.add(fresh, b.mul(update, old)), at);
}

void RecurrentKernel::buildRNN(const Place &at) {
  storeState(activate(0, loadGate(0, at)), at);
}

void RecurrentKernel::build(int64_t d, ArrayRef<GateContraction> products) {
  direction = d;
  buildProduct(products.front());
  forEachUnit("start", b.index(0), [&](const Place &at) {
    SmallVector<Value> place = getState(at);
    auto initialize = [&](Value to, Value from) {
      Value value = from ? b.load(from, place) : f.constant(0.0);
      b.store(value, to, place);
    };
    initialize(buffers.outputH, buffers.initialH);
    if (buffers.outputC)
      initialize(buffers.outputC, buffers.initialC);
  });
  b.loops({dims.steps}, [&](ValueRange steps) {
    Value time = steps[0];
    if (dims.isReverse || d == 1)
      time = b.apply(b.expr(dims.steps - 1) - b.dim(0), time);
    buildProduct(products[1], buffers.outputH);
    switch (layer.kind) {
    case RecurrentLayer::Kind::LSTM:
      return forEachUnit("lstm", time, [&](auto &at) { buildLSTM(at); });
    case RecurrentLayer::Kind::GRU:
      if (layer.resetsFirst) {
        forEachUnit("reset", time, [&](auto &at) { buildReset(at); });
        buildProduct(products[2], buffers.resetStates);
      }
      return forEachUnit("gru", time, [&](auto &at) { buildGRU(at); });
    case RecurrentLayer::Kind::RNN:
      return forEachUnit("rnn", time, [&](auto &at) { buildRNN(at); });
    }
  });
}
