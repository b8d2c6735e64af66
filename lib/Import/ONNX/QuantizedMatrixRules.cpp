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

#include "llvm/Support/MathExtras.h"

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

namespace {
/// A constant matrix as signed bytes, [rows, columns].
struct ByteMatrix {
  HostTensor elements;
  /// Zero points and sums of the columns.
  HostTensor zeros, sums;
  bool hasZeros = false;
};
} // namespace

/// Returns a constant matrix of 8-bit integers with the zero points of its
/// columns, or one for all. Returns std::nullopt for others.
static std::optional<ByteMatrix> getByteMatrix(Node &node, unsigned index,
                                               unsigned zeroPoint) {
  Value matrix = node.getOperand(index);
  std::optional<HostTensor> known = node.findConstant(index);
  if (!known || !getElementType(matrix).isInteger(8) ||
      getShape(matrix).size() != 2)
    return std::nullopt;
  int64_t rows = getShape(matrix)[0], columns = getShape(matrix)[1];
  std::optional<HostTensor> zeros;
  if (node.getOperand(zeroPoint)) {
    zeros = node.findConstant(zeroPoint);
    if (!zeros || (zeros->getNumElements() != 1 &&
                   zeros->getShape() != ArrayRef<int64_t>(columns)))
      return std::nullopt;
  }
  OpBuilder &builder = node.getBuilder();
  auto column = RankedTensorType::get({columns}, builder.getI32Type());
  ByteMatrix result{
      HostTensor(RankedTensorType::get({rows, columns}, builder.getI8Type())),
      HostTensor(column), HostTensor(column)};
  // Unsigned numbers and their zero points are shifted by the same.
  int64_t shift = getElementType(matrix).isUnsignedInteger() ? 128 : 0;
  std::vector<int64_t> sums(columns, 0);
  for (int64_t i = 0, e = rows * columns; i < e; ++i) {
    result.elements.setInt(i, known->getInt(i) - shift);
    sums[i % columns] += known->getInt(i) - shift;
  }
  for (int64_t i = 0; i < columns; ++i) {
    int64_t zero =
        zeros ? zeros->getInt(zeros->getNumElements() == 1 ? 0 : i) : 0;
    result.zeros.setInt(i, zero - shift);
    result.hasZeros |= zero != shift;
    result.sums.setInt(i, int32_t(sums[i]));
  }
  return result;
}

/// Multiplies `a` of 8 bits, minus a zero point that may be computed when the
/// model runs, by a constant matrix, the operands `b` and `bZero`.
///
/// Kernels with dot products of bytes take data whose zero point is their least
/// number, by weights without one. What is missing then are products of the
/// zero points with sums of columns and of rows:
///
///     sum (a - za) (b - zb) = sum (a - least) b - (za - least) sum b
///                             - zb sum (a - za)
///
/// `isLeast` tells that the zero point is known to be the least number. Returns
/// null for other operands.
static Value createByteProduct(Node &node, Value a, Value zero, bool isLeast,
                               unsigned b, unsigned bZero) {
  Type element = getElementType(a), i32 = node.getBuilder().getI32Type();
  std::optional<ByteMatrix> matrix = getByteMatrix(node, b, bZero);
  if (!matrix || !element.isInteger(8) || getShape(a).empty() ||
      (zero && cast<RankedTensorType>(zero.getType()).getNumElements() != 1))
    return {};
  int64_t least = element.isUnsignedInteger() ? 0 : -128;
  MLIRContext *context = node.getContext();
  Type data = makeQuantizedType(context, 8, element.isSignlessInteger(), {1.0},
                                {least}, std::nullopt);
  Type weights = makeQuantizedType(context, 8, /*isSigned=*/true, {1.0}, {0},
                                   std::nullopt);
  Value transposed =
      node.createTranspose(node.createConstant(matrix->elements), {1, 0});
  if (!transposed)
    return {};
  Value sums = node.create<graph::DenseOp>(
      {castStorage(node, a, data), castStorage(node, transposed, weights)});
  if (!sums)
    return {};
  sums = castStorage(node, sums, i32);
  zero = zero ? node.createCast(node.createReshape(zero, {}), i32)
              : node.createScalar(i32, 0);
  Value rest = least == 0
                   ? zero
                   : createWith<graph::SubtractOp>(node, zero, double(least));
  auto subtract = [&](Value factor, const HostTensor &columns) {
    sums = node.create<graph::SubtractOp>(
        {sums, node.create<graph::MultiplyOp>(
                   {factor, node.createConstant(columns)})});
  };
  if (!isLeast)
    subtract(rest, matrix->sums);
  if (!matrix->hasZeros)
    return sums;
  Value rows = createReduction<graph::SumOp>(node, node.createCast(a, i32),
                                             {-1}, /*keepdims=*/true);
  rows = node.create<graph::SubtractOp>(
      {rows, createWith<graph::MultiplyOp>(
                 node, zero, double(matrix->elements.getShape()[0]))});
  subtract(rows, matrix->zeros);
  return sums;
}

/// Returns whether the zero point of 8-bit integers is their least number.
static bool isLeast(Node &node, unsigned data, unsigned zeroPoint) {
  return isZeroPoint(
      node, zeroPoint,
      getElementType(node.getOperand(data)).isUnsignedInteger() ? 0 : -128);
}

static LogicalResult importMatMulInteger(Node &node) {
  if (failed(checkIntegers(node, {0, 1})))
    return failure();
  if (Value product =
          createByteProduct(node, node.getOperand(0), node.getOperand(2),
                            isLeast(node, 0, 2), 1, 3))
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
      createByteProduct(node, a, node.getOperand(4), isLeast(node, 0, 4), 1, 5);
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
      createByteProduct(node, a.stored, a.zeroPoint, /*isLeast=*/false, 1, 3);
  if (!sums) {
    Type i32 = node.getBuilder().getI32Type();
    Value steps = node.create<graph::SubtractOp>(
        {node.createCast(a.stored, i32), node.createCast(a.zeroPoint, i32)});
    sums = createIntegerProduct(node, steps,
                                removeZeroPoint(node, 1, 3, /*isColumn=*/true));
  }
  return yieldScaled(node, sums, a.scale, 2, 4);
}

/// Yields round(sums * factor / scale) + zero. The final cast saturates.
static LogicalResult yieldRequantized(Node &node, Value sums, Value factor,
                                      Value scale, Value zero) {
  Type type = node.getBuilder().getF32Type();
  factor = node.create<graph::DivideOp>(
      {factor,
       node.createCast(alignParameter(node, scale, sums, false), type)});
  Value result =
      node.create<graph::MultiplyOp>({node.createCast(sums, type), factor});
  result = node.create<graph::AddOp>(
      {node.create<graph::RoundOp>({result}),
       node.createCast(alignParameter(node, zero, sums, false), type)});
  return node.yield(node.createCast(result, getElementType(zero)));
}

LogicalResult importer::importComputedQGemm(Node &node, bool transA,
                                            bool transB, double alpha) {
  Value a = removeZeroPoint(node, 0, 2, /*isColumn=*/false);
  Value b = removeZeroPoint(node, 3, 5, /*isColumn=*/!transB);
  if (transA)
    a = node.createTranspose(a, {1, 0});
  if (transB)
    b = node.createTranspose(b, {1, 0});
  Value sums = createIntegerProduct(node, a, b);
  if (Value bias = node.getOperand(6))
    sums = node.create<graph::AddOp>({sums, bias});
  if (!sums)
    return failure();
  Value factor = node.create<graph::MultiplyOp>(
      {node.createReshape(node.getOperand(1), {}), node.getOperand(4)});
  factor = createWith<graph::MultiplyOp>(node, factor, alpha);
  if (Value scale = node.getOperand(7)) {
    Value zero = node.getOperand(8);
    return yieldRequantized(
        node, sums, factor, scale,
        zero ? zero : node.createScalar(getElementType(node.getOperand(0)), 0));
  }
  return node.yield(node.create<graph::MultiplyOp>(
      {node.createCast(sums, node.getBuilder().getF32Type()), factor}));
}

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
  return yieldRequantized(node, product, factor, node.getOperand(6),
                          node.getOperand(7));
}

/// Imports the product with a matrix [N, K] whose rows consist of blocks with a
/// scale each, of integers of few bits around a zero point. The matrix is
/// stored as floats.
static LogicalResult importMatMulNBits(Node &node) {
  int64_t depth = node.getRequiredIntAttr("K");
  int64_t columns = node.getRequiredIntAttr("N");
  int64_t bits = node.getIntAttr("bits", 4);
  int64_t size = node.getRequiredIntAttr("block_size");
  node.ignoreAttrs({"accuracy_level"});
  const HostTensor *stored = node.getConstant(1), *scales = node.getConstant(2),
                   *zeros = node.getConstant(3);
  if (!llvm::is_contained({2, 4, 8}, bits) || depth < 1 || columns < 1 ||
      size < 1 || size % 8 != 0)
    return node.notSupported("has " + Twine(bits) + " bits, blocks of " +
                             Twine(size) + " and a matrix of " +
                             Twine(columns) + "x" + Twine(depth) +
                             "; supported are 2, 4 and 8 bits and blocks of "
                             "multiples of 8");
  if (node.getOperand(4))
    return node.notSupported("reorders its rows, which is not supported");
  // Zero points of the type of the scales are not packed.
  bool isPacked = zeros && !zeros->isFloat();
  int64_t blocks = llvm::divideCeil(depth, size);
  int64_t zeroBytes = llvm::divideCeil(blocks * bits, 8);
  if (!getElementType(node.getOperand(0)).isF32() || !stored || !scales ||
      stored->getNumElements() != columns * blocks * (size * bits / 8) ||
      scales->getNumElements() != columns * blocks ||
      (zeros &&
       zeros->getNumElements() != columns * (isPacked ? zeroBytes : blocks)))
    return node.badInput("has data, integers, scales or zero points whose type "
                         "or size does not fit " +
                         Twine(columns) + "x" + Twine(depth) +
                         " numbers in blocks of " + Twine(size));
  auto type =
      RankedTensorType::get({columns, depth}, node.getBuilder().getF32Type());
  if (failed(node.checkComputedSize(type)))
    return failure();
  auto get = [&](const HostTensor &packed, int64_t firstByte, int64_t index) {
    int64_t byte = packed.getInt(firstByte + index * bits / 8) & 0xff;
    return (byte >> (index * bits % 8)) & ((int64_t(1) << bits) - 1);
  };
  HostTensor matrix(type);
  for (int64_t column = 0; column < columns; ++column)
    for (int64_t row = 0; row < depth; ++row) {
      int64_t block = column * blocks + row / size;
      auto zero = float(int64_t(1) << (bits - 1));
      if (zeros)
        zero = isPacked ? float(get(*zeros, column * zeroBytes, row / size))
                        : float(zeros->getDouble(block));
      auto steps = float(get(*stored, block * (size * bits / 8), row % size));
      matrix.setDouble(column * depth + row,
                       (steps - zero) * float(scales->getDouble(block)));
    }
  Value result = node.create<graph::DenseOp>(
      {node.getOperand(0), node.createConstant(matrix)});
  if (Value bias = node.getOperand(5); bias && result)
    result = node.create<graph::AddOp>({result, bias});
  return node.yield(result);
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
      {"com.microsoft.MatMulNBits", 1,
       "A B= scales= zero_points=? g_idx? bias?", importMatMulNBits},
  };
  return rules;
}
