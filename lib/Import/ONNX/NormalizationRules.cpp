//===- NormalizationRules.cpp - BatchNormalization, Softmax, Dropout -*- C++
//-*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include <functional>
#include <numeric>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

//===----------------------------------------------------------------------===//
// BatchNormalization
//===----------------------------------------------------------------------===//

static LogicalResult importBatchNormalization(Node &node) {
  // Until opset 13 it is the number of outputs that asks for training, until
  // opset 6 an attribute.
  if (node.getNumOutputs() > 1 ||
      (node.getOpset() >= 14 && node.getFlagAttr("training_mode")) ||
      (node.getOpset() < 7 && !node.getFlagAttr("is_test")))
    return node.notSupported("training is not supported; export the model for "
                             "inference");
  if (node.getOpset() < 9 && node.getIntAttr("spatial", 1) != 1)
    return node.notSupported("attribute 'spatial' is not 1, which is not "
                             "supported");
  graph::BatchNormOp::Properties properties;
  if (const auto *epsilon =
          node.getAttr("epsilon", onnx::AttributeProto::FLOAT))
    properties.epsilon = node.getBuilder().getF64FloatAttr(epsilon->f());
  node.ignoreAttrs({"momentum"}); // how training updates the statistics
  return node.yield(
      node.create<graph::BatchNormOp>(node.getOperands(), properties));
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

static Value createSoftmax(Node &node, Value data, int64_t axis) {
  graph::SoftmaxOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(axis);
  return node.create<graph::SoftmaxOp>({data}, properties);
}

static LogicalResult importSoftmax(Node &node) {
  return node.yield(
      createSoftmax(node, node.getOperand(0), node.getIntAttr("axis", -1)));
}

/// Until opset 12 all dimensions from `axis` on are one.
static LogicalResult importFlatteningSoftmax(Node &node) {
  Value data = node.getOperand(0);
  ArrayRef<int64_t> shape = getShape(data);
  auto axis = normalizeAxis(node, node.getIntAttr("axis", 1), shape.size());
  if (!axis)
    return failure();
  if (*axis + 1 == int64_t(shape.size()))
    return node.yield(createSoftmax(node, data, -1));
  auto product = [](ArrayRef<int64_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                           std::multiplies<>());
  };
  Value matrix = node.createReshape(data, {product(shape.take_front(*axis)),
                                           product(shape.drop_front(*axis))});
  return node.yield(node.createReshape(createSoftmax(node, matrix, -1), shape));
}

//===----------------------------------------------------------------------===//
// Dropout
//===----------------------------------------------------------------------===//

/// Does nothing outside of training. The mask is no output of ours: a node that
/// reads it is reported.
static LogicalResult importDropout(Node &node) {
  node.ignoreAttrs({"ratio", "seed"});
  const HostTensor *training = node.getConstant(2);
  if (training && training->getNumElements() == 1 && training->getInt(0) != 0)
    return node.notSupported("training is not supported; export the model for "
                             "inference");
  return node.yield(node.forward(0));
}

ArrayRef<Rule> importer::getNormalizationRules() {
  static constexpr Rule rules[] = {
      {"BatchNormalization", 6, "X scale B mean var", importBatchNormalization},
      {"Dropout", 7, "data&", importDropout},
      {"Dropout", 12, "data& ratio&? training_mode=?", importDropout},
      {"Softmax", 1, "input", importFlatteningSoftmax},
      {"Softmax", 13, "input", importSoftmax},
  };
  return rules;
}
