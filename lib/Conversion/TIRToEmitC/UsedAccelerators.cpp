//===- UsedAccelerators.cpp - Accelerators that a module calls ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Conversion/TIRToEmitC/UsedAccelerators.h"

#include "uma/IR/DeviceAttributes.h"
#include "uma/IR/UMADialect.h"
#include "uma/TIR/IR/TIROps.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace uma;

SmallVector<accel::AcceleratorOp> uma::getUsedAccelerators(ModuleOp module) {
  llvm::StringSet<> targets;
  bool useAll = false;
  module.walk([&](tir::CallExternOp call) {
    if (call->hasAttr(kInstructionAttrName))
      return;
    auto function = call->getParentOfType<tir::FuncOp>();
    if (auto target = function->getAttrOfType<TargetAttr>(kTargetAttrName))
      targets.insert(target.getAccelerator().getValue());
    else
      useAll = true;
  });
  // Prologues and epilogues of a description call the device, too.
  for (auto function : module.getOps<tir::FuncOp>())
    if (function->hasAttr(kPrologueAttrName) ||
        function->hasAttr(kEpilogueAttrName))
      if (auto target = function->getAttrOfType<TargetAttr>(kTargetAttrName))
        targets.insert(target.getAccelerator().getValue());
  SmallVector<accel::AcceleratorOp> used;
  for (auto accelerator : module.getOps<accel::AcceleratorOp>())
    if (useAll || targets.contains(accelerator.getSymName()))
      used.push_back(accelerator);
  return used;
}
