//===- CompositeBuilder.cpp - Composites of a match -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CompositeBuilder.h"

#include "LayoutViews.h"

#include "uma/Accel/Partition/Assignment.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

SmallVector<SmallVector<CompositeBuilder::Slice>>
CompositeBuilder::getPieces() const {
  SmallVector<SmallVector<Slice>> pieces(1);
  for (const Match::Split &split : match.splits) {
    SmallVector<SmallVector<Slice>> longer;
    for (const SmallVector<Slice> &piece : pieces)
      for (int64_t offset = 0; offset < split.size; offset += split.limit) {
        longer.push_back(piece);
        longer.back().push_back(
            {offset, std::min(split.limit, split.size - offset)});
      }
    pieces = std::move(longer);
  }
  return pieces;
}

static Location getLocation(const Match &match) {
  SmallVector<Location> locs = llvm::map_to_vector(
      match.ops, [](Operation *op) { return op->getLoc(); });
  return OpBuilder(PatternOp(match.pattern).getContext()).getFusedLoc(locs);
}

CompositeBuilder::CompositeBuilder(const Match &match)
    : match(match), pattern(match.pattern), loc(getLocation(match)) {
  findInputs();
}

void CompositeBuilder::findInputs() {
  for (InputOp input : pattern.getBody().getOps<InputOp>()) {
    Value value = match.tensors.lookup(input);
    if (!value)
      continue;
    bool isSliced = llvm::any_of(match.splits, [&](const Match::Split &split) {
      return split.axes.contains(input);
    });
    bool hasBorder =
        isSliced || input.getLayout() || match.getPadding(input.getResult());
    Input entry{hasBorder ? input.getResult() : Value(), value};
    if (llvm::none_of(inputs, [&](const Input &other) {
          return other.tensor == entry.tensor && other.value == entry.value;
        }))
      inputs.push_back(entry);
  }
}

/// Returns the index of the composite's input for an operand of the match, or
/// the number of inputs if the operand is not an input.
unsigned CompositeBuilder::getInput(OpOperand &operand) const {
  Value tensor = match.getChosenTensor(match.operands.lookup(&operand));
  if (!tensor.getDefiningOp<InputOp>())
    return inputs.size();
  // Use the match's value: an earlier composite may have replaced the operand.
  Value value = match.tensors.lookup(tensor);
  const Input *found = llvm::find_if(inputs, [&](const Input &input) {
    return input.value == value && (!input.tensor || input.tensor == tensor);
  });
  return found - inputs.begin();
}

/// Returns the element type of a slice: the scales of its channels.
static Type sliceElement(Type element, int64_t axis,
                         CompositeBuilder::Slice slice) {
  auto perAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(element);
  if (!perAxis || perAxis.getQuantizedDimension() != axis)
    return element;
  return quant::UniformQuantizedPerAxisType::get(
      perAxis.getFlags(), perAxis.getStorageType(), perAxis.getExpressedType(),
      perAxis.getScales().slice(slice.offset, slice.size),
      perAxis.getZeroPoints().slice(slice.offset, slice.size), int32_t(axis),
      perAxis.getStorageTypeMin(), perAxis.getStorageTypeMax());
}

/// Returns the type of a slice of `tensor`, which is an input of the pattern or
/// a result of the match.
RankedTensorType CompositeBuilder::getSlicedType(RankedTensorType type,
                                                 Value tensor,
                                                 ArrayRef<Slice> piece) const {
  SmallVector<int64_t> shape(type.getShape());
  Type element = type.getElementType();
  for (auto [slice, split] : llvm::zip_equal(piece, match.splits))
    if (auto axis = split.axes.find(tensor); axis != split.axes.end()) {
      shape[axis->second] = slice.size;
      element = sliceElement(element, axis->second, slice);
    }
  return RankedTensorType::get(shape, element);
}

/// Returns the type of an input in the composite's body, in the graph's layout.
RankedTensorType CompositeBuilder::getGraphType(const Input &input,
                                                ArrayRef<Slice> piece) const {
  auto type = cast<RankedTensorType>(input.value.getType());
  if (!input.tensor)
    return type;
  return match.addPadding(input.tensor,
                          getSlicedType(type, input.tensor, piece));
}

static std::optional<AffineMap> getInputLayout(Value tensor) {
  return tensor ? tensor.getDefiningOp<InputOp>().getLayout() : std::nullopt;
}

graph::CompositeOp CompositeBuilder::createComposite(OpBuilder &builder,
                                                     ValueRange operands,
                                                     ArrayRef<Slice> piece) {
  SmallVector<Type> types;
  for (Value result : match.results)
    types.push_back(getDeviceType(
        getSlicedType(cast<RankedTensorType>(result.getType()), result, piece),
        match.getOutputLayout(result)));
  auto reference =
      SymbolRefAttr::get(getAccelerator(pattern).getSymNameAttr(),
                         {FlatSymbolRefAttr::get(pattern.getSymNameAttr())});
  auto composite =
      graph::CompositeOp::create(builder, loc, types, operands, reference);
  Block &body = composite.getBody().emplaceBlock();
  OpBuilder inner = OpBuilder::atBlockEnd(&body);
  SmallVector<Value> values;
  for (const Input &input : inputs) {
    RankedTensorType type = getGraphType(input, piece);
    std::optional<AffineMap> layout = getInputLayout(input.tensor);
    Value argument = body.addArgument(getDeviceType(type, layout), loc);
    values.push_back(
        layout ? convertFromDevice(inner, loc, argument, type, *layout)
               : argument);
  }
  IRMapping made;
  for (Operation *op : match.ops) {
    SmallVector<Value> newOperands;
    for (OpOperand &operand : op->getOpOperands()) {
      unsigned index = getInput(operand);
      if (index < inputs.size()) {
        newOperands.push_back(values[index]);
        continue;
      }
      // Copy constants that the pattern matches by value: they are not inputs.
      if (!made.contains(operand.get())) {
        inner.clone(*operand.get().getDefiningOp(), made);
        copiedConstants.insert(operand.get().getDefiningOp());
      }
      newOperands.push_back(made.lookup(operand.get()));
    }
    Operation *copy = inner.clone(*op);
    copy->setOperands(newOperands);
    Value result = op->getResult(0);
    copy->getResult(0).setType(
        getSlicedType(cast<RankedTensorType>(result.getType()), result, piece));
    if (auto sliceable = dyn_cast<graph::SliceableOpInterface>(copy);
        sliceable && !piece.empty())
      sliceable.adaptToSlices();
    if (llvm::any_of(match.paddings, [&](const Match::Padding &padding) {
          return padding.op == op;
        })) {
      size_t sides = copy->getAttrOfType<DenseI64ArrayAttr>("padding").size();
      copy->setAttr("padding",
                    inner.getDenseI64ArrayAttr(SmallVector<int64_t>(sides, 0)));
    }
    made.map(result, copy->getResult(0));
  }
  SmallVector<Value> yielded;
  for (Value result : match.results) {
    Value value = made.lookup(result);
    if (std::optional<AffineMap> layout = match.getOutputLayout(result))
      value = convertToDevice(inner, loc, value, *layout);
    yielded.push_back(value);
  }
  graph::YieldOp::create(inner, match.result.getLoc(), yielded);
  return composite;
}

graph::CompositeOp CompositeBuilder::buildTrial(ArrayRef<Slice> piece) {
  OpBuilder builder(pattern.getContext());
  return createComposite(
      builder,
      llvm::map_to_vector(inputs,
                          [](const Input &input) { return input.value; }),
      piece);
}

static Value pad(OpBuilder &builder, Location loc, Value value, Type element,
                 const Match::Padding &padding, ArrayRef<int64_t> before,
                 ArrayRef<int64_t> after) {
  bool isStored = isQuantized(getElementTypeOrSelf(value.getType()));
  value = convertToStorage(builder, loc, value);
  value = markBorder(graph::PadOp::create(
      builder, loc, value, before, after,
      getStoredNumber(element, padding.number), "constant"));
  if (!isStored)
    return value;
  auto shape = cast<RankedTensorType>(value.getType()).getShape();
  return convertFromStorage(builder, loc, value,
                            RankedTensorType::get(shape, element));
}

/// Returns whether the layout maps each padded dimension to one whole
/// dimension.
static bool keepsWhole(AffineMap layout, const Match::Padding &padding) {
  return llvm::all_of(
      llvm::seq<unsigned>(0, layout.getNumDims()), [&](unsigned dim) {
        if (padding.before[dim] == 0 && padding.after[dim] == 0)
          return true;
        return llvm::any_of(layout.getResults(), [&](AffineExpr result) {
          auto whole = dyn_cast<AffineDimExpr>(result);
          return whole && whole.getPosition() == dim;
        });
      });
}

/// Permutes numbers of the graph's dimensions to the layout's order. The layout
/// must keep dimensions with non-zero numbers whole.
static SmallVector<int64_t> permute(AffineMap layout,
                                    ArrayRef<int64_t> numbers) {
  return llvm::map_to_vector(layout.getResults(), [&](AffineExpr result) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    return dim ? numbers[dim.getPosition()] : 0;
  });
}

Value CompositeBuilder::convertInput(OpBuilder &builder, const Input &input,
                                     Value value, ArrayRef<Slice> piece,
                                     DeviceValues &onDevice) {
  if (!input.tensor)
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> begin(type.getRank()), size(type.getShape());
  for (auto [slice, split] : llvm::zip_equal(piece, match.splits))
    if (auto axis = split.axes.find(input.tensor); axis != split.axes.end()) {
      begin[axis->second] = slice.offset;
      size[axis->second] = slice.size;
    }
  if (ArrayRef(size) != type.getShape()) {
    RankedTensorType sliced = getSlicedType(type, input.tensor, piece);
    value = convertToStorage(builder, loc, value);
    value = markBorder(
        graph::StridedSliceOp::create(builder, loc, value, begin, size,
                                      SmallVector<int64_t>(type.getRank(), 1)));
    value = convertFromStorage(builder, loc, value, sliced);
  }
  const Match::Padding *padding = match.getPadding(input.tensor);
  std::optional<AffineMap> layout = getInputLayout(input.tensor);
  // Pad after the layout conversion if possible: the unpadded tensor may be in
  // the layout already.
  bool padsLast = padding && layout && keepsWhole(*layout, *padding);
  if (padding && !padsLast)
    value = pad(builder, loc, value, type.getElementType(), *padding,
                padding->before, padding->after);
  if (!layout)
    return value;
  // Reuse the converted tensor of a device or another match.
  Value &device = onDevice[{value, *layout}];
  if (!device)
    device = convertToDevice(builder, loc, value, *layout);
  if (!padsLast)
    return device;
  return pad(builder, loc, device, type.getElementType(), *padding,
             permute(*layout, padding->before),
             permute(*layout, padding->after));
}

void CompositeBuilder::build(llvm::DenseMap<Value, Value> &replaced,
                             DeviceValues &onDevice) {
  OpBuilder builder(match.result.getDefiningOp());
  SmallVector<SmallVector<Value>> parts(match.results.size());
  SmallVector<SmallVector<Slice>> pieces = getPieces();
  for (ArrayRef<Slice> piece : pieces) {
    SmallVector<Value> operands;
    for (const Input &input : inputs) {
      Value value = replaced.lookup(input.value);
      operands.push_back(convertInput(
          builder, input, value ? value : input.value, piece, onDevice));
    }
    graph::CompositeOp composite = createComposite(builder, operands, piece);
    for (auto [index, result] : llvm::enumerate(match.results)) {
      Value value = composite.getResult(index);
      if (std::optional<AffineMap> layout = match.getOutputLayout(result)) {
        auto type = getSlicedType(cast<RankedTensorType>(result.getType()),
                                  result, piece);
        Value device = value;
        value = convertFromDevice(builder, loc, device, type, *layout);
        onDevice[{value, *layout}] = device;
      }
      parts[index].push_back(value);
    }
  }
  // The slices of the last split vary fastest.
  for (auto [index, matched] : llvm::enumerate(match.results)) {
    Value result = matched;
    SmallVector<Value> &values = parts[index];
    for (const Match::Split &split : llvm::reverse(match.splits)) {
      size_t count = llvm::divideCeil(split.size, split.limit);
      SmallVector<Value> joined;
      for (size_t first = 0; first < values.size(); first += count)
        joined.push_back(markBorder(graph::ConcatenateOp::create(
            builder, loc, ArrayRef(values).slice(first, count),
            split.axes.lookup(result))));
      values = std::move(joined);
    }
    result.replaceAllUsesWith(values.front());
    replaced[result] = values.front();
  }
}
