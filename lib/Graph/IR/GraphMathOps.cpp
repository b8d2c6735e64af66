//===- GraphMathOps.cpp - Elementwise operators ---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Inference.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::detail;

/// Checks that the operand `name` has elements of `kind`.
static LogicalResult checkKind(EmitErrorFn emitError, StringRef name,
                               RankedTensorType type, ElementKind kind) {
  Type element = type.getElementType();
  bool isBool = element.isInteger(1);
  auto expect = [&](bool isRight, StringRef what) -> LogicalResult {
    if (isRight)
      return success();
    return emitError() << name << " has element type " << element
                       << ", expected " << what;
  };
  switch (kind) {
  case ElementKind::Any:
    return success();
  case ElementKind::Number:
    return expect(!isBool, "numbers; i1 is a truth value, cast it first");
  case ElementKind::Float:
    return checkFloat(emitError, name, type);
  case ElementKind::Integer:
    return expect(isa<IntegerType>(element) && !isBool,
                  "an integer type other than i1");
  case ElementKind::Bool:
    return expect(isBool, "i1; compare with 0 first");
  }
  llvm_unreachable("every kind is handled");
}

FailureOr<RankedTensorType>
graph::detail::inferElementwise(EmitErrorFn emitError, ValueRange operands,
                                ArrayRef<StringRef> names, ElementKind kind,
                                bool isPredicate) {
  SmallVector<int64_t> shape;
  Type elementType;
  for (auto [operand, name] : llvm::zip_equal(operands, names)) {
    FailureOr<RankedTensorType> type = getTensor(emitError, operand, name);
    if (failed(type) || failed(checkKind(emitError, name, *type, kind)))
      return failure();
    if (!elementType) {
      elementType = type->getElementType();
      llvm::append_range(shape, type->getShape());
      continue;
    }
    if (failed(checkElementType(emitError, name, *type, names.front(),
                                elementType)))
      return failure();
    FailureOr<SmallVector<int64_t>> broadcast =
        broadcastShapes(emitError, shape, type->getShape());
    if (failed(broadcast))
      return failure();
    shape = *broadcast;
  }
  if (isPredicate)
    elementType = IntegerType::get(elementType.getContext(), 1);
  return makeResult(emitError, shape, elementType);
}

FailureOr<RankedTensorType> WhereOp::inferType(EmitErrorFn emitError,
                                               Adaptor adaptor) {
  auto condition = getTensor(emitError, adaptor.getCondition(), "condition");
  if (failed(condition) ||
      failed(checkKind(emitError, "condition", *condition, ElementKind::Bool)))
    return failure();
  auto x = getTensor(emitError, adaptor.getX(), "x");
  if (failed(x))
    return failure();
  auto y = getTensor(emitError, adaptor.getY(), "y");
  if (failed(y) ||
      failed(checkElementType(emitError, "y", *y, "x", x->getElementType())))
    return failure();
  auto shape =
      broadcastShapes(emitError, x->getShape(), y->getShape(), "x", "y");
  if (failed(shape))
    return failure();
  shape = broadcastShapes(emitError, condition->getShape(), *shape, "condition",
                          "the selection");
  if (failed(shape))
    return failure();
  return makeResult(emitError, *shape, x->getElementType());
}

FailureOr<RankedTensorType> CastOp::inferType(EmitErrorFn emitError,
                                              Adaptor adaptor) {
  auto data =
      getTensor(emitError, adaptor.getData(), "data", Elements::WithFloat8);
  if (failed(data))
    return failure();
  if (!adaptor.getDtype().isIntOrFloat())
    return emitError() << "dtype is " << adaptor.getDtype()
                       << ", expected an integer or float type";
  return makeResult(emitError, data->getShape(), adaptor.getDtype());
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getData().getType() == getType())
    return getData();
  return {};
}

FailureOr<RankedTensorType> BitcastOp::inferType(EmitErrorFn emitError,
                                                 Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data))
    return failure();
  Type from = data->getElementType(), to = adaptor.getDtype();
  if (!to.isIntOrFloat() ||
      to.getIntOrFloatBitWidth() != from.getIntOrFloatBitWidth())
    return emitError() << "dtype is " << to
                       << ", expected an integer or float type of the size of "
                       << from;
  return makeResult(emitError, data->getShape(), to);
}

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  if (getData().getType() == getType())
    return getData();
  return {};
}

OpFoldResult ReluOp::fold(FoldAdaptor) {
  if (getData().getDefiningOp<ReluOp>())
    return getData();
  return {};
}

FailureOr<RankedTensorType> ClipOp::inferType(EmitErrorFn emitError,
                                              Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data))
    return failure();
  double low = adaptor.getAMin().convertToDouble();
  double high = adaptor.getAMax().convertToDouble();
  for (auto [name, bound] :
       {std::pair("a_min", low), std::pair("a_max", high)}) {
    if (std::isnan(bound))
      return emitError() << name << " is not a number";
    if (std::isfinite(bound) &&
        failed(
            checkElementValue(emitError, name, bound, data->getElementType())))
      return failure();
  }
  if (low > high)
    return emitError() << "a_min is " << formatNumber(low)
                       << ", expected at most a_max, which is "
                       << formatNumber(high);
  return makeResult(emitError, data->getShape(), data->getElementType());
}
