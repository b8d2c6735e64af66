//===- BufferConversion.cpp - Buffers, loads and stores in EmitC ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "FunctionConverter.h"

#include "uma/IR/DeviceAttributes.h"
#include "uma/Support/HostTensor.h"

using namespace mlir;
using namespace uma;

/// Emits an error and fails for buffers that C cannot declare.
static LogicalResult checkBuffer(Operation *op, MemRefType type) {
  Type element = type.getElementType();
  bool isVector = isa<VectorType>(element) && type.getRank() == 0;
  if (isVector ? !convertScalarType(element) : getCTypeName(element).empty())
    return op->emitOpError("is a buffer of ")
           << element << ", which C has no type for";
  if (type.getNumElements() == 0)
    return op->emitOpError(
        "is a buffer of no elements, which C cannot declare");
  return success();
}

LogicalResult FunctionConverter::convertAlloc(tir::AllocOp op) {
  auto type = cast<MemRefType>(op.getBuffer().getType());
  if (failed(checkBuffer(op, type)))
    return failure();
  if (op.getScope() == tir::Scope::Workspace)
    return convertWorkspace(op);
  if (auto vector = dyn_cast<VectorType>(type.getElementType()))
    context.prologue.requireVectorType(vector);
  Type element = convertElementType(type.getElementType());
  Type variable = emitc::LValueType::get(element);
  if (type.getRank() > 0)
    variable = emitc::ArrayType::get({type.getNumElements()}, element);
  values.map(op.getBuffer(), emitc::VariableOp::create(
                                 builder, op.getLoc(), variable,
                                 emitc::OpaqueAttr::get(op.getContext(), ""))
                                 .getResult());
  return success();
}

LogicalResult FunctionConverter::convertWorkspace(tir::AllocOp op) {
  if (workspaces.empty())
    return op.emitOpError("takes from the workspace in a function that gets "
                          "none; only public functions with a memory plan "
                          "(pass 'uma-tir-plan-memory') have one, others get "
                          "their buffers as arguments");
  if (!op.getOffset())
    return op.emitOpError("has no offset in the workspace; run "
                          "'uma-tir-plan-memory' first");
  return placeInWorkspace(op, op.getBuffer(), *op.getOffset(),
                          op.getLabel().value_or("buffer"));
}

LogicalResult FunctionConverter::placeInWorkspace(Operation *op, Value buffer,
                                                  int64_t offset,
                                                  StringRef label) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t elementSize = HostTensor::getElementSize(type.getElementType());
  int64_t end = offset + type.getNumElements() * elementSize;
  auto size = function->getAttrOfType<IntegerAttr>(kWorkspaceSizeAttrName);
  if (offset < 0 || offset % elementSize != 0 ||
      (size && end > size.getInt())) {
    auto diag = op->emitOpError("takes bytes ") << offset << " to " << end;
    if (size)
      diag << " of a workspace of " << size.getInt() << " bytes";
    return diag << "; offsets must be multiples of the element's size, "
                << elementSize << ", and the buffer must fit";
  }

  StringRef element = getCTypeName(type.getElementType());
  std::string name = names.unique(label);
  std::string pointer = element.str() + " *";
  // Workspace memory is reused by other buffers. It has no declared type and
  // may hold any type in turn, so this respects strict aliasing.
  size_t memory = getMemoryOf(memories, offset);
  if (!memories.empty())
    offset -= memories[memory].offset;
  verbatim(pointer + name + " = (" + pointer + ")((unsigned char *){} + " +
               Twine(offset) + ");",
           workspaces[memory]);
  Type elementType = convertElementType(type.getElementType());
  values.map(buffer,
             scalars.literal(name, emitc::PointerType::get(elementType)));
  return success();
}

LogicalResult FunctionConverter::convertGetGlobal(memref::GetGlobalOp op) {
  emitc::GlobalOp global = context.globals.lookup(op.getName());
  if (!global)
    return op.emitOpError("names '@")
           << op.getName() << "', which is not a memref.global of the module";
  if (context.weightsParameter) {
    if (!weights)
      return op.emitOpError("names a constant of the image of weights, which "
                            "only the network's function knows; pass it as an "
                            "argument");
    auto offset = global->getAttrOfType<IntegerAttr>(kImageOffsetAttrName);
    StringRef element = getCTypeName(op.getType().getElementType());
    std::string pointer = "const " + element.str() + " *";
    std::string name = names.unique(op.getName());
    verbatim(pointer + name + " = (" + pointer +
                 ")((const unsigned char *){} + " + Twine(offset.getInt()) +
                 ");",
             weights);
    values.map(op.getResult(),
               scalars.literal(
                   name, emitc::OpaqueType::get(builder.getContext(),
                                                pointer + "UMA_RESTRICT")));
    return success();
  }
  values.map(op.getResult(),
             emitc::GetGlobalOp::create(builder, op.getLoc(), global.getType(),
                                        global.getSymName())
                 .getResult());
  return success();
}

LogicalResult FunctionConverter::convertWholeView(Operation *op) {
  auto type = dyn_cast<MemRefType>(op->getResult(0).getType());
  auto source = dyn_cast<MemRefType>(op->getOperand(0).getType());
  auto startsWithSource = [&] {
    auto cast = dyn_cast<memref::ReinterpretCastOp>(op);
    return !cast || (cast.getStaticOffsets().size() == 1 &&
                     cast.getStaticOffsets()[0] == 0);
  };
  // A view of the same elements in the same order is the same pointer in C.
  if (!type || !source || !type.getLayout().isIdentity() ||
      !source.getLayout().isIdentity() || !type.hasStaticShape() ||
      !source.hasStaticShape() ||
      type.getNumElements() > source.getNumElements() || !startsWithSource())
    return op->emitOpError("is a view other than all elements in their order, "
                           "which C would need a copy for; run "
                           "'uma-tir-storage-flatten' first");
  values.map(op->getResult(0), lookup(op->getOperand(0)));
  return success();
}

LogicalResult FunctionConverter::convertView(tir::ViewOp op) {
  if (op.getType().getRank() > 1)
    return op.emitOpError("is of rank ")
           << op.getType().getRank()
           << "; C gets one-dimensional buffers, run "
              "'uma-tir-storage-flatten' first";
  Value source = getPointer(op.getSource());
  if (op.getOffset() == 0) {
    values.map(op.getResult(), source);
    return success();
  }
  std::string offset = std::to_string(op.getOffset());
  // Arguments of calls are sums, everything else gets a variable.
  auto literal = source.getDefiningOp<emitc::LiteralOp>();
  if (literal && llvm::all_of(op->getUsers(), llvm::IsaPred<tir::CallOp>)) {
    values.map(op.getResult(),
               scalars.literal((literal.getValue() + " + " + offset).str(),
                               source.getType()));
    return success();
  }
  // The sum of a pointer and a number is a pointer that is not `restrict`: two
  // views may share elements.
  StringRef element = getCTypeName(op.getType().getElementType());
  Type type = source.getType();
  if (auto opaque = dyn_cast<emitc::OpaqueType>(type)) {
    StringRef text = opaque.getValue();
    if (text.consume_back("UMA_RESTRICT")) {
      context.prologue.requireMayAlias();
      type = emitc::OpaqueType::get(op.getContext(),
                                    (text + "UMA_MAY_ALIAS").str());
    }
  } else if (isa<emitc::ArrayType>(type)) {
    bool isConstant = op.getSource().getDefiningOp<memref::GetGlobalOp>();
    context.prologue.requireMayAlias();
    type = emitc::OpaqueType::get(
        op.getContext(),
        ((isConstant ? "const " : "") + element + " *UMA_MAY_ALIAS").str());
  }
  values.map(op.getResult(),
             emitc::AddOp::create(builder, op.getLoc(), type, source,
                                  scalars.literal(offset, builder.getI64Type()))
                 .getResult());
  return success();
}

FailureOr<Value> FunctionConverter::getElement(Operation *op, Value buffer,
                                               ValueRange indices) {
  if (indices.size() > 1)
    return op->emitOpError("has ")
           << indices.size()
           << " indices; C gets one-dimensional buffers, run "
              "'uma-tir-storage-flatten' first";
  Value pointer = lookup(buffer);
  if (isa<emitc::LValueType>(pointer.getType()))
    return pointer;
  Type indexType = emitc::PtrDiffTType::get(op->getContext());
  Value index = indices.empty() ? scalars.literal("0", indexType)
                                : lookup(indices.front());
  Type element =
      convertElementType(cast<MemRefType>(buffer.getType()).getElementType());
  return emitc::SubscriptOp::create(builder, op->getLoc(),
                                    emitc::LValueType::get(element), pointer,
                                    index)
      .getResult();
}

LogicalResult FunctionConverter::convertLoad(memref::LoadOp op) {
  if (op.getMemRef().getDefiningOp<tir::WordsOp>()) {
    // Vectors load the word into all lanes.
    if (llvm::all_of(op->getUsers(), llvm::IsaPred<vector::BroadcastOp>))
      return success();
    if (op.getIndices().size() != 1)
      return op->emitOpError("has ")
             << op.getIndices().size()
             << " indices; C gets one-dimensional buffers, run "
                "'uma-tir-storage-flatten' first";
    values.map(op.getResult(),
               scalars.call(
                   context.prologue.requireWord("load_word"), op.getType(),
                   {lookup(op.getMemRef()), lookup(op.getIndices().front())}));
    return success();
  }
  FailureOr<Value> element = getElement(op, op.getMemRef(), op.getIndices());
  if (failed(element))
    return failure();
  Type type = cast<emitc::LValueType>(element->getType()).getValueType();
  Value value = emitc::LoadOp::create(builder, op.getLoc(), type, *element);
  if (op.getType().isInteger(1))
    value = scalars.compare(emitc::CmpPredicate::ne, value,
                            scalars.literal("0", type));
  values.map(op.getResult(), value);
  return success();
}

LogicalResult FunctionConverter::convertStore(memref::StoreOp op) {
  FailureOr<Value> element = getElement(op, op.getMemRef(), op.getIndices());
  if (failed(element))
    return failure();
  Type type = cast<emitc::LValueType>(element->getType()).getValueType();
  Value value = scalars.cast(lookup(op.getValueToStore()), type);
  emitc::AssignOp::create(builder, op.getLoc(), *element, value);
  return success();
}

LogicalResult FunctionConverter::convertPrefetch(tir::PrefetchOp op) {
  if (op.getIndices().size() != 1)
    return op.emitOpError("has ")
           << op.getIndices().size()
           << " indices; C gets one-dimensional buffers, run "
              "'uma-tir-storage-flatten' first";
  context.prologue.requireLanes();
  verbatim("UMA_PREFETCH({} + {});",
           {getPointer(op.getBuffer()), lookup(op.getIndices().front())});
  return success();
}

LogicalResult FunctionConverter::convertTranspose(tir::TransposeOp op) {
  std::string function = context.prologue.requireTranspose(
      op.getElementType().getIntOrFloatBitWidth(), op.getSize());
  verbatim(Twine(function) + "({} + {}, " + Twine(op.getSourceStride()) +
               ", {} + {}, " + Twine(op.getTargetStride()) + ");",
           {getPointer(op.getSource()), lookup(op.getFirst()),
            getPointer(op.getTarget()), lookup(op.getPlace())});
  return success();
}

LogicalResult FunctionConverter::convertLookup(tir::LookupOp op) {
  std::string function = context.prologue.requireWord("lookup");
  verbatim(Twine(function) + "({} + {}, {}, {} + {}, " + Twine(op.getSize()) +
               ");",
           {getPointer(op.getSource()), lookup(op.getFirst()),
            getPointer(op.getTable()), getPointer(op.getTarget()),
            lookup(op.getPlace())});
  return success();
}

LogicalResult FunctionConverter::convertCopy(memref::CopyOp op) {
  auto source = cast<MemRefType>(op.getSource().getType());
  auto target = cast<MemRefType>(op.getTarget().getType());
  if (!source.getLayout().isIdentity() || !target.getLayout().isIdentity() ||
      !source.hasStaticShape() || !target.hasStaticShape())
    return op.emitOpError("copies between strided or dynamic buffers; run "
                          "'uma-tir-storage-flatten' first");
  context.prologue.requireString();
  int64_t bytes = source.getNumElements() *
                  HostTensor::getElementSize(source.getElementType());
  Value size = scalars.literal(std::to_string(bytes),
                               emitc::SizeTType::get(op.getContext()));
  emitc::CallOpaqueOp::create(
      builder, op.getLoc(), TypeRange(), "memmove",
      ValueRange{getPointer(op.getTarget()), getPointer(op.getSource()), size});
  return success();
}

Value FunctionConverter::getPointer(Value buffer) {
  Value value = lookup(buffer);
  auto lvalue = dyn_cast<emitc::LValueType>(value.getType());
  if (!lvalue)
    return value;
  return emitc::AddressOfOp::create(
      builder, function.getLoc(),
      emitc::PointerType::get(lvalue.getValueType()), value);
}
