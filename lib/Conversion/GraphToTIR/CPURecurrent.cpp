//===- CPURecurrent.cpp - Recurrent layers on vectors ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The inputs' part of all gates of all steps is one product of matrices. What
// is left for a step is the product of the states with the recurrence weights,
// a contraction with a row per sequence, and the gates' functions, on vectors
// of units. All sums of a step are there before the first state changes, so
// that the results for the last states can hold those of the present step.
//
//===----------------------------------------------------------------------===//

#include "CPULowering.h"
#include "CPURows.h"
#include "RecurrentMath.h"

#include "uma/Support/LayerName.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;
using graph::RecurrentActivation;

namespace {
/// What lstm, gru and rnn have in common, and what they have not.
struct RecurrentLayer {
  enum class Kind { LSTM, GRU, RNN };

  static std::optional<RecurrentLayer> get(Operation *op) {
    return llvm::TypeSwitch<Operation *, std::optional<RecurrentLayer>>(op)
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
  std::optional<APFloat> clip;
  /// Per direction.
  SmallVector<SmallVector<RecurrentActivation>> functions;
  Value data, weight, recurrence;
  /// Null where not given.
  Value bias, sequenceLens, initialH, initialC, peephole;
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
  Value weights = nullptr;
};

/// Null where the layer has none.
struct RecurrentBuffers {
  Value data; ///< [steps * batch, inputs]
  Value bias, initialH, initialC, peephole;
  Value output, outputH, outputC;
  Value inputSums;   ///< [steps * batch, rows]
  Value stateSums;   ///< [batch, rows], those of the present step
  Value resetStates; ///< [batch, units]
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
  void build(int64_t direction, ArrayRef<GateProduct> products);

private:
  struct Place {
    Value time, sequence, unit;
  };

  void buildProduct(const GateProduct &product, Value states = {});
  /// Loops over the sequences and vectors of units.
  void forEachUnit(StringRef label, Value time,
                   function_ref<void(const Place &)> body);
  void buildLSTM(const Place &at);
  void buildReset(const Place &at);
  void buildGRU(const Place &at);
  void buildRNN(const Place &at);

  Value getColumn(int64_t gate, const Place &at) {
    return b.apply(b.dim(0) + gate * dims.units, at.unit);
  }
  Value loadInputs(int64_t gate, const Place &at) {
    Value row =
        b.apply(b.dim(0) * dims.batch + b.dim(1), {at.time, at.sequence});
    return b.load(buffers.inputSums, {row, getColumn(gate, at)});
  }
  Value loadStates(int64_t gate, const Place &at) {
    return b.load(buffers.stateSums, {at.sequence, getColumn(gate, at)});
  }
  /// What goes into the activation of a gate, but for the clip.
  Value loadGate(int64_t gate, const Place &at) {
    Value inputs = loadInputs(gate, at);
    return b.add(inputs, loadStates(gate, at));
  }
  Value activate(size_t function, Value x) {
    return f.activate(layer.functions[direction][function], x, layer.clip);
  }
  /// The place of a unit in the last states.
  SmallVector<Value> getState(const Place &at) {
    Value d = b.index(direction);
    return {d, at.sequence, at.unit};
  }
  void storeState(Value state, const Place &at) {
    SmallVector<Value> place = getState(at);
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
} // namespace

static Contraction makeContraction(const RecurrentLayer &layer,
                                   const GateProduct &product) {
  const graph::RecurrentDims &dims = layer.dims;
  Contraction c;
  c.label = product.isOfStates ? "states" : "inputs";
  c.rows = product.isOfStates ? dims.batch : dims.steps * dims.batch;
  c.channels = product.numRows;
  c.reduce = {product.depth};
  c.packWidth = product.packWidth;
  return c;
}

/// The products of a direction, without their weights.
static SmallVector<GateProduct> getProducts(const RecurrentLayer &layer) {
  int64_t rows = layer.getRows(), units = layer.dims.units;
  SmallVector<GateProduct> products = {{false, 0, rows, layer.dims.inputs}};
  if (layer.resetsFirst)
    products.append(
        {{true, 0, 2 * units, units}, {true, 2 * units, units, units}});
  else
    products.push_back({true, 0, rows, units});
  for (GateProduct &product : products)
    product.packWidth = choosePackWidth(
        getContractionShape(makeContraction(layer, product).getWorkload()));
  return products;
}

bool uma::isVectorRecurrent(Operation *op) {
  std::optional<RecurrentLayer> layer = RecurrentLayer::get(op);
  // A vector of four lanes is the least that pays.
  if (!layer || layer->dims.units < 4 || !isKnownConstant(layer->weight) ||
      !isKnownConstant(layer->recurrence))
    return false;
  if (Value lens = layer->sequenceLens) {
    // Lengths which say nothing are in many models.
    auto constant = lens.getDefiningOp<graph::ConstantOp>();
    auto values = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue())
                           : nullptr;
    if (!values || !llvm::all_of(values, [&](const APInt &value) {
          return value.getActiveBits() <= 31 &&
                 value.getSExtValue() >= layer->dims.steps;
        }))
      return false;
  }
  return llvm::all_of(op->getResults(), isFloatTensor) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return operand == layer->sequenceLens || isFloatTensor(operand);
         });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void RecurrentKernel::buildProduct(const GateProduct &product, Value states) {
  Contraction c = makeContraction(layer, product);
  // A few products are done before other threads would have started.
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
  c.weights = product.weights;
  int64_t first = product.firstRow;
  if (buffers.bias) {
    // That of the inputs' product is the first half.
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
  // Gates in the order i, o, f, c; peepholes in the order i, o, f.
  Value in = activate(0, addPeephole(loadGate(0, at), 0));
  Value forget = layer.isInputForget
                     ? f.sub(f.constant(1.0), in)
                     : activate(0, addPeephole(loadGate(2, at), 2));
  Value candidate = activate(1, loadGate(3, at));
  Value kept = b.mul(forget, cell);
  cell = b.add(kept, b.mul(in, candidate));
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

void RecurrentKernel::build(int64_t d, ArrayRef<GateProduct> products) {
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

//===----------------------------------------------------------------------===//
// The layer
//===----------------------------------------------------------------------===//

/// Packs the weights of a product, which stand in [directions, rows, depth].
static ElementsAttr packGateWeights(const RecurrentLayer &layer,
                                    int64_t direction,
                                    const GateProduct &product,
                                    StringRef name) {
  WeightOrder order;
  order.offset =
      (direction * layer.getRows() + product.firstRow) * product.depth;
  order.channels = product.numRows;
  order.channelStride = product.depth;
  order.extents = {product.depth};
  order.strides = {1};
  return packWeights(
      *getHostTensor(product.isOfStates ? layer.recurrence : layer.weight),
      order, product.packWidth, makeContraction(layer, product).getPanelWidth(),
      name);
}

void LayerLowering::lowerRecurrent() {
  Operation *op = layer.anchor;
  RecurrentLayer recurrent = *RecurrentLayer::get(op);
  const graph::RecurrentDims &dims = recurrent.dims;
  auto add = [&](Value tensor) -> std::optional<Argument> {
    if (!tensor)
      return std::nullopt;
    return addArgument(provider.request(tensor, BufferLayout()));
  };
  Argument data = *add(recurrent.data);
  std::optional<Argument> bias = add(recurrent.bias);
  std::optional<Argument> initialH = add(recurrent.initialH);
  std::optional<Argument> initialC = add(recurrent.initialC);
  std::optional<Argument> peephole = add(recurrent.peephole);
  auto outputs = llvm::map_to_vector(op->getResults(), [&](Value tensor) {
    return addArgument(provider.getCanonical(tensor));
  });
  std::string name = getLayerName(op);
  auto allocate = [&](ArrayRef<int64_t> shape, StringRef label) {
    auto type = MemRefType::get(shape, layer.getType().getElementType());
    return addArgument(
        {provider.allocateBuffer(type, (name + label).str()), BufferLayout()});
  };
  int64_t rows = recurrent.getRows();
  Argument inputSums = allocate({dims.steps * dims.batch, rows}, "_inputs");
  Argument stateSums = allocate({dims.batch, rows}, "_states");
  std::optional<Argument> resetStates;
  if (recurrent.resetsFirst)
    resetStates = allocate({dims.batch, dims.units}, "_reset_states");

  SmallVector<SmallVector<GateProduct>> products;
  SmallVector<Argument> weights;
  for (int64_t d = 0; d < dims.directions; ++d) {
    products.push_back(getProducts(recurrent));
    for (const GateProduct &product : products.back()) {
      std::string label =
          name + (product.isOfStates ? "_recurrence" : "_weight") +
          (d == 1 ? "_reverse" : "") +
          (product.firstRow != 0 ? "_candidate" : "") + "_packed";
      ElementsAttr packed = packGateWeights(recurrent, d, product, label);
      weights.push_back(
          addArgument({provider.makeConstant(packed, label), BufferLayout()}));
    }
  }
  provider.releaseConstant(recurrent.weight);
  provider.releaseConstant(recurrent.recurrence);

  build([&](LayerBuilder &b) {
    auto get = [&](std::optional<Argument> argument) {
      return argument ? getBuffer(b, *argument) : Value();
    };
    RecurrentBuffers buffers;
    buffers.data = getBuffer(b, data, {dims.steps * dims.batch, dims.inputs});
    buffers.bias = get(bias);
    buffers.initialH = get(initialH);
    buffers.initialC = get(initialC);
    buffers.peephole = get(peephole);
    buffers.output = get(outputs[0]);
    buffers.outputH = get(outputs[1]);
    buffers.outputC = outputs.size() > 2 ? get(outputs[2]) : Value();
    buffers.inputSums = get(inputSums);
    buffers.stateSums = get(stateSums);
    buffers.resetStates = get(resetStates);
    const Argument *next = weights.begin();
    for (SmallVector<GateProduct> &direction : products)
      for (GateProduct &product : direction)
        product.weights = getBuffer(b, *next++);
    buildVersions(b, [&](const SIMDTarget &target) {
      RecurrentKernel kernel(b, recurrent, buffers, target);
      for (auto [d, direction] : llvm::enumerate(products))
        kernel.build(int64_t(d), direction);
    });
  });
}
