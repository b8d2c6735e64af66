//===- Borders.cpp - What a match needs around it -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Borders.h"

#include "LayoutViews.h"

#include "uma/Accel/Partition/Assignment.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

Value uma::accel::skipBorders(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && op->hasAttr(kBorderAttrName)) {
    value = op->getOperand(0);
    op = value.getDefiningOp();
  }
  return value;
}

void uma::accel::skipBorders(Match &match) {
  // From an operator's result to what the composite yields.
  SmallVector<Operation *> views;
  auto skipForward = [&](Value value) {
    for (bool changed = true; changed;) {
      changed = false;
      for (Operation *user : value.getUsers())
        if (user->hasAttr(kBorderAttrName)) {
          if (!llvm::is_contained(views, user))
            views.push_back(user);
          value = user->getResult(0);
          changed = true;
          break;
        }
    }
    return value;
  };
  auto skip = [&](Value value) {
    Value before = skipBorders(value);
    return before == value ? skipForward(value) : before;
  };
  for (auto &[tensor, value] : match.tensors)
    // A block argument's users convert it for the operators.
    if (value.getDefiningOp())
      value = skip(value);
  for (Value &input : match.inputs)
    input = skipBorders(input);
  for (Value &result : match.results)
    result = skipForward(result);
  match.result = skipForward(match.result);
  llvm::append_range(match.ops, views);
}

bool uma::accel::hasBorders(const Match &match) {
  if (!match.paddings.empty() || !match.splits.empty())
    return true;
  PatternOp pattern = match.pattern;
  return llvm::any_of(
      pattern.getBody().getOps<TensorTypeOpInterface>(),
      [](TensorTypeOpInterface type) { return type.getLayout().has_value(); });
}

bool uma::accel::hasBorders(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return op->hasAttr(kBorderAttrName) ? WalkResult::interrupt()
                                            : WalkResult::advance();
      })
      .wasInterrupted();
}

Value uma::accel::getChosenTensor(const Match &match, Value tensor) {
  while (auto choice = tensor.getDefiningOp<ChoiceOp>()) {
    unsigned way = match.choices.lookup(choice);
    tensor = way < choice.getAlternatives().size()
                 ? choice.getAlternatives()[way]
                 : choice.getOtherwise();
  }
  return tensor;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

LogicalResult uma::accel::findSliceAxes(const Match &match, DimOp dim,
                                        SliceAxes &axes, Operation *&where,
                                        std::string &reason) {
  PatternOp pattern = match.pattern;
  for (InputOp input : pattern.getBody().getOps<InputOp>())
    for (auto [index, size] : llvm::enumerate(input.getSizes()))
      if (size.dim == dim.getResult() &&
          !axes.inputs.try_emplace(input, index).second) {
        where = match.result.getDefiningOp();
        reason = ("cannot be split along '" + dim.getName() + "': '" +
                  input.getName() + "' has it twice")
                     .str();
        return failure();
      }
  for (Operation *op : match.ops) {
    SmallVector<std::optional<int64_t>> operandAxes;
    bool isSliced = false;
    for (OpOperand &operand : op->getOpOperands()) {
      std::optional<int64_t> axis;
      Value tensor = getChosenTensor(match, match.operands.lookup(&operand));
      auto it = axes.inputs.find(tensor);
      if (it != axes.inputs.end())
        axis = it->second;
      else if (auto made = axes.results.find(operand.get());
               made != axes.results.end())
        axis = made->second;
      isSliced |= axis.has_value();
      operandAxes.push_back(axis);
    }
    if (!isSliced)
      continue;
    std::optional<int64_t> axis = graph::getSlicedAxis(op, operandAxes);
    if (!axis) {
      where = op;
      reason = ("cannot be split along '" + dim.getName() +
                "': " + describeLayer(op) +
                " needs all of it at once, or operands "
                "that the pattern does not give this size")
                   .str();
      return failure();
    }
    axes.results[op->getResult(0)] = *axis;
  }
  for (Value result : match.results)
    if (!axes.results.contains(result)) {
      where = result.getDefiningOp();
      reason = ("cannot be split along '" + dim.getName() +
                "', which its result does not have")
                   .str();
      return failure();
    }
  return success();
}

SmallVector<SmallVector<BorderBuilder::Slice>>
BorderBuilder::getPieces() const {
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

//===----------------------------------------------------------------------===//
// Composites
//===----------------------------------------------------------------------===//

static Location getLocation(const Match &match) {
  SmallVector<Location> locs = llvm::map_to_vector(
      match.ops, [](Operation *op) { return op->getLoc(); });
  return OpBuilder(PatternOp(match.pattern).getContext()).getFusedLoc(locs);
}

BorderBuilder::BorderBuilder(const Match &match)
    : match(match), pattern(match.pattern), loc(getLocation(match)) {
  for (const Match::Split &split : match.splits) {
    Operation *where = nullptr;
    std::string reason;
    (void)findSliceAxes(match, split.dim, axes.emplace_back(), where, reason);
  }
  findInputs();
}

void BorderBuilder::findInputs() {
  for (InputOp input : pattern.getBody().getOps<InputOp>()) {
    Value value = match.tensors.lookup(input);
    if (!value)
      continue;
    bool isSliced = llvm::any_of(axes, [&](const SliceAxes &axes) {
      return axes.inputs.contains(input);
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

/// Returns the index of the input that an operand of the match is; the number
/// of inputs if it is none.
unsigned BorderBuilder::getInput(OpOperand &operand) const {
  Value tensor = getChosenTensor(match, match.operands.lookup(&operand));
  if (!tensor.getDefiningOp<InputOp>())
    return inputs.size();
  // The operand itself may be the result of an earlier composite by now.
  Value value = match.tensors.lookup(tensor);
  const Input *found = llvm::find_if(inputs, [&](const Input &input) {
    return input.value == value && (!input.tensor || input.tensor == tensor);
  });
  return found - inputs.begin();
}

RankedTensorType BorderBuilder::getSlicedType(RankedTensorType type, Value key,
                                              bool isInput,
                                              ArrayRef<Slice> piece) const {
  SmallVector<int64_t> shape(type.getShape());
  for (auto [slice, sliced] : llvm::zip_equal(piece, axes)) {
    const auto &map = isInput ? sliced.inputs : sliced.results;
    if (auto it = map.find(key); it != map.end())
      shape[it->second] = slice.size;
  }
  return RankedTensorType::get(shape, type.getElementType());
}

/// Returns the type of an input in the body, before its layout.
RankedTensorType BorderBuilder::getGraphType(const Input &input,
                                             ArrayRef<Slice> piece) const {
  auto type = cast<RankedTensorType>(input.value.getType());
  if (!input.tensor)
    return type;
  return match.addPadding(
      input.tensor, getSlicedType(type, input.tensor, /*isInput=*/true, piece));
}

std::optional<AffineMap> BorderBuilder::getOutputLayout(Value result) const {
  for (Value output : PatternOp(pattern).getOutputs())
    if (match.tensors.lookup(output) == result)
      if (TensorTypeOpInterface type = getTensorTypeOp(output))
        return type.getLayout();
  return std::nullopt;
}

static std::optional<AffineMap> getInputLayout(Value tensor) {
  return tensor ? tensor.getDefiningOp<InputOp>().getLayout() : std::nullopt;
}

graph::CompositeOp BorderBuilder::createComposite(OpBuilder &builder,
                                                  ValueRange operands,
                                                  ArrayRef<Slice> piece) {
  SmallVector<Type> types;
  for (Value result : match.results)
    types.push_back(getDeviceType(
        getSlicedType(cast<RankedTensorType>(result.getType()), result,
                      /*isInput=*/false, piece),
        getOutputLayout(result)));
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
      // A constant that the pattern matches by value is no input.
      if (!made.contains(operand.get()))
        inner.clone(*operand.get().getDefiningOp(), made);
      newOperands.push_back(made.lookup(operand.get()));
    }
    Operation *copy = inner.clone(*op);
    copy->setOperands(newOperands);
    Value result = op->getResult(0);
    copy->getResult(0).setType(getSlicedType(
        cast<RankedTensorType>(result.getType()), result, false, piece));
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
    if (std::optional<AffineMap> layout = getOutputLayout(result))
      value = convertToDevice(inner, loc, value, *layout);
    yielded.push_back(value);
  }
  graph::YieldOp::create(inner, loc, yielded);
  return composite;
}

graph::CompositeOp BorderBuilder::buildTrial(ArrayRef<Slice> piece) {
  OpBuilder builder(pattern.getContext());
  return createComposite(
      builder,
      llvm::map_to_vector(inputs,
                          [](const Input &input) { return input.value; }),
      piece);
}

static Value pad(OpBuilder &builder, Location loc, Value value,
                 const Match::Padding &padding, ArrayRef<int64_t> before,
                 ArrayRef<int64_t> after) {
  return markBorder(graph::PadOp::create(builder, loc, value, before, after,
                                         llvm::APFloat(padding.number),
                                         "constant"));
}

/// Whether the layout has each padded dimension as one dimension.
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

/// Returns the numbers, of dimensions of the graph, in the order of a layout
/// that keeps those that are not 0 whole.
static SmallVector<int64_t> permute(AffineMap layout,
                                    ArrayRef<int64_t> numbers) {
  return llvm::map_to_vector(layout.getResults(), [&](AffineExpr result) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    return dim ? numbers[dim.getPosition()] : 0;
  });
}

Value BorderBuilder::convertInput(OpBuilder &builder, const Input &input,
                                  Value value, ArrayRef<Slice> piece,
                                  DeviceValues &onDevice) {
  if (!input.tensor)
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> begin(type.getRank()), size(type.getShape());
  for (auto [slice, sliced] : llvm::zip_equal(piece, axes))
    if (auto it = sliced.inputs.find(input.tensor); it != sliced.inputs.end()) {
      begin[it->second] = slice.offset;
      size[it->second] = slice.size;
    }
  bool isWhole = piece.empty() || size == type.getShape();
  if (!isWhole)
    value = markBorder(
        graph::StridedSliceOp::create(builder, loc, value, begin, size,
                                      SmallVector<int64_t>(type.getRank(), 1)));
  const Match::Padding *padding = match.getPadding(input.tensor);
  std::optional<AffineMap> layout = getInputLayout(input.tensor);
  // In the device's layout, if it keeps the padded sizes whole: what is not
  // padded may be there already.
  bool padsLast = padding && layout && keepsWhole(*layout, *padding);
  if (padding && !padsLast)
    value = pad(builder, loc, value, *padding, padding->before, padding->after);
  if (!layout)
    return value;
  // What a device writes, or another match converts, is not converted again.
  Value &device = onDevice[{value, *layout}];
  if (!device)
    device = convertToDevice(builder, loc, value, *layout);
  if (!padsLast)
    return device;
  return pad(builder, loc, device, *padding, permute(*layout, padding->before),
             permute(*layout, padding->after));
}

void BorderBuilder::build(llvm::DenseMap<Value, Value> &replaced,
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
      if (std::optional<AffineMap> layout = getOutputLayout(result)) {
        auto type =
            getSlicedType(cast<RankedTensorType>(result.getType()), result,
                          /*isInput=*/false, piece);
        Value device = value;
        value = convertFromDevice(builder, loc, device, type, *layout);
        // The rest of the last block is not zeros.
        if (isExact(type, *layout))
          onDevice[{value, *layout}] = device;
      }
      parts[index].push_back(value);
    }
  }
  // Slices along several dims: the last one varies fastest.
  for (auto [index, matched] : llvm::enumerate(match.results)) {
    Value result = matched;
    SmallVector<Value> &values = parts[index];
    for (unsigned number = axes.size(); number-- > 0;) {
      const Match::Split &split = match.splits[number];
      size_t count = llvm::divideCeil(split.size, split.limit);
      SmallVector<Value> joined;
      for (size_t first = 0; first < values.size(); first += count)
        joined.push_back(markBorder(graph::ConcatenateOp::create(
            builder, loc, ArrayRef(values).slice(first, count),
            axes[number].results.lookup(result))));
      values = std::move(joined);
    }
    result.replaceAllUsesWith(values.front());
    replaced[result] = values.front();
  }
}
