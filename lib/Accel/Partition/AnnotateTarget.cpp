//===- AnnotateTarget.cpp - Set the target of composites ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A separate pass, as in TVM, so that passes before it can annotate operations
// that no pattern describes.
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Partition/Assignment.h"
#include "uma/Accel/Partition/Passes.h"
#include "uma/Graph/IR/GraphOps.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace uma::accel {
#define GEN_PASS_DEF_ANNOTATETARGETPASS
#include "uma/Accel/Partition/Passes.h.inc"
} // namespace uma::accel

namespace {
struct AnnotateTargetPass
    : uma::accel::impl::AnnotateTargetPassBase<AnnotateTargetPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    // Targets include the values of target attributes.
    llvm::DenseMap<StringAttr, TargetAttr> targets;
    for (auto accelerator : module.getOps<AcceleratorOp>())
      targets[accelerator.getSymNameAttr()] = accelerator.getTarget();
    for (func::FuncOp function : getFunctionsToPartition(getOperation())) {
      function->walk([&](graph::CompositeOp composite) {
        // Keep an existing target of this accelerator, which may have a
        // configuration.
        auto target = composite->getAttrOfType<TargetAttr>(kTargetAttrName);
        if (target && target.getAccelerator() == composite.getAccelerator())
          return;
        TargetAttr known = targets.lookup(composite.getAccelerator());
        composite->setAttr(kTargetAttrName,
                           known ? known
                                 : TargetAttr::get(composite.getAccelerator()));
      });
    }
  }
};
} // namespace
