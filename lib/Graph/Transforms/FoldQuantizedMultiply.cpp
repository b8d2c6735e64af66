//===- FoldQuantizedMultiply.cpp - Products of quantized tensors ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Folds quantize(multiply(dequantize(x), dequantize(y))) to the formula of ONNX
// Runtime's QLinearMul: one factor of f32 scales the product of the integers
// without their zero points. It rounds after the zero point of the result is
// added, which requantize does not.
//
//===----------------------------------------------------------------------===//

#include "FoldQuantizedMultiply.h"

#include "Constants.h"
#include "QuantizedFunctions.h"

#include "uma/Support/QuantizedTypes.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

/// Returns the integers of a tensor of bytes minus their zero point, as i32.
static Value createSteps(OpBuilder &builder, Operation *layer, Value data) {
  ArrayRef<int64_t> shape = getTensorType(data).getShape();
  auto i32 = RankedTensorType::get(shape, builder.getI32Type());
  Location loc = layer->getLoc();
  Value steps = StorageCastOp::create(
      builder, loc,
      RankedTensorType::get(shape, getStorageElementType(getElements(data))),
      data);
  steps = CastOp::create(builder, loc, i32, steps,
                         TypeAttr::get(i32.getElementType()));
  int64_t zero = Quantization::of(getElements(data)).zeroPoints.front();
  if (zero == 0)
    return steps;
  HostTensor offset(RankedTensorType::get({}, builder.getI32Type()));
  offset.setInt(0, zero);
  return SubtractOp::create(
      builder, loc, i32, steps,
      createConstant(builder, layer, "zero_point", offset));
}

bool graph::foldQuantizedMultiply(QuantizeOp quantize, Operation *&op,
                                  std::string &reason) {
  bool areImplied;
  auto multiply =
      dyn_cast_or_null<MultiplyOp>(skipActivations(quantize, areImplied));
  if (!multiply || !multiply.getLhs().getDefiningOp<DequantizeOp>() ||
      !multiply.getRhs().getDefiningOp<DequantizeOp>())
    return false;
  op = multiply;
  if (!isQuantizedFunction(multiply, areImplied, quantize, reason))
    return false;
  Value operands[2];
  float factor = 1;
  for (unsigned i : {0, 1}) {
    operands[i] =
        multiply->getOperand(i).getDefiningOp<DequantizeOp>().getData();
    factor *= float(Quantization::of(getElements(operands[i])).scales.front());
  }
  Type elements = getElements(quantize.getResult());
  Quantization type = Quantization::of(elements);
  factor /= float(type.scales.front());
  if (!std::isnormal(factor)) {
    reason = "the product of its scales is no normal number of f32";
    return false;
  }
  OpBuilder builder(quantize);
  Location loc = multiply.getLoc();
  auto withElements = [&](Type elementType) {
    return RankedTensorType::get(getTensorType(multiply).getShape(),
                                 elementType);
  };
  Type f32 = builder.getF32Type(), storage = getStorageElementType(elements);
  auto scalar = [&](StringRef name, double number) {
    HostTensor tensor(RankedTensorType::get({}, f32));
    tensor.setDouble(0, number);
    return createConstant(builder, multiply, name, tensor);
  };
  Value value =
      MultiplyOp::create(builder, loc, withElements(builder.getI32Type()),
                         createSteps(builder, multiply, operands[0]),
                         createSteps(builder, multiply, operands[1]));
  value = CastOp::create(builder, loc, withElements(f32), value,
                         TypeAttr::get(f32));
  value = MultiplyOp::create(builder, loc, withElements(f32), value,
                             scalar("factor", factor));
  // The bounds keep C compilers from fusing the product and the sum: ONNX
  // Runtime rounds both.
  int64_t zero = type.zeroPoints.front();
  value = ClipOp::create(builder, loc, withElements(f32), value,
                         APFloat(double(type.min - zero)),
                         APFloat(double(type.max - zero)));
  if (zero != 0)
    value = AddOp::create(builder, loc, withElements(f32), value,
                          scalar("zero_point", double(zero)));
  value = RoundOp::create(builder, loc, withElements(f32), value);
  auto cast = CastOp::create(builder, loc, withElements(storage), value,
                             TypeAttr::get(storage));
  cast->setAttr(kInRangeAttrName, builder.getUnitAttr());
  Value result = StorageCastOp::create(builder, loc, quantize.getType(), cast);
  quantize.getResult().replaceAllUsesWith(result);
  return true;
}
