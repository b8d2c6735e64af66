//===- RecurrentRules.cpp - Rules for layers with state -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Layers keep their states in variables, which become arguments and results of
// the network. Integer layers are computed in floats, but for SVDF and
// UNIDIRECTIONAL_SEQUENCE_LSTM with `--rounding=tflite`.
//
//===----------------------------------------------------------------------===//

#include "FixedPoint.h"
#include "Rules.h"

using namespace mlir;
using namespace uma;
using namespace uma::tflite;
using schema::ActivationFunctionType;
using schema::BuiltinOperator;

/// Returns the name that uma.graph has for the activation of a layer; `affine`,
/// with the factor 1 and the summand 0, for none.
static FailureOr<StringRef> getFunction(Node &node,
                                        ActivationFunctionType function) {
  switch (function) {
  case ActivationFunctionType::NONE:
    return StringRef("affine");
  case ActivationFunctionType::RELU:
    return StringRef("relu");
  case ActivationFunctionType::TANH:
    return StringRef("tanh");
  default:
    return node.notSupported(
        "has the activation " +
        Twine(schema::EnumNameActivationFunctionType(function)) +
        "; supported are NONE, RELU and TANH");
  }
}

/// Sets the activations of a layer. `functions` are names of uma.graph.
template <typename Properties>
static void setFunctions(Node &node, Properties &properties,
                         ArrayRef<StringRef> functions) {
  OpBuilder &builder = node.getBuilder();
  properties.activations = builder.getStrArrayAttr(functions);
  SmallVector<double> ones(functions.size(), 1.0), zeros(functions.size(), 0.0);
  properties.alphas = builder.getDenseF64ArrayAttr(ones);
  properties.betas = builder.getDenseF64ArrayAttr(zeros);
}

/// Adds a first dimension of size 1: of directions, or of steps.
static Value addDim(Node &node, Value data) {
  if (!data)
    return {};
  SmallVector<int64_t> shape = {1};
  llvm::append_range(shape, getShape(data));
  return node.createReshape(data, shape);
}

/// Removes the first dimension, which has the size 1.
static Value dropDim(Node &node, Value data) {
  return data ? node.createReshape(data, getShape(data).drop_front()) : data;
}

/// Returns the data of a layer as [steps, batch, inputs]; null after an error.
/// `isStep` tells that they are one step, [batch, inputs].
static Value getSteps(Node &node, bool isStep, bool timeMajor) {
  if (failed(node.checkRank(0, isStep ? 2 : 3)))
    return {};
  Value data = node.getOperand(0);
  if (isStep)
    return addDim(node, data);
  return timeMajor ? data : node.createTranspose(data, {1, 0, 2});
}

/// Yields the states of all steps, [steps, 1, batch, units].
static LogicalResult yieldSteps(Node &node, Value output, bool isStep,
                                bool timeMajor) {
  ArrayRef<int64_t> shape = getShape(output);
  Value result = node.createReshape(output, {shape[0], shape[2], shape[3]});
  if (isStep)
    result = dropDim(node, result);
  else if (!timeMajor)
    result = node.createTranspose(result, {1, 0, 2});
  return node.yield(result);
}

/// Returns zeros of f32.
static Value createZeros(Node &node, ArrayRef<int64_t> shape) {
  return node.createBroadcast(
      node.createScalar(node.getBuilder().getF32Type(), 0), shape);
}

//===----------------------------------------------------------------------===//
// RNN
//===----------------------------------------------------------------------===//

static LogicalResult importRNNLayer(Node &node, ActivationFunctionType function,
                                    bool isStep, bool timeMajor) {
  FailureOr<StringRef> name = getFunction(node, function);
  Value data = getSteps(node, isStep, timeMajor);
  if (failed(name) || !data || failed(node.checkRank(1, 2)) ||
      failed(node.checkRank(2, 2)) || failed(node.checkRank(3, 1)) ||
      failed(node.checkRank(4, 2)))
    return failure();
  Value bias = node.getOperand(3);
  bias = node.createConcat({bias, createZeros(node, getShape(bias))}, 0);
  graph::RNNOp::Properties properties;
  setFunctions(node, properties, {*name});
  properties.operandSegmentSizes = {1, 1, 1, 1, 0, 1};
  Value output = node.create<graph::RNNOp>(
      {data, addDim(node, node.getOperand(1)), addDim(node, node.getOperand(2)),
       addDim(node, bias), addDim(node, node.getOperand(4))},
      properties);
  if (!output)
    return failure();
  auto layer = output.getDefiningOp<graph::RNNOp>();
  if (failed(node.assign(4, dropDim(node, layer.getOutputH()))))
    return failure();
  return yieldSteps(node, output, isStep, timeMajor);
}

static LogicalResult importRNN(Node &node) {
  const auto *options = node.getOptions<schema::RNNOptions>();
  if (!options)
    return failure();
  return importRNNLayer(node, options->fused_activation_function(),
                        /*isStep=*/true, /*timeMajor=*/false);
}

static LogicalResult importSequenceRNN(Node &node) {
  const auto *options = node.getOptions<schema::SequenceRNNOptions>();
  if (!options)
    return failure();
  return importRNNLayer(node, options->fused_activation_function(),
                        /*isStep=*/false, options->time_major());
}

//===----------------------------------------------------------------------===//
// LSTM
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kLSTMInputs =
    "input! input_to_input_weights!? input_to_forget_weights! "
    "input_to_cell_weights! input_to_output_weights! "
    "recurrent_to_input_weights!? recurrent_to_forget_weights! "
    "recurrent_to_cell_weights! recurrent_to_output_weights! "
    "cell_to_input_weights!? cell_to_forget_weights!? cell_to_output_weights!? "
    "input_gate_bias!? forget_gate_bias! cell_gate_bias! output_gate_bias! "
    "projection_weights!? projection_bias!? output_state!$ cell_state!$ "
    "input_layer_norm_coefficients!? forget_layer_norm_coefficients!? "
    "cell_layer_norm_coefficients!? output_layer_norm_coefficients!?";

/// Joins the operands of the gates in uma.graph's order: input, output, forget,
/// cell. The input gate of a coupled layer is 1 - forget gate, which is the
/// gate of the opposite numbers, since sigmoid(-x) = 1 - sigmoid(x).
static Value joinGates(Node &node, unsigned first) {
  Value forget = node.getOperand(first + 1);
  Value input = node.getOperand(first);
  if (!input)
    input = node.create<graph::NegativeOp>({forget});
  return node.createConcat(
      {input, node.getOperand(first + 3), forget, node.getOperand(first + 2)},
      0);
}

/// Joins the weights of the cell state as joinGates() does; null without any.
static FailureOr<Value> joinPeepholes(Node &node, bool isCoupled) {
  Value input = node.getOperand(kPeephole);
  Value forget = node.getOperand(kPeephole + 1);
  Value output = node.getOperand(kPeephole + 2);
  if (!input && !forget && !output)
    return Value();
  if (!forget || !output || bool(input) == isCoupled)
    return node.badInput("has some inputs of 'cell_to_input_weights', "
                         "'cell_to_forget_weights' and "
                         "'cell_to_output_weights', but not all of its gates");
  if (isCoupled)
    input = node.create<graph::NegativeOp>({forget});
  return node.createConcat({input, output, forget}, 0);
}

static LogicalResult importLSTMLayer(Node &node,
                                     ActivationFunctionType function,
                                     float cellClip, bool isStep,
                                     bool timeMajor) {
  FailureOr<StringRef> name = getFunction(node, function);
  Value data = getSteps(node, isStep, timeMajor);
  if (failed(name) || !data)
    return failure();
  if (node.getOperand(kProjection) || node.getOperand(kProjectionBias))
    return node.notSupported("has a projection, which is not supported");
  for (unsigned gate = 0; gate < 4; ++gate)
    if (node.getOperand(kNorm + gate))
      return node.notSupported("has layer normalization, which is not "
                               "supported");
  bool isCoupled = !node.getOperand(kInputWeights);
  if (bool(node.getOperand(kRecurrentWeights)) == isCoupled ||
      bool(node.getOperand(kBias)) == isCoupled)
    return node.badInput("has some inputs of 'input_to_input_weights', "
                         "'recurrent_to_input_weights' and 'input_gate_bias', "
                         "but not all");
  for (unsigned gate = isCoupled; gate < 4; ++gate)
    if (failed(node.checkRank(kInputWeights + gate, 2)) ||
        failed(node.checkRank(kRecurrentWeights + gate, 2)) ||
        failed(node.checkRank(kBias + gate, 1)))
      return failure();
  if (failed(node.checkRank(kOutputState, 2)) ||
      failed(node.checkRank(kCellState, 2)))
    return failure();
  FailureOr<Value> peephole = joinPeepholes(node, isCoupled);
  if (succeeded(peephole) && !*peephole && !isCoupled && !isStep &&
      function == ActivationFunctionType::TANH)
    if (Value result = createFixedPointLSTM(node, cellClip, timeMajor))
      return node.yield(result);
  Value bias = joinGates(node, kBias);
  if (failed(peephole) || !bias)
    return failure();
  bias = node.createConcat({bias, createZeros(node, getShape(bias))}, 0);

  graph::LSTMOp::Properties properties;
  setFunctions(node, properties, {"sigmoid", *name, *name});
  if (cellClip > 0)
    properties.cell_clip = node.getBuilder().getF64FloatAttr(cellClip);
  SmallVector<Value> operands = {
      data,
      addDim(node, joinGates(node, kInputWeights)),
      addDim(node, joinGates(node, kRecurrentWeights)),
      addDim(node, bias),
      addDim(node, node.getOperand(kOutputState)),
      addDim(node, node.getOperand(kCellState))};
  if (*peephole)
    operands.push_back(addDim(node, *peephole));
  properties.operandSegmentSizes = {1, 1, 1, 1, 0, 1, 1, *peephole ? 1 : 0};
  Value output = node.create<graph::LSTMOp>(operands, properties);
  if (!output)
    return failure();
  auto layer = output.getDefiningOp<graph::LSTMOp>();
  if (failed(node.assign(kOutputState, dropDim(node, layer.getOutputH()))) ||
      failed(node.assign(kCellState, dropDim(node, layer.getOutputC()))))
    return failure();
  return yieldSteps(node, output, isStep, timeMajor);
}

static LogicalResult importLSTM(Node &node) {
  const auto *options = node.getOptions<schema::LSTMOptions>();
  if (!options)
    return failure();
  if (options->kernel_type() != schema::LSTMKernelType::FULL)
    return node.notSupported(
        "has the kernel " +
        Twine(schema::EnumNameLSTMKernelType(options->kernel_type())) +
        "; supported is FULL");
  return importLSTMLayer(node, options->fused_activation_function(),
                         options->cell_clip(), /*isStep=*/true,
                         /*timeMajor=*/false);
}

static LogicalResult importSequenceLSTM(Node &node) {
  const auto *options =
      node.getOptions<schema::UnidirectionalSequenceLSTMOptions>();
  if (!options)
    return failure();
  if (options->diagonal_recurrent_tensors())
    return node.notSupported("has diagonal recurrent weights, which is not "
                             "supported");
  return importLSTMLayer(node, options->fused_activation_function(),
                         options->cell_clip(), /*isStep=*/false,
                         options->time_major());
}

//===----------------------------------------------------------------------===//
// SVDF
//===----------------------------------------------------------------------===//

namespace {
/// A fully connected layer over the last steps, whose weights are sums of
/// products of a vector over the inputs and one over the steps (Nakkiran et
/// al., "Compressing Deep Neural Networks using a Rank-Constrained Topology",
/// 2015). The state, [batch, filters * steps], holds the products with the
/// inputs; its last step is free.
struct SVDF {
  enum Operand : unsigned { kInput, kFeature, kTime, kBias, kState };

  LogicalResult import(const schema::SVDFOptions &options);
  LogicalResult checkShapes();
  /// Puts `step`, [batch, filters], into `state` and assigns the state of the
  /// next run. Returns the sums over filters and steps, weighted by `time`:
  /// [batch, units].
  Value sum(Value state, Value step, Value time);
  /// Computes the layer on integers as the reference kernel does; null if it is
  /// not quantized or another rounding is chosen.
  Value createFixedPoint();

  Node &node;
  int64_t rank, batch = 0, filters = 0, steps = 0;
  /// Type of the variable, if it is assigned as stored.
  Type stateType = {};
};
} // namespace

LogicalResult SVDF::checkShapes() {
  for (unsigned index : {kInput, kFeature, kTime, kState})
    if (failed(node.checkRank(index, 2)))
      return failure();
  Value time = node.getOperand(kTime), state = node.getOperand(kState);
  batch = getShape(node.getOperand(kInput))[0];
  filters = getShape(node.getOperand(kFeature))[0];
  steps = getShape(time)[1];
  if (rank < 1 || filters % rank != 0)
    return node.badInput("has the rank " + Twine(rank) +
                         ", which does not divide " + Twine(filters) +
                         " filters");
  if (getShape(time)[0] != filters ||
      getShape(state) != ArrayRef<int64_t>({batch, filters * steps}))
    return node.badInput(
        "weights over time of the shape " + formatShape(getShape(time)) +
        " and a state of the shape " + formatShape(getShape(state)) +
        " do not fit " + Twine(filters) + " filters and a batch of " +
        Twine(batch));
  return success();
}

Value SVDF::sum(Value state, Value step, Value time) {
  int64_t kept = steps - 1;
  SmallVector<int64_t> ones = {1, 1, 1}, size = {batch, filters, kept};
  step = node.createReshape(step, {batch, filters, 1});
  state = node.createReshape(state, {batch, filters, steps});
  if (!step || !state)
    return {};
  Type element = getElementType(state);
  // The next step takes the place of the last one.
  Value next =
      node.createBroadcast(node.createScalar(element, 0), {batch, filters, 1});
  if (kept > 0) {
    Value old = node.createSlice(state, {0, 0, 0}, size, ones);
    state = node.createConcat({old, step}, 2);
    if (!state)
      return {};
    next = node.createConcat(
        {node.createSlice(state, {0, 0, 1}, size, ones), next}, 2);
  } else {
    state = step;
  }
  next = next ? node.createReshape(next, {batch, filters * steps}) : Value();
  if (next && stateType)
    next = castStorage(node, next, stateType);
  if (failed(node.assign(kState, next)))
    return {};
  if (stateType)
    state = node.createCast(state, getElementType(time));
  Value products = node.create<graph::MultiplyOp>({state, time});
  if (!products)
    return {};
  products =
      node.createReshape(products, {batch, filters / rank, rank * steps});
  return node.createReduction<graph::SumOp>(products, {2}, /*keepdims=*/false);
}

Value SVDF::createFixedPoint() {
  RankedTensorType type = getFixedPointType(node, 2);
  if (!type)
    return {};
  Value state = node.getStored(kState), time = node.getStored(kTime);
  auto isUniform = [](Value value) {
    return isa<quant::UniformQuantizedType>(getElementType(value));
  };
  if (!isUniform(state) || !isUniform(time) ||
      getQuantization(state).zeroPoints.front() != 0 ||
      getQuantization(time).zeroPoints.front() != 0 ||
      (node.getOperand(kBias) &&
       !getElementType(node.getStored(kBias)).isSignlessInteger(32)))
    return {};
  Type i32 = node.getBuilder().getI32Type();
  stateType = getElementType(state);
  Type stored = getStorageElementType(stateType);
  Value step = node.create<graph::DenseOp>(
      {node.getStored(kInput), node.getStored(kFeature)});
  if (!step)
    return {};
  // The kernel computes factors in f32.
  auto getScale = [](Value value) {
    return float(getQuantization(value).scales.front());
  };
  auto multiply = [&](Value sums, float factor, Type elementType) {
    Quantization to = Quantization::of(elementType);
    Value steps =
        createFixedPointMultiply(node, sums, FixedPointFactor::of(factor));
    return storeSteps(node, steps, elementType, {to.min, to.max});
  };
  step = multiply(castStorage(node, step, i32),
                  getScale(node.getStored(kInput)) *
                      getScale(node.getStored(kFeature)) / getScale(state),
                  stateType);
  Value weights = node.createCast(
      castStorage(node, time, getStorageElementType(getElementType(time))),
      i32);
  if (!step || !weights)
    return {};
  Value sums = sum(castStorage(node, state, stored),
                   castStorage(node, step, stored), weights);
  if (sums && node.getOperand(kBias))
    sums = node.create<graph::AddOp>({sums, node.getStored(kBias)});
  float scale = float(Quantization::of(type.getElementType()).scales.front());
  return multiply(sums, getScale(state) * getScale(time) / scale,
                  type.getElementType());
}

LogicalResult SVDF::import(const schema::SVDFOptions &options) {
  if (failed(checkShapes()))
    return failure();
  if (Value result = createFixedPoint())
    return node.yield(result);
  Value step = node.create<graph::DenseOp>(
      {node.getOperand(kInput), node.getOperand(kFeature)});
  Value sums = sum(node.getOperand(kState), step, node.getOperand(kTime));
  if (Value bias = node.getOperand(kBias); bias && sums)
    sums = node.create<graph::AddOp>({sums, bias});
  if (!sums)
    return failure();
  return node.yield(
      node.createActivation(sums, options.fused_activation_function()));
}

static LogicalResult importSVDF(Node &node) {
  const auto *options = node.getOptions<schema::SVDFOptions>();
  return options ? SVDF{node, options->rank()}.import(*options) : failure();
}

ArrayRef<Rule> tflite::getRecurrentRules() {
  static constexpr Rule rules[] = {
      {BuiltinOperator::LSTM, kLSTMInputs, importLSTM},
      {BuiltinOperator::RNN,
       "input! weights! recurrent_weights! bias! hidden_state!$", importRNN},
      {BuiltinOperator::SVDF,
       "input! weights_feature! weights_time! bias!? state!$", importSVDF},
      {BuiltinOperator::UNIDIRECTIONAL_SEQUENCE_LSTM, kLSTMInputs,
       importSequenceLSTM},
      {BuiltinOperator::UNIDIRECTIONAL_SEQUENCE_RNN,
       "input! weights! recurrent_weights! bias! hidden_state!$",
       importSequenceRNN},
  };
  return rules;
}
