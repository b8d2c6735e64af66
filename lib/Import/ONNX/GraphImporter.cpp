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

/// Returns the names of the nodes of a graph, generated if they have none. All
/// start with `prefix`.
static std::vector<std::string> getNodeNames(const onnx::GraphProto &graph,
                                             const Twine &prefix) {
  std::vector<std::string> names;
  for (auto [index, node] : llvm::enumerate(graph.node()))
    names.push_back((prefix + (node.name().empty() ? node.op_type() + "_" +
                                                         std::to_string(index)
                                                   : node.name()))
                        .str());
  return names;
}

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
  opset = *version;
  std::vector<std::string> nodeNames = getNodeNames(graph, "");
  if (failed(checkOperators(errors, graph, opset, nodeNames)))
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
  if (failed(importInputs()))
    return {};
  if (failed(importNodes(graph, nodeNames)) || failed(importOutputs()))
    return {};
  eraseUnusedOperators(function);
  if (failed(checkNotEmpty(function, errors, "node")))
    return {};
  return std::move(module);
}

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

LogicalResult GraphImporter::importInputs() {
  for (const onnx::TensorProto &tensor : graph.initializer())
    values[tensor.name()] = ImportedValue{{}, &tensor, tensor.name()};
  // Until version 3 of the format, every initializer is also an input. Later,
  // an initializer is the default value of an input, which the emitted C does
  // not support.
  SmallVector<const onnx::ValueInfoProto *> inputs;
  SmallVector<StringRef> names;
  for (const onnx::ValueInfoProto &input : graph.input())
    if (!values.contains(input.name())) {
      inputs.push_back(&input);
      names.push_back(input.name());
    }
  if (failed(checkInputOptions(errors, names, options)))
    return failure();
  for (const onnx::ValueInfoProto *input : inputs)
    if (failed(importInput(*input)))
      return failure();
  return success();
}

LogicalResult GraphImporter::importInput(const onnx::ValueInfoProto &input) {
  StringAttr name = builder.getStringAttr(input.name());
  auto constant =
      llvm::find_if(options.constants, [&](const InputConstant &entry) {
        return entry.first == input.name();
      });
  if (constant != options.constants.end()) {
    FailureOr<HostTensor> tensor = readInputConstant(
        builder.getContext(), errors, input, options.shapes, constant->second);
    if (failed(tensor))
      return failure();
    values[input.name()].value =
        graph::ConstantOp::create(builder, NameLoc::get(name),
                                  tensor->getType(), tensor->toAttribute(name));
    return success();
  }
  FailureOr<RankedTensorType> type =
      getInputType(builder.getContext(), errors, input, options.shapes);
  if (failed(type))
    return failure();
  unsigned index = function.getNumArguments();
  if (failed(function.insertArgument(
          index, *type,
          builder.getDictionaryAttr(
              builder.getNamedAttr(kTensorNameAttrName, name)),
          NameLoc::get(name))))
    return failure();
  values[input.name()].value = function.getArgument(index);
  if (unsigned bits =
          importer::getNarrowBits(input.type().tensor_type().elem_type()))
    markNarrow(function.getArgument(index), bits);
  return success();
}

/// Compares an output with its declaration. Emits only a warning for another
/// shape: models whose inputs were changed often keep the old one, and nothing
/// depends on it.
static LogicalResult checkDeclaredType(ImportErrors &errors, Location location,
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
    emitWarning(location) << what << " has the shape "
                          << formatShape(type.getShape())
                          << ", which is not the one that the model declares";
  return success();
}

LogicalResult GraphImporter::importOutputs() {
  if (graph.output().empty())
    return errors.badInput("has no outputs");
  Location file = FileLineColLoc::get(builder.getContext(), path, 0, 0);
  SmallVector<Value> results;
  for (const onnx::ValueInfoProto &output : graph.output()) {
    auto entry = values.find(output.name());
    if (entry == values.end())
      return errors.notSupported("output " + quote(output.name()) + " is " +
                                 unsupportedOutputs[output.name()] +
                                 ", which is not supported");
    Value value = materialize(entry->second);
    if (!value ||
        failed(checkDeclaredType(errors, file, output,
                                 cast<RankedTensorType>(value.getType()))))
      return failure();
    results.push_back(value);
  }
  func::ReturnOp::create(builder, function.getLoc(), results);
  function.setFunctionType(builder.getFunctionType(
      function.getArgumentTypes(), ValueRange(results).getTypes()));
  for (auto [index, output] : llvm::enumerate(graph.output()))
    function.setResultAttr(index, kTensorNameAttrName,
                           builder.getStringAttr(output.name()));
  return success();
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

LogicalResult GraphImporter::importNodes(const onnx::GraphProto &body,
                                         ArrayRef<std::string> names) {
  FailureOr<std::vector<unsigned>> order =
      orderNodes(errors, body, names, [&](StringRef name) {
        return &body != &graph &&
               (values.contains(name) || unsupportedOutputs.contains(name));
      });
  if (failed(order))
    return failure();
  for (unsigned index : *order)
    if (failed(importNode(body.node(index), names[index])))
      return failure();
  return success();
}

/// Maximum number of nodes imported from loops and branches. The C of larger
/// networks would be useless.
static constexpr int64_t kMaxBodyNodes = 20000;
/// Maximum nesting of graphs, which are imported recursively.
static constexpr int64_t kMaxDepth = 32;

FailureOr<SmallVector<Value>>
GraphImporter::importBody(const onnx::GraphProto &body, ValueRange inputs,
                          StringRef title) {
  std::string what = "node " + quote(title);
  numBodyNodes += body.node_size() + 1;
  if (numBodyNodes > kMaxBodyNodes)
    return errors.notSupported(
        what + ": loops would be unrolled to more than " +
        Twine(kMaxBodyNodes) + " nodes, which is not supported");
  if (depth >= kMaxDepth)
    return errors.notSupported(what + ": is " + Twine(depth) +
                               " graphs deep, which is not supported");
  if (size_t(body.input_size()) != inputs.size())
    return errors.badInput(what + ": its graph has " +
                           Twine(body.input_size()) + " inputs; expected " +
                           Twine(inputs.size()));
  std::vector<std::string> names = getNodeNames(body, title + "/");
  if (failed(checkOperators(errors, body, opset, names)))
    return failure();

  // Names of the body are local and may shadow outer ones.
  llvm::StringMap<ImportedValue> outerValues = values;
  ++depth;
  for (auto [input, value] : llvm::zip_equal(body.input(), inputs))
    values[input.name()] = ImportedValue{value};
  for (const onnx::TensorProto &tensor : body.initializer())
    values[tensor.name()] = ImportedValue{{}, &tensor, tensor.name()};
  if (failed(importNodes(body, names)))
    return failure();
  SmallVector<Value> outputs;
  for (const onnx::ValueInfoProto &output : body.output()) {
    auto entry = values.find(output.name());
    if (entry == values.end())
      return errors.notSupported(
          what + ": output " + quote(output.name()) + " of its graph is " +
          unsupportedOutputs[output.name()] + ", which is not supported");
    Value value = materialize(entry->second);
    if (!value)
      return failure();
    outputs.push_back(value);
  }
  --depth;
  values = std::move(outerValues);
  return outputs;
}

LogicalResult GraphImporter::importNode(const onnx::NodeProto &proto,
                                        StringRef name) {
  const Rule &rule = *findRule(getOperatorName(proto), opset);
  Node node(builder, errors, ownedTensors, evaluator, *this, proto, name, rule,
            opset);
  if (node.getNumOutputs() == 0)
    return node.badInput("has no outputs");
  if (failed(resolveOperands(node, rule)) || failed(rule.import(node)) ||
      failed(node.checkAllAttrsRead()))
    return failure();
  for (auto [position, output] : llvm::enumerate(proto.output())) {
    if (output.empty())
      continue;
    if (position < node.outputs.size() && node.outputs[position])
      values[output] = node.outputs[position];
    else
      unsupportedOutputs[output] =
          "output " + std::to_string(position + 1) + " of " + node.title;
  }
  return success();
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
                         Twine(formals.size()) + " in opset " + Twine(opset));
  for (auto [position, formal] : llvm::enumerate(formals))
    if (failed(resolveOperand(node, formal, position)))
      return failure();
  return success();
}

LogicalResult GraphImporter::resolveOperand(Node &node, StringRef formal,
                                            unsigned index) {
  StringRef formalName =
      formal.take_until([](char c) { return StringRef("=&?*^~").contains(c); });
  StringRef marks = formal.drop_front(formalName.size());
  std::string what = ("input '" + formalName + "'").str();
  Node::Operand &operand = node.operands.emplace_back();
  operand.name = formalName.str();

  const onnx::NodeProto &proto = node.proto;
  if (index >= unsigned(proto.input_size()) || proto.input(index).empty()) {
    if (marks.contains('?'))
      return success();
    return node.badInput("has no " + what);
  }
  const std::string &name = proto.input(index);
  auto entry = values.find(name);
  // orderNodes has found every name, so that a missing one is an output that no
  // rule yields.
  if (entry == values.end())
    return node.notSupported(what + " is " + quote(name) + ", " +
                             unsupportedOutputs[name] +
                             ", which is not supported");
  if (marks.contains('=')) {
    FailureOr<HostTensor> elements =
        readConstant(node, what, name, entry->second);
    if (failed(elements))
      return failure();
    operand.elements = *elements;
  }
  operand.source = entry->second;
  if (marks.contains('=') || marks.contains('&'))
    return success();
  operand.source.value = materialize(entry->second);
  if (!operand.source.value)
    return failure();
  // Other operators would compute with bytes.
  unsigned bits = getNarrowBits(operand.source.value);
  if (bits && !marks.contains('^'))
    return node.notSupported(what + " is " + quote(name) + ", which holds " +
                             Twine(bits) +
                             "-bit integers; only QuantizeLinear and "
                             "DequantizeLinear take them");
  Type type = getElementType(operand.source.value);
  if (isFloat8(type) && !marks.contains('~'))
    return node.notSupported(what + " is " + quote(name) + ", which holds " +
                             getONNXTypeName(type) +
                             "; only Cast, CastLike, QuantizeLinear, "
                             "DequantizeLinear and operators that move "
                             "elements take 8-bit floats: cast it first");
  return success();
}

FailureOr<HostTensor> GraphImporter::readConstant(Node &node, StringRef what,
                                                  StringRef name,
                                                  const ImportedValue &entry) {
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
  StringRef input;
  for (const onnx::ValueInfoProto &info : graph.input())
    if (auto it = values.find(info.name());
        it != values.end() && it->second.value == outcome.input)
      input = info.name();
  return node.notSupported(what + " is " + quote(name) +
                           (entry.value == outcome.input
                                ? ""
                                : ", which is computed from " + quote(input)) +
                           ", an input of the model; only constants are "
                           "supported (--const makes an input one)");
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
  if (unsigned bits = importer::getNarrowBits(entry.constant->data_type()))
    markNarrow(value, bits);
  return value;
}
