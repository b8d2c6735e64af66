//===- SetProcessor.cpp - Set the target processor ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The processor is an attribute of the module, so that a plan documents its
// target, and later or separate passes use the same parameters.
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/Processor.h"
#include "uma/CPU/Transforms/Passes.h"

using namespace mlir;
using namespace uma;

namespace uma::cpu {
#define GEN_PASS_DEF_SETPROCESSORPASS
#include "uma/CPU/Transforms/Passes.h.inc"
} // namespace uma::cpu

namespace {
struct SetProcessorPass : cpu::impl::SetProcessorPassBase<SetProcessorPass> {
  using SetProcessorPassBase::SetProcessorPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (Attribute known = module->getAttr(kProcessorAttrName)) {
      if (isa<ProcessorAttr>(known))
        return;
      module.emitOpError("has ") << kProcessorAttrName << " = " << known
                                 << ", expected #uma.cpu.processor";
      return signalPassFailure();
    }
    if (cpu.empty())
      return;
    llvm::Expected<Processor> processor = Processor::get(cpu);
    if (!processor) {
      emitError(UnknownLoc::get(&getContext()))
          << llvm::toString(processor.takeError());
      return signalPassFailure();
    }
    module->setAttr(kProcessorAttrName, processor->toAttribute(&getContext()));
  }
};
} // namespace
