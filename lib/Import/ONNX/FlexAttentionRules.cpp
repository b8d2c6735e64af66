//===- FlexAttentionRules.cpp - Attention with graphs of the model --------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "Rules.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

/// Imports the graph in the attribute `name`, which replaces `data` by a tensor
/// of the same type. Returns `data` if there is none, null after an error.
static Value applyGraph(Node &node, StringRef name, Value data) {
  const auto *attr = node.getAttr(name, onnx::AttributeProto::GRAPH);
  if (!attr || !data)
    return data;
  auto results = node.importBody(attr->g(), {data}, "/" + name);
  if (failed(results))
    return {};
  if (results->size() == 1 && results->front().getType() == data.getType())
    return results->front();
  (void)node.badInput("attribute '" + name +
                      "' is a graph with another result; expected one of the "
                      "shape " +
                      formatShape(getShape(data)) + " and its elements");
  return {};
}

/// Returns the type of scores and weights: f32, or f64 for doubles.
static FailureOr<Type> getPrecision(Node &node, Type type) {
  int64_t given = node.getIntAttr("softmax_precision", 0);
  Type wide = type.isF64() ? type : Type(node.getBuilder().getF32Type());
  if (!given)
    return wide;
  FailureOr<Type> precision = node.getElementType(given);
  if (failed(precision))
    return failure();
  if (precision->isF32() || precision->isF64())
    return *precision;
  return node.notSupported("attribute 'softmax_precision' is " +
                           getONNXTypeName(int32_t(given)) +
                           "; supported are float and double");
}

static LogicalResult importFlexAttention(Node &node) {
  Value query = node.getOperand(0), key = node.getOperand(1);
  Value value = node.getOperand(2);
  if (failed(node.checkRank(query, 4, "input 'Q'")) ||
      failed(node.checkRank(key, 4, "input 'K'")) ||
      failed(node.checkRank(value, 4, "input 'V'")))
    return failure();
  SmallVector<int64_t> q(getShape(query)), k(getShape(key)), v(getShape(value));
  if (failed(node.checkHeads(q[1], k[1], v[1])))
    return failure();
  Type type = getElementType(query);
  FailureOr<Type> wide = getPrecision(node, type);
  if (failed(wide))
    return failure();
  double scale = node.getFloatAttr("scale", 1 / std::sqrt(double(q[3])));
  // A group of query heads shares one key head.
  int64_t group = q[1] / k[1];
  query =
      createWith<graph::MultiplyOp>(node, node.createCast(query, *wide), scale);
  graph::BatchMatmulOp::Properties transposed;
  transposed.transpose_b = node.getBuilder().getBoolAttr(true);
  Value scores = node.create<graph::BatchMatmulOp>(
      {node.createReshape(query, {q[0], k[1], group, q[2], q[3]}),
       node.createReshape(node.createCast(key, *wide),
                          {k[0], k[1], 1, k[2], k[3]})},
      transposed);
  scores = node.createReshape(scores, {q[0], q[1], q[2], k[2]});
  scores = applyGraph(node, "score_mod", scores);
  Value weights =
      applyGraph(node, "prob_mod", node.create<graph::SoftmaxOp>({scores}));
  Value result = node.create<graph::BatchMatmulOp>(
      {node.createReshape(weights, {q[0], k[1], group, q[2], k[2]}),
       node.createReshape(node.createCast(value, *wide),
                          {v[0], v[1], 1, v[2], v[3]})});
  result = node.createReshape(result, {q[0], q[1], q[2], v[3]});
  return node.yield(node.createCast(result, type));
}

ArrayRef<Rule> importer::getFlexAttentionRules() {
  static constexpr Rule rules[] = {
      {"ai.onnx.preview.FlexAttention", 1, "Q K V", importFlexAttention},
  };
  return rules;
}
