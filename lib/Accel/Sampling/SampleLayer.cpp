//===- SampleLayer.cpp - Construction of sampled layers -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SampleQuantization.h"
#include "SampleText.h"
#include "SampleValues.h"

#include "uma/Accel/IR/GraphOperators.h"
#include "uma/Accel/Partition/Report.h"
#include "uma/Accel/Sampling/Sampling.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/HostTensor.h"
#include "uma/Support/QuantizedTypes.h"
#include "uma/Support/TensorText.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using Kind = SampleVariable::Kind;

/// Maximum size of a layer, for which the reference interpreter takes
/// milliseconds.
static constexpr int64_t kMaxElements = int64_t(1) << 18;
static constexpr int64_t kMaxMACs = int64_t(1) << 22;

namespace {
class LayerBuilder {
public:
  LayerBuilder(const SampleSpace &space, const Sample &sample, Block &block,
               Location loc, MakeConstantFn makeConstant, SampleLayer &layer)
      : space(space), sample(sample), pattern(space.pattern), loc(loc),
        builder(OpBuilder::atBlockEnd(&block)), block(block),
        makeConstant(makeConstant), layer(layer) {}

  LogicalResult build(unsigned &numMissing);

private:
  /// Returns the value of a variable and records that the layer depends on it.
  Attribute get(Kind kind, Operation *op, unsigned index = 0) {
    int position = space.find(kind, op, index);
    return position < 0 ? Attribute() : use(position);
  }
  Attribute use(unsigned variable) {
    layer.relevant.push_back(variable);
    return sample[variable];
  }
  void findNeeded();
  /// Builds an input. `sums` is the quantized type to which the operator adds
  /// it, or null.
  LogicalResult buildInput(InputOp input, Type sums);
  /// Returns the element type of an input, or null if it has none.
  Type quantize(InputOp input, Type element, ArrayRef<int64_t> shape,
                Type sums);
  LogicalResult buildOperator(OperatorOp opOp);
  Value buildSplat(SplatOp splat, Type elementType);
  Attribute getNumber(FlatSymbolRefAttr name);
  Attribute resolve(Attribute said);
  LogicalResult addAttribute(OperatorOp opOp, OperationState &state,
                             unsigned variable, bool &isSame);
  LogicalResult inferType(Operation *op);
  LogicalResult setQuantizedType(OperatorOp opOp, Operation *op);
  LogicalResult setSamePadding(Operation *op, Attribute change);
  void readSizes(Value tensor);

  const SampleSpace &space;
  const Sample &sample;
  PatternOp pattern;
  Location loc;
  OpBuilder builder;
  Block &block;
  MakeConstantFn makeConstant;
  SampleLayer &layer;
  llvm::DenseSet<Value> needed;
  llvm::DenseMap<Value, Value> tensors;
  /// Dims whose value is known, from shapes of inputs or from results.
  llvm::DenseSet<Value> known;
  llvm::DenseMap<Value, int64_t> computedSizes;
};
} // namespace

/// Marks the tensors of the pattern that are part of the layer.
void LayerBuilder::findNeeded() {
  SmallVector<Value> pending = pattern.getOutputs();
  pending.push_back(pattern.getRoot());
  while (!pending.empty()) {
    Value tensor = pending.pop_back_val();
    if (!needed.insert(tensor).second)
      continue;
    Operation *op = tensor.getDefiningOp();
    if (auto choice = dyn_cast<ChoiceOp>(op)) {
      auto way = cast<IntegerAttr>(get(Kind::Way, choice)).getInt();
      auto alternatives = choice.getAlternatives();
      pending.push_back(way < int64_t(alternatives.size())
                            ? alternatives[way]
                            : choice.getOtherwise());
    } else if (auto opOp = dyn_cast<OperatorOp>(op)) {
      llvm::append_range(pending, opOp.getOperands_());
    }
  }
}

Type LayerBuilder::quantize(InputOp input, Type element,
                            ArrayRef<int64_t> shape, Type sums) {
  Attribute numbers = get(Kind::Quantization, input);
  if (!numbers || !element.isInteger())
    return element;
  if (sums && element.isInteger(32))
    return getBiasType(sums);
  return applyQuantization(numbers, element, shape);
}

LogicalResult LayerBuilder::buildInput(InputOp input, Type sums) {
  Type element;
  std::optional<ArrayAttr> written = input.getElementTypes();
  if (Attribute type = get(Kind::ElementType, input))
    element = cast<TypeAttr>(type).getValue();
  else
    element = cast<TypeAttr>((*written)[0]).getValue();

  SmallVector<int64_t> shape;
  if (input.getAnyShape()) {
    llvm::append_range(
        shape, cast<DenseI64ArrayAttr>(get(Kind::Shape, input)).asArrayRef());
  } else {
    for (auto [index, written] : llvm::enumerate(input.getSizes())) {
      Operation *dim = written.dim ? written.dim.getDefiningOp() : nullptr;
      if (written.isPack) {
        auto sizes = cast<DenseI64ArrayAttr>(get(Kind::Shape, dim));
        llvm::append_range(shape, sizes.asArrayRef());
        continue;
      }
      auto value = dyn_cast_or_null<IntegerAttr>(get(Kind::Size, input, index));
      int64_t size = written.size;
      if (written.dim)
        known.insert(written.dim);
      if (auto computed = computedSizes.find(written.dim);
          written.dim && computed != computedSizes.end()) {
        shape.push_back(computed->second + (value ? value.getInt() : 0));
        continue;
      }
      // The dim may stand for leading sizes elsewhere: use their product.
      if (dim && space.find(Kind::Dim, dim) >= 0)
        size = cast<IntegerAttr>(get(Kind::Dim, dim)).getInt();
      else if (dim)
        size = ShapedType::getNumElements(
            cast<DenseI64ArrayAttr>(get(Kind::Shape, dim)).asArrayRef());
      shape.push_back(size + (value ? value.getInt() : 0));
    }
    if (auto rank = dyn_cast_or_null<IntegerAttr>(get(Kind::Rank, input))) {
      if (rank.getInt() > 0)
        shape.insert(shape.begin(), 1);
      else if (!shape.empty())
        shape.erase(shape.begin());
    }
  }
  int64_t elements = 1;
  for (int64_t size : shape) {
    if (size <= 0 || size > kMaxElements)
      return failure();
    elements *= size;
    if (elements > kMaxElements)
      return failure();
  }

  Type quantized = quantize(input, element, shape, sums);
  if (!quantized)
    return failure();
  auto type = RankedTensorType::get(shape, element);
  auto store = [&](Value value) {
    if (quantized != element)
      value = graph::StorageCastOp::create(
          builder, loc, RankedTensorType::get(shape, quantized), value);
    tensors[input.getResult()] = value;
  };
  Attribute constant = get(Kind::Constant, input);
  if (constant ? cast<BoolAttr>(constant).getValue() : input.getConstant()) {
    store(graph::ConstantOp::create(builder, loc, makeConstant(type)));
    return success();
  }
  Value argument = block.addArgument(type, loc);
  store(argument);
  layer.arguments.emplace_back(argument, input.getName().str());
  return success();
}

Value LayerBuilder::buildSplat(SplatOp splat, Type elementType) {
  auto shape = cast<DenseI64ArrayAttr>(get(Kind::Shape, splat));
  double number = splat.getValue().convertToDouble();
  if (Attribute other = get(Kind::Number, splat))
    number = cast<FloatAttr>(other).getValueAsDouble();
  auto type = RankedTensorType::get(shape.asArrayRef(), elementType);
  HostTensor tensor(type);
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    tensor.setDouble(i, number);
  return graph::ConstantOp::create(builder, loc, tensor.toAttribute("splat"));
}

Attribute LayerBuilder::getNumber(FlatSymbolRefAttr name) {
  DimOp dim = pattern.getDim(name.getValue());
  if (!dim)
    return {};
  Attribute number = get(Kind::Dim, dim);
  if (auto integer = dyn_cast<IntegerAttr>(number);
      integer && integer.getType().isIndex())
    return builder.getI64IntegerAttr(integer.getInt());
  return number;
}

/// Returns an attribute of the pattern with dims replaced by their numbers.
Attribute LayerBuilder::resolve(Attribute said) {
  if (auto name = dyn_cast<FlatSymbolRefAttr>(said))
    return getNumber(name);
  auto array = dyn_cast<ArrayAttr>(said);
  if (!array)
    return said;
  SmallVector<int64_t> numbers;
  for (Attribute element : array) {
    auto number = dyn_cast_or_null<IntegerAttr>(resolve(element));
    if (!number)
      return {};
    numbers.push_back(number.getInt());
  }
  return builder.getDenseI64ArrayAttr(numbers);
}

/// Applies a change (see makeChange) to a list. Returns null if the list does
/// not have the element.
static Attribute applyChange(Attribute list, Attribute change) {
  auto numbers = dyn_cast_or_null<DenseI64ArrayAttr>(list);
  ArrayRef<int32_t> pair = cast<DenseI32ArrayAttr>(change).asArrayRef();
  if (!numbers || pair[0] >= numbers.size())
    return {};
  SmallVector<int64_t> changed(numbers.asArrayRef());
  changed[pair[0]] += pair[1];
  return DenseI64ArrayAttr::get(list.getContext(), changed);
}

LogicalResult LayerBuilder::addAttribute(OperatorOp opOp, OperationState &state,
                                         unsigned variable, bool &isSame) {
  StringAttr name = space.variables[variable].attribute;
  Attribute value = use(variable);
  bool isChange = isa_and_nonnull<DenseI32ArrayAttr>(value);
  if (value && !isChange) {
    state.addAttribute(name, value);
    return success();
  }
  DictionaryAttr written = opOp.getMatchedAttributesAttr();
  Attribute said = written ? written.get(name) : Attribute();
  if (auto word = dyn_cast_or_null<StringAttr>(said)) {
    if (word == kAnyValue || word == kOutsideValue)
      return success();
    if (name == "padding" && word == kSameValue) {
      isSame = true;
      return success();
    }
  }
  if (said) {
    value = resolve(said);
  } else if (isChange) {
    OperationState freshState(loc, state.name);
    Operation *fresh = Operation::create(freshState);
    value = fresh->getInherentAttr(name).value_or(Attribute());
    fresh->destroy();
  } else {
    return success();
  }
  if (isChange)
    value = applyChange(value, sample[variable]);
  if (!value)
    return failure();
  state.addAttribute(name, value);
  return success();
}

/// Infers and sets the result type. Fails if operands or attributes are invalid
/// or if the result is too large.
/// Sets the type of a quantize or requantize, which no operand determines.
LogicalResult LayerBuilder::setQuantizedType(OperatorOp opOp, Operation *op) {
  Attribute numbers = get(Kind::Quantization, opOp);
  auto data = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  if (!numbers || !data)
    return failure();
  Type storage = builder.getIntegerType(8);
  if (TensorTypeOpInterface type = getTensorTypeOp(opOp.getResult()))
    if (std::optional<ArrayAttr> written = type.getElementTypes())
      storage = cast<TypeAttr>((*written)[0]).getValue();
  Type element = applyQuantization(numbers, storage, data.getShape());
  if (!element)
    return failure();
  op->getResult(0).setType(RankedTensorType::get(data.getShape(), element));
  return success();
}

LogicalResult LayerBuilder::inferType(Operation *op) {
  auto interface = dyn_cast<InferTypeOpInterface>(op);
  if (!interface)
    return failure();
  SmallVector<Type> types;
  if (failed(interface.inferReturnTypes(
          op->getContext(), op->getLoc(), op->getOperands(),
          op->getAttrDictionary(), op->getPropertiesStorage(), op->getRegions(),
          types)))
    return failure();
  auto type = dyn_cast<RankedTensorType>(types.front());
  if (!type || !type.hasStaticShape() || type.getNumElements() > kMaxElements ||
      type.getNumElements() == 0)
    return failure();
  op->getResult(0).setType(type);
  return success();
}

/// Sets the padding of a window to SAME_UPPER and applies `change` if it is not
/// null.
LogicalResult LayerBuilder::setSamePadding(Operation *op, Attribute change) {
  auto window = dyn_cast<graph::WindowOpInterface>(op);
  auto byDefault = dyn_cast_or_null<DenseI64ArrayAttr>(
      op->getInherentAttr("padding").value_or(Attribute()));
  if (!window || !byDefault)
    return failure();
  // getWindow requires a valid operator: try paddings until it is valid.
  for (int64_t some : {0, 1, 2, 4, 8, 16, 64}) {
    op->setInherentAttr(builder.getStringAttr("padding"),
                        builder.getDenseI64ArrayAttr(
                            SmallVector<int64_t>(byDefault.size(), some)));
    if (failed(inferType(op)))
      continue;
    Attribute padding =
        builder.getDenseI64ArrayAttr(window.getWindow().getSamePadding());
    if (change)
      padding = applyChange(padding, change);
    if (!padding)
      return failure();
    op->setInherentAttr(builder.getStringAttr("padding"), padding);
    return success();
  }
  return failure();
}

LogicalResult LayerBuilder::buildOperator(OperatorOp opOp) {
  Type sums;
  for (Value operand : opOp.getOperands_()) {
    if (auto input = operand.getDefiningOp<InputOp>();
        input && !tensors.contains(input) && failed(buildInput(input, sums)))
      return failure();
    Value tensor = tensors.lookup(operand);
    Type element = tensor ? getElementTypeOrSelf(tensor.getType()) : Type();
    sums = element && isQuantized(element) &&
                   getStorageElementType(element).isInteger(32)
               ? element
               : Type();
  }
  auto name = RegisteredOperationName::lookup(
      ("uma.graph." + opOp.getKind()).str(), opOp.getContext());
  if (!name)
    return failure();
  // Give a splat the element type of the other operand.
  Type elementType;
  for (Value operand : opOp.getOperands_())
    if (Value tensor = tensors.lookup(operand);
        tensor && !operand.getDefiningOp<SplatOp>() && !elementType)
      elementType = cast<RankedTensorType>(tensor.getType()).getElementType();
  OperationState state(loc, *name);
  for (Value operand : opOp.getOperands_()) {
    if (auto splat = operand.getDefiningOp<SplatOp>()) {
      if (!elementType)
        return failure();
      state.addOperands(buildSplat(splat, elementType));
      continue;
    }
    Value tensor = tensors.lookup(operand);
    if (!tensor)
      return failure();
    state.addOperands(tensor);
  }
  // Reject operators of constants only, which would be folded.
  if (!state.operands.empty() &&
      llvm::all_of(state.operands, [](Value operand) {
        auto stored = operand.getDefiningOp<graph::StorageCastOp>();
        Value data = stored ? stored.getData() : operand;
        return data.getDefiningOp<graph::ConstantOp>();
      }))
    return failure();
  bool isSame = false;
  Attribute sameChange;
  for (auto [index, variable] : llvm::enumerate(space.variables)) {
    if (variable.op != opOp || variable.kind != Kind::Attribute)
      continue;
    bool isPadding = false;
    if (failed(addAttribute(opOp, state, index, isPadding)))
      return failure();
    if (isPadding) {
      isSame = true;
      sameChange = sample[index];
    }
  }
  state.addTypes(
      RankedTensorType::get({1}, Float32Type::get(opOp.getContext())));
  Operation *op = Operation::create(state);
  builder.insert(op);
  if ((isSame && failed(setSamePadding(op, sameChange))) ||
      failed(hasChosenQuantization(opOp) ? setQuantizedType(opOp, op)
                                         : inferType(op)) ||
      failed(name->verifyInvariants(op)) || getMACs(op) > kMaxMACs)
    return failure();
  tensors[opOp.getResult()] = op->getResult(0);
  layer.ops.push_back(op);
  readSizes(opOp.getResult());
  return success();
}

/// Sets unknown dims in the type of a result to the result's sizes, so that
/// inputs which use the same dims later fit.
void LayerBuilder::readSizes(Value tensor) {
  TensorTypeOpInterface type = getTensorTypeOp(tensor);
  auto actual = cast<RankedTensorType>(tensors.lookup(tensor).getType());
  if (!type || type.getAnyShape() ||
      actual.getRank() != int64_t(type.getSizes().size()))
    return;
  for (auto [written, size] :
       llvm::zip_equal(type.getSizes(), actual.getShape()))
    if (written.dim && !written.isPack && known.insert(written.dim).second)
      computedSizes[written.dim] = size;
}

LogicalResult LayerBuilder::build(unsigned &numMissing) {
  findNeeded();
  SmallVector<Operation *> makers;
  for (Operation &op : pattern.getBody().front())
    if (op.getNumResults() == 1 && needed.contains(op.getResult(0)) &&
        !isa<SplatOp>(op))
      makers.push_back(&op);
  numMissing = llvm::count_if(makers, llvm::IsaPred<OperatorOp>);
  for (Operation *maker : makers) {
    // Inputs are built at their first use.
    if (isa<InputOp>(maker))
      continue;
    if (auto choice = dyn_cast<ChoiceOp>(maker)) {
      auto way =
          cast<IntegerAttr>(sample[space.find(Kind::Way, choice)]).getInt();
      auto alternatives = choice.getAlternatives();
      tensors[choice.getResult()] = tensors.lookup(
          way < int64_t(alternatives.size()) ? alternatives[way]
                                             : choice.getOtherwise());
    } else if (auto opOp = dyn_cast<OperatorOp>(maker)) {
      if (failed(buildOperator(opOp)))
        return failure();
      --numMissing;
    }
  }
  for (Value output : pattern.getOutputs())
    if (Value value = tensors.lookup(output);
        !llvm::is_contained(layer.results, value))
      layer.results.push_back(value);
  for (Operation *maker : makers)
    if (get(Kind::ExtraUse, maker))
      if (Value value = tensors.lookup(maker->getResult(0));
          !llvm::is_contained(layer.results, value))
        layer.results.push_back(value);
  layer.root = tensors.lookup(pattern.getRoot());
  // If an optional operator is absent, only an input may remain.
  if (!layer.root || !layer.root.getDefiningOp() ||
      llvm::any_of(layer.results,
                   [](Value value) { return !value.getDefiningOp(); }))
    return failure();
  llvm::sort(layer.relevant);
  layer.relevant.erase(llvm::unique(layer.relevant), layer.relevant.end());
  if (layer.hasText)
    layer.text = getSampleText(space, sample, layer.relevant, tensors);
  return success();
}

LogicalResult uma::accel::buildSample(const SampleSpace &space,
                                      const Sample &sample, Block &block,
                                      Location loc, MakeConstantFn makeConstant,
                                      SampleLayer &layer,
                                      unsigned &numMissing) {
  return LayerBuilder(space, sample, block, loc, makeConstant, layer)
      .build(numMissing);
}
