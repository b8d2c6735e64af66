//===- QuantizedSoftmax.cpp - Softmax of stored integers ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/IR/QuantizedSoftmax.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/HostTensor.h"
#include "uma/Support/QuantizedTypes.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

Value graph::createQuantizedSoftmax(OpBuilder &builder, Location loc,
                                    Value stored, int64_t axis, Type from,
                                    Type to) {
  auto type = cast<RankedTensorType>(stored.getType());
  Type i32 = builder.getI32Type(), f32 = builder.getF32Type();
  RankedTensorType integers = type.clone(i32), floats = type.clone(f32);
  SmallVector<int64_t> rowShape(type.getShape());
  rowShape[axis] = 1;
  auto constant = [&](const HostTensor &tensor) -> Value {
    return ConstantOp::create(builder, loc, tensor.getType(),
                              tensor.toAttribute("exponentials"));
  };
  auto scalar = [&](Type elementType, double value) {
    HostTensor tensor(RankedTensorType::get({}, elementType));
    tensor.setDouble(0, value);
    return constant(tensor);
  };
  auto axes = builder.getDenseI64ArrayAttr({axis});
  auto keep = builder.getBoolAttr(true);

  auto scale = double(float(Quantization::of(from).scales.front()));
  // Exponentials are scaled up, so that sums of small ones keep their bits.
  // ONNX Runtime takes the logarithm in f32, which moves the last bits of all.
  // The scaled exponentials leave room for the sum of a row, and for the
  // product with the steps of the result.
  Quantization result = Quantization::of(to);
  double steps = std::floor(1.0f / float(result.scales.front()));
  constexpr double kMargin = 5;
  auto size = std::max(float(type.getDimSize(axis)),
                       float(std::ceil(steps / std::exp(kMargin))));
  double most = std::log(std::numeric_limits<float>::max() / size);
  double shift = std::max(0.0, most - kMargin) / scale;
  HostTensor table(RankedTensorType::get({256}, f32));
  for (int64_t i = 0; i < 256; ++i)
    table.setDouble(i, std::exp((double(i) - 255 + shift) * scale));

  Value numbers =
      CastOp::create(builder, loc, integers, stored, TypeAttr::get(i32));
  Value largest = MaxOp::create(
      builder, loc, RankedTensorType::get(rowShape, i32), numbers, axes, keep);
  Value index = SubtractOp::create(builder, loc, integers, numbers, largest);
  index = AddOp::create(builder, loc, integers, index, scalar(i32, 255));
  Value powers = TakeOp::create(builder, loc, floats, constant(table), index,
                                builder.getI64IntegerAttr(0));
  Value sums = SumOp::create(builder, loc, RankedTensorType::get(rowShape, f32),
                             powers, axes, keep);
  Value value =
      MultiplyOp::create(builder, loc, floats, powers, scalar(f32, steps));
  value = DivideOp::create(builder, loc, floats, value, sums);
  value = RoundOp::create(builder, loc, floats, value);
  value = AddOp::create(builder, loc, floats, value,
                        scalar(f32, double(result.zeroPoints.front())));
  Type storage = getStorageElementType(to);
  return CastOp::create(builder, loc, type.clone(storage), value,
                        TypeAttr::get(storage));
}
