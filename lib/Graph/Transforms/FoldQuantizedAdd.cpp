//===- FoldQuantizedAdd.cpp - Sums of quantized tensors -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Folds quantize(add(dequantize(x), dequantize(y))) to quantized_add where ONNX
// Runtime has an integer kernel: tensors of one shape and one storage type, and
// no activation but one that the bounds of the integers imply.
//
//===----------------------------------------------------------------------===//

#include "FoldQuantizedAdd.h"
#include "Constants.h"
#include "QuantizedFunctions.h"

#include "uma/Support/QuantizedTypes.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

bool graph::foldQuantizedAdd(QuantizeOp quantize) {
  Type elements = getElements(quantize.getResult());
  bool areImplied;
  auto add = dyn_cast_or_null<AddOp>(skipActivations(quantize, areImplied));
  if (!add || !areImplied || !add->hasOneUse())
    return false;
  SmallVector<Value, 2> operands;
  for (Value operand : add->getOperands()) {
    auto dequantize = operand.getDefiningOp<DequantizeOp>();
    if (!dequantize || getTensorType(operand).getShape() !=
                           getTensorType(quantize.getResult()).getShape())
      return false;
    Type given = getElements(dequantize.getData());
    Type stored = getStorageElementType(given);
    if (Quantization::of(given).axis || stored.getIntOrFloatBitWidth() > 8 ||
        stored != getStorageElementType(elements))
      return false;
    operands.push_back(dequantize.getData());
  }
  OpBuilder builder(quantize);
  Value sum = QuantizedAddOp::create(builder, add->getLoc(),
                                     quantize.getResult().getType(),
                                     operands[0], operands[1]);
  quantize.getResult().replaceAllUsesWith(sum);
  return true;
}
