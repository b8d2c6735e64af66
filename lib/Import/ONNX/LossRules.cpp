//===- LossRules.cpp - NegativeLogLikelihoodLoss and similar --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "Rules.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

/// Creates the loss for log probabilities `input` [N, C, d1, ...] and classes
/// `target` [N, d1, ...]. Compares the target with every class, so that one out
/// of range selects nothing. Returns null after an error.
static Value createLoss(Node &node, Value input, Value target, Value weight) {
  StringRef reduction = node.getStringAttr("reduction", "mean");
  const auto *ignored = node.getAttr("ignore_index", onnx::AttributeProto::INT);
  ArrayRef<int64_t> shape = getShape(input), targets = getShape(target);
  if (!llvm::is_contained({"none", "sum", "mean"}, reduction)) {
    (void)node.badInput("attribute 'reduction' is " + quote(reduction) +
                        "; expected 'none', 'sum' or 'mean'");
    return {};
  }
  SmallVector<int64_t> expected(shape);
  if (shape.size() >= 2)
    expected.erase(expected.begin() + 1);
  if (shape.size() < 2 || ArrayRef(expected) != targets) {
    (void)node.badInput("the data have the shape " + formatShape(shape) +
                        " and the classes " + formatShape(targets) +
                        "; expected the data to have one more dimension, the "
                        "second one");
    return {};
  }
  int64_t classes = shape[1], rank = shape.size();
  if (weight && getShape(weight) != ArrayRef(classes)) {
    (void)node.badInput("input 'weight' has the shape " +
                        formatShape(getShape(weight)) + "; expected " +
                        Twine(classes) + ", one for each class");
    return {};
  }
  Type type = getElementType(input), wide = getWideType(type);
  input = node.createCast(input, wide);
  target = node.createCast(target, node.getBuilder().getI64Type());
  if (!target)
    return {};
  expected.insert(expected.begin() + 1, 1);
  Value column = node.createReshape(target, expected);
  Value zero = node.createScalar(wide, 0.0);
  Value isTarget =
      node.create<graph::EqualOp>({column, createIota(node, classes, 1, rank)});
  if (ignored) {
    HostTensor index(RankedTensorType::get({}, getElementType(target)));
    index.setInt(0, ignored->i());
    Value counts =
        node.create<graph::NotEqualOp>({column, node.createConstant(index)});
    isTarget = node.create<graph::LogicalAndOp>({isTarget, counts});
  }
  // Weight of the target's class, 0 for other classes.
  SmallVector<int64_t> alongClasses(rank, 1);
  alongClasses[1] = classes;
  Value weights =
      weight ? node.createReshape(node.createCast(weight, wide), alongClasses)
             : node.createScalar(wide, 1.0);
  weights = node.create<graph::WhereOp>({isTarget, weights, zero});
  // Not a product with 0: a log probability may be infinite.
  Value losses = node.create<graph::WhereOp>({isTarget, input, zero});
  losses = node.create<graph::MultiplyOp>({losses, weights});
  losses = node.create<graph::NegativeOp>({losses});
  bool isNone = reduction == "none";
  SmallVector<int64_t> axes;
  if (isNone)
    axes.push_back(1);
  Value loss = createReduction<graph::SumOp>(node, losses, axes, false);
  if (reduction == "mean")
    loss = node.create<graph::DivideOp>(
        {loss, createReduction<graph::SumOp>(node, weights, axes, false)});
  return node.createCast(loss, type);
}

static LogicalResult importNegativeLogLikelihoodLoss(Node &node) {
  return node.yield(createLoss(node, node.getOperand(0), node.getOperand(1),
                               node.getOperand(2)));
}

static LogicalResult importSoftmaxCrossEntropyLoss(Node &node) {
  Value scores = node.getOperand(0);
  Value logProbabilities = createLogSoftmax(node, scores, 1);
  if (!logProbabilities)
    return failure();
  if (node.hasOutput(1) && failed(node.yield(logProbabilities, 1)))
    return failure();
  return node.yield(createLoss(node, logProbabilities, node.getOperand(1),
                               node.getOperand(2)));
}

ArrayRef<Rule> importer::getLossRules() {
  static constexpr Rule rules[] = {
      {"NegativeLogLikelihoodLoss", 12, "input target weight?",
       importNegativeLogLikelihoodLoss},
      {"SoftmaxCrossEntropyLoss", 12, "scores labels weights?",
       importSoftmaxCrossEntropyLoss},
  };
  return rules;
}
