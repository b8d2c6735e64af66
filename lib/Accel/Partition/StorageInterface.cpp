//===- StorageInterface.cpp - Stored integers at devices' functions -------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Partition/Passes.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/IR/UMADialect.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace uma::accel {
#define GEN_PASS_DEF_STORAGEINTERFACEPASS
#include "uma/Accel/Partition/Passes.h.inc"
} // namespace uma::accel

/// Returns the type of the stored integers of a quantized tensor, or null for
/// any other type.
static Type getStored(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !isQuantized(tensor.getElementType()))
    return nullptr;
  return getStorageType(tensor);
}

namespace {
struct StorageInterfacePass
    : uma::accel::impl::StorageInterfacePassBase<StorageInterfacePass> {
  void runOnOperation() override {
    llvm::StringSet<> changed;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(kTargetAttrName) && !function.isDeclaration() &&
          changeFunction(function))
        changed.insert(function.getName());
    if (changed.empty())
      return;
    getOperation().walk([&](func::CallOp call) {
      if (changed.contains(call.getCallee()))
        changeCall(call);
    });
  }

private:
  bool changeFunction(func::FuncOp function);
  void changeCall(func::CallOp call);
};
} // namespace

/// Returns true if the function has a quantized argument or result.
bool StorageInterfacePass::changeFunction(func::FuncOp function) {
  Block &body = function.getBody().front();
  Operation *terminator = body.getTerminator();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  bool isChanged = false;
  for (BlockArgument argument : body.getArguments()) {
    Type quantized = argument.getType(), stored = getStored(quantized);
    if (!stored)
      continue;
    argument.setType(stored);
    auto cast = graph::StorageCastOp::create(builder, argument.getLoc(),
                                             quantized, argument);
    argument.replaceAllUsesExcept(cast, cast);
    isChanged = true;
    ++numTensors;
  }
  builder.setInsertionPoint(terminator);
  for (OpOperand &result : terminator->getOpOperands()) {
    Type stored = getStored(result.get().getType());
    if (!stored)
      continue;
    result.set(graph::StorageCastOp::create(builder, result.get().getLoc(),
                                            stored, result.get()));
    isChanged = true;
    ++numTensors;
  }
  function.setFunctionType(builder.getFunctionType(
      body.getArgumentTypes(), TypeRange(terminator->getOperandTypes())));
  return isChanged;
}

void StorageInterfacePass::changeCall(func::CallOp call) {
  OpBuilder builder(call);
  for (OpOperand &operand : call->getOpOperands())
    if (Type stored = getStored(operand.get().getType()))
      operand.set(graph::StorageCastOp::create(builder, call.getLoc(), stored,
                                               operand.get()));
  builder.setInsertionPointAfter(call);
  for (Value result : call.getResults()) {
    Type quantized = result.getType(), stored = getStored(quantized);
    if (!stored)
      continue;
    result.setType(stored);
    auto cast =
        graph::StorageCastOp::create(builder, call.getLoc(), quantized, result);
    result.replaceAllUsesExcept(cast, cast);
  }
}
