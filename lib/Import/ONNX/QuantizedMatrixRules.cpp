//===- QuantizedMatrixRules.cpp - Products of integer matrices ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "QuantizedParameters.h"
#include "Rules.h"

#include "uma/Support/QuantizedTypes.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

/// Reshapes a parameter so that it broadcasts to the matrices `data`. It has
/// one element, or one for each row (column if `isColumn`).
static Value alignParameter(Node &node, Value parameter, Value data,
                            bool isColumn) {
  ArrayRef<int64_t> shape = getShape(parameter);
  if (cast<RankedTensorType>(parameter.getType()).getNumElements() == 1)
    return node.createReshape(parameter, {});
  if (shape.size() == 1 && !isColumn && getShape(data).size() > 1)
    return node.createReshape(parameter, {shape[0], 1});
  return parameter;
}

/// Subtracts the zero point of an operand in i32. Returns the operand unchanged
/// if it has no zero point or only 0.
static Value removeZeroPoint(Node &node, unsigned operand, unsigned zeroPoint,
                             bool isColumn) {
  Value data = node.getOperand(operand), zero = node.getOperand(zeroPoint);
  std::optional<HostTensor> known =
      zero ? node.findConstant(zeroPoint) : std::nullopt;
  bool isZero = !zero || known;
  for (int64_t i = 0, e = known ? known->getNumElements() : 0; i < e; ++i)
    isZero &= known->getInt(i) == 0;
  if (isZero)
    return data;
  Type type = node.getBuilder().getI32Type();
  return node.create<graph::SubtractOp>(
      {node.createCast(data, type),
       node.createCast(alignParameter(node, zero, data, isColumn), type)});
}

static LogicalResult checkIntegers(Node &node, ArrayRef<unsigned> operands) {
  for (unsigned operand : operands)
    if (!isa<IntegerType>(getElementType(node.getOperand(operand))))
      return node.notSupported(
          "operand " + Twine(operand) +
          " holds floats, which is not supported; expected "
          "integers");
  return success();
}

static Value createIntegerProduct(Node &node, Value a, Value b) {
  if (!a || !b)
    return {};
  return createMatMul(node, a, b,
                      TypeAttr::get(node.getBuilder().getI32Type()));
}

/// Returns the sums of each column of a constant matrix, as i32.
static Value sumColumns(Node &node, const HostTensor &matrix) {
  int64_t rows = matrix.getShape()[0], columns = matrix.getShape()[1];
  HostTensor sums(
      RankedTensorType::get({columns}, node.getBuilder().getI32Type()));
  for (int64_t column = 0; column < columns; ++column) {
    int64_t sum = 0;
    for (int64_t row = 0; row < rows; ++row)
      sum += matrix.getInt(row * columns + column);
    sums.setInt(column, int32_t(sum));
  }
  return node.createConstant(sums);
}

/// Multiplies `a` of 8 bits, minus a zero point that may be computed when the
/// model runs, by a constant matrix of i8 without a zero point. Kernels with
/// dot products of bytes take data that have a constant zero point, the least
/// number; what is missing then is the product of the rest and the sums of the
/// columns. Returns null for other operands.
static Value createByteProduct(Node &node, Value a, Value zero, unsigned b,
                               bool isFromZero) {
  Value matrix = node.getOperand(b);
  Type element = getElementType(a);
  if (!element.isInteger(8) || !getElementType(matrix).isSignlessInteger(8) ||
      getShape(a).empty() || getShape(matrix).size() != 2 || !isFromZero)
    return {};
  std::optional<HostTensor> known = node.findConstant(b);
  if (!known ||
      (zero && cast<RankedTensorType>(zero.getType()).getNumElements() != 1))
    return {};
  int64_t least = element.isUnsignedInteger() ? 0 : -128;
  MLIRContext *context = node.getContext();
  Type data = makeQuantizedType(context, 8, element.isSignlessInteger(), {1.0},
                                {least}, std::nullopt);
  Type weights = makeQuantizedType(context, 8, /*isSigned=*/true, {1.0}, {0},
                                   std::nullopt);
  Value transposed = node.createTranspose(matrix, {1, 0});
  if (!transposed)
    return {};
  Value sums = node.create<graph::DenseOp>(
      {castStorage(node, a, data), castStorage(node, transposed, weights)});
  if (!sums)
    return {};
  Type i32 = node.getBuilder().getI32Type();
  sums = castStorage(node, sums, i32);
  if (!zero && least == 0)
    return sums;
  Value rest = zero ? node.createCast(node.createReshape(zero, {}), i32)
                    : node.createScalar(i32, 0);
  if (least != 0)
    rest = createWith<graph::SubtractOp>(node, rest, double(least));
  return node.create<graph::SubtractOp>(
      {sums, node.create<graph::MultiplyOp>({rest, sumColumns(node, *known)})});
}

/// Returns whether an operand is omitted or a constant of zeros.
static bool isZero(Node &node, unsigned index) {
  if (!node.getOperand(index))
    return true;
  std::optional<HostTensor> known = node.findConstant(index);
  if (!known)
    return false;
  for (int64_t i = 0, e = known->getNumElements(); i < e; ++i)
    if (known->getInt(i) != 0)
      return false;
  return true;
}

static LogicalResult importMatMulInteger(Node &node) {
  if (failed(checkIntegers(node, {0, 1})))
    return failure();
  if (Value product = createByteProduct(node, node.getOperand(0),
                                        node.getOperand(2), 1, isZero(node, 3)))
    return node.yield(product);
  return node.yield(createIntegerProduct(
      node, removeZeroPoint(node, 0, 2, /*isColumn=*/false),
      removeZeroPoint(node, 1, 3, /*isColumn=*/true)));
}

/// Multiplies the sums of a product by both scales, and adds the bias.
static LogicalResult yieldScaled(Node &node, Value sums, Value aScale,
                                 unsigned bScale, unsigned bias) {
  if (!sums)
    return failure();
  Value scale = alignParameter(node, node.getOperand(bScale), sums,
                               /*isColumn=*/true);
  Value factor = node.create<graph::MultiplyOp>({aScale, scale});
  Value result = node.create<graph::MultiplyOp>(
      {node.createCast(sums, node.getBuilder().getF32Type()), factor});
  if (Value summand = node.getOperand(bias))
    result = node.create<graph::AddOp>({result, summand});
  return node.yield(result);
}

static LogicalResult importMatMulIntegerToFloat(Node &node) {
  if (failed(checkIntegers(node, {0, 1})))
    return failure();
  Value a = node.getOperand(0);
  Value sums =
      createByteProduct(node, a, node.getOperand(4), 1, isZero(node, 5));
  if (!sums)
    sums = createIntegerProduct(node,
                                removeZeroPoint(node, 0, 4, /*isColumn=*/false),
                                removeZeroPoint(node, 1, 5, /*isColumn=*/true));
  Value scale = alignParameter(node, node.getOperand(2), a, /*isColumn=*/false);
  return yieldScaled(node, sums, scale, 3, 6);
}

static LogicalResult importDynamicQuantizeMatMul(Node &node) {
  if (failed(checkIntegers(node, {1})))
    return failure();
  if (!getElementType(node.getOperand(0)).isF32())
    return node.badInput("input 'A' has other elements than floats of 32 bits");
  DynamicQuantization a = createDynamicQuantization(node, node.getOperand(0));
  if (!a.stored)
    return failure();
  Value sums =
      createByteProduct(node, a.stored, a.zeroPoint, 1, isZero(node, 3));
  if (!sums) {
    Type i32 = node.getBuilder().getI32Type();
    Value steps = node.create<graph::SubtractOp>(
        {node.createCast(a.stored, i32), node.createCast(a.zeroPoint, i32)});
    sums = createIntegerProduct(node, steps,
                                removeZeroPoint(node, 1, 3, /*isColumn=*/true));
  }
  return yieldScaled(node, sums, a.scale, 2, 4);
}

/// Computes round(product * a_scale * b_scale / y_scale) + y_zero_point. The
/// final cast saturates.
static LogicalResult importQLinearMatMul(Node &node) {
  if (getElementType(node.getOperand(7)).isInteger(8))
    if (Type result =
            getQuantizedType(node, 6, 7, getElementType(node.getOperand(7)),
                             /*axis=*/std::nullopt))
      if (Value sums = createQuantizedProduct(node, /*isTransposed=*/false))
        return node.yield(createRequantize(node, sums, /*bias=*/{}, result));
  if (failed(checkIntegers(node, {0, 2, 3, 5, 7})))
    return failure();
  Value a = node.getOperand(0), b = node.getOperand(3);
  Value zero = node.getOperand(7);
  Value product = createIntegerProduct(
      node, removeZeroPoint(node, 0, 2, /*isColumn=*/false),
      removeZeroPoint(node, 3, 5, /*isColumn=*/true));
  if (!product)
    return failure();
  Type type = node.getBuilder().getF32Type();
  auto scale = [&](unsigned operand, Value data, bool isColumn) {
    return node.createCast(
        alignParameter(node, node.getOperand(operand), data, isColumn), type);
  };
  Value factor = node.create<graph::MultiplyOp>(
      {scale(1, a, /*isColumn=*/false), scale(4, b, /*isColumn=*/true)});
  factor = node.create<graph::DivideOp>(
      {factor, scale(6, product, /*isColumn=*/false)});
  Value result =
      node.create<graph::MultiplyOp>({node.createCast(product, type), factor});
  result = node.create<graph::AddOp>(
      {node.create<graph::RoundOp>({result}),
       node.createCast(alignParameter(node, zero, product, false), type)});
  return node.yield(node.createCast(result, getElementType(zero)));
}

ArrayRef<Rule> importer::getQuantizedMatrixRules() {
  static constexpr Rule rules[] = {
      {"MatMulInteger", 10, "A B a_zero_point? b_zero_point?",
       importMatMulInteger},
      {"QLinearMatMul", 10,
       "a a_scale a_zero_point b b_scale b_zero_point y_scale y_zero_point",
       importQLinearMatMul},
      {"com.microsoft.DynamicQuantizeMatMul", 1,
       "A B b_scale b_zero_point? bias?", importDynamicQuantizeMatMul},
      {"com.microsoft.MatMulIntegerToFloat", 1,
       "A B a_scale b_scale a_zero_point? b_zero_point? bias?",
       importMatMulIntegerToFloat},
  };
  return rules;
}
