//===- ElementwiseRules.cpp - Arithmetic and activations -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

/// Operators whose operands and result are those of one operation.
template <typename OpT>
static LogicalResult importDirectly(Node &node) {
  return node.yield(node.create<OpT>(node.getOperands()));
}

/// Until opset 6 the second operand broadcasts only when asked to, and may
/// start at any dimension of the first.
template <typename OpT>
static LogicalResult importAligned(Node &node) {
  Value lhs = node.getOperand(0), rhs = node.getOperand(1);
  int64_t rank = getShape(lhs).size(), rhsRank = getShape(rhs).size();
  bool broadcasts = node.getFlagAttr("broadcast");
  int64_t axis = node.getIntAttr("axis", rank - rhsRank);
  if (!broadcasts && getShape(lhs) != getShape(rhs))
    return node.badInput(
        "the operands have the shapes " + formatShape(getShape(lhs)) + " and " +
        formatShape(getShape(rhs)) + ", but the attribute 'broadcast' is 0");
  if (axis < 0 || axis + rhsRank > rank)
    return node.badInput("attribute 'axis' is " + Twine(axis) +
                         ", where the second operand does not fit the first");
  SmallVector<int64_t> shape(getShape(rhs));
  shape.append(rank - axis - rhsRank, 1);
  return node.yield(node.create<OpT>({lhs, node.createReshape(rhs, shape)}));
}

//===----------------------------------------------------------------------===//
// Clip
//===----------------------------------------------------------------------===//

/// The smallest and the largest finite value of a type, or infinities where a
/// double cannot hold them.
static std::pair<double, double> getLimits(Type type) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    APFloat largest = APFloat::getLargest(floatType.getFloatSemantics());
    bool losesInfo;
    largest.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    return {-largest.convertToDouble(), largest.convertToDouble()};
  }
  unsigned width = type.getIntOrFloatBitWidth();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (type.isUnsignedInteger())
    return {0.0, width < 64 ? std::ldexp(1.0, width) - 1 : kInfinity};
  return {-std::ldexp(1.0, width - 1),
          width < 64 ? std::ldexp(1.0, width - 1) - 1 : kInfinity};
}

static LogicalResult createClip(Node &node, std::optional<double> min,
                                std::optional<double> max) {
  Value data = node.getOperand(0);
  auto [lowest, highest] = getLimits(getElementType(data));
  double low = min.value_or(lowest), high = max.value_or(highest);
  if (std::isnan(low) || std::isnan(high))
    return node.badInput("has a limit that is no number");
  if (low > high)
    return node.notSupported("has a minimum above the maximum, which is not "
                             "supported");
  graph::ClipOp::Properties properties;
  properties.a_min = node.getBuilder().getF64FloatAttr(low);
  properties.a_max = node.getBuilder().getF64FloatAttr(high);
  return node.yield(node.create<graph::ClipOp>({data}, properties));
}

static LogicalResult importClipAttributes(Node &node) {
  auto limit = [&](StringRef name) -> std::optional<double> {
    const auto *attr = node.getAttr(name, onnx::AttributeProto::FLOAT);
    return attr ? std::optional<double>(attr->f()) : std::nullopt;
  };
  return createClip(node, limit("min"), limit("max"));
}

static LogicalResult importClipInputs(Node &node) {
  return createClip(node, node.getScalar(1), node.getScalar(2));
}

ArrayRef<Rule> importer::getElementwiseRules() {
  static constexpr Rule rules[] = {
      {"Add", 6, "A B", importAligned<graph::AddOp>},
      {"Add", 7, "A B", importDirectly<graph::AddOp>},
      {"Clip", 6, "input", importClipAttributes},
      {"Clip", 11, "input min=? max=?", importClipInputs},
      {"Div", 6, "A B", importAligned<graph::DivideOp>},
      {"Div", 7, "A B", importDirectly<graph::DivideOp>},
      {"Mul", 6, "A B", importAligned<graph::MultiplyOp>},
      {"Mul", 7, "A B", importDirectly<graph::MultiplyOp>},
      {"Relu", 6, "X", importDirectly<graph::ReluOp>},
      {"Sub", 6, "A B", importAligned<graph::SubtractOp>},
      {"Sub", 7, "A B", importDirectly<graph::SubtractOp>},
  };
  return rules;
}
