//===- Report.cpp - Where each layer runs, and why ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Partition/Report.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/LayerName.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

int64_t uma::accel::getMACs(Operation *op) {
  if (auto window = dyn_cast<graph::WindowOpInterface>(op))
    return window.getMACs();
  if (auto dense = dyn_cast<graph::DenseOp>(op))
    return cast<ShapedType>(dense.getType()).getNumElements() *
           cast<ShapedType>(dense.getWeight().getType()).getDimSize(1);
  return 0;
}

std::string uma::accel::explainReason(AcceleratorOp accelerator, Operation *op,
                                      const Assignment &assignment) {
  if (assignment.placed)
    if (std::string why = explainCost(*assignment.placed, accelerator, op);
        !why.empty())
      return describeLayer(op) + ": " + why;
  std::optional<Mismatch> closest;
  for (auto pattern : accelerator.getOps<PatternOp>()) {
    FailureOr<Mismatch> why = explainMismatch(pattern, op, assignment);
    if (succeeded(why) && (!closest || why->distance < closest->distance))
      closest = std::move(*why);
  }
  if (!closest)
    return ("no pattern for '" + getOperatorKind(op) + "'").str();
  return describeLayer(closest->where) + ": " + closest->reason;
}

std::vector<LayerReport>
uma::accel::explainPartition(func::FuncOp function,
                             ArrayRef<AcceleratorOp> accelerators,
                             const Assignment &assignment) {
  std::vector<LayerReport> reports;
  for (Block &block : function.getBody()) {
    for (Operation &op : block) {
      if (!isInFamily<GraphFamily>(&op) || op.hasTrait<OpTrait::ConstantLike>())
        continue;
      LayerReport report;
      report.layer = getLayerName(&op);
      report.kind = getOperatorKind(&op).str();
      report.target = kCPUTarget.str();
      report.macs = getMACs(&op);
      AcceleratorOp taker;
      if (const Match *owner = assignment.getOwner(&op)) {
        PatternOp pattern = owner->pattern;
        taker = getAccelerator(pattern);
        report.target = taker.getSymName().str();
        report.pattern = pattern.getSymName().str();
      }
      for (AcceleratorOp accelerator : accelerators)
        if (accelerator != taker)
          report.reasons.emplace_back(
              accelerator.getSymName().str(),
              explainReason(accelerator, &op, assignment));
      reports.push_back(std::move(report));
    }
  }
  return reports;
}

std::vector<LayerReport>
uma::accel::explainPartition(ModuleOp module,
                             ArrayRef<AcceleratorOp> accelerators) {
  std::vector<LayerReport> reports;
  for (func::FuncOp function : getFunctionsToPartition(module))
    llvm::append_range(
        reports,
        explainPartition(function, accelerators,
                         computeAssignment(function, accelerators)));
  return reports;
}
