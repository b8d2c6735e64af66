//===- Rules.cpp - Utilities of TOSA conversion rules ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace uma;

Value TosaRewriter::fail(const Twine &reason) {
  if (!failed)
    op->emitOpError("cannot be converted to uma.graph: ") << reason;
  failed = true;
  return {};
}

Value TosaRewriter::finish(OperationState &state,
                           function_ref<LogicalResult()> infer) {
  if (failed || llvm::is_contained(state.operands, Value()))
    return {};
  if (mlir::failed(infer())) {
    failed = true;
    return {};
  }
  return builder.create(state)->getResult(0);
}

Value TosaRewriter::createReshape(Value data, ArrayRef<int64_t> shape) {
  if (!data || getTensorShape(data) == shape)
    return data;
  graph::ReshapeOp::Properties properties;
  properties.newshape = builder.getDenseI64ArrayAttr(shape);
  return create<graph::ReshapeOp>({data}, properties);
}

Value TosaRewriter::createTranspose(Value data, ArrayRef<int64_t> axes) {
  graph::TransposeOp::Properties properties;
  properties.axes = builder.getDenseI64ArrayAttr(axes);
  return create<graph::TransposeOp>({data}, properties);
}

Value TosaRewriter::createCast(Value data, Type elementType) {
  if (!data || getElementType(data) == elementType)
    return data;
  graph::CastOp::Properties properties;
  properties.dtype = TypeAttr::get(elementType);
  return create<graph::CastOp>({data}, properties);
}

Value TosaRewriter::createConstant(ElementsAttr value) {
  return graph::ConstantOp::create(builder, getLoc(), value);
}

Value TosaRewriter::createScalar(Type elementType, double value) {
  TypedAttr element =
      isa<FloatType>(elementType)
          ? TypedAttr(builder.getFloatAttr(elementType, value))
          : TypedAttr(builder.getIntegerAttr(elementType, int64_t(value)));
  return createConstant(DenseElementsAttr::get(
      RankedTensorType::get({}, elementType), Attribute(element)));
}

std::optional<SmallVector<int64_t>> TosaRewriter::getSizes(Value shape,
                                                           StringRef name) {
  auto constant = shape.getDefiningOp<tosa::ConstShapeOp>();
  if (!constant) {
    fail("its operand '" + name + "' is no tosa.const_shape; uma.graph has " +
         "static shapes only");
    return std::nullopt;
  }
  return llvm::map_to_vector(
      constant.getValues().getValues<APInt>(),
      [](const APInt &value) { return value.getSExtValue(); });
}

std::optional<double> TosaRewriter::getScalar(Value value) {
  ElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) ||
      elements.getNumElements() != 1)
    return std::nullopt;
  auto dense = dyn_cast<DenseElementsAttr>(elements);
  if (!dense)
    return std::nullopt;
  if (auto number = dyn_cast<FloatAttr>(*dense.value_begin<Attribute>()))
    return number.getValueAsDouble();
  if (auto number = dyn_cast<IntegerAttr>(*dense.value_begin<Attribute>()))
    return double(number.getValue().getSExtValue());
  return std::nullopt;
}

void TosaRewriter::requireZero(
    ArrayRef<std::pair<StringRef, Value>> zeroPoints) {
  for (auto [name, value] : zeroPoints) {
    std::optional<double> number = getScalar(value);
    if (!number)
      fail("its operand '" + name + "' is no constant of one element");
    else if (*number != 0)
      fail("its operand '" + name + "' is not 0; operators of uma.graph have " +
           "no zero points");
  }
}

void TosaRewriter::requirePropagatedNaN(tosa::NanPropagationMode mode,
                                        Type type) {
  if (mode != tosa::NanPropagationMode::PROPAGATE &&
      isa<FloatType>(getElementTypeOrSelf(type)))
    fail("its nan_mode is IGNORE; in uma.graph, NaN wins");
}
