//===- DotPlan.cpp - Quantized layers as dot products --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "DotPlan.h"

#include "Constants.h"
#include "QuantizedSums.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

std::pair<std::optional<HostTensor>, bool> graph::getStoredBias(Operation *op) {
  if (!op->hasOneUse())
    return {std::nullopt, true};
  auto add = dyn_cast<BiasAddOp>(*op->user_begin());
  if (!add)
    return {std::nullopt, true};
  auto stored = add.getBias().getDefiningOp<StorageCastOp>();
  std::optional<HostTensor> bias =
      stored ? getConstant(stored.getData()) : std::nullopt;
  return {bias, bias.has_value()};
}

int64_t graph::getOutAxis(Operation *op) {
  if (auto layout = op->getAttrOfType<StringAttr>("kernel_layout"))
    return KernelLayout::parse(layout.getValue())->o;
  return 0;
}

bool graph::hasSumsOfI32(Operation *op) {
  Value weight = op->getOperand(1);
  Type elements = getElements(weight);
  auto number = Float32Type::get(op->getContext());
  HostTensor steps(getTensorType(weight).clone(Type(number)));
  if (std::optional<HostTensor> stored = getConstant(weight))
    steps = makeSteps(*stored, elements, number);
  else // Any weights.
    for (int64_t i = 0, e = steps.getNumElements(); i != e; ++i)
      steps.setDouble(i, double(getMostSteps(elements)));
  return getSumBounds(steps, getOutAxis(op),
                      getMostSteps(getElements(op->getOperand(0))),
                      getStoredBias(op).first)
      .fitsI32();
}

DotPlan DotPlan::of(ModuleOp module, bool hasQuads) {
  Builder builder(module.getContext());
  Type i16 = builder.getI16Type(), i8 = builder.getI8Type();
  Type ui8 = builder.getIntegerType(8, /*isSigned=*/false);
  Type i32 = builder.getI32Type();
  DotPlan plan;
  SmallVector<Operation *> found;
  DenseMap<Value, int64_t> sizes;
  for (Operation *op : getGraphOps(module)) {
    if (!isa<Conv2dOp, DenseOp>(op) ||
        !isQuantized(getElements(op->getOperand(0))) ||
        op->getParentOfType<func::FuncOp>()->hasAttr(kTargetAttrName))
      continue;
    Value weight = op->getOperand(1);
    auto stored = weight.getDefiningOp<StorageCastOp>();
    std::optional<HostTensor> weights =
        stored ? getConstant(stored.getData()) : std::nullopt;
    auto [bias, isBiasKnown] = getStoredBias(op);
    // Layers that share weights read words of one size.
    if (!weights || !isBiasKnown || !weight.hasOneUse())
      continue;
    Type data = getElements(op->getOperand(0));
    HostTensor numbers =
        makeSteps(*weights, getElements(weight), builder.getF32Type());
    int64_t size = getDotSize(
        op, numbers,
        getSumBounds(numbers, getOutAxis(op), getMostSteps(data), bias), data);
    if (size == 0)
      continue;
    if (!hasQuads)
      size = 2;
    found.push_back(op);
    int64_t &common = sizes.try_emplace(op->getOperand(0), size).first->second;
    common = std::min(common, size);
  }
  for (Operation *op : found) {
    Value data = op->getOperand(0);
    bool isQuads = sizes.lookup(data) == 4;
    plan.layers.insert(op);
    plan.types[data] = isQuads ? ui8 : i16;
    plan.types[op->getOperand(1)] = isQuads ? i8 : i16;
    plan.types[op->getResult(0)] = i32;
    if (op->hasOneUse())
      if (auto add = dyn_cast<BiasAddOp>(*op->user_begin())) {
        plan.types[add.getResult()] = i32;
        if (add.getBias().hasOneUse())
          plan.types[add.getBias()] = i32;
      }
  }
  // The largest of some words is one of them: pools read and write as few bytes
  // as the layer after them.
  SmallVector<Operation *> all = getGraphOps(module);
  for (Operation *op : llvm::reverse(all)) {
    if (!isa<MaxPool2dOp>(op) || !op->getOperand(0).hasOneUse())
      continue;
    if (Type word = plan.types.lookup(op->getResult(0)))
      plan.types[op->getOperand(0)] = word;
  }
  return plan;
}
