//===- GraphImporter.cpp - Imports a model into a module ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"

#include "uma/Import/Support/ImportedFunction.h"

#include "uma/Support/Float8.h"
#include "uma/Support/LayerName.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

GraphImporter::GraphImporter(MLIRContext *context, ImportErrors &errors,
                             onnx::ModelProto &model, StringRef path,
                             const ONNXImportOptions &options)
    : errors(errors), model(model), graph(model.graph()), options(options),
      path(path), builder(context), tensors(context, errors, path) {}

/// Returns the name of the network as a C identifier, derived from the file's
/// name.
static std::string getNetworkName(StringRef path) {
  std::string name = llvm::sys::path::stem(path).str();
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  if (name.empty() || !llvm::isAlpha(name.front()))
    name.insert(0, "model_");
  return name;
}

OwningOpRef<ModuleOp> GraphImporter::run() {
  if (!model.has_graph()) {
    (void)errors.badInput("is no ONNX model: it has no graph");
    return {};
  }
  FailureOr<int64_t> version = readOpset(errors, model);
  if (failed(version))
    return {};
  if (failed(functions.build(errors, model)))
    return {};
  Scope main;
  main.opset = *version;
  scope = &main;
  std::vector<std::string> nodeNames = getNodeNames(graph, "");
  if (failed(checkOperators(errors, graph, main.opset, functions, nodeNames)))
    return {};

  Location location = UnknownLoc::get(builder.getContext());
  module = ModuleOp::create(location);
  if (model.model_version() > 0)
    (*module)->setAttr(kModelVersionAttrName,
                       builder.getI64IntegerAttr(model.model_version()));
  builder.setInsertionPointToStart(module->getBody());
  function = func::FuncOp::create(builder, location, "main",
                                  builder.getFunctionType({}, {}));
  function->setAttr(kNetworkAttrName,
                    builder.getStringAttr(getNetworkName(path)));
  builder.setInsertionPointToStart(function.addEntryBlock());
  if (failed(importInputs()) || failed(importNodes(graph, nodeNames)) ||
      failed(importOutputs()))
    return {};
  eraseUnusedOperators(function);
  if (failed(checkNotEmpty(function, errors, "node")))
    return {};
  return std::move(module);
}

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

LogicalResult GraphImporter::importInitializers(const onnx::GraphProto &body) {
  for (const onnx::TensorProto &tensor : body.initializer())
    scope->names.insert(tensor.name(),
                        {ImportedValue{{}, &tensor, tensor.name()}, {}});
  for (const onnx::SparseTensorProto &tensor : body.sparse_initializer()) {
    StringRef name = tensor.values().name();
    FailureOr<HostTensor> elements =
        tensors.readSparse("tensor " + quote(name), tensor);
    if (failed(elements))
      return failure();
    Value value = graph::ConstantOp::create(
        builder, NameLoc::get(builder.getStringAttr(name)), elements->getType(),
        elements->toAttribute(name));
    markNarrow(value, tensor.values().data_type());
    scope->names.insert(name, {ImportedValue{value}, {}});
  }
  return success();
}

LogicalResult GraphImporter::importInputs() {
  if (failed(importInitializers(graph)))
    return failure();
  // Until version 3 of the format, every initializer is also an input. Later,
  // an initializer is the default value of an input, which the emitted C does
  // not support.
  SmallVector<const onnx::ValueInfoProto *> inputs;
  SmallVector<StringRef> names;
  for (const onnx::ValueInfoProto &input : graph.input())
    if (!scope->names.count(input.name())) {
      inputs.push_back(&input);
      names.push_back(input.name());
    }
  if (failed(checkInputOptions(errors, names, options)))
    return failure();
  std::vector<InputShape> shapes =
      completeShapes(builder.getContext(), inputs, options);
  for (const onnx::ValueInfoProto *input : inputs)
    if (failed(importInput(*input, shapes)))
      return failure();
  // At once: a context keeps all types and lists that it ever had.
  function.setFunctionType(
      builder.getFunctionType(function.front().getArgumentTypes(), {}));
  function.setAllArgAttrs(inputAttributes);
  return success();
}

LogicalResult GraphImporter::importInput(const onnx::ValueInfoProto &input,
                                         ArrayRef<InputShape> shapes) {
  StringAttr name = builder.getStringAttr(input.name());
  auto constant =
      llvm::find_if(options.constants, [&](const InputConstant &entry) {
        return entry.first == input.name();
      });
  if (constant != options.constants.end()) {
    FailureOr<HostTensor> tensor = readInputConstant(
        builder.getContext(), errors, input, shapes, constant->second);
    if (failed(tensor))
      return failure();
    Value value =
        graph::ConstantOp::create(builder, NameLoc::get(name),
                                  tensor->getType(), tensor->toAttribute(name));
    scope->names.insert(input.name(), {ImportedValue{value}, {}});
    markNarrow(value, input.type().tensor_type().elem_type());
    return success();
  }
  FailureOr<RankedTensorType> type =
      getInputType(builder.getContext(), errors, input, shapes);
  if (failed(type))
    return failure();
  BlockArgument argument =
      function.front().addArgument(*type, NameLoc::get(name));
  inputAttributes.push_back(builder.getDictionaryAttr(
      builder.getNamedAttr(kTensorNameAttrName, name)));
  scope->names.insert(input.name(), {ImportedValue{argument}, {}});
  markNarrow(argument, input.type().tensor_type().elem_type());
  return success();
}

/// Compares an output with its declaration. Emits only a warning for another
/// shape: models whose inputs were changed often keep the old one, and nothing
/// depends on it.
static LogicalResult checkDeclaredType(ImportErrors &errors,
                                       const onnx::ValueInfoProto &output,
                                       RankedTensorType type) {
  std::string what = "output " + quote(output.name());
  if (!output.has_type())
    return success();
  if (!output.type().has_tensor_type())
    return errors.notSupported(what + " is no tensor, which is not supported");
  const auto &declared = output.type().tensor_type();
  if (declared.elem_type() != onnx::TensorProto::UNDEFINED) {
    FailureOr<Type> elementType =
        getElementType(type.getContext(), errors, what, declared.elem_type());
    if (failed(elementType))
      return failure();
    if (*elementType != type.getElementType()) {
      std::string text;
      llvm::raw_string_ostream(text)
          << *elementType << ", but its elements are " << type.getElementType();
      return errors.badInput(what + " is declared as a tensor of " + text);
    }
  }
  if (!declared.has_shape())
    return success();
  bool fits = declared.shape().dim_size() == type.getRank();
  for (int64_t dim = 0; fits && dim < type.getRank(); ++dim) {
    const auto &size = declared.shape().dim(dim);
    fits = !size.has_dim_value() || size.dim_value() == type.getDimSize(dim);
  }
  if (!fits)
    errors.warn(what + " has the shape " + formatShape(type.getShape()) +
                ", which is not the one that the model declares");
  return success();
}

LogicalResult GraphImporter::importOutputs() {
  if (graph.output().empty())
    return errors.badInput("has no outputs");
  SmallVector<Value> results;
  for (const onnx::ValueInfoProto &output : graph.output()) {
    NamedValue entry = lookup(output.name());
    if (!entry.value)
      return errors.notSupported("output " + quote(output.name()) + " is " +
                                 entry.describe() + ", which is not supported");
    Value value = materialize(entry.value);
    if (!value || failed(checkDeclaredType(
                      errors, output, cast<RankedTensorType>(value.getType()))))
      return failure();
    results.push_back(value);
  }
  func::ReturnOp::create(builder, function.getLoc(), results);
  function.setFunctionType(builder.getFunctionType(
      function.getArgumentTypes(), ValueRange(results).getTypes()));
  // At once: a context keeps every list of attributes that was ever set.
  SmallVector<DictionaryAttr> names;
  for (const onnx::ValueInfoProto &output : graph.output())
    names.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
        kTensorNameAttrName, builder.getStringAttr(output.name()))));
  function.setAllResultAttrs(names);
  return success();
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

LogicalResult GraphImporter::importNodes(const onnx::GraphProto &body,
                                         ArrayRef<std::string> names) {
  FailureOr<std::vector<unsigned>> order =
      orderNodes(errors, body, names,
                 [&](StringRef name) { return scope->names.count(name) != 0; });
  if (failed(order))
    return failure();
  for (unsigned index : *order)
    if (failed(importNode(body.node(index), names[index])))
      return failure();
  return success();
}

LogicalResult GraphImporter::importNode(const onnx::NodeProto &written,
                                        StringRef name) {
  const onnx::NodeProto &proto = resolveAttributes(written);
  if (const ModelFunction *callee = functions.find(proto))
    return importCall(proto, name, *callee);
  const Rule &rule = *findRule(getOperatorName(proto), scope->opset);
  Node node(builder, errors, ownedTensors, evaluator, *this, proto, name, rule,
            scope->opset);
  if (node.getNumOutputs() == 0)
    return node.badInput("has no outputs");
  if (failed(resolveOperands(node, rule)) || failed(rule.import(node)) ||
      failed(node.checkAllAttrsRead()))
    return failure();
  markMoved(node, rule);
  for (auto [position, output] : llvm::enumerate(proto.output())) {
    if (output.empty())
      continue;
    NamedValue entry;
    if (position < node.outputs.size())
      entry.value = node.outputs[position];
    if (!entry.value)
      entry.missing = builder.getStringAttr("output " + Twine(position + 1) +
                                            " of " + node.title);
    scope->names.insert(output, entry);
  }
  return success();
}

void GraphImporter::markMoved(Node &node, const Rule &rule) {
  if (rule.inputs.contains('^'))
    return;
  for (const Node::Operand &operand : node.operands)
    if (int32_t type = getNarrowType(operand.source.value))
      for (const ImportedValue &output : node.outputs)
        markNarrow(output.value, type);
}

LogicalResult GraphImporter::resolveOperands(Node &node, const Rule &rule) {
  SmallVector<StringRef> formals;
  rule.inputs.split(formals, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  unsigned count = node.proto.input_size();
  if (!formals.empty() && formals.back().ends_with("*")) {
    if (count == 0)
      return node.badInput("has no inputs");
    formals.resize(count, formals.back());
  }
  if (count > formals.size())
    return node.badInput("has " + Twine(count) + " inputs; expected at most " +
                         Twine(formals.size()) + " in opset " +
                         Twine(scope->opset));
  for (auto [position, formal] : llvm::enumerate(formals))
    if (failed(resolveOperand(node, formal, position)))
      return failure();
  return success();
}

LogicalResult GraphImporter::resolveOperand(Node &node, StringRef formal,
                                            unsigned index) {
  StringRef formalName = formal.take_until(
      [](char c) { return StringRef("=!&?*^~").contains(c); });
  StringRef marks = formal.drop_front(formalName.size());
  std::string what = ("input '" + formalName + "'").str();
  Node::Operand &operand = node.operands.emplace_back();
  operand.name = formalName.str();

  const onnx::NodeProto &proto = node.proto;
  bool isWritten =
      index < unsigned(proto.input_size()) && !proto.input(index).empty();
  if (!isWritten || isOmitted(proto.input(index))) {
    if (marks.contains('?'))
      return success();
    return node.badInput("has no " + what);
  }
  const std::string &name = proto.input(index);
  NamedValue entry = lookup(name);
  if (entry.missing)
    return node.notSupported(what + " is " + quote(name) + ", " +
                             entry.missing.getValue() +
                             ", which is not supported");
  if (marks.contains('=')) {
    StringRef reason = marks.contains('!')
                           ? ", since the shape of the result depends on it: "
                             "end the model before this layer"
                           : "";
    FailureOr<HostTensor> elements =
        readConstant(node, what, name, entry.value, reason);
    if (failed(elements))
      return failure();
    operand.elements = *elements;
  }
  operand.source = entry.value;
  if (marks.contains('=') || marks.contains('&'))
    return success();
  operand.source.value = materialize(entry.value);
  if (!operand.source.value)
    return failure();
  // Other operators would compute with codes.
  Type type = getElementType(operand.source.value);
  std::string typeName = isFloat8(type) ? getONNXTypeName(type) : "";
  if (int32_t narrowType = getNarrowType(operand.source.value))
    typeName = getONNXTypeName(narrowType);
  if (!typeName.empty() && !marks.contains('~') && !marks.contains('^'))
    return node.notSupported(what + " is " + quote(name) + ", which holds " +
                             typeName +
                             "; only Cast, CastLike, QuantizeLinear, "
                             "DequantizeLinear and operators that move "
                             "elements take it: cast it first");
  return success();
}

FailureOr<HostTensor> GraphImporter::readConstant(Node &node, StringRef what,
                                                  StringRef name,
                                                  const ImportedValue &entry,
                                                  StringRef reason) {
  Value value = entry.value;
  if (entry.constant) {
    value = constants.lookup(entry.constant);
    if (!value)
      return tensors.read("tensor " + quote(name), *entry.constant);
  }
  ConstantEvaluator::Outcome outcome = evaluator.evaluate(value);
  if (outcome.elements)
    return *outcome.elements;
  std::string found = (what + " is " + quote(name) + ", which ").str();
  if (!outcome.error.empty())
    return node.notSupported(found + outcome.error);
  auto argument = cast<BlockArgument>(outcome.input);
  StringRef input = function
                        .getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      kTensorNameAttrName)
                        .getValue();
  return node.notSupported(what + " is " + quote(name) +
                           (entry.value == outcome.input
                                ? ""
                                : ", which is computed from " + quote(input)) +
                           ", an input of the model; only constants are "
                           "supported" +
                           reason + " (--const makes an input one)");
}

Value GraphImporter::materialize(const ImportedValue &entry) {
  if (entry.value)
    return entry.value;
  Value &value = constants[entry.constant];
  if (value)
    return value;
  StringRef name = entry.constantName;
  // All further uses share the constant. The tensor belongs to the model, which
  // the importer may change, or to a node.
  auto *tensor = const_cast<onnx::TensorProto *>(entry.constant);
  FailureOr<ElementsAttr> attr =
      tensors.readAttribute("tensor " + quote(name), name, *tensor);
  if (failed(attr))
    return {};
  value = graph::ConstantOp::create(builder,
                                    NameLoc::get(builder.getStringAttr(name)),
                                    attr->getType(), *attr);
  markNarrow(value, entry.constant->data_type());
  return value;
}
