//===- QuantizedParameters.cpp - Scales and zero points -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "QuantizedParameters.h"

#include "uma/Support/QuantizedTypes.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

Type importer::getQuantizedType(Node &node, unsigned scale, unsigned zeroPoint,
                                Type stored, std::optional<int64_t> axis) {
  std::optional<HostTensor> scales = node.findConstant(scale);
  std::optional<HostTensor> zeros;
  bool hasZero =
      zeroPoint < node.getNumOperands() && node.getOperand(zeroPoint);
  if (hasZero && !(zeros = node.findConstant(zeroPoint)))
    return {};
  auto integer = dyn_cast<IntegerType>(stored);
  bool isStored =
      integer && (integer.getWidth() == 8 || integer.getWidth() == 16 ||
                  integer.isSignlessInteger(32));
  if (!scales || !scales->getElementType().isF32() || !isStored ||
      (zeros && zeros->getNumElements() != 1 &&
       zeros->getNumElements() != scales->getNumElements()) ||
      (!axis && scales->getNumElements() != 1))
    return {};
  SmallVector<double> numbers;
  SmallVector<int64_t> zeroPoints;
  for (int64_t i = 0, e = scales->getNumElements(); i != e; ++i) {
    numbers.push_back(scales->getDouble(i));
    zeroPoints.push_back(
        !zeros ? 0 : zeros->getInt(zeros->getNumElements() == 1 ? 0 : i));
  }
  return makeQuantizedType(node.getContext(), integer.getWidth(),
                           !integer.isUnsigned(), numbers, zeroPoints, axis);
}

Value importer::castStorage(Node &node, Value data, Type elementType) {
  return graph::StorageCastOp::create(
      node.getBuilder(), node.getLocation(),
      RankedTensorType::get(getShape(data), elementType), data);
}

Value importer::getQuantized(Node &node, unsigned index,
                             std::optional<int64_t> axis) {
  Value data = node.getOperand(index);
  std::optional<HostTensor> scales = node.findConstant(index + 1);
  if (!scales)
    return {};
  if (scales->getNumElements() == 1)
    axis = std::nullopt;
  else if (!axis || scales->getShape().size() != 1 ||
           getShape(data)[*axis] != scales->getNumElements())
    return {};
  Type type =
      getQuantizedType(node, index + 1, index + 2, getElementType(data), axis);
  return type ? castStorage(node, data, type) : Value();
}

bool importer::isZeroPoint(Node &node, unsigned index, int64_t zero) {
  if (!node.getOperand(index))
    return zero == 0;
  std::optional<HostTensor> known = node.findConstant(index);
  return known && known->getNumElements() == 1 && known->getInt(0) == zero;
}

Value importer::addQuantizedBias(Node &node, Value sums, Value bias) {
  if (!sums || !bias)
    return sums;
  Type type = getBiasType(getElementType(sums));
  return node.create<graph::BiasAddOp>({sums, castStorage(node, bias, type)});
}

Value importer::createRequantize(Node &node, Value sums, Value bias,
                                 Type elementType) {
  sums = addQuantizedBias(node, sums, bias);
  if (!sums)
    return {};
  Value result = graph::RequantizeOp::create(
      node.getBuilder(), node.getLocation(),
      RankedTensorType::get(getShape(sums), elementType), sums,
      /*clamp=*/DenseI64ArrayAttr(), graph::kFloatRounding);
  return castStorage(node, result, getStorageElementType(elementType));
}

Value importer::createQuantizedProduct(Node &node, bool isTransposed) {
  Value a = node.getOperand(0), b = node.getOperand(3);
  if (!getElementType(a).isInteger(8) || !getElementType(b).isInteger(8) ||
      !node.findConstant(3) || getShape(a).empty() || getShape(b).size() != 2)
    return {};
  std::optional<HostTensor> scales = node.findConstant(4);
  int64_t outputs = getShape(b)[isTransposed ? 0 : 1];
  if (!scales || scales->getShape().size() > 1 ||
      (scales->getNumElements() != 1 && scales->getNumElements() != outputs))
    return {};
  std::optional<int64_t> axis;
  if (scales->getNumElements() != 1)
    axis = 0;
  Value data = getQuantized(node, 0);
  Type type =
      data ? getQuantizedType(node, 4, 5, getElementType(b), axis) : Type();
  if (!type)
    return {};
  if (!isTransposed)
    b = node.createTranspose(b, {1, 0});
  if (!b)
    return {};
  return node.create<graph::DenseOp>({data, castStorage(node, b, type)});
}
