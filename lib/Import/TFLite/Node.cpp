//===- Node.cpp - One operator of the model, as a rule sees it ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Node.h"

#include "GraphImporter.h"
#include "Rules.h"

#include "uma/Support/QuantizedTypes.h"

#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::tflite;
using importer::ConstantEvaluator;
using schema::ActivationFunctionType;

Node::Node(GraphImporter &importer, OpBuilder &builder, ImportErrors &errors,
           TensorTable &tensors, const TFLiteImportOptions &options,
           ConstantEvaluator &constants, const schema::Operator &proto,
           StringRef name, const Rule &rule)
    : importer(importer), builder(builder), errors(errors), tensors(tensors),
      options(options), constants(constants), proto(proto),
      title("operator " + quote(name) + " (" +
            getTitle(rule.code, rule.custom) + ")"),
      location(NameLoc::get(builder.getStringAttr(name))),
      results(getNumResults()) {}

LogicalResult Node::badInput(const Twine &message) {
  return errors.badInput(title + ": " + message);
}
LogicalResult Node::notSupported(const Twine &message) {
  return errors.notSupported(title + ": " + message);
}

LogicalResult Node::checkRank(unsigned index, int64_t rank) {
  ArrayRef<int64_t> shape = getShape(operands[index].value);
  if (int64_t(shape.size()) == rank)
    return success();
  return badInput("input " + quote(operands[index].name) + " has the shape " +
                  formatShape(shape) + "; expected " + Twine(rank) +
                  " dimensions");
}

std::optional<int64_t> Node::normalizeAxis(int64_t axis, int64_t end) {
  if (axis >= -end && axis < end)
    return axis < 0 ? axis + end : axis;
  if (end == 0)
    (void)badInput("the data are a scalar, which has no axis " + Twine(axis));
  else
    (void)badInput("axis " + Twine(axis) + " is out of range; expected " +
                   Twine(-end) + " to " + Twine(end - 1));
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Value Node::getOperand(unsigned index) const {
  return index < operands.size() ? operands[index].value : Value();
}

SmallVector<Value> Node::getOperands() const {
  return llvm::map_to_vector(
      operands, [](const Operand &operand) { return operand.value; });
}

const HostTensor *Node::getConstant(unsigned index) const {
  if (index >= operands.size() || !operands[index].elements)
    return nullptr;
  return &*operands[index].elements;
}

std::optional<HostTensor> Node::findConstant(unsigned index) const {
  Value value = getOperand(index);
  return value ? constants.evaluate(value).elements : std::nullopt;
}

std::optional<HostTensor> Node::evaluate(Value value) const {
  return constants.evaluate(value).elements;
}

FailureOr<SmallVector<Value>> Node::importBody(int64_t subgraph,
                                               ArrayRef<Value> inputs) {
  return importer.importBody(subgraph, inputs, title);
}

VariableTable &Node::getVariables() { return importer.getVariables(); }

Value Node::readVariable(int64_t number, RankedTensorType type, int64_t zero) {
  if (!importer.isStarting())
    return importer.readVariable(number, type, zero);
  (void)notSupported("reads a variable before the first run, which is not "
                     "supported");
  return {};
}

LogicalResult Node::assignVariable(int64_t number, Value value) {
  VariableTable &variables = getVariables();
  if (!importer.isStarting()) {
    variables.assign(number, value);
    return success();
  }
  std::optional<HostTensor> start = evaluate(value);
  if (!start)
    return notSupported("starts variable " + quote(variables.getName(number)) +
                        " with a value that is no constant, which is not "
                        "supported");
  variables.setStart(number, std::move(*start));
  return success();
}

LogicalResult Node::importStart(int64_t subgraph) {
  return importer.importStart(subgraph, title);
}

std::optional<double> Node::getScalar(unsigned index) {
  const HostTensor *tensor = getConstant(index);
  if (!tensor)
    return std::nullopt;
  std::string name = quote(operands[index].name);
  if (tensor->getNumElements() != 1)
    (void)badInput("input " + name + " has the shape " +
                   formatShape(tensor->getShape()) + "; expected one element");
  else if (!tensor->isExactDouble(0))
    (void)notSupported("input " + name + " is " + Twine(tensor->getInt(0)) +
                       "; supported are integers of up to 53 bits");
  else
    return tensor->getDouble(0);
  return std::nullopt;
}

std::optional<int64_t> Node::getInt(unsigned index) {
  SmallVector<int64_t> elements = getInts(index);
  if (elements.size() == 1)
    return elements.front();
  (void)badInput("input " + quote(operands[index].name) + " has " +
                 Twine(elements.size()) + " elements; expected one");
  return std::nullopt;
}

Value Node::getStored(unsigned index) {
  return tensors.getStored(proto.inputs()->Get(index));
}

bool Node::isQuantized(unsigned index) {
  FailureOr<RankedTensorType> type =
      tensors.getType(proto.inputs()->Get(index));
  return succeeded(type) && uma::isQuantized(type->getElementType());
}

Type Node::findQuantizedElement(unsigned index) {
  return tensors.findQuantizedElement(proto.inputs()->Get(index));
}

Type Node::findQuantizedResult() {
  return tensors.findQuantizedElement(proto.outputs()->Get(0));
}

FailureOr<RankedTensorType> Node::getStoredResultType() {
  return tensors.getType(proto.outputs()->Get(0));
}

bool Node::isResultQuantized() {
  FailureOr<RankedTensorType> type = getStoredResultType();
  return succeeded(type) && uma::isQuantized(type->getElementType());
}

bool Node::hasOpenResult() const {
  return tensors.hasOpenShape(proto.outputs()->Get(0));
}

ArrayRef<uint8_t> Node::getCustomOptions() const {
  return getArray(proto.custom_options());
}

SmallVector<int64_t> Node::getInts(unsigned index, int64_t maxRank) {
  const HostTensor *tensor = getConstant(index);
  if (!tensor)
    return {};
  std::string what = "input " + quote(operands[index].name);
  if (tensor->isFloat() || int64_t(tensor->getShape().size()) > maxRank) {
    (void)badInput(what + " is no list of integers");
    return {};
  }
  SmallVector<int64_t> result;
  for (int64_t i = 0, e = tensor->getNumElements(); i < e; ++i) {
    // No tensor has larger sizes, and sums and products of a few such sizes
    // stay within 64 bits.
    int64_t value = tensor->getInt(i);
    if (value < std::numeric_limits<int32_t>::min() ||
        value > std::numeric_limits<int32_t>::max()) {
      (void)badInput(what + " has the element " + Twine(value) +
                     ", which is out of range");
      return {};
    }
    result.push_back(value);
  }
  return result;
}

LogicalResult Node::assign(unsigned index, Value value) {
  if (!value)
    return failure();
  return tensors.assign(proto.inputs()->Get(index), value,
                        title + ": the new value of input " +
                            quote(operands[index].name));
}

LogicalResult Node::resolveOperands(const Rule &rule) {
  SmallVector<StringRef> formals;
  rule.inputs.split(formals, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  ArrayRef<int32_t> inputs = getArray(proto.inputs());
  if (!formals.empty() && formals.back().contains('*')) {
    size_t least = formals.size() - formals.back().contains('?');
    if (inputs.size() < least)
      return badInput("has " + Twine(inputs.size()) +
                      " inputs; expected at least " + Twine(least));
    formals.resize(inputs.size(), formals.back());
  }
  if (inputs.size() > formals.size())
    return badInput("has " + Twine(inputs.size()) +
                    " inputs; expected at most " + Twine(formals.size()));
  for (auto [position, formal] : llvm::enumerate(formals))
    if (failed(resolveOperand(
            formal, position < inputs.size() ? inputs[position] : -1)))
      return failure();
  return success();
}

LogicalResult Node::resolveOperand(StringRef formal, int64_t tensor) {
  StringRef name =
      formal.take_until([](char c) { return StringRef("=!?*$@").contains(c); });
  StringRef marks = formal.drop_front(name.size());
  Operand &operand = operands.emplace_back();
  operand.name = name.str();
  std::string what = "input " + quote(operand.name);
  if (tensor == -1)
    return marks.contains('?') ? success() : badInput("has no " + what);
  if (tensor < 0 || tensor >= tensors.size())
    return badInput(what + " is tensor " + Twine(tensor) +
                    ", but the file has only " + Twine(tensors.size()));
  if (marks.contains('$') && !tensors.isVariable(tensor))
    return badInput(what + " is " + tensors.getTitle(tensor) +
                    ", which is no variable");
  if (!tensors.isDefined(tensor))
    return badInput(what + " is " + tensors.getTitle(tensor) +
                    ", which is no constant, no input of the model and no "
                    "result of an operator before this one");
  if (tensors.isHandle(tensor) && !marks.contains('@'))
    return badInput(what + " is " + tensors.getTitle(tensor) +
                    ", the handle of a variable");
  operand.value = marks.contains('!')
                      ? tensors.getReal(tensor, title + ": " + what)
                      : tensors.getData(tensor);
  if (!operand.value)
    return failure();
  if (!marks.contains('='))
    return success();
  ConstantEvaluator::Outcome outcome = constants.evaluate(operand.value);
  if (!outcome.elements)
    return notSupported(
        what + " is " + tensors.getTitle(tensor) + ", which " +
        (outcome.error.empty()
             ? "depends on an input of the model; only constants are supported"
             : outcome.error));
  operand.elements = outcome.elements;
  return success();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Value Node::finish(OperationState &state,
                   function_ref<LogicalResult()> inferTypes) {
  // After an error, such as a wrong option, a rule continues, and its
  // operations are discarded. Null operands stand for values that could not be
  // created.
  if (llvm::is_contained(state.operands, Value()))
    return {};
  std::string error = importer::captureError(getContext(), inferTypes);
  if (!error.empty()) {
    (void)badInput(error);
    return {};
  }
  auto type = cast<RankedTensorType>(state.types.front());
  if (failed(checkResultSize(type.getShape(), type.getElementType())))
    return {};
  return builder.create(state)->getResult(0);
}

Value Node::createReshape(Value data, ArrayRef<int64_t> shape) {
  if (!data || getShape(data) == shape)
    return data;
  graph::ReshapeOp::Properties properties;
  properties.newshape = builder.getDenseI64ArrayAttr(shape);
  return create<graph::ReshapeOp>({data}, properties);
}

Value Node::createTranspose(Value data, ArrayRef<int64_t> axes) {
  if (!data)
    return {};
  graph::TransposeOp::Properties properties;
  properties.axes = builder.getDenseI64ArrayAttr(axes);
  return create<graph::TransposeOp>({data}, properties);
}

Value Node::createBroadcast(Value data, ArrayRef<int64_t> shape) {
  graph::BroadcastToOp::Properties properties;
  properties.shape = builder.getDenseI64ArrayAttr(shape);
  return create<graph::BroadcastToOp>({data}, properties);
}

Value Node::createCast(Value data, Type elementType) {
  if (!data || getElementType(data) == elementType)
    return data;
  graph::CastOp::Properties properties;
  properties.dtype = TypeAttr::get(elementType);
  return create<graph::CastOp>({data}, properties);
}

Value Node::createClip(Value data, double low, double high) {
  graph::ClipOp::Properties properties;
  properties.a_min = builder.getF64FloatAttr(low);
  properties.a_max = builder.getF64FloatAttr(high);
  return create<graph::ClipOp>({data}, properties);
}

Value Node::createPad(Value data, ArrayRef<int64_t> before,
                      ArrayRef<int64_t> after, double value, StringRef mode) {
  if (!data || (llvm::all_of(before, [](int64_t pad) { return pad == 0; }) &&
                llvm::all_of(after, [](int64_t pad) { return pad == 0; })))
    return data;
  graph::PadOp::Properties properties;
  properties.pad_before = builder.getDenseI64ArrayAttr(before);
  properties.pad_after = builder.getDenseI64ArrayAttr(after);
  properties.pad_value = builder.getF64FloatAttr(value);
  properties.pad_mode = builder.getStringAttr(mode);
  return create<graph::PadOp>({data}, properties);
}

Value Node::createSlice(Value data, ArrayRef<int64_t> begin,
                        ArrayRef<int64_t> size, ArrayRef<int64_t> strides) {
  if (!data || (getShape(data) == size &&
                llvm::all_of(strides, [](int64_t step) { return step == 1; })))
    return data;
  graph::StridedSliceOp::Properties properties;
  properties.begin = builder.getDenseI64ArrayAttr(begin);
  properties.size = builder.getDenseI64ArrayAttr(size);
  properties.strides = builder.getDenseI64ArrayAttr(strides);
  return create<graph::StridedSliceOp>({data}, properties);
}

Value Node::createTake(Value data, ArrayRef<int64_t> indices, int64_t axis) {
  auto type =
      RankedTensorType::get({int64_t(indices.size())}, builder.getI64Type());
  if (!data || failed(checkComputedSize(type)))
    return {};
  HostTensor table(type);
  for (auto [i, index] : llvm::enumerate(indices))
    table.setInt(i, index);
  graph::TakeOp::Properties properties;
  properties.axis = builder.getI64IntegerAttr(axis);
  return create<graph::TakeOp>({data, createConstant(table)}, properties);
}

Value Node::createScalar(Type elementType, double value) {
  HostTensor tensor(RankedTensorType::get({}, elementType));
  tensor.setDouble(0, value);
  return graph::ConstantOp::create(builder, location, tensor.getType(),
                                   tensor.toAttribute(""));
}

Value Node::createConstant(const HostTensor &tensor, int64_t inlineBytes) {
  StringRef name = cast<NameLoc>(location).getName();
  return graph::ConstantOp::create(builder, location, tensor.getType(),
                                   tensor.toAttribute(name, inlineBytes));
}

Value Node::createConcat(ValueRange parts, int64_t axis) {
  graph::ConcatenateOp::Properties properties;
  properties.axis = builder.getI64IntegerAttr(axis);
  return create<graph::ConcatenateOp>(parts, properties);
}

Value Node::createActivation(Value data, ActivationFunctionType function) {
  switch (function) {
  case ActivationFunctionType::NONE:
    return data;
  case ActivationFunctionType::RELU:
    return create<graph::ReluOp>({data});
  case ActivationFunctionType::RELU_N1_TO_1:
    return createClip(data, -1, 1);
  case ActivationFunctionType::RELU6:
    return createClip(data, 0, 6);
  case ActivationFunctionType::TANH:
    return create<graph::TanhOp>({data});
  case ActivationFunctionType::SIGN_BIT:
    (void)notSupported("has the fused activation SIGN_BIT, which is not "
                       "supported");
    return {};
  }
  (void)badInput("has the fused activation number " + Twine(int(function)) +
                 ", which the format does not have");
  return {};
}

LogicalResult Node::checkResultSize(ArrayRef<int64_t> shape, Type elementType) {
  return importer::checkTensorSize(errors, title + ": the result", shape,
                                   HostTensor::getElementSize(elementType),
                                   /*allowEmpty=*/true);
}

LogicalResult Node::checkComputedSize(RankedTensorType type) {
  if (errors.hasError() ||
      failed(importer::checkTensorSize(
          errors, title + ": a constant that it needs", type.getShape(),
          HostTensor::getElementSize(type.getElementType()),
          /*allowEmpty=*/true)))
    return failure();
  if (constants.reserve(HostTensor::getByteSize(type)))
    return success();
  return notSupported("needs a constant of the shape " +
                      formatShape(type.getShape()) + "; more than " +
                      Twine(ConstantEvaluator::kMaxTotalBytes >> 20) +
                      " MiB of constants that are computed at compile time are "
                      "not supported");
}

unsigned Node::getNumResults() const {
  return getArray(proto.outputs()).size();
}

FailureOr<RankedTensorType> Node::getResultType(unsigned index) {
  return tensors.getRealType(proto.outputs()->Get(index));
}

Value Node::castToResult(Value value, unsigned index) {
  FailureOr<RankedTensorType> type = getResultType(index);
  return succeeded(type) ? createCast(value, type->getElementType()) : Value();
}

LogicalResult Node::yield(Value value, unsigned index) {
  if (errors.hasError() || !value)
    return failure();
  results[index] = value;
  return success();
}
