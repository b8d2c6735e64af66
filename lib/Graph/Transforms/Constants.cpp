//===- Constants.cpp - Access to constants --------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Constants.h"

#include "uma/Support/LayerName.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

std::optional<HostTensor> graph::getConstant(Value value) {
  if (auto stored = value.getDefiningOp<StorageCastOp>()) {
    // Attributes hold the integers of a quantized constant.
    std::optional<HostTensor> tensor = getConstant(stored.getData());
    if (tensor)
      tensor = tensor->withElementType(getElements(value));
    return tensor;
  }
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant)
    return std::nullopt;
  FailureOr<HostTensor> tensor = HostTensor::fromAttribute(constant.getValue());
  if (failed(tensor))
    return std::nullopt;
  return *tensor;
}

bool graph::isConstant(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto stored = dyn_cast_or_null<StorageCastOp>(op))
    return isConstant(stored.getData());
  return isa_and_nonnull<ConstantOp>(op);
}

Value graph::createConstant(OpBuilder &builder, Operation *layer,
                            StringRef suffix, const HostTensor &tensor) {
  // Some tools use resource names as file or symbol names, but node names of
  // models contain slashes and colons.
  std::string name = toCIdentifier(getLayerName(layer));
  if (!suffix.empty())
    name += ("_" + suffix).str();
  return ConstantOp::create(builder, layer->getLoc(), tensor.getType(),
                            tensor.toAttribute(name));
}

SmallVector<Operation *> graph::getOpenGraphOps(ModuleOp module) {
  SmallVector<Operation *> ops = getGraphOps(module);
  llvm::erase_if(ops, [](Operation *op) {
    return op->getParentOfType<func::FuncOp>()->hasAttr(kPrimitiveAttrName);
  });
  return ops;
}

SmallVector<Operation *> graph::getGraphOps(ModuleOp module) {
  SmallVector<Operation *> ops;
  for (auto func : module.getOps<func::FuncOp>())
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<CompositeOp>(op))
        return WalkResult::skip();
      if (isInFamily<GraphFamily>(op))
        ops.push_back(op);
      return WalkResult::advance();
    });
  return ops;
}

void graph::eraseUnusedConstants(ModuleOp module) {
  for (Operation *op : getGraphOps(module))
    if (isa<ConstantOp>(op) && op->use_empty())
      op->erase();
}

static DialectResourceBlobManager::BlobEntry *getResource(Attribute attr) {
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(attr);
  return resource ? resource.getRawHandle().getResource() : nullptr;
}

ConstantEraser::ConstantEraser(ModuleOp module) {
  module.walk([&](Operation *op) {
    for (NamedAttribute attr : op->getAttrs())
      if (auto *resource = getResource(attr.getValue()))
        ++users[resource];
  });
}

void ConstantEraser::eraseIfUnused(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant || !constant->use_empty())
    return;
  auto *resource = getResource(constant.getValue());
  constant.erase();
  if (!resource || --users[resource] != 0)
    return;
  AsmResourceBlob *blob = resource->getBlob();
  if (blob && blob->isMutable())
    resource->setBlob(AsmResourceBlob());
}

bool graph::holdsBytes(Value value) {
  auto type = dyn_cast<quant::UniformQuantizedType>(
      getTensorType(value).getElementType());
  return type && getStorageElementType(type).getIntOrFloatBitWidth() == 8;
}

std::optional<int64_t> graph::getChannelAxis(Operation *op) {
  using Axis = std::optional<int64_t>;
  return llvm::TypeSwitch<Operation *, Axis>(op)
      .Case<Conv2dOp, MaxPool2dOp, AvgPool2dOp, GlobalAvgPool2dOp>(
          [](auto op) -> Axis {
            auto layout = WindowLayout::parse(op.getDataLayout());
            return layout ? Axis(layout->c) : std::nullopt;
          })
      .Case<DenseOp>([](DenseOp op) -> Axis {
        return cast<RankedTensorType>(op.getResult().getType()).getRank() - 1;
      })
      .Default([](Operation *) { return Axis(); });
}

std::optional<SmallVector<double>>
graph::getValuesAlongAxis(const HostTensor &tensor, RankedTensorType type,
                          int64_t axis) {
  // Dimensions align at the end, and all but `axis` must be 1.
  int64_t added = type.getRank() - tensor.getType().getRank();
  if (added < 0)
    return std::nullopt;
  int64_t size = type.getDimSize(axis);
  for (auto [d, extent] : llvm::enumerate(tensor.getShape()))
    if (extent != 1 && (int64_t(d) + added != axis || extent != size))
      return std::nullopt;
  SmallVector<double> values;
  for (int64_t i = 0; i < size; ++i)
    values.push_back(tensor.getDouble(tensor.getNumElements() == 1 ? 0 : i));
  return values;
}
