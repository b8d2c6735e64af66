//===- LayoutConverter.cpp - Give a graph another layout ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One walk in the order of the text. A value has several forms, each a tensor
// that holds it permuted: that of the original graph, that which the converted
// operator computes, and any transpose that somebody asked for, which is made
// at the first request. Convolutions and pools ask for the wanted layout;
// operators to which the order of dimensions is nothing take their operands'
// converted form; all others ask for the original one. So transposes stand
// where the converted part ends and nowhere else, and a transpose of the graph
// is one more form of its operand: it costs nothing if the layouts on both its
// sides meet.
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
/// A tensor that holds a value with its dimensions permuted.
struct Form {
  Permutation permutation;
  Value tensor;
};

/// The forms of one value. The first is what others are made from.
struct Forms {
  SmallVector<Form, 2> list;
  /// The form that operators which take any should take, when it is not that of
  /// the original graph.
  std::optional<size_t> converted;
};

/// Converts one block.
class LayoutConverter {
public:
  LayoutConverter(const WantedLayouts &wanted, MLIRContext *context)
      : wanted(wanted), builder(context) {}

  LayoutCounts run(Block &block);

private:
  /// Both return whether they have dealt with `op`: what is converted computes
  /// another form of its result from now on, and has its type.
  bool convertWindow(Operation *op);
  bool convertAlong(Operation *op);
  /// Notes the tensor from before the transpose as one more form of its result.
  void convertTranspose(TransposeOp op);

  Forms &getForms(Value value);
  Value getForm(Value value, ArrayRef<int64_t> permutation);
  /// Returns the operand of an elementwise operator that broadcasts to the rank
  /// of `permutation`.
  Value getBroadcastForm(Value value, ArrayRef<int64_t> permutation);
  /// Gives what stays in the original layout its operands in it.
  void restoreOperands(Operation *op);
  void setForm(Value value, ArrayRef<int64_t> permutation);
  /// True for the permutation of data that the conversion brings about, or that
  /// a transpose of the graph undoes.
  bool isWantedPermutation(ArrayRef<int64_t> permutation) const;

  const WantedLayouts &wanted;
  OpBuilder builder;
  LayoutCounts counts;
  DenseMap<Value, Forms> forms;        ///< looked up only, never iterated
  SmallVector<TransposeOp> transposes; ///< those of the original graph
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
  // An input of the network has no layer; its transpose belongs to the first
  // one that asks for it.
  Location loc = value.getDefiningOp() ? value.getLoc()
                                       : builder.getInsertionPoint()->getLoc();
  Value tensor = TransposeOp::create(
      builder, loc, permute(base.tensor.getType(), axes), base.tensor, axes);
  counts.inserted += !isConstant;
  entry.list.push_back({Permutation(permutation), tensor});
  return tensor;
}

Value LayoutConverter::getBroadcastForm(Value value,
                                        ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(value.getType());
  // One element is the same in every layout.
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
  // A copy: the next lookup may move the forms.
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
  // From the last one, since one may be the other's only user.
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
