//===- NormalizationRules.cpp - Softmax and normalisations ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "Rules.h"

#include <functional>
#include <numeric>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

/// Returns the attribute 'epsilon' as an attribute of an operation.
static FloatAttr getEpsilon(Node &node) {
  return node.getBuilder().getF64FloatAttr(node.getFloatAttr("epsilon", 1e-5f));
}

//===----------------------------------------------------------------------===//
// BatchNormalization
//===----------------------------------------------------------------------===//

/// Yields a running statistic of training: the moving average of `old` and
/// `batch`.
static LogicalResult yieldRunning(Node &node, Value old, Value batch,
                                  unsigned output) {
  double momentum = node.getFloatAttr("momentum", 0.9f);
  if (!node.hasOutput(output))
    return success();
  Value sum = node.create<graph::AddOp>(
      {createWith<graph::MultiplyOp>(node, old, momentum),
       createWith<graph::MultiplyOp>(node, batch, 1.0 - momentum)});
  return node.yield(sum, output);
}

static LogicalResult importBatchNormalization(Node &node) {
  bool isTraining = node.getOpset() >= 14 && node.getFlagAttr("training_mode");
  // Training mode: until opset 13 given by the number of outputs, until opset 6
  // by an attribute.
  if ((node.getNumOutputs() > 1 && !isTraining) ||
      (node.getOpset() < 7 && !node.getFlagAttr("is_test")))
    return node.notSupported("training is not supported; export the model for "
                             "inference");
  if (node.getOpset() < 9 && node.getIntAttr("spatial", 1) != 1)
    return node.notSupported("attribute 'spatial' is not 1, which is not "
                             "supported");
  SmallVector<Value> operands = node.getOperands();
  Type type = getElementType(operands[0]);
  // The parameters may have wider types than the data.
  if (!llvm::all_of(operands, [&](Value operand) {
        return getElementType(operand) == type;
      }))
    for (Value &operand : operands) {
      operand = node.createCast(operand, node.getBuilder().getF32Type());
      if (!operand)
        return failure();
    }
  if (isTraining) {
    ArrayRef<int64_t> shape = getShape(operands[0]);
    if (shape.size() < 2)
      return node.badInput("input 'X' has the shape " + formatShape(shape) +
                           "; expected 2 or more dimensions");
    SmallVector<int64_t> axes, column(shape.size(), 1);
    column[1] = shape[1];
    for (int64_t axis = 0; axis < int64_t(shape.size()); ++axis)
      if (axis != 1)
        axes.push_back(axis);
    Value mean = createReduction<graph::MeanOp>(node, operands[0], axes, false);
    Value centred = node.create<graph::SubtractOp>(
        {operands[0], node.createReshape(mean, column)});
    Value variance = createReduction<graph::MeanOp>(
        node, createSquare(node, centred), axes, false);
    if (failed(yieldRunning(node, operands[3], mean, 1)) ||
        failed(yieldRunning(node, operands[4], variance, 2)))
      return failure();
    operands[3] = mean;
    operands[4] = variance;
  }
  graph::BatchNormOp::Properties properties;
  properties.epsilon = getEpsilon(node);
  node.ignoreAttrs({"momentum"}); // only for training
  return node.yield(node.createCast(
      node.create<graph::BatchNormOp>(operands, properties), type));
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

static Value createSoftmax(Node &node, Value data, int64_t axis) {
  graph::SoftmaxOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(axis);
  return node.create<graph::SoftmaxOp>({data}, properties);
}

/// Returns 1 for the first of the largest elements along `axis` and 0 for the
/// others.
static Value createHardmax(Node &node, Value data, int64_t axis) {
  Builder &builder = node.getBuilder();
  ArrayRef<int64_t> shape = getShape(data);
  std::optional<int64_t> normal = normalizeAxis(node, axis, shape.size());
  if (!normal)
    return {};
  graph::ArgMaxOp::Properties properties;
  properties.axis = builder.getI64IntegerAttr(*normal);
  properties.keepdims = builder.getBoolAttr(true);
  Value largest = node.create<graph::ArgMaxOp>({data}, properties);
  Value isLargest = node.create<graph::EqualOp>(
      {largest, createIota(node, shape[*normal], *normal, shape.size())});
  return node.createCast(isLargest, getElementType(data));
}

using AxisFn = Value(Node &, Value, int64_t);

template <AxisFn create>
static LogicalResult importAlongAxis(Node &node) {
  return node.yield(
      create(node, node.getOperand(0), node.getIntAttr("axis", -1)));
}

/// Imports the versions up to opset 12, which flatten all dimensions from
/// `axis` on.
template <AxisFn create>
static LogicalResult importFlattening(Node &node) {
  Value data = node.getOperand(0);
  ArrayRef<int64_t> shape = getShape(data);
  auto axis = normalizeAxis(node, node.getIntAttr("axis", 1), shape.size());
  if (!axis)
    return failure();
  if (*axis + 1 == int64_t(shape.size()))
    return node.yield(create(node, data, -1));
  auto product = [](ArrayRef<int64_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                           std::multiplies<>());
  };
  Value matrix = node.createReshape(data, {product(shape.take_front(*axis)),
                                           product(shape.drop_front(*axis))});
  if (!matrix)
    return failure();
  return node.yield(node.createReshape(create(node, matrix, -1), shape));
}

//===----------------------------------------------------------------------===//
// Normalisation by mean and variance
//===----------------------------------------------------------------------===//

/// Broadcasts `parameter` to `shape`. Emits an error and returns null if the
/// shapes do not fit.
static Value broadcastTo(Node &node, Value parameter, ArrayRef<int64_t> shape,
                         StringRef name) {
  if (!parameter || getShape(parameter) == shape)
    return parameter;
  Value filled = createFilled(node, getElementType(parameter), shape,
                              /*value=*/1.0);
  Value product = node.create<graph::MultiplyOp>({parameter, filled});
  if (!product || getShape(product) == shape)
    return product;
  (void)node.badInput("input '" + name + "' has the shape " +
                      formatShape(getShape(parameter)) +
                      ", which does not broadcast to " + formatShape(shape));
  return {};
}

static LogicalResult importLayerNormalization(Node &node) {
  Builder &builder = node.getBuilder();
  Value data = node.getOperand(0), scale = node.getOperand(1);
  Value bias = node.getOperand(2);
  ArrayRef<int64_t> shape = getShape(data);
  auto axis = normalizeAxis(node, node.getIntAttr("axis", -1), shape.size());
  // The layer computes in f32 or a wider type. The value FLOAT requires no
  // more.
  int64_t stashType = node.getIntAttr("stash_type", onnx::TensorProto::FLOAT);
  if (!axis)
    return failure();
  if (stashType != onnx::TensorProto::FLOAT &&
      stashType != onnx::TensorProto::DOUBLE)
    return node.notSupported("attribute 'stash_type' is " + Twine(stashType) +
                             "; only 1 (float) is supported");
  ArrayRef<int64_t> suffix = shape.drop_front(*axis);
  graph::LayerNormOp::Properties properties;
  properties.axis = builder.getI64IntegerAttr(*axis);
  properties.epsilon = getEpsilon(node);
  scale = broadcastTo(node, scale, suffix, "Scale");
  bias = bias ? broadcastTo(node, bias, suffix, "B")
              : createFilled(node, getElementType(data), suffix, 0.0);
  Value result =
      node.create<graph::LayerNormOp>({data, scale, bias}, properties);
  if (node.hasOutput(1) || node.hasOutput(2)) {
    Value wide = node.createCast(data, builder.getF32Type());
    auto axes = llvm::to_vector(
        llvm::seq<int64_t>(*axis, static_cast<int64_t>(shape.size())));
    Value mean = createReduction<graph::MeanOp>(node, wide, axes, true);
    if (node.hasOutput(1) && failed(node.yield(mean, 1)))
      return failure();
    Value centred = node.create<graph::SubtractOp>({wide, mean});
    Value variance = createReduction<graph::MeanOp>(
        node, createSquare(node, centred), axes, true);
    Value deviation = node.create<graph::SqrtOp>({createWith<graph::AddOp>(
        node, variance, properties.epsilon.getValueAsDouble())});
    if (!deviation)
      return failure();
    Value inverse = node.create<graph::DivideOp>(
        {node.createScalar(builder.getF32Type(), 1.0), deviation});
    if (node.hasOutput(2) && failed(node.yield(inverse, 2)))
      return failure();
  }
  return node.yield(result);
}

static LogicalResult importRMSNormalization(Node &node) {
  Value data = node.getOperand(0);
  ArrayRef<int64_t> shape = getShape(data);
  auto axis = normalizeAxis(node, node.getIntAttr("axis", -1), shape.size());
  node.ignoreAttrs({"stash_type"}); // at least f32 in any case
  if (!axis)
    return failure();
  graph::RMSNormOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(*axis);
  properties.epsilon = getEpsilon(node);
  Value scale =
      broadcastTo(node, node.getOperand(1), shape.drop_front(*axis), "scale");
  return node.yield(node.create<graph::RMSNormOp>({data, scale}, properties));
}

static Value createGroupNorm(Node &node, ValueRange operands,
                             int64_t numGroups) {
  graph::GroupNormOp::Properties properties;
  properties.num_groups = node.getBuilder().getI64IntegerAttr(numGroups);
  properties.epsilon = getEpsilon(node);
  return node.create<graph::GroupNormOp>(operands, properties);
}

static LogicalResult importInstanceNormalization(Node &node) {
  ArrayRef<int64_t> shape = getShape(node.getOperand(0));
  return node.yield(createGroupNorm(node, node.getOperands(),
                                    shape.size() > 1 ? shape[1] : 1));
}

/// Until opset 20, scale and bias have one element per group.
template <bool isPerChannel>
static LogicalResult importGroupNormalization(Node &node) {
  Value data = node.getOperand(0);
  int64_t groups = node.getRequiredIntAttr("num_groups");
  if (isPerChannel)
    node.ignoreAttrs({"stash_type"}); // at least f32 in any case
  SmallVector<Value> operands = node.getOperands();
  ArrayRef<int64_t> shape = getShape(data);
  if (!isPerChannel && groups > 0 && shape.size() > 1 && shape[1] % groups == 0)
    for (Value &parameter : MutableArrayRef(operands).drop_front()) {
      if (getShape(parameter) != ArrayRef(groups))
        return node.badInput("a parameter has the shape " +
                             formatShape(getShape(parameter)) + "; expected " +
                             Twine(groups) + ", one for each group");
      parameter = broadcastTo(node, node.createReshape(parameter, {groups, 1}),
                              {groups, shape[1] / groups}, "scale");
      parameter = node.createReshape(parameter, {shape[1]});
    }
  return node.yield(createGroupNorm(node, operands, groups));
}

static LogicalResult importMeanVarianceNormalization(Node &node) {
  Value data = node.getOperand(0);
  auto axes = node.getIntsAttr("axes");
  if (!axes)
    axes = SmallVector<int64_t>{0, 2, 3};
  Type type = getElementType(data);
  data = node.createCast(data, getWideType(type));
  Value mean = createReduction<graph::MeanOp>(node, data, *axes, true);
  Value centred = node.create<graph::SubtractOp>({data, mean});
  Value variance = createReduction<graph::MeanOp>(
      node, createSquare(node, centred), *axes, true);
  // The constant is part of the operator's definition.
  Value deviation = createWith<graph::AddOp>(
      node, node.create<graph::SqrtOp>({variance}), 1e-9);
  return node.yield(node.createCast(
      node.create<graph::DivideOp>({centred, deviation}), type));
}

//===----------------------------------------------------------------------===//
// Other norms
//===----------------------------------------------------------------------===//

static LogicalResult importLpNormalization(Node &node) {
  Value data = node.getOperand(0);
  int64_t axis = node.getIntAttr("axis", -1), p = node.getIntAttr("p", 2);
  if (p != 1 && p != 2)
    return node.badInput("attribute 'p' is " + Twine(p) + "; expected 1 or 2");
  Type type = getElementType(data);
  data = node.createCast(data, getWideType(type));
  Value power =
      p == 1 ? node.create<graph::AbsOp>({data}) : createSquare(node, data);
  Value norm = createReduction<graph::SumOp>(node, power, {axis}, true);
  if (p == 2)
    norm = node.create<graph::SqrtOp>({norm});
  if (!norm)
    return failure();
  // Divide by 1 if all elements are 0.
  Value zero = node.createScalar(getElementType(norm), 0.0);
  Value one = node.createScalar(getElementType(norm), 1.0);
  Value isZero = node.create<graph::EqualOp>({norm, zero});
  norm = node.create<graph::WhereOp>({isZero, one, norm});
  return node.yield(
      node.createCast(node.create<graph::DivideOp>({data, norm}), type));
}

static LogicalResult importLRN(Node &node) {
  Builder &builder = node.getBuilder();
  graph::LRNOp::Properties properties;
  properties.size = builder.getI64IntegerAttr(node.getRequiredIntAttr("size"));
  properties.alpha = builder.getF64FloatAttr(node.getFloatAttr("alpha", 1e-4f));
  properties.beta = builder.getF64FloatAttr(node.getFloatAttr("beta", 0.75));
  properties.bias = builder.getF64FloatAttr(node.getFloatAttr("bias", 1.0));
  return node.yield(
      node.create<graph::LRNOp>({node.getOperand(0)}, properties));
}

ArrayRef<Rule> importer::getNormalizationRules() {
  static constexpr Rule rules[] = {
      {"BatchNormalization", 6, "X scale B mean var", importBatchNormalization},
      {"GroupNormalization", 18, "X scale bias",
       importGroupNormalization<false>},
      {"GroupNormalization", 21, "X scale bias",
       importGroupNormalization<true>},
      {"Hardmax", 1, "input", importFlattening<createHardmax>},
      {"Hardmax", 13, "input", importAlongAxis<createHardmax>},
      {"InstanceNormalization", 6, "input scale B",
       importInstanceNormalization},
      {"LRN", 1, "X", importLRN},
      {"LayerNormalization", 17, "X Scale B?", importLayerNormalization},
      {"LogSoftmax", 1, "input", importFlattening<createLogSoftmax>},
      {"LogSoftmax", 13, "input", importAlongAxis<createLogSoftmax>},
      {"LpNormalization", 1, "input", importLpNormalization},
      {"MeanVarianceNormalization", 9, "X", importMeanVarianceNormalization},
      {"RMSNormalization", 23, "X scale", importRMSNormalization},
      {"Softmax", 1, "input", importFlattening<createSoftmax>},
      {"Softmax", 13, "input", importAlongAxis<createSoftmax>},
  };
  return rules;
}
