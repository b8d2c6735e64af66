//===- RecurrentRules.cpp - LSTM, GRU, RNN --------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;
using onnx::AttributeProto;

/// Returns an attribute with a list of floats; empty if it is missing.
static SmallVector<double> getFloats(Node &node, StringRef name) {
  const AttributeProto *attr = node.getAttr(name, AttributeProto::FLOATS);
  SmallVector<double> values;
  if (attr)
    values.append(attr->floats().begin(), attr->floats().end());
  return values;
}

/// Returns uma.graph's name of an activation, ignoring case as ONNX does; empty
/// for unknown ones.
static StringRef getActivation(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .CaseLower("affine", "affine")
      .CaseLower("elu", "elu")
      .CaseLower("hardsigmoid", "hard_sigmoid")
      .CaseLower("leakyrelu", "leaky_relu")
      .CaseLower("relu", "relu")
      .CaseLower("scaledtanh", "scaled_tanh")
      .CaseLower("sigmoid", "sigmoid")
      .CaseLower("softplus", "softplus")
      .CaseLower("softsign", "softsign")
      .CaseLower("tanh", "tanh")
      .CaseLower("thresholdedrelu", "thresholded_relu")
      .Default("");
}

/// Return whether an activation has the parameter.
static bool hasAlpha(StringRef name) {
  return llvm::is_contained({"affine", "elu", "hard_sigmoid", "leaky_relu",
                             "scaled_tanh", "thresholded_relu"},
                            name);
}
static bool hasBeta(StringRef name) {
  return llvm::is_contained({"affine", "hard_sigmoid", "scaled_tanh"}, name);
}

/// Reads the activations and their parameters. Each list of parameters has
/// entries only for the functions with that parameter, in order.
template <typename Properties>
static LogicalResult readActivations(Node &node, Properties &properties) {
  SmallVector<double> givenAlphas = getFloats(node, "activation_alpha");
  SmallVector<double> givenBetas = getFloats(node, "activation_beta");
  const AttributeProto *attr =
      node.getAttr("activations", AttributeProto::STRINGS);
  if (!attr) {
    if (!givenAlphas.empty() || !givenBetas.empty())
      return node.badInput("has parameters of activations, but not the "
                           "attribute 'activations'");
    return success();
  }
  SmallVector<StringRef> names;
  SmallVector<double> alphas, betas;
  size_t nextAlpha = 0, nextBeta = 0;
  for (const std::string &written : attr->strings()) {
    StringRef name = getActivation(written);
    if (name.empty())
      return node.badInput("attribute 'activations' has the entry " +
                           quote(written) + ", which is no activation of ONNX");
    auto function = *graph::RecurrentActivation::parse(name);
    if (hasAlpha(name) && nextAlpha < givenAlphas.size())
      function.alpha = givenAlphas[nextAlpha++];
    if (hasBeta(name) && nextBeta < givenBetas.size())
      function.beta = givenBetas[nextBeta++];
    names.push_back(name);
    alphas.push_back(function.alpha);
    betas.push_back(function.beta);
  }
  if (nextAlpha < givenAlphas.size() || nextBeta < givenBetas.size())
    return node.badInput("has more parameters of activations than its "
                         "activations take");
  OpBuilder &builder = node.getBuilder();
  properties.activations = builder.getStrArrayAttr(names);
  properties.alphas = builder.getDenseF64ArrayAttr(alphas);
  properties.betas = builder.getDenseF64ArrayAttr(betas);
  return success();
}

/// Reads the attributes common to all layers. Sets `batchFirst` if the batch is
/// the first dimension of data and states.
template <typename Properties>
static LogicalResult readCommon(Node &node, Properties &properties,
                                bool &batchFirst) {
  OpBuilder &builder = node.getBuilder();
  if (failed(readActivations(node, properties)))
    return failure();
  StringRef direction = node.getStringAttr("direction", "forward");
  if (!llvm::is_contained({"forward", "reverse", "bidirectional"}, direction))
    return node.badInput("attribute 'direction' is " + quote(direction) +
                         "; expected forward, reverse or bidirectional");
  properties.direction = builder.getStringAttr(direction);
  if (const AttributeProto *clip = node.getAttr("clip", AttributeProto::FLOAT))
    properties.clip = builder.getF64FloatAttr(clip->f());
  batchFirst = node.getOpset() >= 14 && node.getFlagAttr("layout");
  if (node.getOpset() < 7)
    node.ignoreAttrs({"output_sequence"}); // unused outputs cost nothing
  Value recurrence = node.getOperand(2);
  if (failed(node.checkRank(node.getOperand(0), 3, "input 'X'")) ||
      failed(node.checkRank(recurrence, 3, "input 'R'")))
    return failure();
  int64_t units = getShape(recurrence)[2];
  int64_t hiddenSize = node.getIntAttr("hidden_size", units);
  if (hiddenSize != units)
    return node.badInput("attribute 'hidden_size' is " + Twine(hiddenSize) +
                         ", but input 'R' has the shape " +
                         formatShape(getShape(recurrence)));
  return success();
}

/// Creates the layer with the node's optional operands from input 3 on, and
/// yields all results.
template <typename OpT>
static LogicalResult
createLayer(Node &node, typename OpT::Properties properties, bool batchFirst) {
  constexpr unsigned kCount = std::tuple_size_v<
      std::remove_reference_t<decltype(properties.operandSegmentSizes)>>;
  constexpr unsigned kData = 0, kInitialH = 5, kInitialC = 6;
  SmallVector<Value> operands;
  for (unsigned index = 0; index < kCount; ++index) {
    Value operand = node.getOperand(index);
    properties.operandSegmentSizes[index] = operand ? 1 : 0;
    if (!operand)
      continue;
    bool isState = index == kInitialH || index == kInitialC;
    if (batchFirst && (index == kData || isState)) {
      if (failed(node.checkRank(operand, 3, "input " + std::to_string(index))))
        return failure();
      operand = node.createTranspose(operand, {1, 0, 2});
    }
    operands.push_back(operand);
  }
  Value output = node.create<OpT>(operands, properties);
  if (!output)
    return failure();
  for (auto [index, result] :
       llvm::enumerate(output.getDefiningOp()->getResults())) {
    Value value = result;
    if (!node.hasOutput(index))
      continue;
    if (batchFirst)
      value = index == 0 ? node.createTranspose(value, {2, 0, 1, 3})
                         : node.createTranspose(value, {1, 0, 2});
    if (failed(node.yield(value, index)))
      return failure();
  }
  return success();
}

static LogicalResult importLSTM(Node &node) {
  graph::LSTMOp::Properties properties;
  bool batchFirst;
  if (failed(readCommon(node, properties, batchFirst)))
    return failure();
  properties.input_forget =
      node.getBuilder().getBoolAttr(node.getFlagAttr("input_forget"));
  return createLayer<graph::LSTMOp>(node, properties, batchFirst);
}

static LogicalResult importGRU(Node &node) {
  graph::GRUOp::Properties properties;
  bool batchFirst;
  if (failed(readCommon(node, properties, batchFirst)))
    return failure();
  if (node.getOpset() >= 3)
    properties.linear_before_reset =
        node.getBuilder().getBoolAttr(node.getFlagAttr("linear_before_reset"));
  return createLayer<graph::GRUOp>(node, properties, batchFirst);
}

static LogicalResult importRNN(Node &node) {
  graph::RNNOp::Properties properties;
  bool batchFirst;
  if (failed(readCommon(node, properties, batchFirst)))
    return failure();
  return createLayer<graph::RNNOp>(node, properties, batchFirst);
}

ArrayRef<Rule> importer::getRecurrentRules() {
  static constexpr Rule rules[] = {
      {"GRU", 1, "X W R B? sequence_lens? initial_h?", importGRU},
      {"LSTM", 1, "X W R B? sequence_lens? initial_h? initial_c? P?",
       importLSTM},
      {"RNN", 1, "X W R B? sequence_lens? initial_h?", importRNN},
  };
  return rules;
}
