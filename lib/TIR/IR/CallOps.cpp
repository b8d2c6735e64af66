//===- CallOps.cpp - uma.tir.alloc, call and call_extern ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/IR/DeviceAttributes.h"
#include "uma/Support/DidYouMean.h"
#include "uma/Support/ReservedNames.h"
#include "uma/TIR/IR/TIROps.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

//===----------------------------------------------------------------------===//
// AllocOp
//===----------------------------------------------------------------------===//

LogicalResult AllocOp::verify() {
  auto type = cast<MemRefType>(getBuffer().getType());
  if (!type.getLayout().isIdentity())
    return emitOpError() << "has type " << type
                         << ", expected the identity layout";
  std::optional<uint64_t> offset = getOffset();
  if (Attribute attribute = (*this)->getAttr(kAlignmentAttrName)) {
    auto alignment = dyn_cast<IntegerAttr>(attribute);
    if (!alignment || alignment.getInt() < 1 ||
        !llvm::isPowerOf2_64(alignment.getInt()))
      return emitOpError() << "has " << kAlignmentAttrName << " " << attribute
                           << ", expected a power of 2";
    if (getScope() != Scope::Workspace)
      return emitOpError() << "has an alignment, but only workspace buffers "
                              "are placed; this one is "
                           << stringifyScope(getScope());
    if (offset && *offset % alignment.getInt() != 0)
      return emitOpError() << "has offset " << *offset
                           << ", which is no multiple of its alignment "
                           << alignment.getInt();
  }
  if (offset && getScope() != Scope::Workspace)
    return emitOpError()
           << "has an offset, but only workspace buffers are parts of the "
              "arena; this one is "
           << stringifyScope(getScope());
  if (offset && static_cast<int64_t>(*offset) < 0)
    return emitOpError() << "has offset " << static_cast<int64_t>(*offset)
                         << ", expected bytes from the start of the workspace";
  return success();
}

void AllocOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), (*this)->getOpResult(0),
                       SideEffects::AutomaticAllocationScopeResource::get());
}

//===----------------------------------------------------------------------===//
// NullOp, PrefetchOp, TransposeOp, LookupOp
//===----------------------------------------------------------------------===//

LogicalResult PrefetchOp::verify() {
  auto type = cast<MemRefType>(getBuffer().getType());
  if (int64_t(getIndices().size()) != type.getRank())
    return emitOpError() << "has " << getIndices().size()
                         << " indices, expected one for each of the "
                         << type.getRank() << " dimensions of " << type;
  return success();
}

SmallVector<int64_t, 2> TransposeOp::getSizes(Type element, int64_t lanes) {
  if (!element.isIntOrFloat() || lanes < 4)
    return {};
  switch (element.getIntOrFloatBitWidth()) {
  case 8:
    return {16};
  case 16:
    return {8};
  case 32:
    return lanes < 8 ? SmallVector<int64_t, 2>{4}
                     : SmallVector<int64_t, 2>{8, 4};
  default:
    return {};
  }
}

LogicalResult TransposeOp::verify() {
  Type element = getElementType();
  Type other = cast<MemRefType>(getTarget().getType()).getElementType();
  if (element != other)
    return emitOpError() << "stores elements of " << element << " as " << other
                         << ", expected one type";
  constexpr int64_t mostLanes = 8;
  auto sizes = getSizes(element, mostLanes);
  auto size = static_cast<int64_t>(getSize());
  if (!llvm::is_contained(sizes, size))
    return emitOpError() << "has size " << size << " for elements of "
                         << element
                         << "; expected 8 or 4 for 32 bits, 8 for 16 bits, 16 "
                            "for 8 bits";
  for (auto [name, stride] :
       {std::pair("source", getSourceStride()), {"target", getTargetStride()}})
    if (static_cast<int64_t>(stride) < size)
      return emitOpError() << "has the " << name << " stride "
                           << static_cast<int64_t>(stride)
                           << ", expected at least its size " << size;
  return success();
}

LogicalResult LookupOp::verify() {
  constexpr int64_t numBytes = 256;
  auto table = cast<MemRefType>(getTable().getType());
  if (table.getShape() != ArrayRef(numBytes))
    return emitOpError() << "has the table " << table << ", expected memref<"
                         << numBytes << "xi8>, with an entry for each byte";
  if (static_cast<int64_t>(getSize()) < 1)
    return emitOpError() << "has size " << static_cast<int64_t>(getSize())
                         << ", expected 1 or more";
  return success();
}

LogicalResult NullOp::verify() {
  for (Operation *user : (*this)->getUsers())
    if (!isa<CallExternOp>(user))
      return emitOpError() << "is used by '" << user->getName()
                           << "', expected uma.tir.call_extern, which alone "
                              "takes no buffer for one";
  return success();
}

//===----------------------------------------------------------------------===//
// CallOp
//===----------------------------------------------------------------------===//

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  Operation *symbol =
      symbolTable.lookupNearestSymbolFrom(*this, getCalleeAttr());
  if (!symbol) {
    SmallVector<StringRef> names;
    if (Operation *table = SymbolTable::getNearestSymbolTable(*this))
      for (Operation &op : table->getRegion(0).getOps())
        if (auto func = dyn_cast<FuncOp>(op))
          names.push_back(func.getSymName());
    return emitOpError() << "calls unknown function '" << getCallee() << "'"
                         << didYouMean(getCallee(), names);
  }
  auto callee = dyn_cast<FuncOp>(symbol);
  if (!callee)
    return emitOpError() << "calls '" << getCallee() << "', which is a "
                         << symbol->getName() << ", expected a uma.tir.func";

  ArrayRef<Type> expected = callee.getArgumentTypes();
  if (getArguments().size() != expected.size())
    return (emitOpError() << "passes " << getArguments().size()
                          << " arguments to '" << getCallee()
                          << "', which takes " << expected.size())
               .attachNote(callee.getLoc())
           << "declared here";
  for (auto [index, argument, type] :
       llvm::enumerate(getArguments(), expected)) {
    if (argument.getType() == type)
      continue;
    InFlightDiagnostic diagnostic =
        emitOpError() << "argument #" << index << " of '" << getCallee()
                      << "' has type " << argument.getType() << ", expected "
                      << type;
    diagnostic.attachNote(callee.getLoc()) << "declared here";
    return diagnostic;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// CallExternOp
//===----------------------------------------------------------------------===//

LogicalResult CallExternOp::verify() {
  if (!isFunctionNameInC(getCallee()))
    return emitOpError() << "calls \"" << getCallee()
                         << "\", expected the name of a C function";
  int64_t count = getArguments().size();
  llvm::SmallSet<int64_t, 4> seen;
  for (int64_t position : getWrites()) {
    if (position < 0 || position >= count)
      return emitOpError() << "writes [" << position << "], but \""
                           << getCallee() << "\" has " << count
                           << " arguments, numbered from 0";
    if (!seen.insert(position).second)
      return emitOpError() << "writes [" << position
                           << "] twice, expected distinct positions";
    if (getArguments()[position].getDefiningOp<NullOp>())
      return emitOpError() << "writes [" << position << "], which is no buffer";
    Type type = getArguments()[position].getType();
    if (!isa<MemRefType>(type))
      return emitOpError() << "writes [" << position << "], which is of type "
                           << type << ", expected a buffer";
  }
  return success();
}

void CallExternOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  // A device may accumulate, i.e. read the buffers that it writes, so all
  // buffers are read.
  for (OpOperand &argument : getArgumentsMutable())
    if (isa<MemRefType>(argument.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &argument,
                           SideEffects::DefaultResource::get());
  for (int64_t position : getWrites())
    effects.emplace_back(MemoryEffects::Write::get(),
                         &getArgumentsMutable()[position],
                         SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Read::get(), DeviceResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), DeviceResource::get());
}
