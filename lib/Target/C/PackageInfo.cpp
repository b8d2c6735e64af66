//===- PackageInfo.cpp - What a package says about its network ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PackageInfo.h"

#include "uma/Conversion/TIRToEmitC/CText.h"
#include "uma/IR/UMADialect.h"
#include "uma/TIR/IR/TIROps.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;

int64_t PackageInfo::getWeightBytes() const {
  int64_t bytes = 0;
  for (const WeightInfo &weight : weights)
    bytes += weight.tensor.getBytes().size();
  return bytes;
}

std::vector<std::string> PackageInfo::getLibraries() const {
  std::vector<std::string> libraries;
  for (const AcceleratorInfo &accelerator : accelerators)
    for (const std::string &library : accelerator.libraries)
      if (!llvm::is_contained(libraries, library))
        libraries.push_back(library);
  return libraries;
}

/// The type of the tensor that a buffer of the entry function holds.
static FailureOr<RankedTensorType> getTensorType(tir::FuncOp network,
                                                 unsigned index) {
  if (auto attr =
          network.getArgAttrOfType<TypeAttr>(index, kTensorTypeAttrName))
    if (auto type = dyn_cast<RankedTensorType>(attr.getValue());
        type && HostTensor::getElementSize(type.getElementType()))
      return type;
  auto buffer = dyn_cast<MemRefType>(network.getArgumentTypes()[index]);
  if (!buffer || !HostTensor::getElementSize(buffer.getElementType()))
    return network.emitOpError("argument ")
           << index << " has type " << network.getArgumentTypes()[index]
           << "; inputs and outputs of a network are buffers of elements that "
              "C has a type for";
  return RankedTensorType::get(buffer.getShape(), buffer.getElementType());
}

static LogicalResult addTensors(tir::FuncOp network, PackageInfo &info) {
  CNameTable parameters, inputMacros, outputMacros;
  parameters.reserve("workspace");
  for (unsigned i = 0; i < network.getNumArguments(); ++i) {
    FailureOr<RankedTensorType> type = getTensorType(network, i);
    if (failed(type))
      return failure();
    TensorInfo tensor;
    tensor.type = *type;
    tensor.isOutput = network.getArgAttr(i, kOutputAttrName) != nullptr;
    auto &list = tensor.isOutput ? info.outputs : info.inputs;
    StringRef kind = tensor.isOutput ? "output" : "input";
    if (auto name =
            network.getArgAttrOfType<StringAttr>(i, kTensorNameAttrName))
      tensor.name = name.str();
    else
      tensor.name = kind.str() + std::to_string(list.size());
    tensor.cName = parameters.unique(tensor.name);
    CNameTable &macros = tensor.isOutput ? outputMacros : inputMacros;
    tensor.macro =
        info.macro + "_" + kind.upper() + "_" +
        StringRef(macros.unique(StringRef(toCName(tensor.name)).upper())).str();
    list.push_back(tensor);
    info.parameters.push_back(tensor);
  }
  return success();
}

/// The layers in the order of their calls. A layer function on an accelerator
/// may hold several layers of the model.
static void addLayers(ModuleOp module, tir::FuncOp network, PackageInfo &info) {
  network.walk([&](tir::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<tir::FuncOp>(
        call, call.getCalleeAttr());
    if (!callee)
      return;
    std::string target = "cpu"; // as `uma explain` says
    if (auto attr = callee->getAttrOfType<TargetAttr>(kTargetAttrName))
      target = attr.getAccelerator().str();
    bool named = false;
    callee.walk([&](tir::CallExternOp device) {
      auto layer = device->getAttrOfType<StringAttr>(kLayerAttrName);
      if (!layer)
        return;
      // A composite may become several calls in a row.
      if (!named || info.layers.back().name != layer)
        info.layers.push_back({layer.str(), target});
      named = true;
    });
    if (!named)
      info.layers.push_back(
          {callee.getLayer().value_or(callee.getName()).str(), target});
  });
}

FailureOr<PackageInfo> uma::getPackageInfo(ModuleOp module) {
  tir::FuncOp network;
  for (auto function : module.getOps<tir::FuncOp>()) {
    if (!function->hasAttr(kNetworkAttrName))
      continue;
    if (network)
      return function.emitOpError("is the second network of the module; a "
                                  "package holds one");
    network = function;
  }
  if (!network)
    return module.emitError("holds no network in TIR: no uma.tir.func has '")
           << kNetworkAttrName << "'; run 'uma-lower' first";
  PackageInfo info;
  info.model = network->getAttrOfType<StringAttr>(kNetworkAttrName).str();
  info.name = toCName(info.model);
  info.macro = StringRef(info.name).upper();
  if (auto size = network->getAttrOfType<IntegerAttr>(kWorkspaceSizeAttrName)) {
    info.workspaceSize = size.getInt();
  } else {
    WalkResult walk = network.walk([&](tir::AllocOp alloc) {
      return alloc.getScope() == tir::Scope::Workspace ? WalkResult::interrupt()
                                                       : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return network.emitOpError("has no '")
             << kWorkspaceSizeAttrName << "'; run 'uma-tir-plan-memory' first";
  }
  if (failed(addTensors(network, info)))
    return failure();
  addLayers(module, network, info);
  return info;
}
