//===- ContribRules.cpp - ONNX Runtime's own quantized operators ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Operators of the domain com.microsoft on stored integers. Scales and zero
// points have to be constants. The numbers are those of ONNX Runtime's kernels:
// functions of one operand are tables of 256 integers there, too.
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "MovementRules.h"
#include "QuantizedParameters.h"
#include "Rules.h"

#include "uma/Graph/IR/QuantizedSoftmax.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/Dialect/Traits.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

static LogicalResult refuseParameters(Node &node) {
  return node.notSupported(
      "has a scale that is not one positive constant of type float, or a zero "
      "point that is not one constant of the integers' type");
}

/// Returns the quantized type of a result with the storage of the first input
/// `like`, by its scale and zero point.
static Type getResultType(Node &node, unsigned like, unsigned scale) {
  return getQuantizedType(node, scale, scale + 1,
                          getElementType(node.getOperand(like)),
                          /*axis=*/std::nullopt);
}

static bool isByte(Node &node, unsigned index) {
  return getElementType(node.getOperand(index)).isInteger(8);
}

static LogicalResult checkBytes(Node &node, ArrayRef<unsigned> indices) {
  for (unsigned index : indices)
    if (!isByte(node, index))
      return node.badInput("input " + Twine(index + 1) +
                           " does not hold 8-bit integers");
  return success();
}

/// Returns an input minus its zero point, as i32.
static Value getSteps(Node &node, unsigned index, const Quantization &type) {
  Type i32 = node.getBuilder().getI32Type();
  Value value = node.createCast(node.getOperand(index), i32);
  int64_t zero = type.zeroPoints.front();
  return zero == 0 ? value
                   : createWith<graph::SubtractOp>(node, value, double(zero));
}

/// Multiplies integers by a factor in f32, rounds half to even, and stores the
/// result.
static Value createRounded(Node &node, Value integers, float factor,
                           Type elementType) {
  if (!integers)
    return {};
  Value number = createWith<graph::MultiplyOp>(
      node, node.createCast(integers, node.getBuilder().getF32Type()), factor);
  number = node.create<graph::RoundOp>({number});
  number = createWith<graph::AddOp>(
      node, number, double(Quantization::of(elementType).zeroPoints.front()));
  return node.createCast(number, getStorageElementType(elementType));
}

static float getScale(const Quantization &type) {
  return float(type.scales.front());
}

static Quantization getQuantization(Value value) {
  return Quantization::of(getElementType(value));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

namespace {
/// The operands of an operator of two quantized tensors, and the type of its
/// result.
struct BinaryOperands {
  Value a, b;
  Type type;
};
} // namespace

static FailureOr<BinaryOperands> getBinaryOperands(Node &node) {
  if (failed(checkBytes(node, {0, 3})))
    return failure();
  BinaryOperands operands{getQuantized(node, 0), getQuantized(node, 3),
                          getResultType(node, 0, 6)};
  if (!operands.a || !operands.b || !operands.type)
    return refuseParameters(node);
  return operands;
}

static LogicalResult importQLinearAdd(Node &node) {
  FailureOr<BinaryOperands> operands = getBinaryOperands(node);
  if (failed(operands))
    return failure();
  auto [a, b, type] = *operands;
  SmallVector<int64_t> shape;
  if (!OpTrait::util::getBroadcastedShape(getShape(a), getShape(b), shape))
    return node.badInput("the shapes " + formatShape(getShape(a)) + " and " +
                         formatShape(getShape(b)) + " do not broadcast");
  for (auto [quantized, index] : {std::pair(&a, 0), std::pair(&b, 3)}) {
    Value stored = createBroadcast(node, node.getOperand(index), shape);
    if (!stored)
      return failure();
    *quantized = castStorage(node, stored, getElementType(*quantized));
  }
  Value sum = graph::QuantizedAddOp::create(
      node.getBuilder(), node.getLocation(), RankedTensorType::get(shape, type),
      a, b, graph::kFloatRounding);
  return node.yield(castStorage(node, sum, getStorageElementType(type)));
}

static LogicalResult importQLinearMul(Node &node) {
  FailureOr<BinaryOperands> operands = getBinaryOperands(node);
  if (failed(operands))
    return failure();
  auto [a, b, type] = *operands;
  Quantization typeA = getQuantization(a), typeB = getQuantization(b);
  float factor =
      getScale(typeA) * getScale(typeB) / getScale(Quantization::of(type));
  Value product = node.create<graph::MultiplyOp>(
      {getSteps(node, 0, typeA), getSteps(node, 3, typeB)});
  if (!product)
    return failure();
  // Halves are rounded after the zero point is added.
  Value number = createWith<graph::MultiplyOp>(
      node, node.createCast(product, node.getBuilder().getF32Type()), factor);
  number = createWith<graph::AddOp>(
      node, number, double(Quantization::of(type).zeroPoints.front()));
  return node.yield(node.createCast(node.create<graph::RoundOp>({number}),
                                    getStorageElementType(type)));
}

static LogicalResult importQLinearGlobalAveragePool(Node &node) {
  bool isChannelsLast = node.getFlagAttr("channels_last");
  if (failed(checkBytes(node, {0})))
    return failure();
  ArrayRef<int64_t> shape = getShape(node.getOperand(0));
  if (shape.size() < 3)
    return node.badInput("input 'X' has " + Twine(shape.size()) +
                         " dimensions; expected 3 or more");
  Value data = getQuantized(node, 0);
  Type type = getResultType(node, 0, 3);
  if (!data || !type)
    return refuseParameters(node);
  SmallVector<int64_t> axes;
  int64_t count = 1;
  for (size_t dim = 2; dim < shape.size(); ++dim) {
    axes.push_back(int64_t(dim) - (isChannelsLast ? 1 : 0));
    count *= shape[axes.back()];
  }
  Quantization from = getQuantization(data);
  float factor =
      getScale(from) / (getScale(Quantization::of(type)) * float(count));
  Value sums = createReduction<graph::SumOp>(node, getSteps(node, 0, from),
                                             axes, /*keepdims=*/true);
  return node.yield(createRounded(node, sums, factor, type));
}

/// Imports a matrix product with a bias, quantized or, without y_scale, as
/// floats.
static LogicalResult importQGemm(Node &node) {
  bool transA = node.getFlagAttr("transA"), transB = node.getFlagAttr("transB");
  double alpha = node.getFloatAttr("alpha", 1.0);
  if (failed(checkBytes(node, {0, 3})))
    return failure();
  bool isQuantized = node.getNumOperands() > 7 && node.getOperand(7);
  Value bias = node.getNumOperands() > 6 ? node.getOperand(6) : Value();
  if (failed(node.checkRank(node.getOperand(0), 2, "input 'A'")) ||
      failed(node.checkRank(node.getOperand(3), 2, "input 'B'")))
    return failure();
  if (bias && !getElementType(bias).isSignlessInteger(32))
    return node.badInput("input 'C' does not hold int32");
  bool isKnown =
      !transA && alpha == 1.0 &&
      (!bias || (getShape(bias).size() == 1 && node.findConstant(6)));
  Value sums = isKnown ? createQuantizedProduct(node, transB) : Value();
  if (!sums)
    return importComputedQGemm(node, transA, transB, alpha);
  if (bias && getShape(bias)[0] != getShape(sums)[1])
    return node.badInput("input 'C' has the shape " +
                         formatShape(getShape(bias)) + "; expected " +
                         Twine(getShape(sums)[1]));
  if (isQuantized) {
    Type type = getResultType(node, 0, 7);
    return type ? node.yield(createRequantize(node, sums, bias, type))
                : refuseParameters(node);
  }
  sums = addQuantizedBias(node, sums, bias);
  return node.yield(node.create<graph::DequantizeOp>({sums}));
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// Applies a function of real numbers to the stored integers `data`. ONNX
/// Runtime computes it in f32.
static Value createTable(Node &node, Value data, const Quantization &from,
                         Type elementType,
                         function_ref<float(float number)> compute) {
  Quantization to = Quantization::of(elementType);
  HostTensor table(RankedTensorType::get({from.max - from.min + 1},
                                         getStorageElementType(elementType)));
  for (int64_t stored = from.min; stored <= from.max; ++stored) {
    float number = getScale(from) * float(stored - from.zeroPoints.front());
    double rounded = std::nearbyint(compute(number) / getScale(to)) +
                     double(to.zeroPoints.front());
    table.setInt(stored - from.min,
                 int64_t(std::clamp(rounded, double(to.min), double(to.max))));
  }
  Value indices = node.createCast(data, node.getBuilder().getI32Type());
  if (from.min != 0)
    indices = createWith<graph::SubtractOp>(node, indices, double(from.min));
  graph::TakeOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(0);
  return node.create<graph::TakeOp>({node.createConstant(table), indices},
                                    properties);
}

/// Gets `data` and the element type of the result of a function of one tensor.
static LogicalResult getFunctionOperand(Node &node, Value &data, Type &type) {
  if (failed(checkBytes(node, {0})))
    return failure();
  data = getQuantized(node, 0);
  type = getResultType(node, 0, 3);
  return data && type ? success() : refuseParameters(node);
}

static LogicalResult importFunction(Node &node,
                                    function_ref<float(float)> compute) {
  Value data;
  Type type;
  if (failed(getFunctionOperand(node, data, type)))
    return failure();
  return node.yield(createTable(node, node.getOperand(0), getQuantization(data),
                                type, compute));
}

static LogicalResult importQLinearLeakyRelu(Node &node) {
  auto slope = float(node.getFloatAttr("alpha", 0.01));
  return importFunction(node, [&](float x) { return x >= 0 ? x : x * slope; });
}

static LogicalResult importQLinearSigmoid(Node &node) {
  return importFunction(node,
                        [](float x) { return 1.0f / (1.0f + std::exp(-x)); });
}

/// Imports a selection of two tensors, which are stored as the result first.
static LogicalResult importQLinearWhere(Node &node) {
  if (failed(checkBytes(node, {1, 4})))
    return failure();
  Type type = getResultType(node, 1, 7);
  Value x = getQuantized(node, 1), y = getQuantized(node, 4);
  if (!type || !x || !y)
    return refuseParameters(node);
  auto store = [&](unsigned index, Value data) {
    if (getElementType(data) == type)
      return node.getOperand(index);
    return createTable(node, node.getOperand(index), getQuantization(data),
                       type, [](float x) { return x; });
  };
  Value whenTrue = store(1, x), whenFalse = store(4, y);
  return node.yield(
      node.create<graph::WhereOp>({node.getOperand(0), whenTrue, whenFalse}));
}

/// Imports softmax along the last of the dimensions that `axis` selects.
static LogicalResult importQLinearSoftmax(Node &node) {
  int64_t opset = node.getRequiredIntAttr("opset");
  int64_t axis = node.getIntAttr("axis", -1); // for any `opset`
  Value data;
  Type type;
  if (failed(getFunctionOperand(node, data, type)))
    return failure();
  Value stored = node.getOperand(0);
  SmallVector<int64_t> shape(getShape(stored));
  std::optional<int64_t> normal = normalizeAxis(node, axis, shape.size());
  if (!normal)
    return failure();
  if (opset < 13) {
    // All dimensions from the axis on are one row.
    int64_t rows = 1, size = 1;
    for (auto [dim, extent] : llvm::enumerate(shape))
      (int64_t(dim) < *normal ? rows : size) *= extent;
    stored = node.createReshape(stored, {rows, size});
    normal = 1;
  }
  if (!stored)
    return failure();
  Value result = graph::createQuantizedSoftmax(
      node.getBuilder(), node.getLocation(), stored, *normal,
      getElementType(data), type);
  return node.yield(node.createReshape(result, shape));
}

static LogicalResult importQLinearConcat(Node &node) {
  int64_t axis = node.getRequiredIntAttr("axis");
  if (node.getNumOperands() % 3 != 2)
    return node.badInput(
        "has " + Twine(node.getNumOperands()) +
        " inputs; expected a scale and a zero point, and three "
        "inputs for each tensor");
  if (failed(checkBytes(node, {2})))
    return failure();
  Type type = getResultType(node, 2, 0);
  if (!type)
    return refuseParameters(node);
  SmallVector<Value> parts;
  for (unsigned i = 2; i < node.getNumOperands(); i += 3) {
    Value data = isByte(node, i) ? getQuantized(node, i) : Value();
    if (!data)
      return refuseParameters(node);
    Value stored = node.getOperand(i);
    if (getElementType(data) != type)
      stored = createTable(node, stored, getQuantization(data), type,
                           [](float x) { return x; });
    parts.push_back(stored);
  }
  graph::ConcatenateOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(axis);
  return node.yield(node.create<graph::ConcatenateOp>(parts, properties));
}

ArrayRef<Rule> importer::getContribRules() {
  static constexpr Rule rules[] = {
      {"com.microsoft.QGemm", 1,
       "A a_scale a_zero_point B b_scale b_zero_point C? y_scale? "
       "y_zero_point?",
       importQGemm},
      {"com.microsoft.QLinearAdd", 1,
       "A A_scale A_zero_point? B B_scale B_zero_point? C_scale C_zero_point?",
       importQLinearAdd},
      {"com.microsoft.QLinearConcat", 1, "Y_scale Y_zero_point inputs*",
       importQLinearConcat},
      {"com.microsoft.QLinearGlobalAveragePool", 1,
       "X x_scale x_zero_point y_scale y_zero_point",
       importQLinearGlobalAveragePool},
      {"com.microsoft.QLinearLeakyRelu", 1,
       "X X_scale X_zero_point? Y_scale Y_zero_point?", importQLinearLeakyRelu},
      {"com.microsoft.QLinearMul", 1,
       "A A_scale A_zero_point? B B_scale B_zero_point? C_scale C_zero_point?",
       importQLinearMul},
      {"com.microsoft.QLinearSigmoid", 1,
       "X X_scale X_zero_point? Y_scale Y_zero_point?", importQLinearSigmoid},
      {"com.microsoft.QLinearSoftmax", 1,
       "X X_scale x_zero_point? y_scale y_zero_point", importQLinearSoftmax},
      {"com.microsoft.QLinearWhere", 1,
       "condition X x_scale x_zero_point Y y_scale y_zero_point z_scale "
       "z_zero_point",
       importQLinearWhere},
  };
  return rules;
}
