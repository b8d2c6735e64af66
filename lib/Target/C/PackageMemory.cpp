//===- PackageMemory.cpp - Memory of each function of a network -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PackageInfo.h"

#include "uma/IR/DeviceAttributes.h"
#include "uma/IR/UMADialect.h"
#include "uma/TIR/IR/TIROps.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace uma;

/// Returns the buffer that a buffer is a view of.
static Value getRoot(Value buffer) {
  while (Operation *op = buffer.getDefiningOp()) {
    if (op->getNumOperands() == 0 ||
        !isa<MemRefType>(op->getOperand(0).getType()))
      break;
    buffer = op->getOperand(0);
  }
  return buffer;
}

static int64_t getBytes(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return type.getNumElements() *
         HostTensor::getElementSize(type.getElementType());
}

/// Returns whether all users of a buffer and its views are `call`.
static bool isOnlyUsedBy(Value buffer, tir::CallOp call) {
  return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
    if (user == call)
      return true;
    return user->getNumResults() == 1 &&
           isa<MemRefType>(user->getResult(0).getType()) &&
           isOnlyUsedBy(user->getResult(0), call);
  });
}

/// Returns the memory of one call.
static FunctionMemory getCallMemory(tir::CallOp call) {
  FunctionMemory memory;
  llvm::SetVector<Value> buffers;
  for (Value argument : call.getArguments())
    if (isa<MemRefType>(argument.getType()))
      buffers.insert(getRoot(argument));
  for (Value buffer : buffers) {
    int64_t bytes = getBytes(buffer);
    if (buffer.getDefiningOp<memref::GetGlobalOp>())
      memory.constants += bytes;
    else if (buffer.getDefiningOp<tir::AllocOp>() && isOnlyUsedBy(buffer, call))
      memory.workspace += bytes;
    else
      memory.inputOutput += bytes;
  }
  return memory;
}

std::vector<FunctionMemory> uma::getFunctionMemory(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::MapVector<StringRef, FunctionMemory> functions;
  size_t numCalls = 0;
  for (auto network : module.getOps<tir::FuncOp>()) {
    if (!network->hasAttr(kNetworkAttrName))
      continue;
    network.walk([&](tir::CallOp call) {
      auto callee = symbols.lookup<tir::FuncOp>(call.getCallee());
      size_t index = numCalls++;
      if (!callee)
        return;
      auto [entry, isNew] = functions.try_emplace(call.getCallee());
      FunctionMemory &memory = entry->second;
      if (isNew) {
        memory.name = call.getCallee().str();
        memory.firstCall = index;
        memory.target = "cpu";
        if (auto target = callee->getAttrOfType<TargetAttr>(kTargetAttrName))
          memory.target = target.getAccelerator().str();
        for (const auto &[name, bytes] :
             getDeviceMemories(callee, callee.getArgumentTypes()))
          memory.device += bytes;
      }
      FunctionMemory found = getCallMemory(call);
      memory.workspace = std::max(memory.workspace, found.workspace);
      memory.constants = std::max(memory.constants, found.constants);
      memory.inputOutput = std::max(memory.inputOutput, found.inputOutput);
    });
  }
  std::vector<FunctionMemory> result;
  for (auto &[name, memory] : functions)
    result.push_back(std::move(memory));
  return result;
}

void uma::nameFunctions(ModuleOp module, PackageInfo &info) {
  SymbolTable symbols(module);
  auto network = symbols.lookup<emitc::FuncOp>(
      info.name + (info.hasImage() ? "_run_with_weights" : "_run"));
  if (!network)
    return;
  // The calls are those of the network in TIR, in the same order.
  SmallVector<StringRef> calls;
  network.walk([&](emitc::CallOpaqueOp call) {
    if (symbols.lookup<emitc::FuncOp>(call.getCallee()))
      calls.push_back(call.getCallee());
  });
  for (FunctionMemory &function : info.functions)
    if (function.firstCall < calls.size())
      function.name = calls[function.firstCall].str();
}
