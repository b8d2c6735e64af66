//===- Report.cpp - Targets of layers, with reasons -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Partition/Report.h"

#include "Constants.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Graph/IR/QuantizationAttributes.h"
#include "uma/Support/LayerName.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <map>

using namespace mlir;
using namespace uma;
using namespace uma::accel;

static ArrayRef<int64_t> getShape(Value tensor) {
  return cast<ShapedType>(tensor.getType()).getShape();
}

/// Returns the product of all sizes, saturated to the largest int64_t.
static int64_t multiply(ArrayRef<int64_t> shape, ArrayRef<int64_t> more) {
  int64_t product = 1;
  for (int64_t size : llvm::concat<const int64_t>(shape, more))
    if (llvm::MulOverflow(product, size, product))
      return std::numeric_limits<int64_t>::max();
  return product;
}

/// Returns the product of the sizes of all names, or 0 for a single operand,
/// which is only summed.
static int64_t getEinsumMACs(graph::EinsumOp op) {
  if (op.getData().size() < 2)
    return 0;
  SmallVector<StringRef> names;
  op.getEquation().split("->").first.split(names, ',');
  std::map<char, int64_t> sizes;
  for (auto [letters, tensor] : llvm::zip(names, op.getData()))
    for (auto [letter, size] : llvm::zip(letters.trim(), getShape(tensor)))
      sizes[letter] = std::max(sizes[letter], size);
  return multiply(llvm::map_to_vector(llvm::make_second_range(sizes),
                                      [](int64_t size) { return size; }),
                  {});
}

/// Multiplies every element of the data by every weight of its channel.
template <typename OpT>
static int64_t getConvTransposeMACs(OpT op) {
  return multiply(getShape(op.getData()),
                  getShape(op.getWeight()).drop_front());
}

template <typename OpT>
static int64_t getRecurrentMACs(OpT op) {
  graph::RecurrentDims dims = op.getDims();
  int64_t rows = getShape(op.getWeight())[1];
  return multiply({dims.steps, dims.batch, dims.directions, rows},
                  {dims.inputs + dims.units});
}

int64_t uma::accel::getMACs(Operation *op) {
  return TypeSwitch<Operation *, int64_t>(op)
      .Case([](graph::WindowOpInterface op) { return op.getMACs(); })
      .Case<graph::Conv2dTransposeOp, graph::Conv3dTransposeOp>(
          [](auto op) { return getConvTransposeMACs(op); })
      .Case<graph::LSTMOp, graph::GRUOp, graph::RNNOp>(
          [](auto op) { return getRecurrentMACs(op); })
      .Case([](graph::DenseOp op) {
        return multiply(getShape(op), getShape(op.getWeight())[1]);
      })
      .Case([](graph::BatchMatmulOp op) {
        ArrayRef<int64_t> lhs = getShape(op.getLhs());
        return multiply(getShape(op),
                        lhs[lhs.size() - (op.getTransposeA() ? 2 : 1)]);
      })
      .Case([](graph::AttentionOp op) {
        // Count the products with the keys and with the values.
        int64_t keys = getShape(op.getKey()).drop_back().back();
        return multiply(
            getShape(op).drop_back(),
            {keys, getShape(op.getQuery()).back() + getShape(op).back()});
      })
      .Case([](graph::EinsumOp op) { return getEinsumMACs(op); })
      .Default([](Operation *) { return int64_t(0); });
}

static Reason makeReason(PatternOp pattern, Mismatch why) {
  return {getAccelerator(pattern).getSymName().str(),
          pattern.getSymName().str(), describeLayer(why.where),
          std::move(why.reason)};
}

Reason uma::accel::explainReason(AcceleratorOp accelerator, Operation *op,
                                 const Assignment &assignment) {
  // Check restrictions first, which do not depend on patterns.
  if (std::string reason = assignment.restrictions.getReason(accelerator, op);
      !reason.empty())
    return {accelerator.getSymName().str(), "", describeLayer(op),
            std::move(reason)};
  if (assignment.placed)
    if (auto why = explainCost(*assignment.placed, accelerator, op))
      return {accelerator.getSymName().str(), why->pattern.getSymName().str(),
              describeLayer(op), std::move(why->reason)};
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
  if (auto reason = op->getAttrOfType<StringAttr>(graph::kInFloatsAttrName))
    closest->reason += "; it is computed in f32, since " + reason.str();
  return makeReason(closestPattern, std::move(*closest));
}

/// Explains why earlier patterns of `taker`'s accelerator do not take `op`.
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

/// Adds the operator's operands and results to `report`.
static void describeTensors(Operation &op,
                            const llvm::DenseMap<Operation *, size_t> &indices,
                            LayerReport &report) {
  for (Value operand : op.getOperands()) {
    LayerOperand &entry = report.operands.emplace_back();
    entry.type = cast<RankedTensorType>(operand.getType());
    Operation *maker = operand.getDefiningOp();
    entry.isConstant = maker && isConstantOp(maker);
    if (auto found = indices.find(maker); found != indices.end())
      entry.from = found->second;
  }
  for (Type type : op.getResultTypes())
    report.results.push_back(cast<RankedTensorType>(type));
}

void uma::accel::explainPartition(func::FuncOp function,
                                  ArrayRef<AcceleratorOp> accelerators,
                                  const Assignment &assignment,
                                  std::vector<LayerReport> &reports) {
  llvm::DenseMap<Operation *, size_t> indices;
  llvm::DenseMap<const Match *, size_t> matches;
  size_t firstMatch = 0;
  for (const LayerReport &report : reports)
    firstMatch = std::max(firstMatch, report.match ? *report.match + 1 : 0);
  for (Block &block : function.getBody()) {
    for (Operation &op : block) {
      if (!isInFamily<GraphFamily>(&op) || isConstantOp(&op))
        continue;
      LayerReport report;
      report.index = reports.size();
      indices[&op] = report.index;
      describeTensors(op, indices, report);
      report.layer = getLayerName(&op);
      report.kind = getOperatorKind(&op).str();
      report.target = kCPUTarget.str();
      report.macs = getMACs(&op);
      if (auto reason = op.getAttrOfType<StringAttr>(graph::kInFloatsAttrName))
        report.inFloats = reason.getValue().str();
      AcceleratorOp taker;
      if (const Match *owner = assignment.getOwner(&op)) {
        PatternOp pattern = owner->pattern;
        taker = getAccelerator(pattern);
        report.target = taker.getSymName().str();
        report.pattern = pattern.getSymName().str();
        report.match = matches.try_emplace(owner, firstMatch + matches.size())
                           .first->second;
        report.passedOver = explainPassedOver(pattern, &op, assignment);
      }
      for (AcceleratorOp accelerator : accelerators)
        if (accelerator != taker)
          report.reasons.push_back(explainReason(accelerator, &op, assignment));
      reports.push_back(std::move(report));
    }
  }
}

std::vector<LayerReport>
uma::accel::explainPartition(ModuleOp module,
                             ArrayRef<AcceleratorOp> accelerators) {
  std::vector<LayerReport> reports;
  for (func::FuncOp function : getFunctionsToPartition(module))
    explainPartition(function, accelerators,
                     computeAssignment(function, accelerators), reports);
  return reports;
}
