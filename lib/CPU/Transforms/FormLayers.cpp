//===- FormLayers.cpp - Outline layers of the CPU -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Layers are functions, as in Relay, rather than regions: the interpreter and
// all passes on graphs already support calls, and partitioning for accelerators
// emits them, too.
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Transforms/Passes.h"

#include "Remarks.h"

#include "uma/Graph/Transforms/FusionGroups.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace uma;
using namespace uma::cpu;

namespace uma::cpu {
#define GEN_PASS_DEF_FORMLAYERSPASS
#include "uma/CPU/Transforms/Passes.h.inc"
} // namespace uma::cpu

SmallVector<func::FuncOp> cpu::getEntryFunctions(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function->hasAttr(kTargetAttrName) &&
        !function->hasAttr(kPrimitiveAttrName) &&
        function.getBody().hasOneBlock())
      functions.push_back(function);
  return functions;
}

std::string cpu::getFunctionName(const CPULayer &layer) {
  constexpr size_t longest = 60;
  std::string name = layer.getName(), result = name;
  for (Operation *op : layer.ops) {
    StringRef kind = op->getName().getStringRef().rsplit('.').second;
    if (result.size() + kind.size() > longest)
      break;
    if (layer.ops.size() > 1 || kind != name)
      result += ("_" + kind).str();
  }
  return result;
}

/// Moves the operators of a layer into a new function. Returns the call to it.
static func::CallOp outline(const CPULayer &layer, SymbolTable &symbols) {
  Operation *last = layer.ops.back();
  MLIRContext *context = last->getContext();
  SmallVector<Operation *> all(ArrayRef<Operation *>(layer.prologue));
  llvm::append_range(all, layer.ops);
  llvm::SmallPtrSet<Operation *, 8> members(all.begin(), all.end());
  // The anchor may read a tensor in another layout than an elementwise operator
  // does.
  llvm::MapVector<std::pair<Value, unsigned>, unsigned> inputs;
  for (Operation *op : all)
    for (Value operand : op->getOperands())
      if (!members.contains(operand.getDefiningOp()))
        inputs.try_emplace({operand, unsigned(op == layer.anchor)},
                           inputs.size());
  SmallVector<Value> operands;
  for (const auto &[input, index] : inputs)
    operands.push_back(input.first);

  auto types = FunctionType::get(context, ValueRange(operands).getTypes(),
                                 last->getResultTypes());
  auto function =
      func::FuncOp::create(last->getLoc(), getFunctionName(layer), types);
  function.setPrivate();
  function->setAttr(kPrimitiveAttrName, UnitAttr::get(context));
  symbols.insert(function);
  OpBuilder builder(last);
  auto call = func::CallOp::create(builder, last->getLoc(), function, operands);
  last->replaceAllUsesWith(call.getResults());
  Block *body = function.addEntryBlock();
  for (Operation *op : all) {
    for (OpOperand &operand : op->getOpOperands())
      if (auto *input =
              inputs.find({operand.get(), unsigned(op == layer.anchor)});
          input != inputs.end())
        operand.set(body->getArgument(input->second));
    op->moveBefore(body, body->end());
  }
  builder.setInsertionPointToEnd(body);
  func::ReturnOp::create(builder, last->getLoc(), last->getResults());
  return call;
}

/// Emits a remark with the operators of a layer.
static void explain(func::CallOp call, SymbolTable &symbols) {
  auto function = symbols.lookup<func::FuncOp>(call.getCallee());
  std::optional<CPULayer> layer = CPULayer::of(call, function);
  if (!layer)
    return;
  cpu::emitLayerRemark(*layer, "layer", [&](raw_ostream &os) {
    os << " computes ";
    llvm::interleaveComma(layer->ops, os, [&](Operation *op) {
      os << op->getName().getStringRef().rsplit('.').second;
    });
  });
}

/// Returns whether a convolution computes the data of `tensor`, apart from
/// operators that keep blocks of channels.
static bool isOfConvolution(Value tensor) {
  constexpr int64_t mostOps = 256;
  for (int64_t count = 0; count < mostOps; ++count) {
    Operation *op = tensor.getDefiningOp();
    if (!op || op->getNumOperands() == 0)
      return false;
    if (isa<graph::Conv2dOp>(op))
      return true;
    tensor = op->getOperand(0);
  }
  return false;
}

/// Makes a shuffle for each slice of its result, so that both are one layer
/// that moves only the slice, if nothing else reads the result and the data is
/// expected in blocks.
static void splitShuffles(Block &block, size_t maxDepth) {
  auto slices = llvm::to_vector(block.getOps<graph::StridedSliceOp>());
  for (graph::StridedSliceOp slice : slices) {
    Operation *last = slice.getData().getDefiningOp();
    if (!isa_and_present<graph::ReshapeOp>(last) || last->hasOneUse() ||
        !llvm::all_of(last->getUsers(), llvm::IsaPred<graph::StridedSliceOp>))
      continue;
    SmallVector<Operation *, 4> ops = {last};
    while (ops.size() < 4) {
      Operation *before = ops.back()->getOperand(0).getDefiningOp();
      bool isPart = before && before->hasOneUse() &&
                    (ops.size() < 3 || isa<graph::ConcatenateOp>(before));
      if (!isPart)
        break;
      ops.push_back(before);
    }
    auto shuffle = llvm::to_vector(llvm::reverse(ops));
    ArrayRef<Operation *> all = shuffle;
    SmallVector<Operation *> whole(all);
    whole.push_back(slice);
    if (whole.size() > maxDepth || !ChannelMap::of(all) ||
        !ChannelMap::of(whole) ||
        !llvm::all_of(all.front()->getOperands(), isOfConvolution))
      continue;
    OpBuilder builder(slice);
    IRMapping mapping;
    for (Operation *op : all)
      builder.clone(*op, mapping);
    slice.getDataMutable().assign(mapping.lookup(last->getResult(0)));
  }
}

SmallVector<CPULayer> cpu::findLayers(Block &block, size_t maxDepth) {
  DenseMap<Operation *, const graph::FusionGroup *> groupOf;
  SmallVector<graph::FusionGroup> groups =
      graph::findFusionGroups(block, maxDepth);
  for (const graph::FusionGroup &group : groups)
    for (Operation *op : group)
      groupOf[op] = &group;
  // Operators that convert bytes belong to the layer that reads them.
  DenseMap<Operation *, SmallVector<Operation *, 2>> prologues;
  llvm::DenseSet<Operation *> converting;
  for (Operation &op : block.without_terminator())
    if (isByteAnchor(&op)) {
      auto found = getBytePrologue(
          &op, [](Value value) { return CPULayer().isScalarConstant(value); });
      converting.insert(found.begin(), found.end());
      prologues[&op] = std::move(found);
    }
  SmallVector<CPULayer> layers;
  llvm::DenseSet<Operation *> known;
  auto form = [&](ArrayRef<Operation *> ops) {
    SmallVector<Operation *> all;
    for (Operation *op : ops)
      llvm::append_range(all, prologues.lookup(op));
    llvm::append_range(all, ops);
    return CPULayer::form(all);
  };
  for (Operation &op : block.without_terminator()) {
    if (known.contains(&op) || converting.contains(&op))
      continue;
    std::optional<CPULayer> layer = CPULayer::formByteSum(&op);
    if (auto shuffle = findShuffle(&op);
        !shuffle.empty() && shuffle.size() <= maxDepth)
      layer = form(shuffle);
    const graph::FusionGroup *group = groupOf.lookup(&op);
    if (group && !layer) {
      // Find the longest part from here on that one kernel can compute.
      auto part = ArrayRef<Operation *>(*group).drop_until(
          [&](Operation *member) { return member == &op; });
      // Only kernels for blocks of channels concatenate and compute.
      if (isa<graph::ConcatenateOp>(op) &&
          !llvm::all_of(op.getOperands(), isOfConvolution))
        part = {};
      auto fits = [&](Operation *member) {
        return (CPULayer::canBeInside(member) || prologues.contains(member)) &&
               !converting.contains(member) && !CPULayer::formByteSum(member);
      };
      for (part = part.take_while(fits); part.size() > 1 && !layer;
           part = part.drop_back())
        layer = form(part);
    }
    if (!layer)
      layer = form({&op});
    if (!layer)
      continue;
    known.insert(layer->ops.begin(), layer->ops.end());
    layers.push_back(std::move(*layer));
  }
  return layers;
}

namespace {
struct FormLayersPass : cpu::impl::FormLayersPassBase<FormLayersPass> {
  using FormLayersPassBase::FormLayersPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (maxDepth >= 1)
      return success();
    return emitError(UnknownLoc::get(context))
           << "uma-cpu-form-layers: max-depth is " << maxDepth.getValue()
           << ", expected 1 or more";
  }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (func::FuncOp function : getEntryFunctions(getOperation())) {
      splitShuffles(function.getBody().front(), size_t(maxDepth));
      for (const CPULayer &layer :
           findLayers(function.getBody().front(), size_t(maxDepth))) {
        explain(outline(layer, symbols), symbols);
        ++numLayers;
        numFused += layer.ops.size();
      }
    }
  }
};
} // namespace
