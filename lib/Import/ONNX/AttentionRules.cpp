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

static Value createConcat(Node &node, ValueRange operands, int64_t axis) {
  graph::ConcatenateOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(axis);
  return node.create<graph::ConcatenateOp>(operands, properties);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// An operand as [batch, heads, length, size]; three dimensions are [batch,
/// length, heads * size]. Null after an error.
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

/// The keys or values: those of the past, then the new ones. Makes the output
/// number `output`.
static Value appendToPast(Node &node, Value data, unsigned past,
                          unsigned output) {
  if (Value before = node.getOperand(past); before && data)
    data = createConcat(node, {before, data}, 2);
  if (data && node.hasOutput(output))
    (void)node.yield(data, output);
  return data;
}

/// Adds the mask: numbers, or bools that are false where nothing is seen.
static Value applyMask(Node &node, Value scores, Value mask) {
  if (!mask)
    return scores;
  Type type = getElementType(scores);
  if (!getElementType(mask).isInteger(1))
    return node.create<graph::AddOp>({scores, node.createCast(mask, type)});
  return node.create<graph::WhereOp>(
      {mask, scores,
       node.createScalar(type, -std::numeric_limits<double>::infinity())});
}

/// Which keys each query sees: those up to its own position behind the past.
static Value createCausalMask(Node &node, int64_t queries, int64_t keys,
                              int64_t past) {
  HostTensor mask(
      RankedTensorType::get({queries, keys}, node.getBuilder().getI1Type()));
  for (int64_t query = 0; query < queries; ++query)
    for (int64_t key = 0; key < keys; ++key)
      mask.setInt(query * keys + key, key <= query + past);
  return node.createConstant(mask);
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
  if (k[1] < 1 || q[1] % k[1] != 0 || v[1] != k[1])
    return node.badInput("has " + Twine(q[1]) + " heads of queries, " +
                         Twine(k[1]) + " of keys and " + Twine(v[1]) +
                         " of values; expected as many keys as values, which "
                         "divide the queries");
  double scale = node.getFloatAttr("scale", 1.0 / std::sqrt(double(q[3])));
  Type type = getElementType(query), wide = getWideType(type);
  int64_t group = q[1] / k[1];

  // Several heads of queries share one of keys: a dimension of their own.
  graph::BatchMatmulOp::Properties transposed;
  transposed.transpose_b = node.getBuilder().getBoolAttr(true);
  query =
      createWith<graph::MultiplyOp>(node, node.createCast(query, wide), scale);
  Value scores = node.create<graph::BatchMatmulOp>(
      {node.createReshape(query, {q[0], k[1], group, q[2], q[3]}),
       node.createReshape(node.createCast(key, wide),
                          {k[0], k[1], 1, k[2], k[3]})},
      transposed);
  if (!scores)
    return failure();
  SmallVector<Value> stages;
  scores = node.createReshape(scores, {q[0], q[1], q[2], k[2]});
  stages.push_back(scores);
  scores = applyMask(node, scores, node.getOperand(3));
  if (isCausal) {
    Value past = node.getOperand(4);
    scores = applyMask(
        node, scores,
        createCausalMask(node, q[2], k[2], past ? getShape(past)[2] : 0));
  }
  stages.push_back(scores);
  if (softcap != 0.0)
    scores = createWith<graph::MultiplyOp>(
        node,
        node.create<graph::TanhOp>(
            {createWith<graph::DivideOp>(node, scores, softcap)}),
        softcap);
  stages.push_back(scores);
  Value weights = node.create<graph::SoftmaxOp>({scores});
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

  Value result = node.create<graph::BatchMatmulOp>(
      {node.createReshape(weights, {q[0], k[1], group, q[2], k[2]}),
       node.createReshape(node.createCast(value, wide),
                          {v[0], v[1], 1, v[2], v[3]})});
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

/// Every `stride`-th element of the last dimension from `begin` on.
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
  // To [batch, length, heads, size].
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
      {"RotaryEmbedding", 23, "X cos_cache sin_cache position_ids?",
       importRotaryEmbedding},
  };
  return rules;
}
