//===- LayoutConverter.cpp - Give a graph another layout ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The conversion is one walk in program order. A value has several forms, each
// a tensor that holds it with permuted dimensions: the form of the original
// graph, the form that a converted operator computes, and transposes, which are
// created on demand. Convolutions and pools request the wanted layout;
// layout-agnostic operators take the converted form of their operands; all
// others request the original form. Therefore transposes are created only at
// the borders of the converted part. A transpose of the graph adds a form to
// its operand and is removed if the layouts on both sides agree.
//
//===----------------------------------------------------------------------===//

#include "LayoutConverter.h"

#include "Layouts.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace {
/// Tensor that holds a value with permuted dimensions.
struct Form {
  Permutation permutation;
  Value tensor;
};

/// Forms of one value. Other forms are created from the first one.
struct Forms {
  SmallVector<Form, 2> list;
  /// Index of the form that layout-agnostic operators take, if it is not the
  /// form of the original graph.
  std::optional<size_t> converted;
};

/// Converts one block.
class LayoutConverter {
public:
  LayoutConverter(const WantedLayouts &wanted, MLIRContext *context)
      : wanted(wanted), builder(context) {}

  LayoutCounts run(Block &block);

private:
  /// Both convert `op`, which then computes another form of its result and has
  /// the type of this form. Return false if `op` is not converted.
  bool convertWindow(Operation *op);
  bool convertAlong(Operation *op);
  /// Adds the operand of the transpose as a form of its result.
  void convertTranspose(TransposeOp op);

  Forms &getForms(Value value);
  Value getForm(Value value, ArrayRef<int64_t> permutation);
  /// Returns the form of an operand of an elementwise operator that broadcasts
  /// to the rank of `permutation`.
  Value getBroadcastForm(Value value, ArrayRef<int64_t> permutation);
  /// Replaces the operands of `op`, which is not converted, by their original
  /// forms.
  void restoreOperands(Operation *op);
  void setForm(Value value, ArrayRef<int64_t> permutation);
  /// Returns whether `permutation` converts the other data layout to the wanted
  /// one.
  bool isWantedPermutation(ArrayRef<int64_t> permutation) const;

  const WantedLayouts &wanted;
  OpBuilder builder;
  LayoutCounts counts;
  DenseMap<Value, Forms> forms;        ///< looked up only, never iterated
  SmallVector<TransposeOp> transposes; ///< transposes of the original graph
};
} // namespace

static int64_t getRank(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank();
}

Forms &LayoutConverter::getForms(Value value) {
  Forms &entry = forms[value];
  if (entry.list.empty())
    entry.list.push_back({getIdentity(getRank(value)), value});
  return entry;
}

Value LayoutConverter::getForm(Value value, ArrayRef<int64_t> permutation) {
  Forms &entry = getForms(value);
  for (const Form &form : entry.list)
    if (form.permutation == permutation)
      return form.tensor;
  const Form &base = entry.list.front();
  Permutation axes = compose(getInverse(base.permutation), permutation);
  bool isConstant = value.getDefiningOp<ConstantOp>() != nullptr;
  // An input of the network has no layer; its transpose gets the location of
  // the first user.
  Location loc = value.getDefiningOp() ? value.getLoc()
                                       : builder.getInsertionPoint()->getLoc();
  Value tensor;
  if (auto stored = base.tensor.getDefiningOp<StorageCastOp>()) {
    // Transpose the integers: weights have a scale for each channel.
    Value data = stored.getData();
    isConstant = data.getDefiningOp<ConstantOp>() != nullptr;
    data = TransposeOp::create(builder, loc, permute(data.getType(), axes),
                               data, axes);
    tensor = StorageCastOp::create(builder, loc,
                                   permute(stored.getType(), axes), data);
  } else {
    tensor = TransposeOp::create(
        builder, loc, permute(base.tensor.getType(), axes), base.tensor, axes);
  }
  counts.inserted += !isConstant;
  entry.list.push_back({Permutation(permutation), tensor});
  return tensor;
}

Value LayoutConverter::getBroadcastForm(Value value,
                                        ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(value.getType());
  // A single element is the same in every layout.
  if (type.getNumElements() == 1)
    return getForm(value, getIdentity(type.getRank()));
  auto rank = static_cast<int64_t>(permutation.size());
  if (type.getRank() == rank)
    return getForm(value, permutation);
  Value data = getForm(value, getIdentity(type.getRank()));
  SmallVector<int64_t> shape(rank - type.getRank(), 1);
  llvm::append_range(shape, cast<RankedTensorType>(data.getType()).getShape());
  auto reshaped = ReshapeOp::create(
      builder, value.getLoc(),
      RankedTensorType::get(shape, type.getElementType()), data, shape);
  Value tensor = TransposeOp::create(
      builder, value.getLoc(), permute(reshaped.getType(), permutation),
      reshaped, SmallVector<int64_t>(permutation));
  counts.inserted += value.getDefiningOp<ConstantOp>() == nullptr;
  return tensor;
}

void LayoutConverter::setForm(Value value, ArrayRef<int64_t> permutation) {
  value.setType(permute(value.getType(), permutation));
  Forms &entry = forms[value];
  entry.list.assign({{Permutation(permutation), value}});
  if (!isIdentity(permutation))
    entry.converted = 0;
}

void LayoutConverter::restoreOperands(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    if (forms.contains(operand.get()))
      operand.set(getForm(operand.get(), getIdentity(getRank(operand.get()))));
  if (op->getNumRegions() == 0 || op->hasTrait<OpTrait::IsIsolatedFromAbove>())
    return;
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    if (forms.contains(value)) {
      Value original = getForm(value, getIdentity(getRank(value)));
      for (Region &region : op->getRegions())
        replaceAllUsesInRegionWith(value, original, region);
    }
}

bool LayoutConverter::isWantedPermutation(ArrayRef<int64_t> permutation) const {
  if (wanted.data.empty() ||
      (permutation.size() != 4 && permutation.size() != 5))
    return false;
  auto rank = static_cast<int64_t>(permutation.size());
  StringRef other = wanted.data == "NHWC" ? "NCHW" : "NHWC";
  return permutation ==
         ArrayRef(getPermutation(getLayoutOfRank(other, rank),
                                 getLayoutOfRank(wanted.data, rank)));
}

bool LayoutConverter::convertWindow(Operation *op) {
  StringRef from = getDataLayout(op);
  StringRef name = op->getName().getStringRef().rsplit('.').second;
  if (from.empty() || (!wanted.ops.empty() && !wanted.ops.contains(name)))
    return false;
  auto rank = static_cast<int64_t>(from.size());
  std::string to =
      wanted.data.empty() ? from.str() : getLayoutOfRank(wanted.data, rank);
  Permutation permutation = getPermutation(from, to);
  bool isChanged = from != to;
  op->setOperand(0, getForm(op->getOperand(0), permutation));
  setDataLayout(op, to);
  if (StringRef kernelFrom = getKernelLayout(op); !kernelFrom.empty()) {
    std::string kernelTo = wanted.kernel.empty()
                               ? kernelFrom.str()
                               : getLayoutOfRank(wanted.kernel, rank);
    isChanged |= kernelFrom != kernelTo;
    op->setOperand(
        1, getForm(op->getOperand(1), getPermutation(kernelFrom, kernelTo)));
    setKernelLayout(op, kernelTo);
  }
  setForm(op->getResult(0), permutation);
  counts.converted += isChanged;
  return true;
}

void LayoutConverter::convertTranspose(TransposeOp op) {
  transposes.push_back(op);
  Permutation axes = getInverse(op.getAxes());
  Forms &data = getForms(op.getData());
  // Copied, because the next lookup may invalidate the reference.
  Form base = data.list[data.converted.value_or(0)];
  Permutation permutation = compose(axes, base.permutation);
  Forms &result = forms[op.getResult()];
  if (base.tensor == op.getData() && isIdentity(base.permutation))
    result.list.push_back({getIdentity(axes.size()), op.getResult()});
  if (isWantedPermutation(permutation))
    result.converted = result.list.size();
  result.list.push_back({permutation, base.tensor});
}

bool LayoutConverter::convertAlong(Operation *op) {
  unsigned permutable = getNumPermutableOperands(op);
  if (permutable == 0)
    return false;
  bool broadcasts = op->hasTrait<Elementwise>();
  int64_t rank = getRank(broadcasts ? op->getResult(0) : op->getOperand(0));
  std::optional<Permutation> permutation;
  for (Value operand : op->getOperands().take_front(permutable)) {
    auto it = forms.find(operand);
    if (it == forms.end() || !it->second.converted || getRank(operand) != rank)
      continue;
    permutation = it->second.list[*it->second.converted].permutation;
    break;
  }
  if (!permutation)
    return false;
  std::optional<Permutation> result = permuteAttributes(op, *permutation);
  if (!result)
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (operand.getOperandNumber() >= permutable)
      operand.set(getForm(value, getIdentity(getRank(value))));
    else
      operand.set(broadcasts ? getBroadcastForm(value, *permutation)
                             : getForm(value, *permutation));
  }
  setForm(op->getResult(0), *result);
  ++counts.along;
  return true;
}

LayoutCounts LayoutConverter::run(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    builder.setInsertionPoint(&op);
    if (isa<ConstantOp>(op) || convertWindow(&op))
      continue;
    if (auto transpose = dyn_cast<TransposeOp>(op))
      convertTranspose(transpose);
    else if (!convertAlong(&op))
      restoreOperands(&op);
  }
  // In reverse order, because a transpose may be the only user of another.
  for (TransposeOp transpose : llvm::reverse(transposes))
    if (transpose->use_empty()) {
      transpose.erase();
      ++counts.removed;
    }
  return counts;
}

LayoutCounts graph::convertLayouts(Block &block, const WantedLayouts &wanted) {
  return LayoutConverter(wanted, block.getParentOp()->getContext()).run(block);
}
