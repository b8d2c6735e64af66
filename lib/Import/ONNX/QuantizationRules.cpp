//===- QuantizationRules.cpp - Quantize and dequantize --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Quantization becomes arithmetic: in ONNX, scales and zero points are tensors,
// which may even be computed at run time.
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "MovementRules.h"
#include "NarrowTypes.h"
#include "QuantizedParameters.h"
#include "Rules.h"

#include "uma/Support/Float8.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

namespace {
/// Shapes of data and parameters in which scales and zero points broadcast.
struct Blocks {
  SmallVector<int64_t> data;
  SmallVector<int64_t> parameter;
  /// If the last block is shorter than the others: the axis of the blocks, and
  /// the block of each index. The parameters are repeated then.
  int64_t axis = 0;
  SmallVector<int64_t> indices;

  /// Returns scales or zero points in their shape.
  Value arrange(Node &node, Value value) const {
    return indices.empty() ? node.createReshape(value, parameter)
                           : createTake(node, value, indices, axis);
  }
};
} // namespace

/// Returns the shapes for a `parameter` with one element, one for each index of
/// an axis, or one for each block along the axis.
static FailureOr<Blocks> getBlocks(Node &node, Value parameter,
                                   StringRef name) {
  ArrayRef<int64_t> data = getShape(node.getOperand(0));
  ArrayRef<int64_t> shape = getShape(parameter);
  int64_t axis = node.getOpset() >= 13 ? node.getIntAttr("axis", 1) : 0;
  int64_t blockSize =
      node.getOpset() >= 21 ? node.getIntAttr("block_size", 0) : 0;
  Blocks blocks;
  blocks.data.assign(data.begin(), data.end());
  if (cast<RankedTensorType>(parameter.getType()).getNumElements() == 1 &&
      blockSize == 0)
    return blocks;
  auto wrongShape = [&]() {
    return node.badInput("input '" + name + "' has the shape " +
                         formatShape(shape) +
                         ", which does not fit data of "
                         "the shape " +
                         formatShape(data) + " along axis " + Twine(axis));
  };
  std::optional<int64_t> normal = normalizeAxis(node, axis, data.size());
  if (!normal)
    return failure();
  if (blockSize == 0) {
    if (shape.size() != 1 || shape[0] != data[*normal])
      return wrongShape();
    blocks.parameter.assign(data.size() - *normal, 1);
    blocks.parameter[0] = shape[0];
    return blocks;
  }
  SmallVector<int64_t> expected(data);
  if (blockSize < 0)
    return node.badInput("attribute 'block_size' is " + Twine(blockSize) +
                         "; expected 0 or more");
  expected[*normal] = llvm::divideCeil(data[*normal], blockSize);
  if (shape != ArrayRef(expected))
    return wrongShape();
  if (data[*normal] % blockSize != 0) {
    blocks.axis = *normal;
    for (int64_t index = 0; index < data[*normal]; ++index)
      blocks.indices.push_back(index / blockSize);
    return blocks;
  }
  blocks.data[*normal] = expected[*normal];
  blocks.data.insert(blocks.data.begin() + *normal + 1, blockSize);
  blocks.parameter.assign(expected.begin(), expected.end());
  blocks.parameter.insert(blocks.parameter.begin() + *normal + 1, 1);
  return blocks;
}

/// Returns the quantized type for storage elements `stored` by the constant
/// scales and zero points of a node. Returns null if these are computed when
/// the model runs, belong to blocks, or are no scales: arithmetic stands for
/// them.
static Type getQuantizedType(Node &node, const Blocks &blocks, Type stored) {
  if (blocks.data.size() != getShape(node.getOperand(0)).size() ||
      !blocks.indices.empty() || !isa<IntegerType>(stored))
    return {};
  std::optional<int64_t> axis;
  if (!blocks.parameter.empty())
    axis = int64_t(blocks.data.size() - blocks.parameter.size());
  return getQuantizedType(node, 1, 2, stored, axis);
}

/// Returns whether a zero point has the shape of its scale. One element of any
/// rank is a scalar, as in ONNX's own tests.
static bool haveSameShape(Value zero, Value scale) {
  return getShape(zero) == getShape(scale) ||
         (cast<RankedTensorType>(zero.getType()).getNumElements() == 1 &&
          cast<RankedTensorType>(scale.getType()).getNumElements() == 1);
}

/// Imports DequantizeLinear. Integers are computed in i32, which holds their
/// differences, floats of 8 bits in f32.
static LogicalResult importDequantizeLinear(Node &node) {
  Value data = node.getOperand(0), scale = node.getOperand(1);
  Value zero = node.getOperand(2);
  FailureOr<Blocks> blocks = getBlocks(node, scale, "x_scale");
  if (failed(blocks))
    return failure();
  bool isCode =
      node.getNarrowType(0) && !isNarrowInteger(node.getNarrowType(0));
  bool isFloat = isFloat8(getElementType(data)) || isCode;
  if (!isFloat && !isa<IntegerType>(getElementType(data)))
    return node.badInput("input 'x' holds floats; expected integers or floats "
                         "of 8 bits");
  if (zero && isFloat &&
      (getElementType(zero) != getElementType(data) ||
       node.getNarrowType(0) != node.getNarrowType(2)))
    return node.badInput("input 'x_zero_point' has other elements than input "
                         "'x'; expected the same type");
  if (zero && !haveSameShape(zero, scale))
    return node.badInput("input 'x_zero_point' has the shape " +
                         formatShape(getShape(zero)) + "; expected " +
                         formatShape(getShape(scale)) + ", that of 'x_scale'");
  if (isCode) {
    data = createFromNarrow(node, data, node.getNarrowType(0));
    zero = createFromNarrow(node, zero, node.getNarrowType(0));
  }
  Type result = getElementType(scale);
  if (node.getOpset() >= 23)
    if (int64_t type = node.getIntAttr("output_dtype", 0)) {
      FailureOr<Type> given = node.getElementType(type);
      if (failed(given))
        return failure();
      result = *given;
    }
  if (Type type = getQuantizedType(node, *blocks, getElementType(data));
      type && result.isF32())
    return node.yield(
        node.create<graph::DequantizeOp>({castStorage(node, data, type)}));
  Type number = node.getBuilder().getF32Type();
  // The type of differences from the zero point.
  Type wide = isFloat ? number : Type(node.getBuilder().getI32Type());
  SmallVector<int64_t> shape(getShape(data));
  Value value = node.createReshape(node.createCast(data, wide), blocks->data);
  if (zero)
    value = node.create<graph::SubtractOp>(
        {value, blocks->arrange(node, node.createCast(zero, wide))});
  value = node.create<graph::MultiplyOp>(
      {node.createCast(value, number),
       blocks->arrange(node, node.createCast(scale, number))});
  return node.yield(node.createCast(node.createReshape(value, shape), result));
}

/// Returns whether an input is a constant of zeros.
static bool isAllZero(Node &node, unsigned index) {
  std::optional<HostTensor> known = node.findConstant(index);
  if (!known)
    return false;
  for (int64_t i = 0, e = known->getNumElements(); i != e; ++i)
    if (known->getDouble(i) != 0)
      return false;
  return true;
}

/// Imports QuantizeLinear. The final cast saturates to the integer type, to
/// floats of 8 bits by an attribute.
static LogicalResult importQuantizeLinear(Node &node) {
  Value data = node.getOperand(0), scale = node.getOperand(1);
  Value zero = node.getOperand(2);
  FailureOr<Blocks> blocks = getBlocks(node, scale, "y_scale");
  if (failed(blocks))
    return failure();
  if (zero && !haveSameShape(zero, scale))
    return node.badInput("input 'y_zero_point' has the shape " +
                         formatShape(getShape(zero)) + "; expected " +
                         formatShape(getShape(scale)) + ", that of 'y_scale'");
  bool saturates = // only for floats of 8 bits
      node.getOpset() < 19 || node.getIntAttr("saturate", 1) != 0;
  if (node.getOpset() >= 23 && node.getIntAttr("precision", 0) > 1)
    return node.notSupported("divides in a given precision other than f32");
  Type result = IntegerType::get(node.getContext(), 8, IntegerType::Unsigned);
  int32_t narrow = node.getNarrowType(2);
  if (zero)
    result = getElementType(zero);
  if (node.getOpset() >= 21)
    if (int64_t type = node.getIntAttr("output_dtype", 0)) {
      FailureOr<Type> given =
          node.getElementType(int32_t(type), /*allowsNarrow=*/true);
      if (failed(given))
        return failure();
      int32_t givenNarrow = isNarrow(int32_t(type)) ? int32_t(type) : 0;
      if (zero && (*given != result || givenNarrow != narrow))
        return node.badInput("attribute 'output_dtype' is not the type of "
                             "input 'y_zero_point'");
      result = *given;
      narrow = givenNarrow;
    }
  if (Type type = getQuantizedType(node, *blocks, result);
      type && getElementType(data).isF32() && narrow == 0) {
    Value quantized = graph::QuantizeOp::create(
        node.getBuilder(), node.getLocation(),
        RankedTensorType::get(getShape(data), type), data);
    return node.yield(castStorage(node, quantized, result));
  }
  Type number = node.getBuilder().getF32Type();
  SmallVector<int64_t> shape(getShape(data));
  Value quotient = node.create<graph::DivideOp>(
      {node.createReshape(node.createCast(data, number), blocks->data),
       blocks->arrange(node, node.createCast(scale, number))});
  bool isCode = narrow && !isNarrowInteger(narrow);
  bool isFloat = isFloat8(result) || isCode;
  if (isCode)
    zero = createFromNarrow(node, zero, narrow);
  // A cast rounds to floats of 8 bits. 0 as zero point would make -0 to 0.
  Value value = isFloat ? quotient : node.create<graph::RoundOp>({quotient});
  if (zero && !(isFloat && isAllZero(node, 2)))
    value = node.create<graph::AddOp>(
        {value, blocks->arrange(node, node.createCast(zero, number))});
  if (isCode) {
    value = node.createReshape(createToNarrow(node, value, narrow, {saturates}),
                               shape);
    node.markNarrow(value, narrow);
    return node.yield(value);
  }
  if (unsigned bits = getNarrowBits(narrow)) {
    // The cast saturates to 8 bits.
    bool isSigned = !result.isUnsignedInteger();
    value = createWith<graph::MaximumOp>(
        node, value, isSigned ? -std::ldexp(1.0, int(bits) - 1) : 0);
    value = createWith<graph::MinimumOp>(
        node, value, std::ldexp(1.0, int(bits) - isSigned) - 1);
  }
  value = node.createReshape(
      createSaturatedCast(node, value, result, saturates), shape);
  node.markNarrow(value, narrow);
  return node.yield(value);
}

DynamicQuantization importer::createDynamicQuantization(Node &node,
                                                        Value data) {
  Type result = IntegerType::get(node.getContext(), 8, IntegerType::Unsigned);
  Value zero = node.createScalar(getElementType(data), 0);
  Value lowest = createReduction<graph::MinOp>(node, data, {}, false);
  Value highest = createReduction<graph::MaxOp>(node, data, {}, false);
  lowest = node.create<graph::MinimumOp>({lowest, zero});
  highest = node.create<graph::MaximumOp>({highest, zero});
  Value range = node.create<graph::SubtractOp>({highest, lowest});
  Value scale = createWith<graph::DivideOp>(node, range, 255);
  Value shift = node.create<graph::DivideOp>(
      {node.create<graph::NegativeOp>({lowest}), scale});
  Value zeroPoint =
      node.createCast(node.create<graph::RoundOp>({shift}), result);
  Value quotient = node.create<graph::RoundOp>(
      {node.create<graph::DivideOp>({data, scale})});
  Value shifted = node.create<graph::AddOp>(
      {quotient, node.createCast(zeroPoint, getElementType(data))});
  return {node.createCast(shifted, result), scale, zeroPoint};
}

static LogicalResult importDynamicQuantizeLinear(Node &node) {
  Value data = node.getOperand(0);
  if (!getElementType(data).isF32())
    return node.badInput("input 'x' has other elements than floats of 32 bits");
  DynamicQuantization result = createDynamicQuantization(node, data);
  if (failed(node.yield(result.scale, 1)) ||
      failed(node.yield(result.zeroPoint, 2)))
    return failure();
  return node.yield(result.stored);
}

ArrayRef<Rule> importer::getQuantizationRules() {
  static constexpr Rule rules[] = {
      {"DequantizeLinear", 10, "x^ x_scale x_zero_point^?",
       importDequantizeLinear},
      {"DynamicQuantizeLinear", 11, "x", importDynamicQuantizeLinear},
      {"QuantizeLinear", 10, "x y_scale y_zero_point^?", importQuantizeLinear},
      // ONNX Runtime's, which had 16 bits before ONNX.
      {"com.microsoft.DequantizeLinear", 13, "x x_scale x_zero_point?",
       importDequantizeLinear},
      {"com.microsoft.QuantizeLinear", 13, "x y_scale y_zero_point?",
       importQuantizeLinear},
  };
  return rules;
}
