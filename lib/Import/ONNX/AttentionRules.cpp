//===- AttentionRules.cpp - Attention and RotaryEmbedding -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "Rules.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Returns an operand as [batch, heads, length, size]. Splits a
/// three-dimensional operand [batch, length, heads * size]. Returns null after
/// an error.
static Value splitHeads(Node &node, unsigned operand, StringRef name,
                        StringRef headsName) {
  Value data = node.getOperand(operand);
  ArrayRef<int64_t> shape = getShape(data);
  if (shape.size() == 4)
    return data;
  int64_t heads = node.getIntAttr(headsName, 0);
  if (shape.size() != 3 || heads < 1 || shape[2] % heads != 0) {
    (void)node.badInput(
        "input '" + name + "' has the shape " + formatShape(shape) +
        "; expected 4 dimensions, or 3 whose last is a multiple of the "
        "attribute '" +
        headsName + "', which is " + Twine(heads));
    return {};
  }
  data =
      node.createReshape(data, {shape[0], shape[1], heads, shape[2] / heads});
  return node.createTranspose(data, {0, 2, 1, 3});
}

/// Appends keys or values to those of the past and yields the result as output
/// number `output`.
static Value appendToPast(Node &node, Value data, unsigned past,
                          unsigned output) {
  if (Value before = node.getOperand(past); before && data)
    data = createConcat(node, {before, data}, 2);
  if (data && node.hasOutput(output))
    (void)node.yield(data, output);
  return data;
}

namespace {
/// Masks of the attention scores.
struct AttentionMasks {
  /// Numbers added to the scores; may be null.
  Value bias;
  /// Bools, false if a query must not see a key. Hidden scores are replaced,
  /// not decreased, so that no NaN remains.
  SmallVector<Value> visible;
  /// Whether a query may see no key at all.
  bool mayHideAll = false;
};
} // namespace

namespace {
/// Numbers of keys before and behind a query that it sees; -1 if all.
struct AttentionWindow {
  int64_t left, right;
};
} // namespace

static FailureOr<AttentionWindow> readWindow(Node &node) {
  int64_t left = node.getIntAttr("left_window_size", -1);
  int64_t right = node.getIntAttr("right_window_size", -1);
  if (left < -1 || right < -1)
    return node.badInput("the window is " + Twine(left) + " and " +
                         Twine(right) + " keys wide; expected -1 or more");
  return AttentionWindow{left, right};
}

/// Returns the causal and window mask [queries, keys]. The first query has
/// position `before`.
static FailureOr<HostTensor> makePlaceMask(Node &node, int64_t queries,
                                           int64_t keys, int64_t before,
                                           bool isCausal) {
  FailureOr<AttentionWindow> window = readWindow(node);
  if (failed(window))
    return failure();
  auto [left, right] = *window;
  HostTensor mask(
      RankedTensorType::get({queries, keys}, node.getBuilder().getI1Type()));
  for (int64_t query = 0; query < queries; ++query)
    for (int64_t key = 0; key < keys; ++key) {
      int64_t distance = query + before - key;
      mask.setInt(query * keys + key, (!isCausal || distance >= 0) &&
                                          (left < 0 || distance <= left) &&
                                          (right < 0 || -distance <= right));
    }
  return mask;
}

/// Adds masks for padded keys. `lengths` holds the number of valid keys for
/// each item of the batch. For causal attention, the last query is at the
/// position of the last valid key.
static LogicalResult addPaddingMasks(Node &node, Value lengths, int64_t queries,
                                     int64_t keys, bool isCausal,
                                     AttentionMasks &masks) {
  FailureOr<AttentionWindow> window = readWindow(node);
  if (failed(window))
    return failure();
  if (node.getOperand(4))
    return node.badInput("has both inputs 'past_key' and 'nonpad_kv_seqlen', "
                         "which exclude each other");
  lengths = node.createReshape(lengths, {getShape(lengths)[0], 1, 1, 1});
  masks.visible.push_back(
      node.create<graph::LessOp>({createIota(node, keys, 3, 4), lengths}));
  // The length at which the last query is at the position of a key.
  HostTensor needed(RankedTensorType::get({1, 1, queries, keys},
                                          node.getBuilder().getI64Type()));
  for (int64_t query = 0; query < queries; ++query)
    for (int64_t key = 0; key < keys; ++key)
      needed.setInt(query * keys + key, key - query + queries);
  Value last = node.createConstant(needed);
  auto addMask = [&](Value low, Value high) {
    masks.visible.push_back(node.create<graph::LessEqualOp>({low, high}));
  };
  if (isCausal)
    addMask(last, lengths);
  if (window->left >= 0)
    addMask(lengths, createWith<graph::AddOp>(node, last, window->left));
  if (window->right >= 0)
    addMask(createWith<graph::SubtractOp>(node, last, window->right), lengths);
  return success();
}

/// Adds the mask that the model gives: numbers, cast to `wide`, or bools. Hides
/// keys beyond the end of the mask.
static LogicalResult addGivenMask(Node &node, Value mask, int64_t keys,
                                  Type wide, AttentionMasks &masks) {
  bool isBool = getElementType(mask).isInteger(1);
  if (!isBool)
    mask = node.createCast(mask, wide);
  if (!mask)
    return failure();
  SmallVector<int64_t> shape(getShape(mask));
  if (shape.empty())
    return node.badInput("input 'attn_mask' is a scalar; expected at least "
                         "the dimensions of queries and keys");
  if (shape.back() < keys) {
    shape.back() = keys - shape.back();
    double hidden = isBool ? 0 : -std::numeric_limits<double>::infinity();
    Value rest = createFilled(node, getElementType(mask), shape, hidden);
    mask = createConcat(node, {mask, rest}, -1);
  }
  if (isBool)
    masks.visible.push_back(mask);
  else
    masks.bias = mask;
  return success();
}

/// Applies the masks to the scores; scores of hidden keys become minus
/// infinity.
static Value applyMasks(Node &node, Value scores, const AttentionMasks &masks) {
  if (masks.bias)
    scores = node.create<graph::AddOp>({scores, masks.bias});
  for (Value visible : masks.visible) {
    if (!scores)
      return {};
    Value hidden = node.createScalar(getElementType(scores),
                                     -std::numeric_limits<double>::infinity());
    scores = node.create<graph::WhereOp>({visible, scores, hidden});
  }
  return scores;
}

/// Creates the softmax of the scores. If all keys of a query are hidden, its
/// weights are 0, not NaN as from a plain softmax.
static Value createWeights(Node &node, Value scores, Type type,
                           const AttentionMasks &masks) {
  Value weights = node.create<graph::SoftmaxOp>({scores});
  if (!masks.mayHideAll)
    return weights;
  Value lowest = createReduction<graph::MaxOp>(
      node, applyMasks(node, node.createScalar(type, 0), masks), {-1},
      /*keepdims=*/true);
  Value isBlind = node.create<graph::EqualOp>(
      {lowest,
       node.createScalar(type, -std::numeric_limits<double>::infinity())});
  return node.create<graph::WhereOp>(
      {isBlind, node.createScalar(type, 0), weights});
}

static LogicalResult importAttention(Node &node) {
  Value query = splitHeads(node, 0, "Q", "q_num_heads");
  Value key = splitHeads(node, 1, "K", "kv_num_heads");
  Value value = splitHeads(node, 2, "V", "kv_num_heads");
  node.ignoreAttrs({"softmax_precision", "q_num_heads", "kv_num_heads"});
  int64_t mode = node.getIntAttr("qk_matmul_output_mode", 0);
  bool isCausal = node.getFlagAttr("is_causal");
  double softcap = node.getFloatAttr("softcap", 0.0);
  key = appendToPast(node, key, 4, 1);
  value = appendToPast(node, value, 5, 2);
  if (!query || !key || !value)
    return failure();
  if (mode < 0 || mode > 3)
    return node.badInput("attribute 'qk_matmul_output_mode' is " + Twine(mode) +
                         "; expected 0 to 3");
  SmallVector<int64_t> q(getShape(query)), k(getShape(key)), v(getShape(value));
  if (failed(node.checkHeads(q[1], k[1], v[1])))
    return failure();
  double scale = node.getFloatAttr("scale", 1.0 / std::sqrt(double(q[3])));
  Type type = getElementType(query), wide = getWideType(type);
  int64_t group = q[1] / k[1];

  AttentionMasks masks;
  masks.mayHideAll = node.getOperand(3) || node.getOperand(6);
  if (Value mask = node.getOperand(3))
    if (failed(addGivenMask(node, mask, k[2], wide, masks)))
      return failure();
  if (Value lengths = node.getOperand(6)) {
    if (failed(addPaddingMasks(node, lengths, q[2], k[2], isCausal, masks)))
      return failure();
  } else {
    Value past = node.getOperand(4);
    FailureOr<HostTensor> mask =
        makePlaceMask(node, q[2], k[2], past ? getShape(past)[2] : 0, isCausal);
    if (failed(mask))
      return failure();
    ArrayRef<char> seen = mask->getBytes();
    if (llvm::is_contained(seen, char(0)))
      masks.visible.push_back(node.createConstant(*mask));
    for (; !seen.empty(); seen = seen.drop_front(k[2]))
      masks.mayHideAll |= !llvm::is_contained(seen.take_front(k[2]), char(1));
  }

  // A group of query heads shares one key head: the group gets its own
  // dimension.
  graph::BatchMatmulOp::Properties transposed;
  transposed.transpose_b = node.getBuilder().getBoolAttr(true);
  query =
      createWith<graph::MultiplyOp>(node, node.createCast(query, wide), scale);
  query = node.createReshape(query, {q[0], k[1], group, q[2], q[3]});
  key = node.createReshape(node.createCast(key, wide),
                           {k[0], k[1], 1, k[2], k[3]});
  Value scores = node.create<graph::BatchMatmulOp>({query, key}, transposed);
  if (!scores)
    return failure();
  SmallVector<Value> stages;
  scores = node.createReshape(scores, {q[0], q[1], q[2], k[2]});
  stages.push_back(scores);
  // Before masking: the softcap would make minus infinity finite.
  if (softcap != 0.0)
    scores = createWith<graph::MultiplyOp>(
        node,
        node.create<graph::TanhOp>(
            {createWith<graph::DivideOp>(node, scores, softcap)}),
        softcap);
  stages.push_back(scores);
  scores = applyMasks(node, scores, masks);
  stages.push_back(scores);
  Value weights = createWeights(node, scores, wide, masks);
  stages.push_back(weights);
  if (!weights)
    return failure();
  if (getShape(weights) != ArrayRef<int64_t>{q[0], q[1], q[2], k[2]})
    return node.badInput("input 'attn_mask' has the shape " +
                         formatShape(getShape(node.getOperand(3))) +
                         ", which does not broadcast to " +
                         formatShape({q[0], q[1], q[2], k[2]}));
  if (node.hasOutput(3) &&
      failed(node.yield(node.createCast(stages[mode], type), 3)))
    return failure();

  value = node.createReshape(node.createCast(value, wide),
                             {v[0], v[1], 1, v[2], v[3]});
  weights = node.createReshape(weights, {q[0], k[1], group, q[2], k[2]});
  Value result = node.create<graph::BatchMatmulOp>({weights, value});
  if (!result)
    return failure();
  result = node.createReshape(result, {q[0], q[1], q[2], v[3]});
  if (getShape(node.getOperand(0)).size() == 3)
    result = node.createReshape(node.createTranspose(result, {0, 2, 1, 3}),
                                {q[0], q[2], q[1] * v[3]});
  return node.yield(node.createCast(result, type));
}

//===----------------------------------------------------------------------===//
// RotaryEmbedding
//===----------------------------------------------------------------------===//

/// Returns every `stride`-th element of the last dimension from `begin` on.
static Value sliceLast(Node &node, Value data, int64_t begin, int64_t size,
                       int64_t stride = 1) {
  if (!data)
    return {};
  Builder &builder = node.getBuilder();
  SmallVector<int64_t> first(getShape(data).size(), 0), sizes(getShape(data));
  SmallVector<int64_t> strides(sizes.size(), 1);
  first.back() = begin;
  sizes.back() = size;
  strides.back() = stride;
  graph::StridedSliceOp::Properties properties;
  properties.begin = builder.getDenseI64ArrayAttr(first);
  properties.size = builder.getDenseI64ArrayAttr(sizes);
  properties.strides = builder.getDenseI64ArrayAttr(strides);
  return node.create<graph::StridedSliceOp>({data}, properties);
}

static LogicalResult importRotaryEmbedding(Node &node) {
  Value data = node.getOperand(0), positions = node.getOperand(3);
  SmallVector<int64_t> original(getShape(data));
  bool isInterleaved = node.getFlagAttr("interleaved");
  int64_t heads = node.getIntAttr("num_heads", 0);
  int64_t rotated = node.getIntAttr("rotary_embedding_dim", 0);
  // Convert to [batch, length, heads, size].
  if (original.size() == 4) {
    data = node.createTranspose(data, {0, 2, 1, 3});
  } else if (original.size() == 3 && heads > 0 && original[2] % heads == 0) {
    data = node.createReshape(
        data, {original[0], original[1], heads, original[2] / heads});
  } else {
    return node.badInput("input 'X' has the shape " + formatShape(original) +
                         "; expected 4 dimensions, or 3 whose last is a "
                         "multiple of the attribute 'num_heads', which is " +
                         Twine(heads));
  }
  if (!data)
    return failure();
  SmallVector<int64_t> shape(getShape(data));
  if (rotated == 0)
    rotated = shape[3];
  if (rotated < 0 || rotated > shape[3] || rotated % 2 != 0)
    return node.badInput("attribute 'rotary_embedding_dim' is " +
                         Twine(rotated) + "; expected an even number up to " +
                         Twine(shape[3]) + ", the size of a head");
  int64_t half = rotated / 2;
  Type type = getElementType(data), wide = getWideType(type);
  auto getCache = [&](unsigned operand) -> Value {
    Value cache = node.getOperand(operand);
    if (positions) {
      graph::TakeOp::Properties properties;
      properties.axis = node.getBuilder().getI64IntegerAttr(0);
      cache = node.create<graph::TakeOp>({cache, positions}, properties);
    }
    if (!cache)
      return {};
    SmallVector<int64_t> expected{shape[0], shape[1], half};
    if (getShape(cache) == ArrayRef(expected))
      return node.createReshape(node.createCast(cache, wide),
                                {shape[0], shape[1], 1, half});
    (void)node.badInput("the angles have the shape " +
                        formatShape(getShape(cache)) + "; expected " +
                        formatShape(expected));
    return {};
  };
  Value cosine = getCache(1), sine = getCache(2);
  Value turned = node.createCast(sliceLast(node, data, 0, rotated), wide);
  int64_t stride = isInterleaved ? 2 : 1;
  Value x = sliceLast(node, turned, 0, half, stride);
  Value y = sliceLast(node, turned, isInterleaved ? 1 : half, half, stride);
  auto multiply = [&](Value lhs, Value rhs) {
    return node.create<graph::MultiplyOp>({lhs, rhs});
  };
  Value real =
      node.create<graph::SubtractOp>({multiply(x, cosine), multiply(y, sine)});
  Value imaginary =
      node.create<graph::AddOp>({multiply(x, sine), multiply(y, cosine)});
  SmallVector<int64_t> pair{shape[0], shape[1], shape[2], half, 1};
  if (isInterleaved) {
    real = node.createReshape(real, pair);
    imaginary = node.createReshape(imaginary, pair);
  }
  Value result = createConcat(node, {real, imaginary}, -1);
  result = node.createReshape(result, {shape[0], shape[1], shape[2], rotated});
  result = node.createCast(result, type);
  if (rotated != shape[3])
    result = createConcat(
        node, {result, sliceLast(node, data, rotated, shape[3] - rotated)}, -1);
  if (original.size() == 4)
    result = node.createTranspose(result, {0, 2, 1, 3});
  return node.yield(node.createReshape(result, original));
}

ArrayRef<Rule> importer::getAttentionRules() {
  static constexpr Rule rules[] = {
      {"Attention", 23, "Q K V attn_mask? past_key? past_value?",
       importAttention},
      {"Attention", 24,
       "Q K V attn_mask? past_key? past_value? nonpad_kv_seqlen?",
       importAttention},
      {"RotaryEmbedding", 23, "X cos_cache sin_cache position_ids?",
       importRotaryEmbedding},
  };
  return rules;
}
