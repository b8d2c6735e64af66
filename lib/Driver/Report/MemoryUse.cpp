//===- MemoryUse.cpp - Memory plan of a network as data -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "MemoryUse.h"

#include "uma/Accel/Partition/Report.h"
#include "uma/IR/DeviceAttributes.h"
#include "uma/IR/LayerAttributes.h"
#include "uma/IR/UMADialect.h"
#include "uma/Support/HostTensor.h"
#include "uma/Support/TensorText.h"
#include "uma/TIR/IR/TIROps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace uma;

int64_t MemoryUse::getBound() const {
  int64_t bound = 0;
  for (const MemoryStep &step : steps)
    bound = std::max(bound, step.liveBytes);
  return bound;
}

size_t MemoryUse::getPeak() const {
  auto largest = llvm::max_element(
      steps, [](const MemoryStep &left, const MemoryStep &right) {
        return left.usedBytes < right.usedBytes;
      });
  return largest == steps.end() ? 0 : largest - steps.begin();
}

/// Returns the bytes of a buffer, with byte-aligned elements as in C.
static int64_t getBufferBytes(Type type) {
  auto buffer = cast<MemRefType>(type);
  return buffer.getNumElements() *
         HostTensor::getElementSize(buffer.getElementType());
}

/// Returns the buffer that underlies `value`, looking through views.
static Value getViewedBuffer(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

namespace {
class Collector {
public:
  Collector(ModuleOp module, tir::FuncOp network)
      : symbols(module), network(network) {}

  MemoryUse collect();

private:
  void addArguments();
  void addStep(Operation &op);
  void addLayers(Operation &op, MemoryStep &step);
  void addBuffer(Value value, MemoryStep &step);
  void measureSteps();
  void findOverlaps(ArrayRef<size_t> live, ArrayRef<size_t> begun);

  /// Use of a tensor, or of a part of it.
  struct Access {
    size_t step, tensor;
    int64_t bytes;
  };

  SymbolTable symbols;
  tir::FuncOp network;
  MemoryUse use;
  /// Position of each buffer in `use.tensors`.
  DenseMap<Value, size_t> tensors;
  std::vector<Access> accesses;
};
} // namespace

void Collector::addArguments() {
  unsigned numInputs = 0, numOutputs = 0;
  for (unsigned i = 0; i < network.getNumArguments(); ++i) {
    auto buffer = dyn_cast<MemRefType>(network.getArgumentTypes()[i]);
    if (!buffer)
      continue;
    NetworkTensor &tensor = use.arguments.emplace_back();
    tensor.isOutput = network.getArgAttr(i, kOutputAttrName) != nullptr;
    if (auto name =
            network.getArgAttrOfType<StringAttr>(i, kTensorNameAttrName))
      tensor.name = name.str();
    else // as in the package
      tensor.name = tensor.isOutput ? "output" + std::to_string(numOutputs)
                                    : "input" + std::to_string(numInputs);
    ++(tensor.isOutput ? numOutputs : numInputs);
    auto type = network.getArgAttrOfType<TypeAttr>(i, kTensorTypeAttrName);
    auto shaped =
        type ? dyn_cast<RankedTensorType>(type.getValue()) : RankedTensorType();
    tensor.type =
        getTensorText(shaped ? shaped
                             : RankedTensorType::get(buffer.getShape(),
                                                     buffer.getElementType()));
    tensor.bytes = getBufferBytes(buffer);
  }
}

/// Adds the target and the names of the layers that `op` computes, as the
/// metadata of a package has them.
void Collector::addLayers(Operation &op, MemoryStep &step) {
  step.target = accel::kCPUTarget;
  op.walk([&](tir::CallOp call) {
    auto callee = symbols.lookup<tir::FuncOp>(call.getCallee());
    if (!callee)
      return;
    if (step.name.empty())
      step.name = callee.getName().str();
    if (auto target = callee->getAttrOfType<TargetAttr>(kTargetAttrName))
      step.target = target.getAccelerator().str();
    step.isWait |= callee->hasAttr(kAwaitAttrName);
    if (!step.workload)
      step.workload = callee->getAttr(kWorkloadAttrName);
    auto add = [&](StringRef layer) {
      if (!llvm::is_contained(step.layers, layer))
        step.layers.push_back(layer.str());
    };
    callee.walk([&](tir::CallExternOp device) {
      if (auto layer = device->getAttrOfType<StringAttr>(kLayerAttrName))
        add(layer.getValue());
    });
    // Calls to one function may be different layers: check the call first.
    auto layers = call->getAttrOfType<ArrayAttr>(kLayersAttrName);
    if (!layers)
      layers = callee->getAttrOfType<ArrayAttr>(kLayersAttrName);
    if (layers)
      llvm::for_each(layers.getAsRange<StringAttr>(),
                     [&](StringAttr layer) { add(layer.getValue()); });
    else if (step.layers.empty() && callee.getLayer())
      add(*callee.getLayer());
  });
  if (!step.layers.empty())
    step.name = step.layers.front();
  else if (step.name.empty())
    step.name = op.getName().stripDialect().str();
}

/// Adds a buffer, or a view of one, that the step uses.
void Collector::addBuffer(Value value, MemoryStep &step) {
  Value base = getViewedBuffer(value);
  int64_t bytes = getBufferBytes(value.getType());
  if (base.getDefiningOp<memref::GetGlobalOp>()) {
    step.weightBytes += bytes;
  } else if (isa<BlockArgument>(base)) {
    step.activationBytes += bytes;
  } else if (auto known = tensors.find(base); known != tensors.end()) {
    size_t at = use.steps.size();
    ArenaTensor &tensor = use.tensors[known->second];
    tensor.first = std::min(tensor.first, at);
    tensor.last = std::max(tensor.last, at);
    if (!llvm::is_contained(step.tensors, known->second))
      step.tensors.push_back(known->second);
    // Whether the buffer is scratch is known when all steps are.
    accesses.push_back({at, known->second, bytes});
  }
}

void Collector::addStep(Operation &op) {
  MemoryStep step;
  addLayers(op, step);
  llvm::SetVector<Value> buffers;
  op.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (isa<MemRefType>(operand.getType()) &&
          !op.isAncestor(operand.getParentBlock()->getParentOp()))
        buffers.insert(operand);
    // Buffers and views that a loop has for itself.
    for (Value result : inner->getResults())
      if (tensors.contains(result))
        buffers.insert(result);
  });
  for (Value buffer : buffers)
    addBuffer(buffer, step);
  use.steps.push_back(std::move(step));
}

/// Adds up the bytes of each step.
void Collector::measureSteps() {
  for (const Access &access : accesses) {
    MemoryStep &step = use.steps[access.step];
    (use.tensors[access.tensor].isScratch() ? step.scratchBytes
                                            : step.activationBytes) +=
        access.bytes;
  }
  // Layout changes of equal shapes share a function, whose name says little.
  for (const ArenaTensor &tensor : use.tensors)
    if (MemoryStep &step = use.steps[tensor.first];
        step.layers.empty() && !tensor.isScratch())
      step.name = tensor.name;
  // Live tensors by offset, updated from step to step.
  SmallVector<SmallVector<size_t>> begins(use.steps.size());
  for (auto [index, tensor] : llvm::enumerate(use.tensors))
    begins[tensor.first].push_back(index);
  SmallVector<size_t> live;
  for (size_t at = 0; at < use.steps.size(); ++at) {
    MemoryStep &step = use.steps[at];
    llvm::erase_if(live, [&](size_t i) { return use.tensors[i].last < at; });
    llvm::append_range(live, begins[at]);
    llvm::sort(live, [&](size_t left, size_t right) {
      return std::make_pair(use.tensors[left].offset, left) <
             std::make_pair(use.tensors[right].offset, right);
    });
    int64_t end = 0; // of the bytes that are counted
    for (size_t i : live) {
      const ArenaTensor &tensor = use.tensors[i];
      step.liveBytes += tensor.bytes;
      step.usedBytes +=
          std::max<int64_t>(tensor.getEnd() - std::max(end, tensor.offset), 0);
      end = std::max(end, tensor.getEnd());
    }
    findOverlaps(live, begins[at]);
  }
}

/// Adds the overlaps of the tensors that begin to live with others. `live` is
/// sorted by offset.
void Collector::findOverlaps(ArrayRef<size_t> live, ArrayRef<size_t> begun) {
  for (size_t one : begun) {
    const ArenaTensor &tensor = use.tensors[one];
    for (size_t two : live) {
      const ArenaTensor &other = use.tensors[two];
      if (other.offset >= tensor.getEnd())
        break;
      // Two that begin together are seen from both sides.
      if (other.getEnd() <= tensor.offset || one == two ||
          (other.first == tensor.first && two > one))
        continue;
      int64_t begin = std::max(tensor.offset, other.offset);
      use.overlaps.push_back(
          {{two, one},
           std::max(tensor.first, other.first),
           std::min(tensor.last, other.last),
           begin,
           std::min(tensor.getEnd(), other.getEnd()) - begin});
    }
  }
}

MemoryUse Collector::collect() {
  if (auto size = network->getAttrOfType<IntegerAttr>(kWorkspaceSizeAttrName))
    use.arenaBytes = size.getInt();
  addArguments();
  network.walk([&](tir::AllocOp alloc) {
    if (alloc.getScope() != tir::Scope::Workspace || !alloc.getOffset() ||
        alloc.getBuffer().use_empty())
      return;
    auto type = cast<MemRefType>(alloc.getBuffer().getType());
    tensors[alloc.getBuffer()] = use.tensors.size();
    ArenaTensor &tensor = use.tensors.emplace_back();
    tensor.name = alloc.getLabel().value_or("").str();
    tensor.element = getElementText(type.getElementType());
    tensor.elements = type.getNumElements();
    tensor.bytes = getBufferBytes(type);
    tensor.offset = *alloc.getOffset();
    tensor.first = std::numeric_limits<size_t>::max();
  });
  for (Operation &op : network.getBody().front())
    // Buffers, constants, views and the end do nothing.
    if (!isa<tir::AllocOp, memref::GetGlobalOp>(op) && !isPure(&op))
      addStep(op);
  // Buffers that no step uses.
  for (ArenaTensor &tensor : use.tensors)
    if (tensor.first > tensor.last)
      tensor.first = tensor.last = tensor.bytes = 0;
  if (!use.steps.empty())
    measureSteps();
  else
    use.tensors.clear();
  return std::move(use);
}

MemoryUse MemoryUse::get(ModuleOp module) {
  for (auto function : module.getOps<tir::FuncOp>())
    if (function->hasAttr(kNetworkAttrName))
      return Collector(module, function).collect();
  return {};
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

llvm::json::Object uma::toJSON(const ArenaTensor &tensor) {
  return llvm::json::Object{{"name", llvm::json::fixUTF8(tensor.name)},
                            {"element", tensor.element},
                            {"elements", tensor.elements},
                            {"bytes", tensor.bytes},
                            {"offset", tensor.offset},
                            {"first", tensor.first},
                            {"last", tensor.last}};
}

llvm::json::Object uma::toJSON(const ArenaOverlap &overlap) {
  return llvm::json::Object{
      {"tensors", llvm::json::Array{overlap.tensors[0], overlap.tensors[1]}},
      {"first", overlap.first},
      {"last", overlap.last},
      {"offset", overlap.offset},
      {"bytes", overlap.bytes}};
}
