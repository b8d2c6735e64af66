//===- StorageFlatten.cpp - Make every buffer one-dimensional -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Changes types in place: buffers keep their defining operations, accesses get
// new indices, and views are removed. First all accesses are rewritten with the
// old types, then all types are replaced at once.
//
//===----------------------------------------------------------------------===//

#include "uma/IR/ArgumentAttributes.h"
#include "uma/TIR/IR/LinearForm.h"
#include "uma/TIR/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_STORAGEFLATTENPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

/// Returns the row-major, one-dimensional form of a buffer.
static MemRefType flatten(MemRefType type) {
  return MemRefType::get({type.getNumElements()}, type.getElementType(),
                         MemRefLayoutAttrInterface(), type.getMemorySpace());
}

/// Returns true for a local scalar variable, i.e. a buffer of rank 0 that is
/// only loaded and stored.
static bool isScalarVariable(Value buffer) {
  auto alloc = buffer.getDefiningOp<AllocOp>();
  return alloc && alloc.getScope() == Scope::Local &&
         cast<MemRefType>(buffer.getType()).getRank() == 0 &&
         llvm::all_of(buffer.getUsers(), [](Operation *user) {
           return isa<memref::LoadOp, memref::StoreOp>(user);
         });
}

/// Builds sum(index * stride), with terms of inner loops last.
static Value linearize(OpBuilder &builder, Location loc, MemRefType type,
                       ValueRange indices) {
  LinearForm sum;
  SmallVector<int64_t> strides = computeStrides(type.getShape());
  for (auto [index, extent, stride] :
       llvm::zip_equal(indices, type.getShape(), strides)) {
    if (extent == 1) // the index is 0
      continue;
    if (sum.add(LinearForm::of(index), stride))
      continue;
    // On overflow, fall back to arithmetic that wraps at run time.
    Value scale = arith::ConstantIndexOp::create(builder, loc, stride);
    Value product = arith::MulIOp::create(builder, loc, index, scale);
    bool isAdded = sum.addTerm(product, 1);
    assert(isAdded && "a new variable fits");
    (void)isAdded;
  }
  return sum.build(builder, loc);
}

namespace {
struct StorageFlattenPass
    : uma::tir::impl::StorageFlattenPassBase<StorageFlattenPass> {
  LogicalResult flattenGlobal(memref::GlobalOp global);
  LogicalResult checkOperation(Operation *op);
  void flattenAccess(Operation *op, Value buffer, MutableOperandRange indices);
  void flattenSignature(FuncOp func);

  void runOnOperation() override;
};
} // namespace

/// Returns true if the view has all elements of its buffer in row-major order.
static bool isWholeView(Operation *op) {
  auto source = dyn_cast<MemRefType>(op->getOperand(0).getType());
  auto result = dyn_cast<MemRefType>(op->getResult(0).getType());
  auto isPlain = [](MemRefType type) {
    return type && type.hasStaticShape() && type.getLayout().isIdentity();
  };
  // With the identity layout (offset 0), equal element counts imply the whole
  // buffer.
  return isPlain(source) && isPlain(result) &&
         source.getNumElements() == result.getNumElements();
}

static bool isView(Operation *op) {
  return isa<memref::ReinterpretCastOp, memref::CollapseShapeOp,
             memref::ExpandShapeOp, memref::CastOp>(op);
}

/// Emits an error and fails if `op` cannot be flattened.
LogicalResult StorageFlattenPass::checkOperation(Operation *op) {
  if (isa<BlockOp>(op))
    return op->emitOpError() << "is still there when storage is flattened: run "
                                "uma-tir-lower-block first";
  if (isView(op)) {
    if (isWholeView(op))
      return success();
    return op->emitOpError()
           << "views " << op->getOperand(0).getType() << " as "
           << op->getResult(0).getType()
           << "; storage can be flattened only under views of whole buffers "
              "with static shape and identity layout";
  }
  if (isa<FuncOp, CallOp, CallExternOp, AllocOp, LookupOp, NullOp, PrefetchOp,
          TransposeOp, ViewOp, WordsOp, memref::LoadOp, memref::StoreOp,
          memref::GetGlobalOp>(op))
    return success();
  // Vector loads from one-dimensional buffers need no change.
  if (auto load = dyn_cast<vector::LoadOp>(op);
      load && load.getMemRefType().getRank() == 1)
    return success();
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes())) {
    auto buffer = dyn_cast<BaseMemRefType>(type);
    // Vector accesses to flat buffers are fine.
    bool isFlat = buffer && buffer.hasRank() && buffer.getRank() <= 1 &&
                  isa<vector::LoadOp, vector::StoreOp>(op);
    if (buffer && !isFlat)
      return op->emitOpError()
             << "uses a buffer of type " << type
             << ", which storage flattening does not understand: use "
                "memref.load and memref.store";
  }
  return success();
}

LogicalResult StorageFlattenPass::flattenGlobal(memref::GlobalOp global) {
  MemRefType type = global.getType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return global.emitOpError()
           << "has type " << type
           << ", expected a static shape and the identity layout";
  MemRefType flat = flatten(type);
  auto tensorType =
      RankedTensorType::get(flat.getShape(), flat.getElementType());
  global.setType(flat);
  Attribute value = global.getInitialValueAttr();
  if (!value || isa<UnitAttr>(value))
    return success();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    // Reuse the resource blob under the new type, without copying weights.
    value = DenseResourceElementsAttr::get(tensorType, resource.getRawHandle());
  } else if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    value = dense.reshape(tensorType);
  } else {
    return global.emitOpError()
           << "has an initial value that is neither dense nor a dense_resource";
  }
  global.setInitialValueAttr(value);
  return success();
}

void StorageFlattenPass::flattenAccess(Operation *op, Value buffer,
                                       MutableOperandRange indices) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getRank() == 1 || isScalarVariable(buffer))
    return;
  OpBuilder builder(op);
  indices.assign(
      linearize(builder, op->getLoc(), type, indices.getAsOperandRange()));
  ++numAccesses;
}

void StorageFlattenPass::flattenSignature(FuncOp func) {
  Builder builder(&getContext());
  SmallVector<Type> types(func.getArgumentTypes());
  ArgumentAttributes attributes(func);
  for (auto [index, type] : llvm::enumerate(types)) {
    auto buffer = dyn_cast<MemRefType>(type);
    if (!buffer)
      continue;
    // Keep the shape for callers of the network.
    if (func.isPublic() && !func.getArgAttr(index, kShapeAttrName))
      attributes.set(index, kShapeAttrName,
                     builder.getDenseI64ArrayAttr(buffer.getShape()));
    type = flatten(buffer);
  }
  attributes.apply();
  func.setFunctionType(builder.getFunctionType(types, TypeRange()));
}

void StorageFlattenPass::runOnOperation() {
  ModuleOp module = getOperation();
  auto functions = llvm::to_vector(module.getOps<FuncOp>());
  for (FuncOp func : functions)
    if (func.walk([&](Operation *op) {
              return failed(checkOperation(op)) ? WalkResult::interrupt()
                                                : WalkResult::advance();
            })
            .wasInterrupted())
      return signalPassFailure();

  for (auto global : module.getOps<memref::GlobalOp>())
    if (failed(flattenGlobal(global)))
      return signalPassFailure();

  for (FuncOp func : functions) {
    SmallVector<Operation *> views;
    func.walk([&](Operation *op) {
      if (auto load = dyn_cast<memref::LoadOp>(op))
        flattenAccess(op, load.getMemRef(), load.getIndicesMutable());
      else if (auto store = dyn_cast<memref::StoreOp>(op))
        flattenAccess(op, store.getMemRef(), store.getIndicesMutable());
      else if (auto prefetch = dyn_cast<PrefetchOp>(op))
        flattenAccess(op, prefetch.getBuffer(), prefetch.getIndicesMutable());
      else if (isView(op))
        views.push_back(op);
    });
    func.walk([&](Operation *op) {
      for (Value result : op->getResults())
        if (auto type = dyn_cast<MemRefType>(result.getType()))
          if (!isScalarVariable(result))
            result.setType(flatten(type));
    });
    flattenSignature(func);
    for (BlockArgument argument : func.getBody().getArguments())
      if (auto type = dyn_cast<MemRefType>(argument.getType()))
        argument.setType(flatten(type));
    // Operand and result of a view have the same type now.
    for (Operation *view : views) {
      view->getResult(0).replaceAllUsesWith(view->getOperand(0));
      view->erase();
      ++numViews;
    }
  }
}
