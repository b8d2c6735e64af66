//===- GraphImporter.cpp - Imports a model into a module ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"

#include "uma/Import/ONNX/TensorFile.h"
#include "uma/Import/Support/ImportedFunction.h"

#include "uma/IR/StateAttributes.h"
#include "uma/IR/UMADialect.h"
#include "uma/Support/LayerName.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;
using namespace uma::tflite;
using schema::BuiltinOperator;

/// Version of the file format that the schema describes.
static constexpr uint32_t kVersion = 3;

GraphImporter::GraphImporter(MLIRContext *context, ImportErrors &errors,
                             const schema::Model &model, StringRef path,
                             const TFLiteImportOptions &options)
    : errors(errors), model(model), path(path), options(options),
      builder(context) {}

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
  if (model.version() != kVersion) {
    (void)errors.notSupported("has version " + Twine(model.version()) +
                              " of the TensorFlow Lite format; supported is " +
                              Twine(kVersion));
    return {};
  }
  if (!model.subgraphs() || model.subgraphs()->size() == 0) {
    (void)errors.badInput("has no graph");
    return {};
  }
  if (failed(checkOperators()))
    return {};
  const schema::SubGraph &graph = *model.subgraphs()->Get(0);
  TensorTable tensors(builder, errors, model, graph, options,
                      constants[&graph]);
  if (failed(tensors.check()))
    return {};

  Location location = UnknownLoc::get(builder.getContext());
  module = ModuleOp::create(location);
  builder.setInsertionPointToStart(module->getBody());
  function = func::FuncOp::create(builder, location, "main",
                                  builder.getFunctionType({}, {}));
  function->setAttr(kNetworkAttrName,
                    builder.getStringAttr(getNetworkName(path)));
  builder.setInsertionPointToStart(function.addEntryBlock());
  if (failed(importGraph(graph, tensors)))
    return {};
  importer::eraseUnusedOperators(function);
  if (failed(importer::checkNotEmpty(function, errors, "operator")))
    return {};
  return std::move(module);
}

/// Returns the variable tensors that operators use, in the order of the file.
static SmallVector<int32_t> findStates(const schema::SubGraph &graph,
                                       const TensorTable &tensors) {
  SmallVector<int32_t> variables;
  if (!graph.operators())
    return variables;
  for (const schema::Operator *proto : *graph.operators())
    for (int32_t tensor : getArray(proto->inputs()))
      if (tensor >= 0 && tensor < tensors.size() &&
          tensors.isVariable(tensor) && !tensors.isDefined(tensor))
        variables.push_back(tensor);
  llvm::sort(variables);
  variables.erase(llvm::unique(variables), variables.end());
  return variables;
}

LogicalResult GraphImporter::checkConstantInputs(const schema::SubGraph &graph,
                                                 const TensorTable &tensors) {
  std::vector<std::string> names;
  for (int32_t input : getArray(graph.inputs()))
    if (input >= 0 && input < tensors.size())
      names.push_back(tensors.getName(input));
  SmallVector<StringRef> given;
  for (const InputConstant &constant : options.constants)
    given.push_back(constant.first);
  return importer::checkInputNames(
      errors, "constant", SmallVector<StringRef>(names.begin(), names.end()),
      given);
}

LogicalResult GraphImporter::importGraph(const schema::SubGraph &graph,
                                         TensorTable &tensors) {
  if (failed(checkConstantInputs(graph, tensors)))
    return failure();
  for (int32_t input : getArray(graph.inputs()))
    if (failed(importInput(tensors, input)))
      return failure();
  SmallVector<int32_t> states = findStates(graph, tensors);
  for (int32_t state : states) {
    if (failed(importInput(tensors, state)))
      return failure();
    // The integer that stands for 0.
    Type element = tensors.getType(state)->getElementType();
    int64_t start =
        isQuantized(element) ? Quantization::of(element).zeroPoints.front() : 0;
    function.setArgAttr(function.getNumArguments() - 1, kStartAttrName,
                        builder.getI64IntegerAttr(start));
  }
  if (failed(importOperators(graph, tensors)))
    return failure();
  return importOutputs(tensors, getArray(graph.outputs()), states);
}

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

LogicalResult GraphImporter::importInput(TensorTable &tensors, int32_t tensor) {
  if (tensor < 0 || tensor >= tensors.size())
    return errors.badInput("an input of the graph is tensor " + Twine(tensor) +
                           ", but the file has only " + Twine(tensors.size()));
  if (tensors.isDefined(tensor))
    return errors.badInput(tensors.getTitle(tensor) +
                           " is an input of the graph, and also a constant or "
                           "another input");
  FailureOr<RankedTensorType> type = tensors.getType(tensor);
  if (failed(type))
    return failure();
  if (llvm::is_contained(type->getShape(), 0))
    return errors.notSupported("input " + quote(tensors.getName(tensor)) +
                               " of the shape " +
                               formatShape(type->getShape()) +
                               " has no elements, which is not supported");
  if (tensors.isHandle(tensor))
    return errors.notSupported("input " + quote(tensors.getName(tensor)) +
                               " is the handle of a variable, which is not "
                               "supported");
  std::string name = tensors.getName(tensor);
  Value value;
  auto bound =
      llvm::find_if(options.constants, [&](const InputConstant &constant) {
        return constant.first == name;
      });
  if (bound != options.constants.end()) {
    auto elements = readTensor(bound->second, getStorageType(*type));
    if (!elements)
      return errors.badInput("input " + quote(name) + ": " +
                             llvm::toString(elements.takeError()));
    value = graph::ConstantOp::create(
        builder, NameLoc::get(builder.getStringAttr(name)), elements->getType(),
        elements->toAttribute(name));
  } else {
    value = addArgument(function, name, getStorageType(*type));
  }
  if (value && isQuantized(type->getElementType()))
    value = graph::StorageCastOp::create(builder, value.getLoc(), *type, value);
  if (!value)
    return failure();
  tensors.define(tensor, value);
  return success();
}

LogicalResult GraphImporter::importOutputs(TensorTable &tensors,
                                           ArrayRef<int32_t> outputs,
                                           ArrayRef<int32_t> stateTensors) {
  if (outputs.empty())
    return errors.badInput("has no outputs");
  SmallVector<Value> results;
  SmallVector<std::string> names;
  for (int32_t tensor : llvm::concat<const int32_t>(outputs, stateTensors)) {
    if (tensor < 0 || tensor >= tensors.size())
      return errors.badInput("an output of the graph is tensor " +
                             Twine(tensor) + ", but the file has only " +
                             Twine(tensors.size()));
    if (!tensors.isDefined(tensor))
      return errors.badInput("output " + quote(tensors.getName(tensor)) +
                             " is no result of any operator");
    if (tensors.isHandle(tensor))
      return errors.notSupported("output " + quote(tensors.getName(tensor)) +
                                 " is the handle of a variable, which is not "
                                 "supported");
    Value value = tensors.getStored(tensor);
    if (!value)
      return failure();
    bool isState = results.size() >= outputs.size();
    names.push_back(tensors.getName(tensor) + (isState ? "_next" : ""));
    auto type = cast<RankedTensorType>(value.getType());
    if (isQuantized(type.getElementType()))
      value = graph::StorageCastOp::create(builder, value.getLoc(),
                                           getStorageType(type), value);
    results.push_back(value);
  }
  variables.replaceConstants(builder, function);
  variables.describeStarts(function);
  variables.addResults(names, results);
  func::ReturnOp::create(builder, function.getLoc(), results);
  function.setFunctionType(builder.getFunctionType(
      function.getArgumentTypes(), ValueRange(results).getTypes()));
  for (auto [index, name] : llvm::enumerate(names))
    function.setResultAttr(index, kTensorNameAttrName,
                           builder.getStringAttr(name));
  return success();
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// Returns the operator that a code stands for. Old files have it in a field of
/// 8 bits, new ones in both if it fits.
static BuiltinOperator getCode(const schema::OperatorCode &code) {
  return std::max(code.builtin_code(),
                  BuiltinOperator(code.deprecated_builtin_code()));
}

/// Returns the name of a custom operator; empty for a builtin one.
static StringRef getCustomName(const schema::OperatorCode &code) {
  return getCode(code) == BuiltinOperator::CUSTOM
             ? getString(code.custom_code())
             : StringRef();
}

/// Returns the name of an operator: of its first result, without the names of
/// further layers that the converter has fused, which follow a semicolon.
static std::string getOperatorTitle(const TensorTable &tensors,
                                    const schema::Operator &proto,
                                    BuiltinOperator code, unsigned index) {
  ArrayRef<int32_t> outputs = getArray(proto.outputs());
  std::string name;
  if (!outputs.empty() && outputs[0] >= 0 && outputs[0] < tensors.size())
    name = StringRef(tensors.getName(outputs[0])).split(';').first.str();
  return name.empty() ? getOperatorName(code) + "_" + std::to_string(index)
                      : name;
}

SmallVector<const schema::SubGraph *> GraphImporter::findReachedGraphs() const {
  SmallVector<const schema::SubGraph *> reached, open;
  auto reach = [&](int64_t index) {
    // Other numbers are reported where the operator is imported.
    if (index < 0 || index >= int64_t(model.subgraphs()->size()))
      return;
    const schema::SubGraph *graph = model.subgraphs()->Get(index);
    if (llvm::is_contained(reached, graph))
      return;
    reached.push_back(graph);
    if (graph->operators())
      open.push_back(graph);
  };
  reach(0);
  while (!open.empty())
    for (const schema::Operator *proto : *open.pop_back_val()->operators()) {
      if (const auto *branch = proto->builtin_options_as_IfOptions()) {
        reach(branch->then_subgraph_index());
        reach(branch->else_subgraph_index());
      }
      if (const auto *loop = proto->builtin_options_as_WhileOptions()) {
        reach(loop->cond_subgraph_index());
        reach(loop->body_subgraph_index());
      }
      if (const auto *once = proto->builtin_options_as_CallOnceOptions())
        reach(once->init_subgraph_index());
    }
  return reached;
}

LogicalResult GraphImporter::checkOperators() {
  int64_t numCodes =
      model.operator_codes() ? model.operator_codes()->size() : 0;
  // Number of operators of each unsupported kind, in the order of the file.
  std::vector<std::pair<std::string, int64_t>> unknown;
  llvm::StringMap<size_t> positions;
  auto count = [&](const std::string &name) {
    auto [it, inserted] = positions.try_emplace(name, unknown.size());
    if (inserted)
      unknown.emplace_back(name, 0);
    ++unknown[it->second].second;
  };
  for (const schema::SubGraph *graph : findReachedGraphs()) {
    if (!graph->operators())
      continue;
    for (auto [index, proto] : llvm::enumerate(*graph->operators())) {
      if (proto->opcode_index() >= numCodes)
        return errors.badInput("operator " + Twine(index) + " has the code " +
                               Twine(proto->opcode_index()) +
                               ", but the file has only " + Twine(numCodes));
      const schema::OperatorCode &code =
          *model.operator_codes()->Get(proto->opcode_index());
      if (!findRule(getCode(code), getCustomName(code)))
        count(getTitle(getCode(code), getCustomName(code)));
    }
  }
  if (unknown.empty())
    return success();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << unknown.size()
     << (unknown.size() > 1 ? " operators are" : " operator is")
     << " not supported: ";
  llvm::interleaveComma(unknown, os, [&](const auto &entry) {
    os << entry.first << " (" << entry.second
       << (entry.second > 1 ? " times)" : " time)");
  });
  return errors.notSupported(text);
}

LogicalResult GraphImporter::importOperators(const schema::SubGraph &graph,
                                             TensorTable &tensors) {
  if (!graph.operators())
    return success();
  for (auto [index, proto] : llvm::enumerate(*graph.operators()))
    if (failed(importOperator(tensors, *proto, index)))
      return failure();
  return success();
}

/// Maximum number of operators imported from loops and branches. The C of
/// larger networks would be useless.
static constexpr int64_t kMaxBodyOperators = 20000;
/// Maximum nesting of subgraphs, which are imported recursively (see
/// importer::kStackBytes).
static constexpr int64_t kMaxBodyDepth = 2000;

FailureOr<SmallVector<Value>> GraphImporter::importBody(int64_t subgraph,
                                                        ArrayRef<Value> inputs,
                                                        StringRef title) {
  if (subgraph < 0 || subgraph >= int64_t(model.subgraphs()->size()))
    return errors.badInput(title + ": its body is subgraph " + Twine(subgraph) +
                           ", but the file has only " +
                           Twine(model.subgraphs()->size()));
  const schema::SubGraph &body = *model.subgraphs()->Get(subgraph);
  numBodyOperators += (body.operators() ? body.operators()->size() : 0) + 1;
  if (numBodyOperators > kMaxBodyOperators)
    return errors.notSupported(
        title + ": loops would be unrolled to more than " +
        Twine(kMaxBodyOperators) + " operators, which is not supported");
  if (depth >= kMaxBodyDepth)
    return errors.notSupported(title + ": is " + Twine(depth) +
                               " subgraphs deep, which is not supported");
  ArrayRef<int32_t> formals = getArray(body.inputs());
  if (formals.size() != inputs.size())
    return errors.badInput(title + ": its body has " + Twine(formals.size()) +
                           " inputs; expected " + Twine(inputs.size()));
  // A body that is imported again uses the same constants.
  TensorTable tensors(builder, errors, model, body, options, constants[&body]);
  if (failed(tensors.check()))
    return failure();
  auto check = [&](int32_t tensor, StringRef what) -> LogicalResult {
    if (tensor >= 0 && tensor < tensors.size())
      return success();
    return errors.badInput(title + ": an " + what + " of its body is tensor " +
                           Twine(tensor) + ", but the file has only " +
                           Twine(tensors.size()));
  };
  for (auto [tensor, value] : llvm::zip_equal(formals, inputs)) {
    if (failed(check(tensor, "input")))
      return failure();
    if (tensors.isDefined(tensor))
      return errors.badInput(title + ": " + tensors.getTitle(tensor) +
                             " is an input of its body, and also a constant "
                             "or another input");
    if (failed(tensors.defineResult(tensor, value, title + ": the operand")))
      return failure();
  }
  ++depth;
  if (failed(importOperators(body, tensors)))
    return failure();
  --depth;
  SmallVector<Value> results;
  for (int32_t tensor : getArray(body.outputs())) {
    if (failed(check(tensor, "output")))
      return failure();
    if (!tensors.isDefined(tensor))
      return errors.badInput(title + ": output " +
                             quote(tensors.getName(tensor)) +
                             " of its body is no result of any operator");
    results.push_back(tensors.getStored(tensor));
    if (!results.back())
      return failure();
  }
  return results;
}

LogicalResult GraphImporter::importStart(int64_t subgraph, StringRef title) {
  bool isInside = std::exchange(starting, true);
  auto results = importBody(subgraph, {}, title);
  starting = isInside;
  return failure(failed(results));
}

LogicalResult GraphImporter::importOperator(TensorTable &tensors,
                                            const schema::Operator &proto,
                                            unsigned index) {
  const schema::OperatorCode &entry =
      *model.operator_codes()->Get(proto.opcode_index());
  BuiltinOperator code = getCode(entry);
  const Rule &rule = *findRule(code, getCustomName(entry));
  Node node(*this, builder, errors, tensors, options, evaluator, proto,
            getOperatorTitle(tensors, proto, code, index), rule);
  ArrayRef<int32_t> outputs = getArray(proto.outputs());
  if (outputs.empty() == rule.hasResults)
    return node.badInput(rule.hasResults ? "has no results"
                                         : "has results; expected none");
  for (int32_t tensor : outputs) {
    if (tensor < 0 || tensor >= tensors.size())
      return node.badInput("a result is tensor " + Twine(tensor) +
                           ", but the file has only " + Twine(tensors.size()));
    if (tensors.isDefined(tensor))
      return node.badInput("its result " + tensors.getTitle(tensor) +
                           " is also a constant, an input of the model or the "
                           "result of an operator before this one");
  }
  if (failed(node.resolveOperands(rule)) || failed(rule.import(node)))
    return failure();
  for (auto [position, tensor] : llvm::enumerate(outputs)) {
    Value value = node.results[position];
    if (!value)
      return node.badInput("has " + Twine(outputs.size()) +
                           " results; expected " + Twine(position));
    if (failed(
            tensors.defineResult(tensor, value, node.title + ": the result")))
      return failure();
  }
  return success();
}
