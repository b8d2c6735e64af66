//===- ArenaModel.cpp - Memory that a graph needs at least ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Every step of every stripe is a point in time. Memory is counted in pieces
// that begin and end to live together: the result of a step in one stripe, and
// single rows of tensors that stripes read.
//
//===----------------------------------------------------------------------===//

#include "ArenaModel.h"

#include "uma/CPU/Transforms/Passes.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/HostTensor.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace uma;

SmallVector<Operation *> StripedChain::getBegins() const {
  llvm::DenseSet<Operation *> members(ops.begin(), ops.end());
  SmallVector<Operation *> begins;
  for (Operation *op : ops)
    for (Value operand : op->getOperands()) {
      Operation *begin = operand.getDefiningOp();
      if (begin && !isa<graph::ConstantOp>(begin) && !members.contains(begin) &&
          !llvm::is_contained(begins, begin))
        begins.push_back(begin);
    }
  return begins;
}

/// Returns the tensor whose memory `value` shares.
static Value getShared(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<graph::ReshapeOp, graph::BatchFlattenOp, graph::StridedSliceOp>(
            op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

ArenaModel::ArenaModel(func::FuncOp function, bool formsLayers,
                       bool placesArguments) {
  Block &block = function.getBody().front();
  // Operators of layers, and the layer that ends with an operator.
  llvm::DenseSet<Operation *> inside;
  llvm::DenseMap<Operation *, size_t> layerOf;
  SmallVector<CPULayer> layers;
  if (formsLayers)
    layers = cpu::findLayers(block);
  for (auto [i, layer] : llvm::enumerate(layers)) {
    inside.insert(layer.prologue.begin(), layer.prologue.end());
    inside.insert(layer.ops.begin(), layer.ops.end());
    layerOf[layer.ops.back()] = i;
  }
  if (placesArguments)
    for (BlockArgument argument : block.getArguments())
      addTensor(argument, /*isInput=*/true);
  for (Operation &op : block.without_terminator()) {
    bool isView = isa<graph::ReshapeOp, graph::BatchFlattenOp,
                      graph::StridedSliceOp, graph::ConstantOp>(op);
    auto layer = layerOf.find(&op);
    if (isView || (inside.contains(&op) && layer == layerOf.end()))
      continue;
    ArenaStep &step = steps.emplace_back();
    if (layer != layerOf.end()) {
      ArrayRef<Operation *> prologue = layers[layer->second].prologue;
      step.ops.append(prologue.begin(), prologue.end());
      ArrayRef<Operation *> ops = layers[layer->second].ops;
      step.ops.append(ops.begin(), ops.end());
    } else {
      step.ops.push_back(&op);
    }
    for (Value result : op.getResults())
      addTensor(result, /*isInput=*/false);
  }
  for (Value output : block.getTerminator()->getOperands())
    if (auto tensor = getTensor(output)) {
      tensors[*tensor].isOutput = true;
      if (!placesArguments)
        tensors[*tensor].bytes = 0;
    }
}

void ArenaModel::addTensor(Value value, bool isInput) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t elementBytes = HostTensor::getElementSize(type.getElementType());
  tensorOf[value] = tensors.size();
  tensors.push_back({value, type.getNumElements() * elementBytes, isInput});
}

std::optional<size_t> ArenaModel::getTensor(Value value) const {
  auto found = tensorOf.find(getShared(value));
  return found == tensorOf.end() ? std::nullopt : std::optional(found->second);
}

/// Runs the steps and collects when the tensors live.
class ArenaModel::Simulation {
public:
  explicit Simulation(const ArenaModel &model);

  void run(size_t index);
  void run(const StripedChain &chain, ArrayRef<size_t> members);
  /// Returns the most bytes live at each step.
  SmallVector<int64_t> finish();

private:
  /// Time at which memory is written, and at which it is read for the last
  /// time.
  struct Life {
    int64_t begin = -1, end = -1;
  };
  /// Tensor that exists as a whole, and lives of its rows if they differ.
  struct Whole : Life {
    std::vector<Life> rows;
  };

  int64_t advance(size_t step) {
    stepAt.push_back(step);
    return int64_t(stepAt.size()) - 1;
  }
  /// Returns those of the rows that the tensor has.
  MutableArrayRef<Life> getRows(size_t tensor, graph::RowRange range);
  void add(Life life, int64_t bytes);

  const ArenaModel &model;
  std::vector<Whole> tensors;
  /// Pieces of memory, in bytes, with their lives.
  std::vector<std::pair<Life, int64_t>> pieces;
  /// The step at each time. Time 0 is the call of the network.
  std::vector<size_t> stepAt = {0};
};

ArenaModel::Simulation::Simulation(const ArenaModel &model)
    : model(model), tensors(model.tensors.size()) {
  for (auto [tensor, whole] : llvm::zip_equal(model.tensors, tensors))
    if (tensor.isInput)
      whole.begin = 0;
}

MutableArrayRef<ArenaModel::Simulation::Life>
ArenaModel::Simulation::getRows(size_t tensor, graph::RowRange range) {
  std::vector<Life> &rows = tensors[tensor].rows;
  if (rows.empty())
    rows.resize(*graph::getNumRows(model.tensors[tensor].value));
  int64_t count = rows.size();
  int64_t begin = std::clamp<int64_t>(range.begin, 0, count);
  int64_t end = std::clamp<int64_t>(range.end, begin, count);
  return MutableArrayRef(rows).slice(begin, end - begin);
}

void ArenaModel::Simulation::run(size_t index) {
  const ArenaStep &step = model.steps[index];
  int64_t now = advance(index);
  for (Operation *op : step.ops)
    for (Value operand : op->getOperands())
      if (auto tensor = model.getTensor(operand))
        tensors[*tensor].end = now;
  for (Value result : step.getResultOp()->getResults())
    if (auto tensor = model.getTensor(result))
      tensors[*tensor].begin = now;
}

void ArenaModel::Simulation::run(const StripedChain &chain,
                                 ArrayRef<size_t> members) {
  llvm::DenseSet<Operation *> inside(chain.ops.begin(), chain.ops.end());
  Value result = chain.ops.back()->getResult(0);
  for (const graph::Stripe &stripe : chain.stripes) {
    llvm::MapVector<size_t, Life> lives;
    for (size_t member : members) {
      int64_t now = advance(member);
      const ArenaStep &step = model.steps[member];
      for (Operation *op : step.ops)
        for (OpOperand &operand : op->getOpOperands()) {
          auto tensor = model.getTensor(operand.get());
          if (!tensor)
            continue;
          // Rows are only defined for the operators of the chain.
          std::optional<graph::RowRange> rows;
          if (inside.contains(op))
            rows =
                graph::getOperandRows(operand, stripe.lookup(op->getResult(0)));
          if (inside.contains(operand.get().getDefiningOp()))
            lives[*tensor].end = now;
          else if (rows && model.tensors[*tensor].value == operand.get())
            for (Life &row : getRows(*tensor, *rows))
              row.end = now;
          else
            tensors[*tensor].end = now;
        }
      if (auto tensor = model.getTensor(step.getResultOp()->getResult(0)))
        lives[*tensor].begin = now;
    }
    for (auto [tensor, life] : lives) {
      Value value = model.tensors[tensor].value;
      graph::RowRange rows = stripe.lookup(value);
      int64_t rowBytes =
          model.tensors[tensor].bytes / *graph::getNumRows(value);
      if (value != result)
        add(life, rowBytes * rows.getSize());
      else
        for (Life &row : getRows(tensor, rows))
          row.begin = life.begin;
    }
  }
}

void ArenaModel::Simulation::add(Life life, int64_t bytes) {
  if (life.begin >= 0)
    pieces.push_back({{life.begin, std::max(life.begin, life.end)}, bytes});
}

SmallVector<int64_t> ArenaModel::Simulation::finish() {
  auto end = int64_t(stepAt.size());
  for (auto [tensor, whole] : llvm::zip_equal(model.tensors, tensors)) {
    if (tensor.isOutput)
      whole.end = end;
    if (whole.rows.empty())
      add(whole, tensor.bytes);
    for (Life row : whole.rows)
      add({std::max(row.begin, whole.begin), std::max(row.end, whole.end)},
          tensor.bytes / int64_t(whole.rows.size()));
  }
  // The result of a step replaces the inputs that no later step reads.
  std::vector<int64_t> through(end + 2), written(end + 1), dying(end + 1);
  for (auto [life, bytes] : pieces) {
    written[life.begin] += bytes;
    if (life.begin == life.end)
      continue;
    dying[life.end] += bytes;
    through[life.begin + 1] += bytes;
    through[life.end] -= bytes;
  }
  SmallVector<int64_t> live(model.steps.size());
  int64_t bytes = 0;
  for (int64_t time = 0; time < end; ++time) {
    bytes += through[time];
    int64_t &most = live[stepAt[time]];
    most = std::max(most, bytes + std::max(written[time], dying[time]));
  }
  return live;
}

SmallVector<int64_t>
ArenaModel::getLiveBytes(ArrayRef<const StripedChain *> chains) const {
  Simulation simulation(*this);
  llvm::DenseMap<size_t, SmallVector<size_t>> members;
  llvm::DenseSet<size_t> striped;
  for (const StripedChain *chain : chains) {
    llvm::DenseSet<Operation *> inside(chain->ops.begin(), chain->ops.end());
    for (size_t step = chain->first; step <= chain->last; ++step)
      if (inside.contains(steps[step].getResultOp())) {
        members[chain->last].push_back(step);
        striped.insert(step);
      }
  }
  for (size_t step = 0; step < steps.size(); ++step) {
    if (!striped.contains(step)) {
      simulation.run(step);
      continue;
    }
    for (const StripedChain *chain : chains)
      if (chain->last == step)
        simulation.run(*chain, members[step]);
  }
  return simulation.finish();
}
