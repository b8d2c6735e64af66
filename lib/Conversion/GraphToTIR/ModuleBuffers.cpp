//===- ModuleBuffers.cpp - Buffers of tensors and constants ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Manages the buffers of the entry function's tensors, in the layouts that
// layers request, and the globals of constants.
//
//===----------------------------------------------------------------------===//

#include "ModuleConverter.h"

#include "uma/Accel/IR/AccelOps.h"
#include "uma/CPU/Model/Processor.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/IR/UMADialect.h"
#include "uma/Support/LayerName.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace uma;

MemRefType uma::getBufferType(Type type) {
  auto tensorType = cast<RankedTensorType>(type);
  Type element = getStorageElementType(tensorType.getElementType());
  if (auto intType = dyn_cast<IntegerType>(element))
    element = IntegerType::get(type.getContext(), intType.getWidth());
  return MemRefType::get(tensorType.getShape(), element);
}

/// Returns the shape of a tensor.
static ArrayRef<int64_t> getTensorShape(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

std::string uma::getBufferLabel(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  if (call && getLayerName(op->getLoc()).empty())
    return call.getCallee().str();
  if (auto composite = dyn_cast<graph::CompositeOp>(op))
    return getCompositeName(composite);
  return getLayerName(op);
}

std::string ModuleConverter::getLabel(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return "input";
  const CPULayer *layer = layers ? layers->lookup(op) : nullptr;
  return getBufferLabel(layer ? layer->ops.back() : op);
}

void ModuleConverter::assignOutputs(func::ReturnOp returnOp,
                                    ValueRange outputs) {
  for (auto [tensor, output] :
       llvm::zip_equal(returnOp.getOperands(), outputs)) {
    Value source = tensor;
    while (source.getDefiningOp() && isView(source.getDefiningOp()))
      source = source.getDefiningOp()->getOperand(0);
    Operation *layer = source.getDefiningOp();
    if (!layer || isa<graph::ConstantOp>(layer) || buffers.contains(source))
      continue;
    BufferLayout layout = getLayout(source);
    if (!layout.isLikeRowMajor(getTensorShape(source))) {
      outputBuffers[source] =
          makeView(output, getBufferType(source.getType()), layer->getLoc());
      continue;
    }
    Value own = makeView(
        output, layout.getType(cast<RankedTensorType>(source.getType())),
        layer->getLoc());
    buffers[source] = {{own, layout}};
    if (tensor != source)
      buffers[tensor] = {{output, BufferLayout()}};
  }
}

BufferLayout ModuleConverter::getLayout(Value tensor) {
  return layers ? layers->getStoredLayout(tensor) : BufferLayout();
}

PlacedTensor ModuleConverter::getStored(Value tensor) {
  SmallVector<PlacedTensor, 1> &placed = buffers[tensor];
  if (!placed.empty())
    return placed.front();
  Operation *op = tensor.getDefiningOp();
  auto type = cast<RankedTensorType>(tensor.getType());
  PlacedTensor result{Value(), getLayout(tensor)};
  if (auto constant = dyn_cast<graph::ConstantOp>(op))
    result.buffer =
        memref::GetGlobalOp::create(builder, op->getLoc(), getBufferType(type),
                                    getGlobal(constant).getAttr());
  else if (isView(op))
    result.buffer = makeView(getBuffer(op->getOperand(0)), getBufferType(type),
                             op->getLoc());
  else if (const TensorPart *part = parts.lookup(tensor))
    result.buffer =
        makeView(request(part->whole, part->layout).buffer,
                 result.layout.getType(type), op->getLoc(), part->offset);
  else
    result.buffer =
        allocate(result.layout.getType(type), getLabel(tensor), op->getLoc());
  // The map may have been reallocated.
  buffers[tensor].push_back(result);
  return result;
}

PlacedTensor ModuleConverter::reshapeStored(Value tensor,
                                            ArrayRef<int64_t> shape) {
  PlacedTensor &placed = buffers[tensor].front();
  auto whole = placed.buffer.getDefiningOp<tir::AllocOp>();
  placed.buffer =
      allocate(MemRefType::get(shape, whole.getType().getElementType()),
               whole.getLabel().value_or(""), whole.getLoc());
  whole.erase();
  return placed;
}

PlacedTensor ModuleConverter::request(Value tensor,
                                      const BufferLayout &wanted) {
  PlacedTensor stored = getStored(tensor);
  for (const PlacedTensor &placed : buffers[tensor]) {
    // All layouts in row-major order without a border are equal.
    bool isPlain = wanted.isRowMajor() && placed.layout.isRowMajor();
    if (isPlain || placed.layout == wanted)
      return {placed.buffer, wanted};
  }
  Location loc = tensor.getLoc();
  auto type = cast<RankedTensorType>(tensor.getType());
  PlacedTensor copy{Value(), wanted};
  bool isSame = wanted.isLikeRowMajor(type.getShape()) &&
                stored.layout.isLikeRowMajor(type.getShape());
  if (isSame) {
    copy.buffer = makeView(stored.buffer, wanted.getType(type), loc);
    buffers[tensor].push_back(copy);
    return copy;
  }
  std::string label = getLabel(tensor);
  Value output = outputBuffers.lookup(tensor);
  copy.buffer = output && wanted.isRowMajor()
                    ? output
                    : allocate(wanted.getType(type), label, loc);
  // The copy is a separate layer.
  SmallVector<Value> arguments = {stored.buffer, copy.buffer};
  auto function = createLayer(loc, label + "_layout", "", arguments);
  function->setAttr(kLayersAttrName, builder.getArrayAttr({}));
  OpBuilder body = OpBuilder::atBlockBegin(&function.getBody().front());
  LayerBuilder layer(body, loc);
  buildLayoutCopy(layer, type.getShape(),
                  {function.getArgument(0), stored.layout},
                  {function.getArgument(1), wanted});
  buffers[tensor].push_back(copy);
  return copy;
}

Value ModuleConverter::getBuffer(Value tensor) {
  return request(tensor, BufferLayout()).buffer;
}

/// Returns whether two constants have the same type and the same elements.
static bool areEqual(ElementsAttr lhs, ElementsAttr rhs) {
  if (lhs == rhs)
    return true;
  auto left = dyn_cast<DenseResourceElementsAttr>(lhs),
       right = dyn_cast<DenseResourceElementsAttr>(rhs);
  if (!left || !right || left.getType() != right.getType())
    return false;
  AsmResourceBlob *x = left.getRawHandle().getBlob(),
                  *y = right.getRawHandle().getBlob();
  return x && y && x->getData() == y->getData();
}

Value ModuleConverter::makeConstant(ElementsAttr value, StringRef name) {
  Location loc = builder.getInsertionPoint()->getLoc();
  auto create = [&](StringRef name) {
    // Align to cache lines, so that vectors of weights do not cross them.
    return createGlobal(loc, name, value, /*alignment=*/64);
  };
  // All stripes of a layer have the same weights, and so have the steps of a
  // recurrent layer that was imported step by step.
  std::string layer = dropRows(name);
  auto &known = layerConstants[layer];
  auto *equal = llvm::find_if(known, [&](memref::GlobalOp other) {
    return areEqual(cast<ElementsAttr>(*other.getInitialValue()), value);
  });
  memref::GlobalOp global =
      equal == known.end() ? known.emplace_back(create(layer)) : *equal;
  return memref::GetGlobalOp::create(builder, loc, global.getType(),
                                     global.getSymName());
}

void ModuleConverter::releaseConstant(Value constant) {
  auto op = constant.getDefiningOp<graph::ConstantOp>();
  auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
  if (!options.releaseConstants || !resource || !op->hasOneUse())
    return;
  // Other constants may share the resource.
  StringRef key = resource.getRawHandle().getKey();
  if (resourceUses.empty())
    module.walk([&](graph::ConstantOp other) {
      if (auto attr = dyn_cast<DenseResourceElementsAttr>(other.getValue()))
        ++resourceUses[attr.getRawHandle().getKey()];
    });
  if (resourceUses.lookup(key) == 1)
    resource.getRawHandle().getResource()->setBlob({});
}

Value ModuleConverter::makeView(Value buffer, MemRefType type, Location loc,
                                int64_t offset) {
  if (buffer.getType() == type)
    return buffer;
  if (offset == 0 && cast<MemRefType>(buffer.getType()).getNumElements() ==
                         type.getNumElements()) {
    auto [strides, start] = type.getStridesAndOffset();
    return memref::ReinterpretCastOp::create(builder, loc, type, buffer, start,
                                             type.getShape(), strides);
  }
  // Reshapes are views of all elements.
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
    if (auto part = dyn_cast<tir::ViewOp>(view.getOperation()))
      offset += part.getOffset();
    buffer = view.getViewSource();
  }
  return tir::ViewOp::create(builder, loc, type, buffer, offset);
}

bool ModuleConverter::hasVectors() {
  return options.vectorize &&
         llvm::any_of(Processor::of(module).sets,
                      [](const ISA &isa) { return isa.lanes > 1; });
}

int64_t ModuleConverter::getViewAlignment() {
  // Words are loaded from bytes; vectors and devices are faster, or work only,
  // where buffers begin.
  constexpr int64_t forWords = 4, forVectors = 64;
  int64_t alignment = hasVectors() ? forVectors : forWords;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(kTargetAttrName))
      alignment = forVectors;
  if (alignment == forVectors)
    module.walk([&](accel::MemoryOp memory) {
      alignment =
          std::max(alignment, int64_t(memory.getAlignment().value_or(1)));
    });
  return alignment;
}

Value ModuleConverter::allocate(MemRefType type, StringRef label,
                                Location loc) {
  return tir::AllocOp::create(builder, loc, type, tir::Scope::Workspace,
                              /*offset=*/nullptr, builder.getStringAttr(label));
}

FlatSymbolRefAttr ModuleConverter::getGlobal(graph::ConstantOp constant) {
  FlatSymbolRefAttr &global = globals[constant.getValue()];
  if (global)
    return global;
  StringRef name = getLayerName(constant.getLoc());
  MemRefType type = getBufferType(constant.getType());
  // Buffers are signless, so the initial value must be, too.
  auto value = constant.getValue();
  auto valueType =
      RankedTensorType::get(type.getShape(), type.getElementType());
  if (value.getShapedType() != valueType) {
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
      value =
          DenseResourceElementsAttr::get(valueType, resource.getRawHandle());
    else
      value =
          cast<DenseElementsAttr>(value).bitcast(valueType.getElementType());
  }
  global = FlatSymbolRefAttr::get(
      createGlobal(constant.getLoc(), name.empty() ? "constant" : name, value,
                   /*alignment=*/std::nullopt));
  return global;
}

memref::GlobalOp
ModuleConverter::createGlobal(Location loc, StringRef name, ElementsAttr value,
                              std::optional<int64_t> alignment) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto global = memref::GlobalOp::create(
      builder, loc, toCIdentifier(name), builder.getStringAttr("private"),
      getBufferType(value.getShapedType()), value, /*constant=*/true,
      alignment ? builder.getI64IntegerAttr(*alignment) : nullptr);
  // The symbol table renames the global if its name is in use.
  symbols.insert(global);
  return global;
}
