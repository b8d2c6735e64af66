//===- Equalize.cpp - Equal weight ranges across layers -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A tensor with one scale wastes bits if its channels have very different
// ranges. A factor of a channel can move from a layer to the next one, since
// relu(x * s) is relu(x) * s for a positive s. The factors here are powers of
// two: the float network computes the same bits.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"

#include "uma/Graph/IR/Window.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <algorithm>
#include <cmath>
#include <optional>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_EQUALIZEPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

/// Maximum number of rounds. A factor moves by one layer in each.
static constexpr unsigned kMaxRounds = 20;
/// Largest exponent of a factor in one round.
static constexpr double kMaxExponent = 10;

namespace {
/// Weights of a layer with the channels of each element.
struct Weights {
  Operation *layer = nullptr;
  HostTensor tensor;
  int64_t outputAxis = 0, inputAxis = 1, groups = 1;

  /// Returns the weights of a convolution or dense layer if they are an f32
  /// constant.
  static std::optional<Weights> of(Operation *op);
  int64_t getNumOutputs() const { return tensor.getShape()[outputAxis]; }
  int64_t getNumInputs() const { return tensor.getShape()[inputAxis] * groups; }
  int64_t getOutput(int64_t element) const {
    return getIndex(element, outputAxis);
  }
  int64_t getInput(int64_t element) const {
    int64_t group = getOutput(element) / (getNumOutputs() / groups);
    return group * tensor.getShape()[inputAxis] + getIndex(element, inputAxis);
  }

private:
  int64_t getIndex(int64_t element, int64_t axis) const {
    ArrayRef<int64_t> shape = tensor.getShape();
    for (int64_t size : shape.drop_front(axis + 1))
      element /= size;
    return element % shape[axis];
  }
};

struct EqualizePass : uma::graph::impl::EqualizePassBase<EqualizePass> {
  void runOnOperation() override;

private:
  /// Equalizes a layer and the one that reads its result. Returns whether a
  /// factor is not 1.
  bool equalize(Operation *op);
};
} // namespace

std::optional<Weights> Weights::of(Operation *op) {
  if (!isa_and_nonnull<Conv2dOp, DenseOp>(op))
    return std::nullopt;
  std::optional<HostTensor> constant = getConstant(op->getOperand(1));
  if (!constant || !constant->getElementType().isF32() ||
      !constant->allFinite() || !getElements(op->getResult(0)).isF32())
    return std::nullopt;
  Weights weights;
  weights.layer = op;
  weights.tensor = *constant;
  if (auto conv = dyn_cast<Conv2dOp>(op)) {
    auto layout = KernelLayout::parse(conv.getKernelLayout());
    weights.outputAxis = layout->o;
    weights.inputAxis = layout->i;
    weights.groups = conv.getGroups();
  }
  return weights;
}

bool EqualizePass::equalize(Operation *op) {
  std::optional<Weights> first = Weights::of(op);
  if (!first || !op->hasOneUse())
    return false;
  Operation *next = *op->user_begin();
  auto bias = dyn_cast<BiasAddOp>(next);
  std::optional<HostTensor> biases;
  if (bias) {
    biases = getConstant(bias.getBias());
    if (!biases || bias.getData() != op->getResult(0) || !bias->hasOneUse())
      return false;
    next = *bias->user_begin();
  }
  if (isa<ReluOp>(next)) {
    if (!next->hasOneUse())
      return false;
    next = *next->user_begin();
  }
  // A single use: the result is the data and no weights.
  std::optional<Weights> second = Weights::of(next);
  if (!second || isa<Conv2dOp>(op) != isa<Conv2dOp>(next) ||
      first->getNumOutputs() != second->getNumInputs())
    return false;

  int64_t channels = first->getNumOutputs();
  SmallVector<double> before(channels, 0), after(channels, 0);
  HostTensor &from = first->tensor, &to = second->tensor;
  for (int64_t i = 0, e = from.getNumElements(); i < e; ++i) {
    double &range = before[first->getOutput(i)];
    range = std::max(range, std::fabs(from.getDouble(i)));
  }
  for (int64_t i = 0, e = to.getNumElements(); i < e; ++i) {
    double &range = after[second->getInput(i)];
    range = std::max(range, std::fabs(to.getDouble(i)));
  }
  SmallVector<double> factors(channels, 1);
  bool changes = false;
  for (auto [factor, x, y] : llvm::zip_equal(factors, before, after)) {
    if (x == 0 || y == 0)
      continue;
    double exponent = std::trunc(std::log2(x / y) / 2);
    factor = std::exp2(std::clamp(exponent, -kMaxExponent, kMaxExponent));
    changes |= factor != 1;
  }
  if (!changes)
    return false;
  for (int64_t i = 0, e = from.getNumElements(); i < e; ++i)
    from.setDouble(i, from.getDouble(i) / factors[first->getOutput(i)]);
  for (int64_t i = 0, e = to.getNumElements(); i < e; ++i)
    to.setDouble(i, to.getDouble(i) * factors[second->getInput(i)]);
  OpBuilder builder(op);
  op->setOperand(1, createConstant(builder, op, "weight", from));
  if (bias) {
    for (auto [i, factor] : llvm::enumerate(factors))
      biases->setDouble(i, biases->getDouble(i) / factor);
    bias->setOperand(1, createConstant(builder, op, "bias", *biases));
  }
  builder.setInsertionPoint(next);
  next->setOperand(1, createConstant(builder, next, "weight", to));
  return true;
}

void EqualizePass::runOnOperation() {
  SmallVector<Operation *> layers;
  for (Operation *op : getGraphOps(getOperation()))
    if (isa<Conv2dOp, DenseOp>(op))
      layers.push_back(op);
  llvm::SmallPtrSet<Operation *, 16> equalized;
  bool changes = true;
  for (unsigned round = 0; round < kMaxRounds && changes; ++round) {
    changes = false;
    for (Operation *layer : layers)
      if (equalize(layer)) {
        changes = true;
        equalized.insert(layer);
      }
    eraseUnusedConstants(getOperation());
  }
  numEqualized += equalized.size();
}
