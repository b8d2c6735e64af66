//===- ElementwiseRules.cpp - Arithmetic and activations ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "NarrowTypes.h"
#include "Rules.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

/// Imports a binary operator of opset 6 or older. The second operand broadcasts
/// only if an attribute requests it, and may align with any dimension of the
/// first.
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

/// Imports an operator with any number of operands as a chain of binary
/// operations.
template <typename OpT>
static LogicalResult importVariadic(Node &node) {
  SmallVector<Value> operands = node.getOperands();
  Value result = operands.front();
  for (Value operand : llvm::drop_begin(operands))
    result = node.create<OpT>({result, operand});
  return node.yield(result);
}

static LogicalResult importMean(Node &node) {
  SmallVector<Value> operands = node.getOperands();
  Value sum = operands.front();
  for (Value operand : llvm::drop_begin(operands))
    sum = node.create<graph::AddOp>({sum, operand});
  if (!sum || operands.size() == 1)
    return node.yield(sum);
  Value count = node.createScalar(getElementType(sum), operands.size());
  return node.yield(node.create<graph::DivideOp>({sum, count}));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static LogicalResult importReciprocal(Node &node) {
  Value data = node.getOperand(0);
  Value one = node.createScalar(getElementType(data), 1);
  return node.yield(node.create<graph::DivideOp>({one, data}));
}

static LogicalResult importMod(Node &node) {
  SmallVector<Value> operands = node.getOperands();
  bool isTruncating = node.getFlagAttr("fmod");
  if (isTruncating)
    return node.yield(node.create<graph::ModOp>(operands));
  if (isa<FloatType>(getElementType(operands[0])))
    return node.badInput("divides floats; expected attribute 'fmod' to be 1");
  return node.yield(node.create<graph::FloorModOp>(operands));
}

/// Imports Pow. The exponent may have another type than the base and the
/// result.
static LogicalResult importPow(Node &node) {
  Value base = node.getOperand(0), exponent = node.getOperand(1);
  Type type = getElementType(base), other = getElementType(exponent);
  Type common = type;
  // Integers of any two types are exact in i64. If the exponent is a float,
  // they are computed in f64.
  if (type != other && !isa<FloatType>(type))
    common = isa<FloatType>(other) ? Type(node.getBuilder().getF64Type())
                                   : Type(node.getBuilder().getI64Type());
  Value power = node.create<graph::PowerOp>(
      {node.createCast(base, common), node.createCast(exponent, common)});
  return node.yield(node.createCast(power, type));
}

static LogicalResult importBitShift(Node &node) {
  StringRef direction = node.getStringAttr("direction", "");
  if (direction == "LEFT")
    return importDirectly<graph::LeftShiftOp>(node);
  if (direction == "RIGHT")
    return importDirectly<graph::RightShiftOp>(node);
  return node.badInput("attribute 'direction' is '" + direction +
                       "'; expected 'LEFT' or 'RIGHT'");
}

static LogicalResult importIsInf(Node &node) {
  Value data = node.getOperand(0);
  bool detectsPositive = node.getIntAttr("detect_positive", 1) != 0;
  bool detectsNegative = node.getIntAttr("detect_negative", 1) != 0;
  Value isInf = node.create<graph::IsInfOp>({data});
  if (detectsPositive && detectsNegative)
    return node.yield(isInf);
  // If neither sign is detected, `data < data` gives false everywhere.
  Value zero = node.createScalar(getElementType(data), 0);
  Value sign = detectsPositive   ? node.create<graph::GreaterOp>({data, zero})
               : detectsNegative ? node.create<graph::LessOp>({data, zero})
                                 : node.create<graph::LessOp>({data, data});
  return node.yield(node.create<graph::LogicalAndOp>({isInf, sign}));
}

//===----------------------------------------------------------------------===//
// Dropout
//===----------------------------------------------------------------------===//

/// Imports Dropout, which is the identity outside of training.
static LogicalResult importDropout(Node &node) {
  node.ignoreAttrs({"ratio", "seed"});
  // A ratio of 0 drops nothing in training either.
  if (node.getScalar(2).value_or(0) != 0) {
    constexpr StringLiteral kReason = ", and training only with a ratio of 0";
    if (!node.forward(1))
      return node.notSupported("training is not supported");
    FailureOr<HostTensor> ratio = node.readConstant(1, kReason);
    if (failed(ratio))
      return failure();
    if (ratio->getNumElements() != 1 || ratio->getDouble(0) != 0)
      return node.notSupported("training is not supported");
  }
  Value data = node.getOperand(0);
  // Before opset 10 the mask has the type of the data.
  Type type = node.getOpset() >= 10 ? Type(node.getBuilder().getI1Type())
                                    : getElementType(data);
  if (node.getNumOutputs() > 1 &&
      failed(node.yield(createFilled(node, type, getShape(data), 1), 1)))
    return failure();
  return node.yield(data);
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// Casts the data to `type`, or to the narrow type `narrow` if it is one.
static LogicalResult yieldCast(Node &node, Type type, int32_t narrow) {
  Rounding rounding;
  rounding.saturates =
      node.getOpset() < 19 || node.getIntAttr("saturate", 1) != 0;
  if (node.getOpset() >= 24)
    rounding.mode = node.getStringAttr("round_mode", "up");
  Value data = node.getOperand(0);
  int32_t from = node.getNarrowType(0);
  if (from && from == narrow)
    return node.yield(data);
  if (from)
    data = createFromNarrow(node, data, from);
  return node.yield(
      isNarrow(narrow)
          ? createToNarrow(node, data, narrow, rounding)
          : createSaturatedCast(node, data, type, rounding.saturates));
}

static LogicalResult importCast(Node &node) {
  int64_t to = node.getRequiredIntAttr("to");
  FailureOr<Type> type = node.getElementType(to, /*allowsNarrow=*/true);
  if (failed(type))
    return failure();
  return yieldCast(node, *type, int32_t(to));
}

static LogicalResult importCastLike(Node &node) {
  return yieldCast(node, getElementType(node.getOperand(1)),
                   node.getNarrowType(1));
}

/// Imports BitCast. Integers of one size differ in their sign only.
static LogicalResult importBitCast(Node &node) {
  Value data = node.getOperand(0);
  FailureOr<Type> type = node.getElementType(node.getRequiredIntAttr("to"));
  if (failed(type))
    return failure();
  Type from = getElementType(data);
  if (HostTensor::getElementSize(from) != HostTensor::getElementSize(*type))
    return node.badInput(
        "casts elements of " + Twine(HostTensor::getElementSize(from)) +
        " bytes to ones of " + Twine(HostTensor::getElementSize(*type)) +
        "; expected the same size");
  if (isa<IntegerType>(from) && isa<IntegerType>(*type))
    return node.yield(node.createCast(data, *type));
  graph::BitcastOp::Properties properties;
  properties.dtype = TypeAttr::get(*type);
  return node.yield(node.create<graph::BitcastOp>({data}, properties));
}

//===----------------------------------------------------------------------===//
// Clip
//===----------------------------------------------------------------------===//

/// Returns the smallest and the largest finite value of a type, or infinities
/// if a double cannot hold them.
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
  graph::ClipOp::Properties properties;
  // ONNX applies the minimum first, so the maximum wins.
  properties.a_min = node.getBuilder().getF64FloatAttr(std::min(low, high));
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

/// Imports Clip. Constant limits become attributes, others operands.
static LogicalResult importClipInputs(Node &node) {
  Value data = node.getOperand(0);
  std::optional<double> limits[2];
  Value variables[2];
  for (unsigned i : {0, 1}) {
    Value limit = node.getOperand(i + 1);
    if (!limit)
      continue;
    StringRef name = i == 0 ? "min" : "max";
    if (cast<RankedTensorType>(limit.getType()).getNumElements() != 1)
      return node.badInput("input '" + name + "' has the shape " +
                           formatShape(getShape(limit)) +
                           "; expected one element");
    if (std::optional<HostTensor> constant = node.findConstant(i + 1);
        constant && constant->isExactDouble(0))
      limits[i] = constant->getDouble(0);
    else
      variables[i] = node.createReshape(limit, {});
  }
  if (!variables[0] && !variables[1])
    return createClip(node, limits[0], limits[1]);
  for (unsigned i : {0, 1})
    if (limits[i])
      variables[i] = node.createScalar(getElementType(data), *limits[i]);
  if (variables[0])
    data = node.create<graph::MaximumOp>({data, variables[0]});
  if (variables[1])
    data = node.create<graph::MinimumOp>({data, variables[1]});
  return node.yield(data);
}

ArrayRef<Rule> importer::getElementwiseRules() {
  static constexpr Rule rules[] = {
      {"Abs", 6, "X", importDirectly<graph::AbsOp>},
      {"Acos", 7, "input", importDirectly<graph::AcosOp>},
      {"Acosh", 9, "input", importDirectly<graph::AcoshOp>},
      {"Add", 6, "A B", importAligned<graph::AddOp>},
      {"Add", 7, "A B", importDirectly<graph::AddOp>},
      {"And", 1, "A B", importAligned<graph::LogicalAndOp>},
      {"And", 7, "A B", importDirectly<graph::LogicalAndOp>},
      {"Asin", 7, "input", importDirectly<graph::AsinOp>},
      {"Asinh", 9, "input", importDirectly<graph::AsinhOp>},
      {"Atan", 7, "input", importDirectly<graph::AtanOp>},
      {"Atanh", 9, "input", importDirectly<graph::AtanhOp>},
      {"BitShift", 11, "X Y", importBitShift},
      {"BitCast", 26, "input", importBitCast},
      {"BitwiseAnd", 18, "A B", importDirectly<graph::BitwiseAndOp>},
      {"BitwiseNot", 18, "X", importDirectly<graph::BitwiseNotOp>},
      {"BitwiseOr", 18, "A B", importDirectly<graph::BitwiseOrOp>},
      {"BitwiseXor", 18, "A B", importDirectly<graph::BitwiseXorOp>},
      {"Cast", 6, "input^", importCast},
      {"CastLike", 15, "input^ target_type^", importCastLike},
      {"Ceil", 6, "X", importDirectly<graph::CeilOp>},
      {"Clip", 6, "input", importClipAttributes},
      {"Clip", 11, "input min? max?", importClipInputs},
      {"Cos", 7, "input", importDirectly<graph::CosOp>},
      {"Cosh", 9, "input", importDirectly<graph::CoshOp>},
      {"Div", 6, "A B", importAligned<graph::DivideOp>},
      {"Div", 7, "A B", importDirectly<graph::DivideOp>},
      {"Dropout", 6, "data", importDropout},
      {"Dropout", 12, "data ratio&? training_mode=?", importDropout},
      {"Equal", 1, "A B", importAligned<graph::EqualOp>},
      {"Equal", 7, "A B", importDirectly<graph::EqualOp>},
      {"Erf", 9, "input", importDirectly<graph::ErfOp>},
      {"Exp", 6, "input", importDirectly<graph::ExpOp>},
      {"Floor", 6, "X", importDirectly<graph::FloorOp>},
      {"Greater", 1, "A B", importAligned<graph::GreaterOp>},
      {"Greater", 7, "A B", importDirectly<graph::GreaterOp>},
      {"GreaterOrEqual", 12, "A B", importDirectly<graph::GreaterEqualOp>},
      {"IsInf", 10, "X", importIsInf},
      {"IsNaN", 9, "X", importDirectly<graph::IsNaNOp>},
      {"Less", 1, "A B", importAligned<graph::LessOp>},
      {"Less", 7, "A B", importDirectly<graph::LessOp>},
      {"LessOrEqual", 12, "A B", importDirectly<graph::LessEqualOp>},
      {"Log", 6, "input", importDirectly<graph::LogOp>},
      {"Max", 6, "data*", importVariadic<graph::MaximumOp>},
      {"Mean", 6, "data*", importMean},
      {"Min", 6, "data*", importVariadic<graph::MinimumOp>},
      {"Mod", 10, "A B", importMod},
      {"Mul", 6, "A B", importAligned<graph::MultiplyOp>},
      {"Mul", 7, "A B", importDirectly<graph::MultiplyOp>},
      {"Neg", 6, "X", importDirectly<graph::NegativeOp>},
      {"Not", 1, "X", importDirectly<graph::LogicalNotOp>},
      {"Or", 1, "A B", importAligned<graph::LogicalOrOp>},
      {"Or", 7, "A B", importDirectly<graph::LogicalOrOp>},
      {"Pow", 1, "X Y", importAligned<graph::PowerOp>},
      {"Pow", 7, "X Y", importPow},
      {"Reciprocal", 6, "X", importReciprocal},
      {"Round", 11, "X", importDirectly<graph::RoundOp>},
      {"Sign", 9, "input", importDirectly<graph::SignOp>},
      {"Sin", 7, "input", importDirectly<graph::SinOp>},
      {"Sinh", 9, "input", importDirectly<graph::SinhOp>},
      {"Sqrt", 6, "X", importDirectly<graph::SqrtOp>},
      {"Sub", 6, "A B", importAligned<graph::SubtractOp>},
      {"Sub", 7, "A B", importDirectly<graph::SubtractOp>},
      {"Sum", 6, "data*", importVariadic<graph::AddOp>},
      {"Tan", 7, "input", importDirectly<graph::TanOp>},
      {"Where", 9, "condition X Y", importDirectly<graph::WhereOp>},
      {"Xor", 1, "A B", importAligned<graph::LogicalXorOp>},
      {"Xor", 7, "A B", importDirectly<graph::LogicalXorOp>},
  };
  return rules;
}
