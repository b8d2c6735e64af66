//===- AnnotateTarget.cpp - Set the target of composites ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A separate step, as in TVM, so that passes in between can annotate operations
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
    // The values of target attributes are part of the target.
    llvm::DenseMap<StringAttr, TargetAttr> targets;
    for (auto accelerator : module.getOps<AcceleratorOp>())
      targets[accelerator.getSymNameAttr()] = accelerator.getTarget();
    for (func::FuncOp function : getFunctionsToPartition(getOperation())) {
      function->walk([&](graph::CompositeOp composite) {
        // A target with a configuration may already be there.
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
