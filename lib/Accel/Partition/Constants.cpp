//===- Constants.cpp - Constants of a graph in patterns -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Constants.h"

#include "Borders.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/HostTensor.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/Format.h"

#include <cmath>
#include <cstdlib>

using namespace mlir;
using namespace uma;
using namespace uma::accel;

/// Returns the attribute of the constant `value`, or null for other values. The
/// constant may be an operation of any dialect.
bool uma::accel::isConstantOp(Operation *op) {
  auto stored = dyn_cast<graph::StorageCastOp>(op);
  Operation *maker = stored ? stored.getData().getDefiningOp() : op;
  return maker && maker->hasTrait<OpTrait::ConstantLike>();
}

static ElementsAttr getConstant(Value value) {
  // Borders of constants are folded after matching.
  value = skipBorders(value);
  // Composites are not nested, so one step is enough.
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto composite =
            dyn_cast<graph::CompositeOp>(argument.getOwner()->getParentOp()))
      value = skipBorders(composite.getInputs()[argument.getArgNumber()]);
  if (auto stored = value.getDefiningOp<graph::StorageCastOp>())
    value = stored.getData();
  ElementsAttr constant;
  if (!mlir::matchPattern(value, m_Constant(&constant)))
    return nullptr;
  return constant;
}

bool uma::accel::isConstant(Value value) {
  return static_cast<bool>(getConstant(value));
}

/// Returns a tensor that starts with the constant's first element, if possible
/// without copying the other elements.
static FailureOr<HostTensor> getFirstElement(ElementsAttr value) {
  auto type = dyn_cast<RankedTensorType>(value.getShapedType());
  if (!type)
    return failure();
  auto single = RankedTensorType::get({1}, type.getElementType());
  if (auto dense = dyn_cast<DenseElementsAttr>(value); dense && dense.isSplat())
    return HostTensor::fromAttribute(dense.resizeSplat(single));
  size_t size = HostTensor::getByteSize(single);
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob || size == 0 || blob->getData().size() < size)
    return HostTensor::fromAttribute(value);
  return HostTensor(single, blob->getData().take_front(size));
}

bool uma::accel::isSplatOf(Value value, const APFloat &number) {
  ElementsAttr constant = getConstant(value);
  if (!constant || isQuantized(getElementTypeOrSelf(value.getType())))
    return false;
  FailureOr<HostTensor> first = getFirstElement(constant);
  if (failed(first) || first->getNumElements() == 0)
    return false;
  double wanted = number.convertToDouble();
  if (auto type = dyn_cast<FloatType>(first->getElementType())) {
    APFloat rounded = number;
    bool losesInfo;
    rounded.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    wanted = rounded.convertToDouble();
  }
  // Compare the first element first: most weights are large and differ there.
  if (first->getDouble(0) != wanted)
    return false;
  if (isa<SplatElementsAttr>(constant))
    return true;
  FailureOr<HostTensor> tensor = HostTensor::fromAttribute(constant);
  if (failed(tensor))
    return false;
  for (int64_t i = 0, e = tensor->getNumElements(); i < e; ++i)
    if (tensor->getDouble(i) != wanted)
      return false;
  return true;
}

std::string uma::accel::getNumberText(TypedAttr number) {
  if (auto flag = dyn_cast<BoolAttr>(number))
    return flag.getValue() ? "true" : "false";
  if (auto integer = dyn_cast<IntegerAttr>(number))
    return std::to_string(integer.getValue().getSExtValue());
  double value = cast<FloatAttr>(number).getValueAsDouble();
  // Find the shortest text that reads back as this number.
  std::string text;
  for (int precision = 6; precision <= 17; ++precision) {
    text.clear();
    llvm::raw_string_ostream(text) << llvm::format("%.*g", precision, value);
    if (std::strtod(text.c_str(), nullptr) == value || std::isnan(value))
      break;
  }
  return text;
}
