//===- CombineParallel.cpp - Make one layer of several --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The layers of a group are combined at the position of the first one. Then the
// operators behind them are combined as long as all branches continue with the
// same operator. Slices of the last combined operator replace the ends of the
// branches. All numbers are computed from the same operands in the same order
// as before.
//
//===----------------------------------------------------------------------===//

#include "CombineParallel.h"

#include "Constants.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

LogicalResult graph::checkMinBranches(MLIRContext *context, StringRef pass,
                                      int64_t minBranches) {
  if (minBranches >= 2)
    return success();
  return emitError(UnknownLoc::get(context))
         << pass << ": min-branches is " << minBranches
         << ", expected 2 or more";
}

/// Returns `type` with the size of dimension `axis` replaced by `size`.
static RankedTensorType withSize(RankedTensorType type, int64_t axis,
                                 int64_t size) {
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = size;
  return type.clone(shape);
}

namespace {
/// Key of a group: data, block, attributes, and the type of the weights without
/// the size of the combined dimension. Attributes and types are uniqued, so
/// comparisons are cheap.
using GroupKey = std::tuple<Value, Block *, Attribute, Type>;

/// Combines one group of layers and the operators behind them.
class ParallelGroup {
public:
  ParallelGroup(ArrayRef<Operation *> layers, ParallelLayer layer)
      : layer(layer), tips(layers), builder(layers.front()) {}

  /// Combines the layers. Returns false without changes if some weights are
  /// computed after the first layer.
  bool combineLayers();
  /// Combines the operators behind the tips. Returns false without changes if
  /// they differ.
  bool combineFollowers();
  /// Replaces the tips by slices of the combined operator.
  void finish();

private:
  /// Returns whether `values` dominate the combined operator, after moving
  /// constants in front of it.
  bool makeAvailable(ArrayRef<Value> values);
  Value concatenate(ArrayRef<Value> values, int64_t axis);
  /// Returns the combined operand for operand `index` of `followers`, which is
  /// not the data of the branches. Returns null if the operands cannot be
  /// combined.
  Value combineOperand(ArrayRef<Operation *> followers, unsigned index);
  /// Replaces the tips by `ops` and the combined operator by one with
  /// `operands`.
  void advance(ArrayRef<Operation *> ops, ArrayRef<Value> operands);
  Location getLoc(ArrayRef<Operation *> ops) {
    return builder.getFusedLoc(llvm::map_to_vector(
        ops, [](Operation *op) -> Location { return op->getLoc(); }));
  }

  ParallelLayer layer;
  SmallVector<Operation *> tips; ///< Last combined operator of each branch.
  SmallVector<Operation *> dead; ///< Combined operators, operands before users.
  Operation *combined = nullptr;
  OpBuilder builder; ///< Inserts in front of the first layer.
};
} // namespace

bool ParallelGroup::makeAvailable(ArrayRef<Value> values) {
  Operation *place = &*builder.getInsertionPoint();
  auto isLate = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return op && op->getBlock() == place->getBlock() &&
           !op->isBeforeInBlock(place);
  };
  for (Value value : values)
    if (isLate(value) && !value.getDefiningOp<ConstantOp>())
      return false;
  for (Value value : values)
    if (isLate(value))
      value.getDefiningOp()->moveBefore(place);
  return true;
}

Value ParallelGroup::concatenate(ArrayRef<Value> values, int64_t axis) {
  int64_t size = 0;
  for (Value value : values)
    size += getTensorType(value).getDimSize(axis);
  return ConcatenateOp::create(
      builder, getLoc(tips),
      withSize(getTensorType(values.front()), axis, size), values, axis);
}

void ParallelGroup::advance(ArrayRef<Operation *> ops,
                            ArrayRef<Value> operands) {
  int64_t size = 0;
  for (Operation *op : ops)
    size += getTensorType(op->getResult(0)).getDimSize(layer.resultAxis);
  OperationState state(getLoc(ops), ops.front()->getName());
  state.addOperands(operands);
  state.addTypes(withSize(getTensorType(ops.front()->getResult(0)),
                          layer.resultAxis, size));
  state.addAttributes(ops.front()->getAttrDictionary().getValue());
  combined = builder.create(state);
  dead.append(tips.begin(), tips.end());
  tips.assign(ops.begin(), ops.end());
}

bool ParallelGroup::combineLayers() {
  SmallVector<Operation *> layers = tips;
  SmallVector<Value> weights = llvm::map_to_vector(
      layers, [](Operation *op) { return op->getOperand(1); });
  if (!makeAvailable(weights))
    return false;
  Value weight = concatenate(weights, layer.weightAxis);
  advance(layers, {layers.front()->getOperand(0), weight});
  dead.clear();
  return true;
}

Value ParallelGroup::combineOperand(ArrayRef<Operation *> followers,
                                    unsigned index) {
  SmallVector<Value> values = llvm::map_to_vector(
      followers, [&](Operation *op) { return op->getOperand(index); });
  // Importers create one constant per use.
  auto getIdentity = [](Value value) -> const void * {
    auto constant = value.getDefiningOp<ConstantOp>();
    return constant ? constant.getValue().getAsOpaquePointer()
                    : value.getAsOpaquePointer();
  };
  RankedTensorType resultType = getTensorType(followers.front()->getResult(0));
  bool isBias = isa<BiasAddOp>(followers.front());
  int64_t axis = isBias ? 0
                        : layer.resultAxis - resultType.getRank() +
                              getTensorType(values.front()).getRank();
  bool perChannel =
      isBias ||
      (axis >= 0 && getTensorType(values.front()).getDimSize(axis) != 1);
  for (auto [value, follower] : llvm::zip_equal(values, followers)) {
    if (!perChannel) {
      if (getIdentity(value) != getIdentity(values.front()))
        return nullptr;
      continue;
    }
    RankedTensorType type = getTensorType(value);
    int64_t channels =
        getTensorType(follower->getResult(0)).getDimSize(layer.resultAxis);
    // Joining computed tensors would cost more than it saves.
    if (!value.getDefiningOp<ConstantOp>() || type.getRank() <= axis ||
        type.getDimSize(axis) != channels ||
        withSize(type, axis, 1) !=
            withSize(getTensorType(values.front()), axis, 1))
      return nullptr;
  }
  if (!makeAvailable(values))
    return nullptr;
  return perChannel ? concatenate(values, axis) : values.front();
}

/// Returns whether `op` computes the same function of each channel along `axis`
/// as `reference`, except for the values of constants.
static bool isAlike(Operation *op, Operation *reference, int64_t axis) {
  if (op->getName() != reference->getName())
    return false;
  if (auto bias = dyn_cast<BiasAddOp>(op))
    return getPositiveAxis(static_cast<int64_t>(bias.getAxis()),
                           bias.getResult().getType().getRank()) == axis;
  return op->hasTrait<Elementwise>() &&
         op->getAttrDictionary() == reference->getAttrDictionary();
}

bool ParallelGroup::combineFollowers() {
  SmallVector<Operation *> followers;
  unsigned dataIndex = 0;
  for (Operation *tip : tips) {
    if (!tip->hasOneUse())
      return false;
    OpOperand &use = *tip->use_begin();
    Operation *op = use.getOwner();
    if (followers.empty())
      dataIndex = use.getOperandNumber();
    followers.push_back(op);
    // Broadcasting would move the channels; another block may not execute.
    if (!isAlike(op, followers.front(), layer.resultAxis) ||
        use.getOperandNumber() != dataIndex ||
        op->getBlock() != tip->getBlock() ||
        getTensorType(op->getResult(0)).getShape() !=
            getTensorType(tip->getResult(0)).getShape())
      return false;
  }
  if (isa<BiasAddOp>(followers.front()) && dataIndex != 0)
    return false;
  SmallVector<Value> operands;
  for (unsigned i = 0, e = followers.front()->getNumOperands(); i != e; ++i) {
    Value operand =
        i == dataIndex ? combined->getResult(0) : combineOperand(followers, i);
    if (!operand) {
      // Erase operands of a `where` that were combined before this one failed.
      for (Value unused : operands)
        if (unused.use_empty() && unused.getDefiningOp<ConcatenateOp>())
          unused.getDefiningOp()->erase();
      return false;
    }
    operands.push_back(operand);
  }
  advance(followers, operands);
  return true;
}

void ParallelGroup::finish() {
  RankedTensorType whole = getTensorType(combined->getResult(0));
  SmallVector<int64_t> begin(whole.getRank(), 0), strides(whole.getRank(), 1);
  for (Operation *tip : tips) {
    RankedTensorType type = getTensorType(tip->getResult(0));
    Value slice = StridedSliceOp::create(builder, tip->getLoc(), type,
                                         combined->getResult(0), begin,
                                         type.getShape(), strides);
    begin[layer.resultAxis] += type.getDimSize(layer.resultAxis);
    tip->getResult(0).replaceAllUsesWith(slice);
  }
  dead.append(tips.begin(), tips.end());
  for (Operation *op : llvm::reverse(dead))
    op->erase();
}

CombineParallelCounts graph::combineParallelLayers(
    ModuleOp module, size_t minBranches,
    function_ref<std::optional<ParallelLayer>(Operation *)> describe) {
  // In program order: the first layer of a group gives its position.
  llvm::MapVector<GroupKey, SmallVector<Operation *>> groups;
  for (Operation *op : getGraphOps(module)) {
    std::optional<ParallelLayer> layer = describe(op);
    if (!layer)
      continue;
    Type kernel =
        withSize(getTensorType(op->getOperand(1)), layer->weightAxis, 1);
    groups[{op->getOperand(0), op->getBlock(), op->getAttrDictionary(), kernel}]
        .push_back(op);
  }
  CombineParallelCounts counts;
  for (auto &[key, layers] : groups) {
    if (layers.size() < minBranches)
      continue;
    ParallelGroup group(layers, *describe(layers.front()));
    if (!group.combineLayers())
      continue;
    counts.layers += layers.size();
    while (group.combineFollowers())
      counts.followers += layers.size();
    group.finish();
  }
  eraseUnusedConstants(module);
  return counts;
}
