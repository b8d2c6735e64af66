//===- LayoutViews.cpp - Conversion to device layouts ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Converts to a layout in four steps: pad the last blocks, split blocks into
// their own dimensions, transpose, insert dimensions of size 1. The conversion
// back applies the inverse steps in reverse order.
//
//===----------------------------------------------------------------------===//

#include "LayoutViews.h"

#include "uma/Support/QuantizedTypes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace {
struct Steps {
  Steps(RankedTensorType type, AffineMap layout);

  /// Shape with complete last blocks.
  SmallVector<int64_t> full;
  /// `full` with split blocks, in the order of the graph's dimensions.
  SmallVector<int64_t> blocked;
  /// Dimension of `blocked` for each dimension of `transposed`.
  SmallVector<int64_t> axes;
  SmallVector<int64_t> transposed;
  /// Shape on the device: `transposed` with inserted dimensions of size 1.
  SmallVector<int64_t> device;
};
} // namespace

Steps::Steps(RankedTensorType type, AffineMap layout) : full(type.getShape()) {
  SmallVector<int64_t> blocks(full.size(), 1);
  SmallVector<bool> isUsed(full.size());
  auto getDim = [](AffineExpr expr) {
    if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr))
      expr = binary.getLHS();
    return cast<AffineDimExpr>(expr).getPosition();
  };
  for (AffineExpr result : layout.getResults()) {
    if (isa<AffineConstantExpr>(result))
      continue;
    isUsed[getDim(result)] = true;
    if (auto binary = dyn_cast<AffineBinaryOpExpr>(result))
      blocks[getDim(result)] =
          cast<AffineConstantExpr>(binary.getRHS()).getValue();
  }
  // Positions in `blocked` of each dimension of the graph: its blocks and, if
  // it is split, the elements within a block.
  SmallVector<std::pair<int64_t, int64_t>> positions(full.size());
  for (auto [index, size] : llvm::enumerate(full)) {
    size = llvm::alignTo(size, blocks[index]);
    if (!isUsed[index])
      continue;
    positions[index] = {blocked.size(), blocked.size() + 1};
    blocked.push_back(size / blocks[index]);
    if (blocks[index] > 1)
      blocked.push_back(blocks[index]);
  }
  device.assign(getDeviceType(type, layout).getShape().begin(),
                getDeviceType(type, layout).getShape().end());
  for (AffineExpr result : layout.getResults()) {
    if (isa<AffineConstantExpr>(result))
      continue;
    auto [whole, within] = positions[getDim(result)];
    axes.push_back(result.getKind() == AffineExprKind::Mod ? within : whole);
    transposed.push_back(blocked[axes.back()]);
  }
}

Value uma::accel::markBorder(Operation *op) {
  op->setAttr(kBorderAttrName, UnitAttr::get(op->getContext()));
  return op->getResult(0);
}

static ArrayRef<int64_t> getSizes(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static Value reshape(OpBuilder &builder, Location loc, Value value,
                     ArrayRef<int64_t> shape) {
  if (getSizes(value) == shape)
    return value;
  return markBorder(graph::ReshapeOp::create(builder, loc, value, shape));
}

static Value transpose(OpBuilder &builder, Location loc, Value value,
                       ArrayRef<int64_t> axes) {
  if (llvm::equal(axes, llvm::seq<int64_t>(0, axes.size())))
    return value;
  return markBorder(graph::TransposeOp::create(builder, loc, value, axes));
}

Value uma::accel::convertToStorage(OpBuilder &builder, Location loc,
                                   Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!isQuantized(type.getElementType()))
    return value;
  auto cast = value.getDefiningOp<graph::StorageCastOp>();
  if (cast && cast.getData().getType() == getStorageType(type))
    return cast.getData();
  return markBorder(
      graph::StorageCastOp::create(builder, loc, getStorageType(type), value));
}

Value uma::accel::convertFromStorage(OpBuilder &builder, Location loc,
                                     Value value, Type type) {
  if (value.getType() == type)
    return value;
  return markBorder(graph::StorageCastOp::create(builder, loc, type, value));
}

llvm::APFloat uma::accel::getStoredNumber(Type element, double number) {
  if (!isQuantized(element))
    return llvm::APFloat(number);
  Quantization type = Quantization::of(element);
  return llvm::APFloat(
      double(number == 0 ? type.zeroPoints.front() : type.min));
}

Value uma::accel::convertToDevice(OpBuilder &builder, Location loc, Value value,
                                  AffineMap layout) {
  auto type = cast<RankedTensorType>(value.getType());
  value = convertToStorage(builder, loc, value);
  Steps steps(type, layout);
  if (ArrayRef(steps.full) != type.getShape()) {
    SmallVector<int64_t> after;
    for (auto [full, size] : llvm::zip_equal(steps.full, type.getShape()))
      after.push_back(full - size);
    value = markBorder(graph::PadOp::create(
        builder, loc, value, SmallVector<int64_t>(after.size(), 0), after,
        getStoredNumber(type.getElementType(), 0), "constant"));
  }
  value = reshape(builder, loc, value, steps.blocked);
  value = transpose(builder, loc, value, steps.axes);
  return reshape(builder, loc, value, steps.device);
}

Value uma::accel::convertFromDevice(OpBuilder &builder, Location loc,
                                    Value value, RankedTensorType type,
                                    AffineMap layout) {
  Steps steps(type, layout);
  value = reshape(builder, loc, value, steps.transposed);
  SmallVector<int64_t> inverse(steps.axes.size());
  for (auto [index, axis] : llvm::enumerate(steps.axes))
    inverse[axis] = int64_t(index);
  value = transpose(builder, loc, value, inverse);
  value = reshape(builder, loc, value, steps.full);
  if (ArrayRef(steps.full) != type.getShape()) {
    size_t rank = steps.full.size();
    value = markBorder(graph::StridedSliceOp::create(
        builder, loc, value, SmallVector<int64_t>(rank, 0), type.getShape(),
        SmallVector<int64_t>(rank, 1)));
  }
  return convertFromStorage(builder, loc, value, type);
}
