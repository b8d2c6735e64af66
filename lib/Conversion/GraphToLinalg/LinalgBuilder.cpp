//===- LinalgBuilder.cpp - Builds linalg for one operator -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LinalgBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace uma;
using llvm::map_to_vector;

Value LinalgBuilder::fail(const Twine &reason) {
  op->emitOpError("cannot be converted to linalg: ") << reason;
  return {};
}

LinalgBuilder::Operand LinalgBuilder::at(Value tensor, ArrayRef<int64_t> dims) {
  Operand operand{tensor, {}};
  for (int64_t i = 0, rank = getShape(tensor).size(); i < rank; ++i)
    operand.at.push_back(dim(dims.empty() ? i : dims[i]));
  return operand;
}

LinalgBuilder::Operand LinalgBuilder::broadcast(Value tensor, int64_t rank) {
  ArrayRef<int64_t> shape = getShape(tensor);
  Operand operand{tensor, {}};
  for (auto [i, size] : llvm::enumerate(shape))
    operand.at.push_back(size == 1 ? expr(0) : dim(rank - shape.size() + i));
  return operand;
}

Value LinalgBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value LinalgBuilder::scalar(Type type, double value) {
  return LayerBuilder(builder, loc).constant(type, value);
}

Value LinalgBuilder::limit(Type type, bool isLowest) {
  TypedAttr value;
  if (auto floatType = dyn_cast<FloatType>(type)) {
    value = builder.getFloatAttr(
        type, APFloat::getInf(floatType.getFloatSemantics(), isLowest));
  } else {
    unsigned width = type.getIntOrFloatBitWidth();
    bool isBool = width == 1; // true is the highest
    value = builder.getIntegerAttr(
        type, isLowest ? APSInt::getMinValue(width, isBool)
                       : APSInt::getMaxValue(width, isBool));
  }
  return arith::ConstantOp::create(builder, loc, value);
}

Value LinalgBuilder::empty(ArrayRef<int64_t> shape, Type elementType) {
  return tensor::EmptyOp::create(builder, loc, shape, elementType);
}

Value LinalgBuilder::filled(ArrayRef<int64_t> shape, Value scalar) {
  Value init = empty(shape, scalar.getType());
  return linalg::FillOp::create(builder, loc, scalar, init).getResult(0);
}

/// Returns the indexing map of an operand in a nest of `rank` loops.
static AffineMap getMap(OpBuilder &builder, unsigned rank,
                        const LinalgBuilder::Operand &operand) {
  return AffineMap::get(rank, 0, operand.at, builder.getContext());
}

Value LinalgBuilder::map(ArrayRef<int64_t> shape, Type elementType,
                         ArrayRef<Operand> operands, ScalarFn fn) {
  unsigned rank = shape.size();
  Value init = empty(shape, elementType);
  SmallVector<AffineMap> maps;
  for (const Operand &operand : operands)
    maps.push_back(getMap(builder, rank, operand));
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  auto tensors = map_to_vector(operands, [](auto &o) { return o.tensor; });
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, loc, TypeRange{init.getType()}, tensors, ValueRange{init}, maps,
      iterators, [&](OpBuilder &nested, Location, ValueRange arguments) {
        LayerBuilder b(nested, loc);
        SmallVector<Value> elements;
        for (Value argument : arguments.drop_back())
          elements.push_back(b.convert(
              argument, LayerBuilder::getComputeType(argument.getType())));
        linalg::YieldOp::create(nested, loc,
                                b.convert(fn(b, elements), elementType));
      });
  return generic.getResult(0);
}

Value LinalgBuilder::mapIndices(ArrayRef<int64_t> shape, Type elementType,
                                ArrayRef<Operand> operands, ScalarFn fn) {
  return map(shape, elementType, operands,
             [&](LayerBuilder &b, ValueRange elements) {
               SmallVector<Value> values;
               for (size_t i = 0; i < shape.size(); ++i)
                 values.push_back(linalg::IndexOp::create(b.builder, loc, i));
               llvm::append_range(values, elements);
               return fn(b, values);
             });
}

Value LinalgBuilder::reduce(Value init, ArrayRef<bool> reduces,
                            ArrayRef<Operand> operands, ScalarFn fn) {
  Operand out{init, {}};
  for (auto [i, isReduced] : llvm::enumerate(reduces))
    if (!isReduced)
      out.at.push_back(dim(i));
  return reduceInto(out, reduces, operands, fn);
}

Value LinalgBuilder::reduceInto(const Operand &init, ArrayRef<bool> reduces,
                                ArrayRef<Operand> operands, ScalarFn fn) {
  SmallVector<AffineMap> maps;
  for (const Operand &operand : operands)
    maps.push_back(getMap(builder, reduces.size(), operand));
  maps.push_back(getMap(builder, reduces.size(), init));
  auto tensors = map_to_vector(operands, [](auto &o) { return o.tensor; });
  auto iterators = map_to_vector(reduces, [](bool isReduced) {
    return isReduced ? utils::IteratorType::reduction
                     : utils::IteratorType::parallel;
  });
  Type type = getElement(init.tensor);
  auto generic = linalg::GenericOp::create(
      builder, loc, TypeRange{init.tensor.getType()}, tensors,
      ValueRange{init.tensor}, maps, iterators,
      [&](OpBuilder &nested, Location, ValueRange arguments) {
        LayerBuilder b(nested, loc);
        SmallVector<Value> elements;
        for (Value argument : arguments)
          elements.push_back(b.convert(argument, type));
        linalg::YieldOp::create(nested, loc, fn(b, elements));
      });
  return generic.getResult(0);
}

Value LinalgBuilder::reduceDims(Value data, ArrayRef<bool> reduces, Value start,
                                ScalarFn fn) {
  SmallVector<int64_t> kept;
  for (auto [size, isReduced] : llvm::zip_equal(getShape(data), reduces))
    if (!isReduced)
      kept.push_back(size);
  Value init = filled(kept, start);
  return reduce(init, reduces, {at(data, {})}, fn);
}

Value LinalgBuilder::convert(Value tensor, Type elementType) {
  if (getElement(tensor) == elementType)
    return tensor;
  return map(getShape(tensor), elementType, {at(tensor, {})},
             [](LayerBuilder &, ValueRange x) { return x[0]; });
}

Value LinalgBuilder::reshape(Value tensor, ArrayRef<int64_t> shape) {
  auto from = cast<RankedTensorType>(tensor.getType());
  auto to = RankedTensorType::get(shape, from.getElementType());
  if (from == to)
    return tensor;
  if (from.getRank() != to.getRank()) {
    if (auto groups = getReassociationIndicesForReshape(from, to)) {
      if (from.getRank() > to.getRank())
        return tensor::CollapseShapeOp::create(builder, loc, to, tensor,
                                               *groups);
      return tensor::ExpandShapeOp::create(builder, loc, to, tensor, *groups);
    }
  }
  // Collapse to one dimension, then expand.
  auto flat = [&](int64_t rank) {
    SmallVector<ReassociationIndices> groups;
    if (rank > 0)
      groups.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(0, rank)));
    return groups;
  };
  auto line =
      RankedTensorType::get({from.getNumElements()}, from.getElementType());
  if (from.getRank() == 0)
    tensor = tensor::ExpandShapeOp::create(builder, loc, line, tensor, flat(0));
  else if (from.getRank() > 1)
    tensor = tensor::CollapseShapeOp::create(builder, loc, line, tensor,
                                             flat(from.getRank()));
  if (to.getRank() == 0)
    return tensor::CollapseShapeOp::create(builder, loc, to, tensor, flat(0));
  if (to.getRank() == 1)
    return tensor;
  return tensor::ExpandShapeOp::create(builder, loc, to, tensor,
                                       flat(to.getRank()));
}

Value LinalgBuilder::transpose(Value tensor, ArrayRef<int64_t> axes) {
  auto shape =
      map_to_vector(axes, [&](int64_t axis) { return getShape(tensor)[axis]; });
  Value init = empty(shape, getElement(tensor));
  return linalg::TransposeOp::create(builder, loc, tensor, init, axes)
      ->getResult(0);
}

Value LinalgBuilder::pad(Value tensor, ArrayRef<int64_t> before,
                         ArrayRef<int64_t> after, Value value) {
  auto isZero = [](int64_t n) { return n == 0; };
  if (llvm::all_of(before, isZero) && llvm::all_of(after, isZero))
    return tensor;
  SmallVector<int64_t> shape(getShape(tensor));
  for (auto [size, low, high] : llvm::zip_equal(shape, before, after))
    size += low + high;
  return insert(tensor, filled(shape, value), before);
}

Value LinalgBuilder::insert(Value tensor, Value into, ArrayRef<int64_t> offsets,
                            ArrayRef<int64_t> strides) {
  ArrayRef<int64_t> shape = getShape(tensor);
  SmallVector<int64_t> ones(shape.size(), 1);
  SmallVector<OpFoldResult> first =
      getAsIndexOpFoldResult(builder.getContext(), offsets);
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(builder.getContext(), shape);
  SmallVector<OpFoldResult> steps = getAsIndexOpFoldResult(
      builder.getContext(), strides.empty() ? ArrayRef(ones) : strides);
  return tensor::InsertSliceOp::create(builder, loc, tensor, into, first, sizes,
                                       steps);
}

Value LinalgBuilder::extract(Value tensor, ArrayRef<int64_t> offsets,
                             ArrayRef<int64_t> sizes,
                             ArrayRef<int64_t> strides) {
  if (getShape(tensor) == sizes)
    return tensor;
  SmallVector<int64_t> ones(sizes.size(), 1);
  SmallVector<OpFoldResult> first =
      getAsIndexOpFoldResult(builder.getContext(), offsets);
  SmallVector<OpFoldResult> size =
      getAsIndexOpFoldResult(builder.getContext(), sizes);
  SmallVector<OpFoldResult> steps = getAsIndexOpFoldResult(
      builder.getContext(), strides.empty() ? ArrayRef(ones) : strides);
  return tensor::ExtractSliceOp::create(builder, loc, tensor, first, size,
                                        steps);
}
