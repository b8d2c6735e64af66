//===- NestedGraphs.cpp - Imports graphs of attributes and functions ------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// uma.graph has neither control flow nor calls: bodies of If, Loop and Scan and
// calls of functions are imported in place.
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"

#include "uma/Support/DidYouMean.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

/// Maximum number of nodes imported from loops, branches and functions. The C
/// of larger networks would be useless.
static constexpr int64_t kMaxBodyNodes = 20000;

std::vector<std::string> importer::getNodeNames(const onnx::GraphProto &graph,
                                                const Twine &prefix) {
  std::vector<std::string> names;
  for (auto [index, node] : llvm::enumerate(graph.node()))
    names.push_back((prefix + (node.name().empty() ? node.op_type() + "_" +
                                                         std::to_string(index)
                                                   : node.name()))
                        .str());
  return names;
}

LogicalResult GraphImporter::importNested(const onnx::GraphProto &body,
                                          StringRef title) {
  std::string what = "node " + quote(title);
  numBodyNodes += body.node_size() + 1;
  if (numBodyNodes > kMaxBodyNodes)
    return errors.notSupported(
        what + ": loops and functions would be unrolled to more than " +
        Twine(kMaxBodyNodes) + " nodes, which is not supported");
  if (depth >= kMaxDepth)
    return errors.notSupported(what + ": is " + Twine(depth) +
                               " graphs deep, which is not supported");
  std::vector<std::string> names = getNodeNames(body, title + "/");
  if (failed(checkOperators(errors, body, scope->opset, functions, names)))
    return failure();
  ++depth;
  llvm::scope_exit leave([&] { --depth; });
  return importNodes(body, names);
}

//===----------------------------------------------------------------------===//
// Graphs of attributes
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>>
GraphImporter::importBody(const onnx::GraphProto &body, ValueRange inputs,
                          StringRef title) {
  std::string what = "node " + quote(title);
  if (size_t(body.input_size()) != inputs.size())
    return errors.badInput(what + ": its graph has " +
                           Twine(body.input_size()) + " inputs; expected " +
                           Twine(inputs.size()));
  // A graph that a caller gives to a function sees the names of the caller.
  Scope *outer = std::exchange(scope, findScope(body));
  llvm::scope_exit leave([&] { scope = outer; });
  // Names of the body are local and may shadow outer ones.
  Scope::Names::ScopeTy inner(scope->names);
  for (auto [input, value] : llvm::zip_equal(body.input(), inputs))
    scope->names.insert(input.name(), {ImportedValue{value}, {}});
  if (failed(importInitializers(body)) || failed(importNested(body, title)))
    return failure();
  SmallVector<Value> outputs;
  for (const onnx::ValueInfoProto &output : body.output()) {
    NamedValue entry = lookup(output.name());
    if (!entry.value)
      return errors.notSupported(what + ": output " + quote(output.name()) +
                                 " of its graph is " + entry.describe() +
                                 ", which is not supported");
    Value value = materialize(entry.value);
    if (!value)
      return failure();
    outputs.push_back(value);
  }
  return outputs;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

const onnx::NodeProto &
GraphImporter::resolveAttributes(const onnx::NodeProto &proto) {
  bool hasReference =
      llvm::any_of(proto.attribute(), [](const onnx::AttributeProto &attr) {
        return attr.has_ref_attr_name();
      });
  if (!scope->function || !hasReference)
    return proto;
  onnx::NodeProto &resolved = ownedNodes.emplace_back(proto);
  resolved.clear_attribute();
  for (const onnx::AttributeProto &attr : proto.attribute()) {
    if (!attr.has_ref_attr_name()) {
      *resolved.add_attribute() = attr;
      continue;
    }
    // An attribute that the call does not give is not written.
    auto [value, origin] = scope->attributes.lookup(attr.ref_attr_name());
    if (value) {
      onnx::AttributeProto &copy = *resolved.add_attribute();
      copy = *value;
      copy.set_name(attr.name());
      if (copy.has_g())
        graphScopes[&copy.g()] = origin;
    }
  }
  return resolved;
}

LogicalResult GraphImporter::bindAttributes(const onnx::NodeProto &proto,
                                            const Twine &what, Scope &inner) {
  const ModelFunction &callee = *inner.function;
  for (const onnx::AttributeProto &attr : callee.defaults)
    inner.attributes[attr.name()] = {&attr, &inner};
  llvm::StringSet<> given;
  for (const onnx::AttributeProto &attr : proto.attribute()) {
    if (!callee.attributes.contains(attr.name())) {
      SmallVector<StringRef> known = llvm::to_vector(callee.attributes.keys());
      llvm::sort(known);
      return errors.badInput(what + "has the attribute " + quote(attr.name()) +
                             ", which the function does not have" +
                             didYouMean(attr.name(), known));
    }
    if (!given.insert(attr.name()).second)
      return errors.badInput(what + "attribute " + quote(attr.name()) +
                             " is given twice");
    inner.attributes[attr.name()] = {&attr, findScope(attr.g())};
  }
  return success();
}

LogicalResult GraphImporter::bindInputs(const onnx::NodeProto &proto,
                                        const Twine &what, Scope &inner) {
  const onnx::GraphProto &body = inner.function->body;
  auto check = [&](int found, int expected, StringRef kind) -> LogicalResult {
    if (found <= expected)
      return success();
    return errors.badInput(what + "has " + Twine(found) + " " + kind +
                           "; the function has " + Twine(expected));
  };
  if (failed(check(proto.input_size(), body.input_size(), "inputs")) ||
      failed(check(proto.output_size(), body.output_size(), "outputs")))
    return failure();
  for (auto [index, formal] : llvm::enumerate(body.input())) {
    NamedValue entry;
    if (int(index) < proto.input_size() && !proto.input(index).empty())
      entry = lookup(proto.input(index));
    inner.names.insert(formal.name(), entry);
  }
  return success();
}

/// Returns the functions that call each other until `callee` is called again,
/// or an empty string if it is not being called.
static std::string findRecursion(const Scope *scope,
                                 const ModelFunction &callee) {
  std::vector<StringRef> path = {callee.name};
  for (; scope; scope = scope->caller) {
    if (!scope->function)
      continue;
    path.emplace_back(scope->function->name);
    if (scope->function == &callee)
      return llvm::join(llvm::reverse(path), " -> ");
  }
  return "";
}

LogicalResult GraphImporter::importCall(const onnx::NodeProto &proto,
                                        StringRef name,
                                        const ModelFunction &callee) {
  std::string what = "node " + quote(name) + " (" + callee.name + "): ";
  if (std::string path = findRecursion(scope, callee); !path.empty())
    return errors.badInput(what + "the function calls itself: " + quote(path));
  Scope inner;
  inner.opset = callee.opset.value_or(scope->opset);
  inner.function = &callee;
  inner.caller = scope;
  if (failed(bindAttributes(proto, what, inner)) ||
      failed(bindInputs(proto, what, inner)))
    return failure();
  Scope *outer = std::exchange(scope, &inner);
  LogicalResult result = importNested(callee.body, name);
  scope = outer;
  if (failed(result))
    return failure();
  for (auto [formal, output] : llvm::zip(callee.body.output(), proto.output()))
    if (!output.empty())
      scope->names.insert(output, inner.names.lookup(formal.name()));
  return success();
}
