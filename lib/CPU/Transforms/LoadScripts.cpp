//===- LoadScripts.cpp - Assign transform scripts to layers ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Scripts are in a separate file, so that imported networks can use them. This
// pass adds them to the module and sets the kernels of their layers.
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/Layer.h"
#include "uma/CPU/Transforms/Passes.h"
#include "uma/IR/UMADialect.h"
#include "uma/Support/DidYouMean.h"
#include "uma/Support/LayerName.h"
#include "uma/Support/ParseScript.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace uma;

namespace uma::cpu {
#define GEN_PASS_DEF_LOADSCRIPTSPASS
#include "uma/CPU/Transforms/Passes.h.inc"
} // namespace uma::cpu

namespace {
struct LoadScriptsPass : cpu::impl::LoadScriptsPassBase<LoadScriptsPass> {
  using LoadScriptsPassBase::LoadScriptsPassBase;

  void runOnOperation() override;

private:
  /// Collects the functions of layers with the layers' names.
  void findLayers();
  /// Assigns `sequence` to the layers that it names. Emits an error and fails
  /// if the names are invalid or unknown.
  LogicalResult assign(transform::NamedSequenceOp sequence);

  SmallVector<std::pair<std::string, func::FuncOp>> layers;
};
} // namespace

void LoadScriptsPass::findLayers() {
  layers.clear();
  SymbolTable symbols(getOperation());
  for (func::FuncOp entry : cpu::getEntryFunctions(getOperation())) {
    CPULayers known(entry, symbols);
    for (auto call : entry.getOps<func::CallOp>()) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!callee || !callee->hasAttr(kPrimitiveAttrName))
        continue;
      const CPULayer *layer = known.lookup(call);
      layers.push_back({layer ? layer->getName()
                              : getLayerName(&callee.getBody().front().front()),
                        callee});
    }
  }
}

LogicalResult LoadScriptsPass::assign(transform::NamedSequenceOp sequence) {
  auto names = sequence->getAttrOfType<ArrayAttr>(kLayersAttrName);
  if (!names)
    return sequence.emitOpError("has ")
           << kLayersAttrName << " = " << sequence->getAttr(kLayersAttrName)
           << ", expected an array of the names of layers";
  for (Attribute entry : names) {
    auto name = dyn_cast<StringAttr>(entry);
    if (!name)
      return sequence.emitOpError("has ") << entry << " in " << kLayersAttrName
                                          << ", expected the name of a layer";
    bool isKnown = false;
    for (auto &[layer, function] : layers) {
      if (layer != name.getValue())
        continue;
      isKnown = true;
      if (!function->hasAttr(kKernelAttrName))
        function->setAttr(
            kKernelAttrName,
            KernelAttr::get(&getContext(), Algorithm::Script, /*tile=*/0,
                            /*channels=*/0,
                            FlatSymbolRefAttr::get(sequence.getNameAttr())));
    }
    if (isKnown)
      continue;
    SmallVector<StringRef> known;
    for (auto &[layer, function] : layers)
      known.push_back(layer);
    return sequence.emitOpError("is for layer '")
           << name.getValue() << "', which the CPU does not compute"
           << didYouMean(name.getValue(), known);
  }
  return success();
}

void LoadScriptsPass::runOnOperation() {
  ModuleOp module = getOperation();
  if (scripts.empty())
    return;
  OwningOpRef<ModuleOp> file = parseScript(scripts, &getContext());
  if (!file)
    return signalPassFailure();
  if (failed(cpu::verifyLayers(module, cpu::Decision::Layers)))
    return signalPassFailure();
  findLayers();
  SymbolTable symbols(module);
  bool hasLayers = false;
  for (Operation &op : *file->getBody()) {
    auto sequence = dyn_cast<transform::NamedSequenceOp>(op);
    if (!sequence) {
      op.emitOpError("in a file of scripts, expected "
                     "transform.named_sequence only");
      return signalPassFailure();
    }
    if (symbols.lookup(sequence.getSymName())) {
      sequence.emitOpError("has the name of something in the network");
      return signalPassFailure();
    }
    if (!sequence->hasAttr(kLayersAttrName))
      continue;
    hasLayers = true;
    if (failed(assign(sequence)))
      return signalPassFailure();
  }
  if (!hasLayers) {
    mlir::emitError((*file)->getLoc()) << "no transform.named_sequence says "
                                          "which layers it is for: attributes {"
                                       << kLayersAttrName << " = [\"NAME\"]}";
    return signalPassFailure();
  }
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  for (Operation &op : *file->getBody())
    builder.clone(op)->removeAttr(kLayersAttrName);
  module->setAttr(transform::TransformDialect::kWithNamedSequenceAttrName,
                  builder.getUnitAttr());
}
