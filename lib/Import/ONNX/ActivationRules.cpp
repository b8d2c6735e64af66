//===- ActivationRules.cpp - Activation functions -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Activations that accelerators support are operators of uma.graph. The others
// are composed like their ONNX functions.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

namespace {
/// The data of an activation and formulas over them. C++ does not define the
/// evaluation order of arguments, so no call has two arguments that create
/// operations.
struct Formula {
  explicit Formula(Node &node)
      : node(node), x(node.getOperand(0)), type(getElementType(x)) {}

  Value constant(double value) { return node.createScalar(type, value); }
  Value add(Value lhs, Value rhs) {
    return node.create<graph::AddOp>({lhs, rhs});
  }
  Value subtract(Value lhs, Value rhs) {
    return node.create<graph::SubtractOp>({lhs, rhs});
  }
  Value multiply(Value lhs, Value rhs) {
    return node.create<graph::MultiplyOp>({lhs, rhs});
  }
  Value divide(Value lhs, Value rhs) {
    return node.create<graph::DivideOp>({lhs, rhs});
  }
  Value less(Value lhs, Value rhs) {
    return node.create<graph::LessOp>({lhs, rhs});
  }
  Value where(Value condition, Value yes, Value no) {
    return node.create<graph::WhereOp>({condition, yes, no});
  }
  /// Returns x if it is positive, otherwise alpha * (exp(x) - 1).
  Value elu(double alpha) {
    Value isNegative = less(x, constant(0));
    return where(isNegative, exponential(alpha, x), x);
  }
  /// Returns alpha * (exp(value) - 1).
  Value exponential(double alpha, Value value) {
    Value exp = node.create<graph::ExpOp>({value});
    Value difference = subtract(exp, constant(1));
    return multiply(difference, constant(alpha));
  }

  Node &node;
  Value x;
  Type type;
};
} // namespace

static LogicalResult importElu(Node &node) {
  double alpha = node.getFloatAttr("alpha", 1.0);
  return node.yield(Formula(node).elu(alpha));
}

static LogicalResult importSelu(Node &node) {
  double alpha = node.getFloatAttr("alpha", 1.67326319217681884765625);
  double gamma = node.getFloatAttr("gamma", 1.05070102214813232421875);
  Formula f(node);
  Value elu = f.elu(alpha);
  return node.yield(f.multiply(elu, f.constant(gamma)));
}

static LogicalResult importCelu(Node &node) {
  double alpha = node.getFloatAttr("alpha", 1.0);
  if (alpha == 0)
    return node.badInput("attribute 'alpha' is 0, which the function divides "
                         "by");
  Formula f(node);
  Value zero = f.constant(0);
  Value positive = node.create<graph::MaximumOp>({f.x, zero});
  Value exponential = f.exponential(alpha, f.divide(f.x, f.constant(alpha)));
  return node.yield(
      f.add(positive, node.create<graph::MinimumOp>({exponential, zero})));
}

static LogicalResult importGelu(Node &node) {
  StringRef approximate = node.getStringAttr("approximate", "none");
  if (approximate != "none" && approximate != "tanh")
    return node.badInput("attribute 'approximate' is '" + approximate +
                         "'; expected 'none' or 'tanh'");
  graph::GeluOp::Properties properties;
  if (approximate == "tanh")
    properties.approximate = node.getBuilder().getUnitAttr();
  return node.yield(node.create<graph::GeluOp>(node.getOperands(), properties));
}

static LogicalResult importHardSigmoid(Node &node) {
  double alpha = node.getFloatAttr("alpha", 0.2);
  double beta = node.getFloatAttr("beta", 0.5);
  Formula f(node);
  Value slope = f.multiply(f.x, f.constant(alpha));
  Value line = f.add(slope, f.constant(beta));
  graph::ClipOp::Properties properties;
  properties.a_min = node.getBuilder().getF64FloatAttr(0);
  properties.a_max = node.getBuilder().getF64FloatAttr(1);
  return node.yield(node.create<graph::ClipOp>({line}, properties));
}

static LogicalResult importLeakyRelu(Node &node) {
  graph::LeakyReluOp::Properties properties;
  properties.alpha =
      node.getBuilder().getF64FloatAttr(node.getFloatAttr("alpha", 0.01));
  return node.yield(
      node.create<graph::LeakyReluOp>(node.getOperands(), properties));
}

static LogicalResult importMish(Node &node) {
  Formula f(node);
  Value softplus = node.create<graph::SoftplusOp>({f.x});
  return node.yield(f.multiply(f.x, node.create<graph::TanhOp>({softplus})));
}

/// Imports PRelu of opset 6 and older, whose slope is one number or one per
/// channel.
static LogicalResult importPReluChannels(Node &node) {
  Value data = node.getOperand(0), slope = node.getOperand(1);
  ArrayRef<int64_t> shape = getShape(data), slopes = getShape(slope);
  if (shape.size() > 1 && slopes.size() == 1 && slopes[0] == shape[1]) {
    SmallVector<int64_t> channels(shape.size() - 1, 1);
    channels[0] = slopes[0];
    slope = node.createReshape(slope, channels);
  }
  return node.yield(node.create<graph::PReluOp>({data, slope}));
}

static LogicalResult importShrink(Node &node) {
  double lambd = node.getFloatAttr("lambd", 0.5);
  double bias = node.getFloatAttr("bias", 0.0);
  Formula f(node);
  Type type = f.type;
  // The attributes are floats, also for integers.
  if (!isa<FloatType>(type)) {
    f.type = node.getBuilder().getF64Type();
    f.x = node.createCast(f.x, f.type);
  }
  Value zero = f.constant(0), shift = f.constant(bias);
  Value isAbove = f.less(f.constant(lambd), f.x);
  Value above = f.where(isAbove, f.subtract(f.x, shift), zero);
  Value isBelow = f.less(f.x, f.constant(-lambd));
  return node.yield(
      node.createCast(f.where(isBelow, f.add(f.x, shift), above), type));
}

static LogicalResult importSoftsign(Node &node) {
  Formula f(node);
  Value magnitude = node.create<graph::AbsOp>({f.x});
  return node.yield(f.divide(f.x, f.add(magnitude, f.constant(1))));
}

static LogicalResult importSwish(Node &node) {
  double alpha = node.getFloatAttr("alpha", 1.0);
  Formula f(node);
  Value scaled = alpha == 1 ? f.x : f.multiply(f.x, f.constant(alpha));
  return node.yield(f.multiply(f.x, node.create<graph::SigmoidOp>({scaled})));
}

static LogicalResult importThresholdedRelu(Node &node) {
  double alpha = node.getFloatAttr("alpha", 1.0);
  Formula f(node);
  Value isAbove = f.less(f.constant(alpha), f.x);
  return node.yield(f.where(isAbove, f.x, f.constant(0)));
}

ArrayRef<Rule> importer::getActivationRules() {
  static constexpr Rule rules[] = {
      {"Celu", 12, "X", importCelu},
      {"Elu", 6, "X", importElu},
      {"Gelu", 20, "X", importGelu},
      {"HardSigmoid", 6, "X", importHardSigmoid},
      {"HardSwish", 14, "X", importDirectly<graph::HardSwishOp>},
      {"LeakyRelu", 6, "X", importLeakyRelu},
      {"Mish", 18, "X", importMish},
      {"PRelu", 6, "X slope", importPReluChannels},
      {"PRelu", 7, "X slope", importDirectly<graph::PReluOp>},
      {"Relu", 6, "X", importDirectly<graph::ReluOp>},
      {"Selu", 6, "X", importSelu},
      {"Shrink", 9, "input", importShrink},
      {"Sigmoid", 6, "X", importDirectly<graph::SigmoidOp>},
      {"Softplus", 1, "X", importDirectly<graph::SoftplusOp>},
      {"Softsign", 1, "input", importSoftsign},
      {"Swish", 24, "X", importSwish},
      {"Tanh", 6, "input", importDirectly<graph::TanhOp>},
      {"ThresholdedRelu", 10, "X", importThresholdedRelu},
  };
  return rules;
}
