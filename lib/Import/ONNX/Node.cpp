//===- Node.cpp - One node of the model, as an import rule sees it --------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Node.h"
#include "GraphImporter.h"
#include "Rules.h"

#include "uma/Support/DidYouMean.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::importer;
using onnx::AttributeProto;

Node::Node(OpBuilder &builder, ImportErrors &errors,
           std::deque<onnx::TensorProto> &tensors, ConstantEvaluator &constants,
           GraphImporter &importer, const onnx::NodeProto &proto,
           StringRef name, const Rule &rule, int64_t opset)
    : builder(builder), errors(errors), tensors(tensors), constants(constants),
      importer(importer), proto(proto),
      title(("node " + quote(name) + " (" + rule.opType + ")").str()),
      opset(opset), location(NameLoc::get(builder.getStringAttr(name))) {}

LogicalResult Node::badInput(const Twine &message) {
  return errors.badInput(title + ": " + message);
}
LogicalResult Node::notSupported(const Twine &message) {
  return errors.notSupported(title + ": " + message);
}

LogicalResult Node::checkRank(Value value, int64_t rank, StringRef what) {
  if (int64_t(getShape(value).size()) == rank)
    return success();
  return badInput(what + " has the shape " + formatShape(getShape(value)) +
                  "; expected " + Twine(rank) + " dimensions");
}

LogicalResult Node::checkHeads(int64_t queries, int64_t keys, int64_t values) {
  if (keys > 0 && queries % keys == 0 && values == keys)
    return success();
  return badInput("has " + Twine(queries) + " heads of queries, " +
                  Twine(keys) + " of keys and " + Twine(values) +
                  " of values; expected as many keys as values, which divide "
                  "the queries");
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Value Node::getOperand(unsigned index) const { return forward(index).value; }

SmallVector<Value> Node::getOperands() const {
  return llvm::map_to_vector(
      operands, [](const Operand &operand) { return operand.source.value; });
}

ImportedValue Node::forward(unsigned index) const {
  return index < operands.size() ? operands[index].source : ImportedValue();
}

const HostTensor *Node::getConstant(unsigned index) const {
  if (index >= operands.size() || !operands[index].elements)
    return nullptr;
  return &*operands[index].elements;
}

std::optional<HostTensor> Node::findConstant(unsigned index) const {
  if (const HostTensor *elements = getConstant(index))
    return *elements;
  Value value = getOperand(index);
  return value ? constants.evaluate(value).elements : std::nullopt;
}

FailureOr<HostTensor> Node::readConstant(unsigned index, StringRef reason) {
  const Operand &operand = operands[index];
  return importer.readConstant(*this, "input " + quote(operand.name),
                               proto.input(index), operand.source, reason);
}

FailureOr<const HostTensor *> Node::getElement(unsigned index) {
  const HostTensor *tensor = getConstant(index);
  if (tensor && tensor->getNumElements() != 1)
    return badInput("input " + quote(operands[index].name) + " has the shape " +
                    formatShape(tensor->getShape()) + "; expected one element");
  return tensor;
}

std::optional<double> Node::getScalar(unsigned index) {
  FailureOr<const HostTensor *> tensor = getElement(index);
  if (failed(tensor) || !*tensor)
    return std::nullopt;
  if ((*tensor)->isExactDouble(0))
    return (*tensor)->getDouble(0);
  (void)notSupported("input " + quote(operands[index].name) + " is " +
                     Twine((*tensor)->getInt(0)) +
                     "; supported are integers of up to 53 bits");
  return std::nullopt;
}

/// Returns whether a size fits 32 bits. No tensor has larger ones, and sums and
/// products of a few such sizes stay within 64 bits.
static bool isReasonable(int64_t value) {
  return value >= std::numeric_limits<int32_t>::min() &&
         value <= std::numeric_limits<int32_t>::max();
}

static int64_t saturate(int64_t value) {
  return std::clamp<int64_t>(value, std::numeric_limits<int32_t>::min(),
                             std::numeric_limits<int32_t>::max());
}

std::optional<SmallVector<int64_t>> Node::getInts(unsigned index,
                                                  bool saturates) {
  const HostTensor *tensor = getConstant(index);
  if (!tensor)
    return std::nullopt;
  std::string what = "input " + quote(operands[index].name);
  SmallVector<int64_t> result;
  if (tensor->isFloat() || tensor->getShape().size() > 1) {
    (void)badInput(what + " is no list of integers");
    return result;
  }
  for (int64_t i = 0, e = tensor->getNumElements(); i < e; ++i) {
    int64_t value = tensor->getInt(i);
    if (saturates)
      value = saturate(value);
    if (!isReasonable(value)) {
      (void)badInput(what + " has the element " + Twine(value) +
                     ", which is out of range");
      value = 0;
    }
    result.push_back(value);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static StringRef getTypeName(AttributeProto::AttributeType type) {
  switch (type) {
  case AttributeProto::FLOAT:
    return "a float";
  case AttributeProto::INT:
    return "an integer";
  case AttributeProto::STRING:
    return "a string";
  case AttributeProto::TENSOR:
    return "a tensor";
  case AttributeProto::SPARSE_TENSOR:
    return "a sparse tensor";
  case AttributeProto::GRAPH:
    return "a graph";
  case AttributeProto::FLOATS:
    return "a list of floats";
  case AttributeProto::INTS:
    return "a list of integers";
  case AttributeProto::STRINGS:
    return "a list of strings";
  default:
    return "another type";
  }
}

const AttributeProto *Node::getAttr(StringRef name,
                                    AttributeProto::AttributeType type) {
  readAttrs.insert(name);
  const AttributeProto *found = nullptr;
  for (const AttributeProto &attr : proto.attribute()) {
    if (StringRef(attr.name()) != name)
      continue;
    if (found) {
      (void)badInput("attribute '" + name + "' is given twice");
      return nullptr;
    }
    found = &attr;
  }
  if (found && found->has_ref_attr_name()) {
    (void)badInput("attribute '" + name + "' refers to the attribute " +
                   quote(found->ref_attr_name()) +
                   " of a function, but the node is in none");
    return nullptr;
  }
  if (!found || found->type() == type)
    return found;
  (void)badInput("attribute '" + name + "' is " + getTypeName(found->type()) +
                 "; expected " + getTypeName(type));
  return nullptr;
}

const onnx::GraphProto *Node::getGraphAttr(StringRef name) {
  const AttributeProto *attr = getAttr(name, AttributeProto::GRAPH);
  if (attr)
    return &attr->g();
  (void)badInput("needs the attribute '" + name + "'");
  return nullptr;
}

int64_t Node::getIntAttr(StringRef name, int64_t defaultValue) {
  const AttributeProto *attr = getAttr(name, AttributeProto::INT);
  if (!attr)
    return defaultValue;
  if (isReasonable(attr->i()))
    return attr->i();
  (void)badInput("attribute '" + name + "' is " + Twine(attr->i()) +
                 ", which is out of range");
  return defaultValue;
}

int64_t Node::getRequiredIntAttr(StringRef name) {
  if (!getAttr(name, AttributeProto::INT))
    (void)badInput("needs the attribute '" + name + "'");
  return getIntAttr(name, 0);
}

bool Node::getFlagAttr(StringRef name) {
  int64_t value = getIntAttr(name, 0);
  if (value != 0 && value != 1)
    (void)badInput("attribute '" + name + "' is " + Twine(value) +
                   "; expected 0 or 1");
  return value == 1;
}

double Node::getFloatAttr(StringRef name, double defaultValue) {
  const AttributeProto *attr = getAttr(name, AttributeProto::FLOAT);
  return attr ? attr->f() : defaultValue;
}

StringRef Node::getStringAttr(StringRef name, StringRef defaultValue) {
  const AttributeProto *attr = getAttr(name, AttributeProto::STRING);
  return attr ? StringRef(attr->s()) : defaultValue;
}

std::optional<HostTensor> Node::getTensorAttr(StringRef name) {
  const AttributeProto *attr = getAttr(name, AttributeProto::TENSOR);
  if (!attr)
    return std::nullopt;
  if (isNarrow(attr->t().data_type())) {
    (void)notSupported("attribute '" + name + "' holds " +
                       getONNXTypeName(attr->t().data_type()) +
                       ", which is not supported");
    return std::nullopt;
  }
  FailureOr<HostTensor> tensor = importer.getTensors().read(
      title + ": attribute '" + name + "'", attr->t());
  return succeeded(tensor) ? std::optional<HostTensor>(*tensor) : std::nullopt;
}

std::optional<HostTensor> Node::getSparseAttr(StringRef name) {
  const AttributeProto *attr = getAttr(name, AttributeProto::SPARSE_TENSOR);
  if (!attr)
    return std::nullopt;
  FailureOr<HostTensor> tensor = importer.getTensors().readSparse(
      title + ": attribute '" + name + "'", attr->sparse_tensor());
  return succeeded(tensor) ? std::optional<HostTensor>(*tensor) : std::nullopt;
}

std::optional<SmallVector<int64_t>> Node::getIntsAttr(StringRef name,
                                                      bool saturates) {
  const AttributeProto *attr = getAttr(name, AttributeProto::INTS);
  if (!attr)
    return std::nullopt;
  SmallVector<int64_t> result;
  for (int64_t value : attr->ints()) {
    if (saturates)
      value = saturate(value);
    if (!isReasonable(value)) {
      (void)badInput("attribute '" + name + "' has the element " +
                     Twine(value) + ", which is out of range");
      value = 0;
    }
    result.push_back(value);
  }
  return result;
}

void Node::ignoreAttrs(ArrayRef<StringRef> names) {
  readAttrs.insert_range(names);
}

LogicalResult Node::checkAllAttrsRead() {
  for (const AttributeProto &attr : proto.attribute()) {
    if (readAttrs.contains(attr.name()))
      continue;
    SmallVector<StringRef> known = llvm::to_vector(readAttrs.keys());
    llvm::sort(known);
    return badInput("has the attribute " + quote(attr.name()) +
                    ", which this operator does not have in opset " +
                    Twine(opset) + didYouMean(attr.name(), known));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Returns whether a tensor has no elements.
static bool isEmpty(Type type) {
  return llvm::is_contained(cast<RankedTensorType>(type).getShape(), 0);
}

Value Node::finish(OperationState &state,
                   function_ref<LogicalResult()> inferTypes) {
  // After an error, such as a wrong attribute, a rule continues, and its
  // operations are discarded. Null operands stand for values that could not be
  // created.
  if (llvm::is_contained(state.operands, Value()))
    return {};
  std::string error = captureError(getContext(), inferTypes);
  if (!error.empty()) {
    (void)badInput(error);
    return {};
  }
  auto type = cast<RankedTensorType>(state.types.front());
  if (failed(checkTensorSize(errors, title + ": the result", type.getShape(),
                             HostTensor::getElementSize(type.getElementType()),
                             /*allowEmpty=*/true)))
    return {};
  if (isEmpty(type))
    return createConstant(HostTensor(type));
  Value result = builder.create(state)->getResult(0);
  // No operator computes with tensors that have no elements.
  if (llvm::any_of(state.operands,
                   [](Value operand) { return isEmpty(operand.getType()); }))
    if (std::optional<HostTensor> elements = findConstant(result))
      return createConstant(*elements);
  return result;
}

Value Node::createReshape(Value data, ArrayRef<int64_t> shape) {
  if (!data || getShape(data) == shape)
    return data;
  graph::ReshapeOp::Properties properties;
  properties.newshape = builder.getDenseI64ArrayAttr(shape);
  return create<graph::ReshapeOp>({data}, properties);
}

Value Node::createCast(Value data, Type elementType) {
  if (!data || importer::getElementType(data) == elementType)
    return data;
  graph::CastOp::Properties properties;
  properties.dtype = TypeAttr::get(elementType);
  return create<graph::CastOp>({data}, properties);
}

Value Node::createTranspose(Value data, ArrayRef<int64_t> axes) {
  if (!data)
    return {};
  graph::TransposeOp::Properties properties;
  properties.axes = builder.getDenseI64ArrayAttr(axes);
  return create<graph::TransposeOp>({data}, properties);
}

int32_t Node::getNarrowType(unsigned index) const {
  return importer.getNarrowType(getOperand(index));
}

void Node::markNarrow(Value value, int32_t onnxType) {
  importer.markNarrow(value, onnxType);
}

FailureOr<Type> Node::getElementType(int32_t onnxType, bool allowsNarrow) {
  if ((isNarrow(onnxType) || isONNXFloat8(onnxType)) && !allowsNarrow)
    return notSupported("the result has the element type " +
                        getONNXTypeName(onnxType) +
                        ", which only Cast, CastLike and QuantizeLinear make");
  return importer::getElementType(getContext(), errors, title + ": the result",
                                  onnxType);
}

Value Node::createScalar(Type elementType, double value) {
  HostTensor tensor(RankedTensorType::get({}, elementType));
  tensor.setDouble(0, value);
  return graph::ConstantOp::create(builder, location, tensor.getType(),
                                   tensor.toAttribute(""));
}

LogicalResult Node::checkResultSize(RankedTensorType type) {
  if (errors.hasError())
    return failure();
  return checkTensorSize(errors, title + ": the result", type.getShape(),
                         HostTensor::getElementSize(type.getElementType()),
                         /*allowEmpty=*/true);
}

LogicalResult Node::checkComputedSize(RankedTensorType type) {
  if (errors.hasError() ||
      failed(checkTensorSize(errors, title + ": a constant that it needs",
                             type.getShape(),
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

Value Node::createConstant(const HostTensor &tensor) {
  RankedTensorType type = tensor.getType();
  if (failed(checkResultSize(type)))
    return {};
  StringRef name = cast<NameLoc>(location).getName();
  return graph::ConstantOp::create(builder, location, type,
                                   tensor.toAttribute(name));
}

FailureOr<SmallVector<Value>> Node::importBody(const onnx::GraphProto &body,
                                               ValueRange inputs,
                                               const Twine &suffix) {
  if (errors.hasError())
    return failure();
  StringRef name = cast<NameLoc>(location).getName();
  return importer.importBody(body, inputs, (name + suffix).str());
}

onnx::TensorProto &Node::makeTensor(onnx::TensorProto::DataType type) {
  onnx::TensorProto &tensor = tensors.emplace_back();
  tensor.set_data_type(type);
  return tensor;
}

LogicalResult Node::yield(ImportedValue value, unsigned output) {
  if (outputs.size() <= output)
    outputs.resize(output + 1);
  outputs[output] = value;
  return success(!errors.hasError() && value);
}

StringRef Node::getOutputName(unsigned output) const {
  return output < unsigned(proto.output_size()) ? proto.output(output)
                                                : StringRef();
}

unsigned Node::getNumOutputs() const {
  return llvm::count_if(proto.output(),
                        [](StringRef name) { return !name.empty(); });
}
