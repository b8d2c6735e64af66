//===- FixedPointLSTM.cpp - LSTM in 8 and 16 bits -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// UNIDIRECTIONAL_SEQUENCE_LSTM as TensorFlow Lite Micro computes it. Both sums
// of a gate are rounded to 16 bits before they are added.
//
//===----------------------------------------------------------------------===//

#include "FixedPoint.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::tflite;

namespace {
/// Gates are joined in the order input, forget, output, cell: the first three
/// are sigmoids. Numbers within a step are of i32 and have the range of i16.
struct FixedPointLSTM {
  /// Each step has about 40 operators of its own.
  static constexpr int64_t kMaxSteps = 128;
  static constexpr unsigned kGates[] = {0, 1, 3, 2};

  /// Sets the sizes. Returns whether operands have shapes that fit them; others
  /// are reported by the layer of floats.
  bool hasSizes();
  bool isSupported();
  Value import();
  /// Joins the operands of all gates along the output channels.
  Value join(unsigned first, Type stored);
  /// Joins weights of 8 bits. Their own scales are left to createSums().
  Value joinWeights(unsigned first);
  /// Returns the sums of rows of data and `joined` weights, with 12 bits behind
  /// the point: [rows, 4 * units].
  Value createSums(Value data, unsigned weights, Value joined, Value bias);
  /// Computes a step. `state` and `cell` are those before and after it.
  LogicalResult createStep(Value sums, Value &state, Value &cell);
  /// Multiplies by tanh of a cell state and stores the result as a state.
  Value createState(Value cell, Value gate);

  Value limit(Value data) { return node.createClip(data, -32768, 32767); }
  Value multiply(Value lhs, Value rhs, double factor) {
    return createFixedPointMultiply(node,
                                    node.create<graph::MultiplyOp>({lhs, rhs}),
                                    FixedPointFactor::of(factor));
  }
  Value add(Value lhs, Value rhs) {
    return limit(node.create<graph::AddOp>({lhs, rhs}));
  }
  Value scale(Value data, int64_t factor) {
    return node.create<graph::MultiplyOp>(
        {data, node.createScalar(i32, double(factor))});
  }

  Node &node;
  float cellClip;
  bool timeMajor;
  Type i32 = node.getBuilder().getI32Type();
  Type stateType = {}, cellType = {};
  int64_t steps = 0, batch = 0, units = 0;
  double cellScale = 0, stateScale = 0;
  Value recurrent = {}; ///< joined once, since each step reads them
};
} // namespace

bool FixedPointLSTM::hasSizes() {
  ArrayRef<int64_t> data = getShape(node.getStored(0));
  ArrayRef<int64_t> state = getShape(node.getStored(kOutputState));
  steps = data[timeMajor ? 0 : 1];
  batch = data[timeMajor ? 1 : 0];
  units = state[1];
  auto has = [&](unsigned index, ArrayRef<int64_t> shape) {
    return getShape(node.getStored(index)) == shape;
  };
  for (unsigned gate = 0; gate < 4; ++gate)
    if (!has(kInputWeights + gate, {units, data[2]}) ||
        !has(kRecurrentWeights + gate, {units, units}) ||
        !has(kBias + gate, {units}))
      return false;
  return state[0] == batch && has(kCellState, {batch, units});
}

bool FixedPointLSTM::isSupported() {
  RankedTensorType type = getFixedPointType(node, 1);
  if (!type || !hasSizes())
    return false;
  auto isSymmetric = [&](unsigned index, unsigned bits) {
    Type element = getElementType(node.getStored(index));
    return hasOneScale(element, bits) &&
           getStorageElementType(element).isSignlessInteger(bits) &&
           Quantization::of(element).isSymmetric();
  };
  for (unsigned gate = 0; gate < 4; ++gate)
    if (!isSymmetric(kInputWeights + gate, 8) ||
        !isSymmetric(kRecurrentWeights + gate, 8) ||
        !getElementType(node.getStored(kBias + gate)).isSignlessInteger(32))
      return false;
  stateType = getElementType(node.getStored(kOutputState));
  cellType = getElementType(node.getStored(kCellState));
  Type i8 = node.getBuilder().getI8Type();
  if (!hasOneScale(stateType, 8) || !isSymmetric(kCellState, 16) ||
      llvm::any_of(
          ArrayRef<Type>{getElementType(node.getStored(0)), stateType,
                         type.getElementType()},
          [&](Type element) { return getStorageElementType(element) != i8; }))
    return false;
  stateScale = Quantization::of(stateType).scales.front();
  cellScale = Quantization::of(cellType).scales.front();
  // The kernel shifts integers of 32 bits by the exponent.
  double exponent = std::round(std::log2(cellScale));
  return steps <= kMaxSteps && exponent >= -42 && exponent <= 2;
}

Value FixedPointLSTM::join(unsigned first, Type stored) {
  SmallVector<Value> parts;
  for (unsigned gate : kGates)
    parts.push_back(castStorage(node, node.getStored(first + gate), stored));
  return node.createConcat(parts, 0);
}

Value FixedPointLSTM::joinWeights(unsigned first) {
  Value joined = join(first, node.getBuilder().getI8Type());
  return joined ? castStorage(node, joined,
                              makeQuantizedType(node.getContext(), 8,
                                                /*isSigned=*/true, {1.0}, {0},
                                                std::nullopt))
                : Value();
}

Value FixedPointLSTM::createSums(Value data, unsigned weights, Value joined,
                                 Value bias) {
  MLIRContext *context = node.getContext();
  if (!data || !joined)
    return {};
  double dataScale = getQuantization(data).scales.front();
  SmallVector<double> scales;
  // The product of the scales is rounded to f32.
  for (unsigned gate : kGates)
    scales.append(
        units,
        float(dataScale *
              getQuantization(node.getStored(weights + gate)).scales.front()));
  SmallVector<int64_t> zeros(scales.size(), 0);
  Value sums = node.create<graph::DenseOp>({data, joined});
  if (!sums)
    return {};
  sums = castStorage(node, sums, i32);
  if (bias)
    sums = node.create<graph::AddOp>({sums, bias});
  Type from = makeQuantizedType(context, 32, /*isSigned=*/true, scales, zeros,
                                /*axis=*/1);
  Type to = makeQuantizedType(context, 16, /*isSigned=*/true, {1.0 / 4096}, {0},
                              std::nullopt);
  if (!sums || !from || !to)
    return {};
  Value rounded = graph::RequantizeOp::create(
      node.getBuilder(), node.getLocation(),
      RankedTensorType::get(getShape(sums), to), castStorage(node, sums, from),
      DenseI64ArrayAttr(), graph::kTFLiteRounding);
  return node.createCast(castStorage(node, rounded, getStorageElementType(to)),
                         i32);
}

Value FixedPointLSTM::createState(Value cell, Value gate) {
  int64_t shift = 12 + int64_t(std::round(std::log2(cellScale)));
  Value scaled = scale(cell, shift > 0 ? int64_t(3) << shift : 3);
  if (shift < 0) {
    Value half = node.createScalar(i32, std::ldexp(1.0, int(-shift - 1)));
    scaled = node.create<graph::RightShiftOp>(
        {node.create<graph::AddOp>({scaled, half}),
         node.createScalar(i32, double(-shift))});
  }
  Value product = multiply(createTanhSteps(node, scaled), gate,
                           std::ldexp(1.0, -30) / stateScale);
  Quantization type = Quantization::of(stateType);
  return product ? storeSteps(node, product, stateType, {type.min, type.max})
                 : Value();
}

LogicalResult FixedPointLSTM::createStep(Value sums, Value &state,
                                         Value &cell) {
  Value gates = add(sums, createSums(state, kRecurrentWeights, recurrent, {}));
  if (!gates)
    return failure();
  auto slice = [&](Value data, int64_t begin, int64_t count) {
    return data ? node.createSlice(data, {0, begin * units},
                                   {batch, count * units}, {1, 1})
                : Value();
  };
  Value sigmoids = createLogisticSteps(node, scale(slice(gates, 0, 3), 3));
  Value input = slice(sigmoids, 0, 1), forget = slice(sigmoids, 1, 1);
  Value candidate = createTanhSteps(node, scale(slice(gates, 3, 1), 3));
  Value kept = limit(multiply(forget, cell, std::ldexp(1.0, -15)));
  Value added =
      limit(multiply(input, candidate, std::ldexp(1.0, -30) / cellScale));
  cell = add(kept, added);
  if (cell && cellClip > 0) {
    double bound =
        std::trunc(std::clamp(double(cellClip) / cellScale, -32768.0, 32767.0));
    cell = node.createClip(cell, -bound, bound);
  }
  state = cell ? createState(cell, slice(sigmoids, 2, 1)) : Value();
  return success(bool(state));
}

Value FixedPointLSTM::import() {
  if (!isSupported())
    return {};
  Type i8 = node.getBuilder().getI8Type(), i16 = node.getBuilder().getI16Type();
  Value data = node.getStored(0);
  Type dataType = getElementType(data);
  int64_t inputs = getShape(data)[2];
  data = castStorage(node, data, i8);
  if (!timeMajor)
    data = node.createTranspose(data, {1, 0, 2});
  data = data ? node.createReshape(data, {steps * batch, inputs}) : Value();
  Value bias = join(kBias, i32);
  Value cell =
      node.createCast(castStorage(node, node.getStored(kCellState), i16), i32);
  if (!data || !bias || !cell)
    return {};
  Value sums = createSums(castStorage(node, data, dataType), kInputWeights,
                          joinWeights(kInputWeights), bias);
  recurrent = joinWeights(kRecurrentWeights);
  Value state = node.getStored(kOutputState);
  SmallVector<Value> states;
  for (int64_t step = 0; step < steps && sums; ++step) {
    Value part =
        node.createSlice(sums, {step * batch, 0}, {batch, 4 * units}, {1, 1});
    if (!part || failed(createStep(part, state, cell)))
      return {};
    states.push_back(castStorage(node, state, i8));
  }
  Value result = sums ? node.createConcat(states, 0) : Value();
  Value lastCell = node.createCast(cell, i16);
  if (!result || !lastCell || failed(node.assign(kOutputState, state)) ||
      failed(node.assign(kCellState, castStorage(node, lastCell, cellType))))
    return {};
  result = node.createReshape(result, {steps, batch, units});
  if (result && !timeMajor)
    result = node.createTranspose(result, {1, 0, 2});
  // The kernel copies the integers of the state, whatever the scales.
  return result ? castStorage(node, result,
                              getFixedPointType(node, 1).getElementType())
                : Value();
}

Value tflite::createFixedPointLSTM(Node &node, float cellClip, bool timeMajor) {
  FixedPointLSTM layer{node, cellClip, timeMajor};
  return layer.import();
}
