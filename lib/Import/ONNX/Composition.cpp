//===- Composition.cpp - Operators composed of several operations ---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Composition.h"

#include "uma/Support/Float8.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

Type importer::getWideType(Type elementType) {
  if (elementType.isF16() || elementType.isBF16())
    return Float32Type::get(elementType.getContext());
  return elementType;
}

Value importer::createSaturatedCast(Node &node, Value data, Type elementType,
                                    bool saturates) {
  Type from = getElementType(data);
  if (!saturates || !isFloat8(elementType) || from == elementType)
    return node.createCast(data, elementType);
  // The limits have to be numbers of the type that is compared with them.
  if (!from.isF64() && !from.isF16())
    data = node.createCast(data, node.getBuilder().getF32Type());
  double largest = getLargestFloat8(elementType);
  graph::ClipOp::Properties properties;
  properties.a_min = node.getBuilder().getF64FloatAttr(-largest);
  properties.a_max = node.getBuilder().getF64FloatAttr(largest);
  data = node.create<graph::ClipOp>({data}, properties);
  return node.createCast(data, elementType);
}

Value importer::createFilled(Node &node, Type elementType,
                             ArrayRef<int64_t> shape, double value) {
  HostTensor tensor(RankedTensorType::get(shape, elementType));
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    tensor.setDouble(i, value);
  return node.createConstant(tensor);
}

Value importer::createIota(Node &node, int64_t size, int64_t axis,
                           int64_t rank) {
  SmallVector<int64_t> shape(rank, 1);
  shape[axis] = size;
  HostTensor tensor(
      RankedTensorType::get(shape, node.getBuilder().getI64Type()));
  for (int64_t i = 0; i < size; ++i)
    tensor.setInt(i, i);
  return node.createConstant(tensor);
}

Value importer::createConcat(Node &node, ValueRange operands, int64_t axis) {
  graph::ConcatenateOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(axis);
  return node.create<graph::ConcatenateOp>(operands, properties);
}

Value importer::createLogSoftmax(Node &node, Value data, int64_t axis) {
  graph::LogSoftmaxOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(axis);
  return node.create<graph::LogSoftmaxOp>({data}, properties);
}
