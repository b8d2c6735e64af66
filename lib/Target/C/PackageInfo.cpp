//===- PackageInfo.cpp - Description of a package's network ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PackageInfo.h"

#include "uma/Conversion/TIRToEmitC/CText.h"
#include "uma/IR/DeviceAttributes.h"
#include "uma/IR/LayerAttributes.h"
#include "uma/IR/StateAttributes.h"
#include "uma/IR/UMADialect.h"
#include "uma/IR/WorkspaceMemories.h"
#include "uma/Support/LayerName.h"
#include "uma/TIR/IR/TIROps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;

bool PackageInfo::hasNamedMemories() const {
  return memories.front().macro != macro + "_WORKSPACE";
}

std::string PackageInfo::getMemoryNames() const {
  return llvm::join(
      llvm::map_range(memories,
                      [](const MemoryInfo &memory) { return memory.cName; }),
      ", ");
}

bool PackageInfo::hasTensorsInside() const {
  return parameters.size() < inputs.size() + outputs.size();
}

int64_t PackageInfo::getWeightBytes() const {
  int64_t bytes = 0;
  for (const WeightInfo &weight : weights)
    bytes += weight.tensor.getBytes().size();
  return bytes;
}

int64_t PackageInfo::getWeightAlignment() const {
  int64_t alignment = kAlignment;
  for (const WeightInfo &weight : weights)
    alignment = std::max(alignment, weight.alignment);
  return alignment;
}

int64_t PackageInfo::getBufferAlignment() const {
  int64_t alignment = workspaceAlignment;
  for (const TensorInfo &tensor : parameters)
    alignment = std::max(alignment, tensor.alignment);
  return alignment;
}

std::string uma::withAlignment(StringRef text, int64_t alignment) {
  constexpr StringLiteral placeholder = "@ALIGNMENT@";
  std::string result;
  for (size_t at; (at = text.find(placeholder)) != StringRef::npos;
       text = text.drop_front(at + placeholder.size()))
    result += text.take_front(at).str() + std::to_string(alignment);
  return result + text.str();
}

std::vector<std::string> PackageInfo::getLibraries() const {
  std::vector<std::string> libraries;
  for (const AcceleratorInfo &accelerator : accelerators)
    for (const std::string &library : accelerator.libraries)
      if (!llvm::is_contained(libraries, library))
        libraries.push_back(library);
  return libraries;
}

/// Returns the type of the tensor in a buffer of the entry function. Emits an
/// error and fails if it has none.
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

static LogicalResult addTensors(tir::FuncOp network,
                                const llvm::StringSet<> &taken,
                                PackageInfo &info) {
  CNameTable parameters(CNameTable::Kind::Parameter);
  CNameTable inputMacros(CNameTable::Kind::Part);
  CNameTable outputMacros(CNameTable::Kind::Part);
  parameters.reserve("workspace");
  for (StringRef name : taken.keys())
    parameters.reserve(name);
  std::vector<WorkspaceMemory> memories = getWorkspaceMemories(network);
  for (const WorkspaceMemory &memory : memories)
    info.memories.push_back(
        {parameters.unique(memory.name),
         info.macro + "_MEMORY_" + StringRef(memory.name).upper(),
         memory.offset, memory.bytes});
  if (info.memories.empty())
    info.memories.push_back(
        {"workspace", info.macro + "_WORKSPACE", 0, info.workspaceSize});
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
    if (auto alignment =
            network.getArgAttrOfType<IntegerAttr>(i, kAlignmentAttrName))
      tensor.alignment = alignment.getInt();
    tensor.start = network.getArgAttr(i, kStartAttrName);
    CNameTable &macros = tensor.isOutput ? outputMacros : inputMacros;
    tensor.macro =
        info.macro + "_" + kind.upper() + "_" +
        StringRef(macros.unique(StringRef(toCName(tensor.name)).upper())).str();
    if (auto offset = network.getArgAttrOfType<IntegerAttr>(i, kOffsetAttrName))
      tensor.offset = offset.getInt();
    list.push_back(tensor);
    if (!tensor.offset)
      info.parameters.push_back(tensor);
  }
  return success();
}

std::vector<std::pair<std::string, int64_t>>
uma::getDeviceMemories(Operation *function, TypeRange arguments) {
  std::vector<std::pair<std::string, int64_t>> result;
  if (auto bytes =
          function->getAttrOfType<DictionaryAttr>(kMemoryBytesAttrName))
    for (NamedAttribute memory : bytes)
      if (auto number = dyn_cast<IntegerAttr>(memory.getValue()))
        result.emplace_back(memory.getName().str(), number.getInt());
  auto memories = function->getAttrOfType<DictionaryAttr>(kMemoriesAttrName);
  if (!memories)
    return result;
  for (NamedAttribute memory : memories) {
    auto positions = dyn_cast<DenseI64ArrayAttr>(memory.getValue());
    if (!positions)
      continue;
    int64_t bytes = 0;
    for (int64_t position : positions.asArrayRef()) {
      if (position < 0 || position >= int64_t(arguments.size()))
        continue;
      if (auto type = dyn_cast<MemRefType>(arguments[position]))
        bytes += type.getNumElements() *
                 HostTensor::getElementSize(type.getElementType());
    }
    result.emplace_back(memory.getName().str(), bytes);
  }
  return result;
}

/// Returns whether a buffer is a constant of the network, or a view of one.
static bool isConstantBuffer(Value buffer) {
  while (Operation *op = buffer.getDefiningOp()) {
    if (isa<memref::GetGlobalOp>(op))
      return true;
    if (!isa<ViewLikeOpInterface>(op) || op->getNumOperands() == 0)
      return false;
    buffer = op->getOperand(0);
  }
  return false;
}

/// Adds all calls, in the order in which the C numbers them.
static void addCalls(const SymbolTable &symbols, tir::FuncOp network,
                     PackageInfo &info) {
  network.walk([&](tir::CallOp call) {
    auto callee = symbols.lookup<tir::FuncOp>(call.getCallee());
    auto macs =
        callee ? callee->getAttrOfType<IntegerAttr>(kMACsAttrName) : nullptr;
    // As the hooks of CallConverter name it.
    StringRef name = getLayerName(call.getLoc());
    if (name.empty() && callee)
      name = callee.getLayer().value_or(callee.getName());
    info.calls.push_back({call.getCallee().str(), name.str(),
                          macs ? macs.getInt() : int64_t(0)});
  });
}

/// Adds the calls to functions with references, which specify their results.
static void addDeviceCalls(const SymbolTable &symbols, tir::FuncOp network,
                           PackageInfo &info) {
  int64_t index = -1;
  network.walk([&](tir::CallOp call) {
    ++index;
    auto callee = symbols.lookup<tir::FuncOp>(call.getCallee());
    auto references =
        callee ? callee->getAttrOfType<ArrayAttr>(kReferencesAttrName)
               : nullptr;
    auto target =
        callee ? callee->getAttrOfType<TargetAttr>(kTargetAttrName) : nullptr;
    if (!references || !target)
      return;
    DeviceCallInfo entry;
    entry.index = index;
    entry.accelerator = target.getAccelerator().str();
    entry.references = references;
    for (Value argument : call.getArguments()) {
      auto type = dyn_cast<MemRefType>(argument.getType());
      if (!type || !type.hasStaticShape())
        return;
      entry.bytes.push_back(type.getNumElements() *
                            HostTensor::getElementSize(type.getElementType()));
      entry.isConstant.push_back(isConstantBuffer(argument));
      entry.isWritten.push_back(!entry.isConstant.back());
    }
    // Tensors that the matches only read are inputs. Unnamed buffers pass data
    // between calls of a match.
    for (StringRef kind : {"operands", "results"})
      for (auto reference : references.getAsRange<DictionaryAttr>())
        if (auto positions = reference.getAs<DenseI64ArrayAttr>(kind))
          for (int64_t position : positions.asArrayRef())
            if (position >= 0 && position < int64_t(entry.isWritten.size()))
              entry.isWritten[position] = kind == "results";
    info.deviceCalls.push_back(std::move(entry));
  });
}

/// Adds the layers in call order. A function on an accelerator may compute
/// several layers of the model.
static void addLayers(const SymbolTable &symbols, tir::FuncOp network,
                      PackageInfo &info) {
  network.walk([&](tir::CallOp call) {
    auto callee = symbols.lookup<tir::FuncOp>(call.getCallee());
    if (!callee)
      return;
    std::string target = "cpu"; // as in `uma explain`
    if (auto attr = callee->getAttrOfType<TargetAttr>(kTargetAttrName))
      target = attr.getAccelerator().str();
    bool named = false;
    size_t first = info.layers.size();
    callee.walk([&](tir::CallExternOp device) {
      auto layer = device->getAttrOfType<StringAttr>(kLayerAttrName);
      if (!layer)
        return;
      // A composite may become several calls.
      auto known = llvm::drop_begin(info.layers, first);
      if (llvm::none_of(known, [&](const auto &other) {
            return other.name == layer.getValue();
          }))
        info.layers.push_back({layer.str(), target, {}});
      named = true;
    });
    // Calls to one function may be different layers: check the call first.
    auto layers = call->getAttrOfType<ArrayAttr>(kLayersAttrName);
    if (!layers)
      layers = callee->getAttrOfType<ArrayAttr>(kLayersAttrName);
    if (!named && layers)
      for (auto layer : layers.getAsRange<StringAttr>())
        info.layers.push_back({layer.str(), target, {}});
    else if (!named)
      info.layers.push_back(
          {callee.getLayer().value_or(callee.getName()).str(), target, {}});
    // Functions that only move data are no layers.
    if (info.layers.size() == first)
      return;
    // All layers of the function share the memories.
    info.layers[first].memories =
        getDeviceMemories(callee, callee.getArgumentTypes());
  });
}

FailureOr<PackageInfo> uma::getPackageInfo(ModuleOp module,
                                           const llvm::StringSet<> &taken) {
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
  info.name = toCNetworkName(info.model, taken);
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
  info.workspaceAlignment = kAlignment;
  if (auto alignment =
          network->getAttrOfType<IntegerAttr>(kWorkspaceAlignmentAttrName))
    info.workspaceAlignment = alignment.getInt();
  if (failed(addTensors(network, taken, info)))
    return failure();
  SymbolTable symbols(module);
  addLayers(symbols, network, info);
  addCalls(symbols, network, info);
  addDeviceCalls(symbols, network, info);
  info.functions = getFunctionMemory(module);
  return info;
}
