//===- LinearAttentionRules.cpp - Layers with a state ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// LinearAttention and CausalConvWithState process a part of a sequence and pass
// their state on to the next part.
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "MovementRules.h"
#include "WindowRules.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

/// Returns `size` elements of `data` from `begin` on along `axis`.
static Value sliceAxis(Node &node, Value data, int64_t axis, int64_t begin,
                       int64_t size) {
  if (!data)
    return {};
  SmallVector<int64_t> first(getShape(data).size(), 0), sizes(getShape(data));
  SmallVector<int64_t> strides(first.size(), 1);
  first[axis] = begin;
  sizes[axis] = size;
  return createSlice(node, data, first, sizes, strides);
}

//===----------------------------------------------------------------------===//
// LinearAttention
//===----------------------------------------------------------------------===//

/// Maximum length of a sequence, whose steps are unrolled.
static constexpr int64_t kMaxSteps = 1024;

namespace {
class LinearAttention {
public:
  explicit LinearAttention(Node &node) : node(node) {}

  LogicalResult read();
  LogicalResult yield();

private:
  /// Returns an operand [B, T, count * size] as [B, T, count, size] of f32, or
  /// null if it is omitted. Reports other shapes.
  Value readHeads(unsigned operand, StringRef name, int64_t count,
                  int64_t size);
  LogicalResult readGates(StringRef rule);
  /// Returns the step `step` of an operand, [B, heads, `rows`, `columns`].
  Value getStep(Value operand, int64_t step, int64_t rows, int64_t columns);
  /// Returns the state after a step.
  Value advance(Value state, int64_t step);
  Value multiply(Value a, Value b, bool transposesA = false);

  Node &node;
  Type wide;
  int64_t batch = 0, length = 0, queryHeads = 0, heads = 0;
  int64_t keySize = 0, valueSize = 0;
  /// Decay and update rate; null if the rule has none.
  Value query, key, value, decay, rate;
};
} // namespace

Value LinearAttention::multiply(Value a, Value b, bool transposesA) {
  graph::BatchMatmulOp::Properties properties;
  properties.transpose_a = node.getBuilder().getBoolAttr(transposesA);
  return node.create<graph::BatchMatmulOp>({a, b}, properties);
}

Value LinearAttention::readHeads(unsigned operand, StringRef name,
                                 int64_t count, int64_t size) {
  Value data = node.getOperand(operand);
  if (!data)
    return {};
  SmallVector<int64_t> expected{batch, length, count * size};
  if (getShape(data) != ArrayRef(expected)) {
    (void)node.badInput("input '" + name + "' has the shape " +
                        formatShape(getShape(data)) + "; expected " +
                        formatShape(expected));
    return {};
  }
  return node.createReshape(node.createCast(data, wide),
                            {batch, length, count, size});
}

LogicalResult LinearAttention::readGates(StringRef rule) {
  bool hasDecay = rule == "gated" || rule == "gated_delta";
  bool hasRate = rule == "delta" || rule == "gated_delta";
  if (!hasDecay && !hasRate && rule != "linear")
    return node.badInput("attribute 'update_rule' is " + quote(rule) +
                         "; expected linear, gated, delta or gated_delta");
  Value decays = node.getOperand(4), rates = node.getOperand(5);
  if (hasDecay != bool(decays) || hasRate != bool(rates))
    return node.badInput("has the update rule " + quote(rule) +
                         ", which needs " + (hasDecay ? "" : "no ") +
                         "'decay' and " + (hasRate ? "" : "no ") + "'beta'");
  // One for each head, or also for each element of the keys.
  if (decays)
    decay = node.create<graph::ExpOp>({readHeads(
        4, "decay", heads, getShape(decays).back() == heads ? 1 : keySize)});
  if (rates)
    rate = readHeads(5, "beta", getShape(rates).back() == 1 ? 1 : heads, 1);
  return success();
}

LogicalResult LinearAttention::read() {
  node.ignoreAttrs({"chunk_size"});
  queryHeads = node.getRequiredIntAttr("q_num_heads");
  heads = node.getRequiredIntAttr("kv_num_heads");
  Value queries = node.getOperand(0), values = node.getOperand(2);
  if (failed(node.checkRank(queries, 3, "input 'query'")) ||
      failed(node.checkRank(values, 3, "input 'value'")))
    return failure();
  ArrayRef<int64_t> shape = getShape(queries);
  if (queryHeads < 1 || heads < 1 || queryHeads % heads != 0 ||
      shape[2] % queryHeads != 0 || getShape(values)[2] % heads != 0)
    return node.badInput("has " + Twine(queryHeads) + " and " + Twine(heads) +
                         " heads for queries of " + Twine(shape[2]) +
                         " and values of " + Twine(getShape(values)[2]) +
                         " elements; expected divisors of each other and of "
                         "the sizes");
  batch = shape[0];
  length = shape[1];
  keySize = shape[2] / queryHeads;
  valueSize = getShape(values)[2] / heads;
  if (length > kMaxSteps)
    return node.notSupported("has a sequence of " + Twine(length) +
                             " steps; up to " + Twine(kMaxSteps) +
                             " are supported");
  wide = node.getBuilder().getF32Type();
  query = readHeads(0, "query", queryHeads, keySize);
  key = readHeads(1, "key", heads, keySize);
  value = readHeads(2, "value", heads, valueSize);
  double scale = node.getFloatAttr("scale", 0);
  query = createWith<graph::MultiplyOp>(
      node, query, scale == 0 ? 1 / std::sqrt(double(keySize)) : scale);
  return readGates(node.getStringAttr("update_rule", "gated_delta"));
}

Value LinearAttention::getStep(Value operand, int64_t step, int64_t rows,
                               int64_t columns) {
  Value slice = sliceAxis(node, operand, 1, step, 1);
  if (!slice)
    return {};
  int64_t elements = cast<RankedTensorType>(slice.getType()).getNumElements();
  return node.createReshape(
      slice, {batch, elements / (batch * rows * columns), rows, columns});
}

Value LinearAttention::advance(Value state, int64_t step) {
  Value keys = getStep(key, step, keySize, 1);
  Value values = getStep(value, step, 1, valueSize);
  if (decay)
    state = node.create<graph::MultiplyOp>(
        {state, getStep(decay, step, getShape(decay).back(), 1)});
  if (rate) {
    // Only what the state does not say yet is added.
    values = node.create<graph::SubtractOp>(
        {values, multiply(keys, state, /*transposesA=*/true)});
    values =
        node.create<graph::MultiplyOp>({values, getStep(rate, step, 1, 1)});
  }
  return node.create<graph::AddOp>(
      {state, node.create<graph::MultiplyOp>({keys, values})});
}

LogicalResult LinearAttention::yield() {
  SmallVector<int64_t> shape{batch, heads, keySize, valueSize};
  Type type = getElementType(node.getOperand(0)), stateType = type;
  Value state = node.getOperand(3);
  if (state) {
    stateType = getElementType(state);
    if (getShape(state) != ArrayRef(shape))
      return node.badInput("input 'past_state' has the shape " +
                           formatShape(getShape(state)) + "; expected " +
                           formatShape(shape));
    state = node.createCast(state, wide);
  } else {
    state = createFilled(node, wide, shape, 0);
  }
  SmallVector<Value> steps;
  for (int64_t step = 0; step < length; ++step) {
    state = advance(state, step);
    // The query heads of a group share a state.
    Value result =
        multiply(getStep(query, step, queryHeads / heads, keySize), state);
    steps.push_back(
        node.createReshape(result, {batch, 1, queryHeads * valueSize}));
    if (!steps.back())
      return failure();
  }
  Value result = steps.size() == 1 ? steps[0] : createConcat(node, steps, 1);
  if (node.hasOutput(1) &&
      failed(node.yield(node.createCast(state, stateType), 1)))
    return failure();
  return node.yield(node.createCast(result, type));
}

static LogicalResult importLinearAttention(Node &node) {
  LinearAttention attention(node);
  return failed(attention.read()) ? failure() : attention.yield();
}

//===----------------------------------------------------------------------===//
// CausalConvWithState
//===----------------------------------------------------------------------===//

static LogicalResult importCausalConv(Node &node) {
  Value data = node.getOperand(0), weight = node.getOperand(1);
  Value state = node.getOperand(3);
  if (failed(node.checkRank(data, 3, "input 'input'")) ||
      failed(node.checkRank(weight, 3, "input 'weight'")))
    return failure();
  ArrayRef<int64_t> shape = getShape(data);
  int64_t taps = getShape(weight)[2];
  if (getShape(weight) != ArrayRef<int64_t>{shape[1], 1, taps} || taps < 1)
    return node.badInput("input 'weight' has the shape " +
                         formatShape(getShape(weight)) + "; expected " +
                         Twine(shape[1]) + "x1xK");
  SmallVector<int64_t> expected{shape[0], shape[1], taps - 1};
  if (state && getShape(state) != ArrayRef(expected))
    return node.badInput("input 'past_state' has the shape " +
                         formatShape(getShape(state)) + "; expected " +
                         formatShape(expected));
  StringRef activation = node.getStringAttr("activation", "none");
  if (!llvm::is_contained({"none", "silu", "swish"}, activation))
    return node.badInput("attribute 'activation' is " + quote(activation) +
                         "; expected none, silu or swish");
  if (taps > 1)
    data = state
               ? createConcat(node, {state, data}, 2)
               : createConstantPad(node, data, {0, 0, taps - 1}, {0, 0, 0}, 0);
  if (!data)
    return failure();
  int64_t length = getShape(data)[2];
  ConvWindow how{{{length}, {taps}, {1}, {1}, {0}, {0}}, getShape(data)[1]};
  Value result =
      createConv(node, data, weight, node.getOperand(2), how, /*outDtype=*/{});
  if (result && activation != "none") {
    Type type = getElementType(result);
    result = node.createCast(node.create<graph::SiluOp>(
                                 {node.createCast(result, getWideType(type))}),
                             type);
  }
  if (node.hasOutput(1) &&
      failed(node.yield(sliceAxis(node, data, 2, length - (taps - 1), taps - 1),
                        1)))
    return failure();
  return node.yield(result);
}

ArrayRef<Rule> importer::getLinearAttentionRules() {
  static constexpr Rule rules[] = {
      {"CausalConvWithState", 27, "input weight bias? past_state?",
       importCausalConv},
      {"LinearAttention", 27, "query key value past_state? decay? beta?",
       importLinearAttention},
  };
  return rules;
}
