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

static Reason makeReason(PatternOp pattern, Mismatch why) {
  return {getAccelerator(pattern).getSymName().str(),
          pattern.getSymName().str(), describeLayer(why.where),
          std::move(why.reason)};
}

Reason uma::accel::explainReason(AcceleratorOp accelerator, Operation *op,
                                 const Assignment &assignment) {
  std::optional<Mismatch> closest;
  PatternOp closestPattern;
  for (auto pattern : accelerator.getOps<PatternOp>()) {
    FailureOr<Mismatch> why = explainMismatch(pattern, op, assignment);
    if (failed(why) || (closest && why->distance >= closest->distance))
      continue;
    closest = std::move(*why);
    closestPattern = pattern;
  }
  if (!closest)
    return {accelerator.getSymName().str(), "", "",
            ("no pattern for '" + getOperatorKind(op) + "'").str()};
  return makeReason(closestPattern, std::move(*closest));
}

/// Why not by the patterns of the same accelerator that come before `taker`.
static SmallVector<Reason, 1> explainPassedOver(PatternOp taker, Operation *op,
                                                const Assignment &assignment) {
  SmallVector<Reason, 1> reasons;
  for (auto pattern : getAccelerator(taker).getOps<PatternOp>()) {
    if (pattern == taker)
      break;
    FailureOr<Mismatch> why = explainMismatch(pattern, op, assignment);
    if (succeeded(why))
      reasons.push_back(makeReason(pattern, std::move(*why)));
  }
  return reasons;
}

std::vector<LayerReport>
uma::accel::explainPartition(func::FuncOp function,
                             ArrayRef<AcceleratorOp> accelerators) {
  Assignment assignment = computeAssignment(function, accelerators);
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
        report.passedOver = explainPassedOver(pattern, &op, assignment);
      }
      for (AcceleratorOp accelerator : accelerators)
        if (accelerator != taker)
          report.reasons.push_back(explainReason(accelerator, &op, assignment));
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
    llvm::append_range(reports, explainPartition(function, accelerators));
  return reports;
}
