//===- GraphOrder.cpp - Operators, names and the order of nodes -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"

#include "uma/Support/DidYouMean.h"

#include "llvm/ADT/StringExtras.h"

#include <functional>
#include <queue>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

static std::string joinQuoted(ArrayRef<std::string> names) {
  return llvm::join(
      llvm::map_range(names,
                      [](const std::string &name) { return quote(name); }),
      ", ");
}

FailureOr<int64_t> importer::readOpset(ImportErrors &errors,
                                       const onnx::ModelProto &model) {
  auto opset = findOpset(errors, "", model.opset_import());
  if (failed(opset))
    return failure();
  bool needsOpset = llvm::any_of(model.graph().node(), [](const auto &node) {
    return isDefaultDomain(node.domain());
  });
  if (!*opset && needsOpset)
    return errors.badInput(
        "does not say which version of the default operator set it uses");
  return opset->value_or(kNewestOpset);
}

/// Describes the operator of a node in the error about operators without a
/// rule, with the supported opset versions.
static std::string describeOperator(const onnx::NodeProto &node,
                                    int64_t opset) {
  std::string title = quote(node.op_type());
  if (!isDefaultDomain(node.domain()))
    return title + " of the domain " + quote(node.domain());
  std::optional<int64_t> oldest = findOldestOpset(node.op_type());
  if (!oldest)
    return title;
  return title + " of opset " + std::to_string(opset) + ", supported " +
         (opset < *oldest ? "from opset " + std::to_string(*oldest)
                          : "up to opset " + std::to_string(kNewestOpset));
}

LogicalResult importer::checkOperators(ImportErrors &errors,
                                       const onnx::GraphProto &graph,
                                       int64_t opset,
                                       const FunctionTable &functions,
                                       ArrayRef<std::string> nodeNames) {
  // Nodes of each operator, in the order of the file.
  struct UnknownOperator {
    std::string title;
    std::vector<std::string> nodes;
  };
  std::vector<UnknownOperator> unknown;
  llvm::StringMap<size_t> positions;
  bool isOtherVersion = false;
  for (auto [index, node] : llvm::enumerate(graph.node())) {
    if (functions.find(node) || findRule(getOperatorName(node), opset))
      continue;
    isOtherVersion |= findOldestOpset(getOperatorName(node)).has_value();
    std::string title = describeOperator(node, opset);
    auto [it, inserted] = positions.try_emplace(title, unknown.size());
    if (inserted)
      unknown.push_back({title, {}});
    unknown[it->second].nodes.push_back(nodeNames[index]);
  }
  if (unknown.empty())
    return success();

  std::string text;
  llvm::raw_string_ostream os(text);
  os << unknown.size()
     << (unknown.size() > 1 ? " operators are" : " operator is")
     << " not supported: ";
  llvm::interleaveComma(unknown, os, [&](const UnknownOperator &entry) {
    os << entry.title << " (node" << (entry.nodes.size() > 1 ? "s " : " ")
       << joinQuoted(entry.nodes) << ")";
  });
  if (isOtherVersion)
    os << "; onnx.version_converter converts models to other opsets";
  return errors.notSupported(text);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

namespace {
/// Definitions of the names in a graph.
class NameTable {
public:
  NameTable(ImportErrors &errors, const onnx::GraphProto &graph,
            ArrayRef<std::string> nodeNames,
            function_ref<bool(StringRef)> isOuter)
      : errors(errors), graph(graph), nodeNames(nodeNames), isOuter(isOuter) {}

  LogicalResult build();
  /// Returns the node that produces `name`, or std::nullopt for inputs and
  /// initializers. The error about an unknown name starts with `reader`.
  FailureOr<std::optional<unsigned>> findProducer(const Twine &reader,
                                                  StringRef name) const;
  /// Returns the node that produces a name used in a nested graph, or
  /// std::nullopt if no node of this graph does.
  std::optional<unsigned> findCaptured(StringRef name) const {
    auto it = sources.find(name);
    return it == sources.end() || it->second < 0
               ? std::nullopt
               : std::optional<unsigned>(it->second);
  }

private:
  /// Index of a node, or one of these.
  static constexpr int64_t kInput = -1, kInitializer = -2;
  LogicalResult define(StringRef name, int64_t source);
  std::string describe(int64_t source) const;

  ImportErrors &errors;
  const onnx::GraphProto &graph;
  ArrayRef<std::string> nodeNames;
  function_ref<bool(StringRef)> isOuter;
  llvm::StringMap<int64_t> sources;
};
} // namespace

std::string NameTable::describe(int64_t source) const {
  if (source < 0)
    return source == kInput ? "an input" : "an initializer";
  return "an output of node " + quote(nodeNames[source]);
}

LogicalResult NameTable::define(StringRef name, int64_t source) {
  if (name.empty())
    return errors.badInput("has " + describe(source) + " without a name");
  auto [it, inserted] = sources.try_emplace(name, source);
  if (inserted)
    return success();
  // An initializer may be the default value of an input.
  if (it->second == kInput && source == kInitializer) {
    it->second = kInitializer;
    return success();
  }
  return errors.badInput("the name " + quote(name) + " is given twice, to " +
                         describe(it->second) + " and to " + describe(source));
}

LogicalResult NameTable::build() {
  for (const onnx::ValueInfoProto &input : graph.input())
    if (failed(define(input.name(), kInput)))
      return failure();
  for (const onnx::TensorProto &tensor : graph.initializer())
    if (failed(define(tensor.name(), kInitializer)))
      return failure();
  for (const onnx::SparseTensorProto &tensor : graph.sparse_initializer())
    if (failed(define(tensor.values().name(), kInitializer)))
      return failure();
  for (auto [index, node] : llvm::enumerate(graph.node()))
    for (const std::string &output : node.output())
      if (!output.empty() && failed(define(output, index)))
        return failure();
  llvm::StringSet<> outputs;
  for (const onnx::ValueInfoProto &output : graph.output()) {
    if (!outputs.insert(output.name()).second)
      return errors.badInput("output " + quote(output.name()) +
                             " is listed twice");
    if (failed(findProducer("output " + quote(output.name()), output.name())))
      return failure();
  }
  return success();
}

FailureOr<std::optional<unsigned>>
NameTable::findProducer(const Twine &reader, StringRef name) const {
  auto it = sources.find(name);
  if (it == sources.end() && isOuter(name))
    return std::optional<unsigned>();
  if (it == sources.end()) {
    SmallVector<StringRef> known = llvm::to_vector(sources.keys());
    llvm::sort(known);
    return errors.badInput(reader + ": nothing in the model gives " +
                           quote(name) + didYouMean(name, known));
  }
  if (it->second < 0)
    return std::optional<unsigned>();
  return std::optional<unsigned>(it->second);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Calls `fn` with every name that the graphs in the attributes of `node` use.
/// The recursion is bounded: protobuf limits the nesting of files.
static void forEachCapture(const onnx::NodeProto &node,
                           function_ref<void(StringRef)> fn) {
  auto visit = [&](const onnx::GraphProto &body) {
    for (const onnx::NodeProto &inner : body.node()) {
      for (const std::string &input : inner.input())
        fn(input);
      forEachCapture(inner, fn);
    }
    for (const onnx::ValueInfoProto &output : body.output())
      fn(output.name());
  };
  for (const onnx::AttributeProto &attr : node.attribute()) {
    if (attr.has_g())
      visit(attr.g());
    for (const onnx::GraphProto &body : attr.graphs())
      visit(body);
  }
}

FailureOr<std::vector<unsigned>>
importer::orderNodes(ImportErrors &errors, const onnx::GraphProto &graph,
                     ArrayRef<std::string> nodeNames,
                     function_ref<bool(StringRef)> isOuter) {
  NameTable names(errors, graph, nodeNames, isOuter);
  if (failed(names.build()))
    return failure();
  unsigned count = graph.node_size();
  std::vector<std::vector<unsigned>> readers(count);
  std::vector<std::vector<unsigned>> producers(count);
  for (auto [index, node] : llvm::enumerate(graph.node())) {
    unsigned reader = index;
    auto addProducer = [&](unsigned producer) {
      readers[producer].push_back(reader);
      producers[reader].push_back(producer);
    };
    for (const std::string &input : node.input()) {
      if (input.empty())
        continue;
      auto producer =
          names.findProducer("node " + quote(nodeNames[index]), input);
      if (failed(producer))
        return failure();
      if (*producer)
        addProducer(**producer);
    }
    forEachCapture(node, [&](StringRef name) {
      std::optional<unsigned> producer = names.findCaptured(name);
      // A body may define a name that is also an output of its own node.
      if (producer && *producer != reader)
        addProducer(*producer);
    });
  }

  // Takes the first node in the file whose inputs are available.
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  std::vector<size_t> missing(count);
  for (unsigned node = 0; node < count; ++node)
    if ((missing[node] = producers[node].size()) == 0)
      ready.push(node);
  std::vector<unsigned> order;
  while (!ready.empty()) {
    unsigned node = ready.top();
    ready.pop();
    order.push_back(node);
    for (unsigned reader : readers[node])
      if (--missing[reader] == 0)
        ready.push(reader);
  }
  if (order.size() == count)
    return order;

  // Every remaining node depends on a remaining node: following producers often
  // enough ends in a cycle.
  unsigned node = 0;
  while (missing[node] == 0)
    ++node;
  for (unsigned step = 0; step < count; ++step)
    node = *llvm::find_if(producers[node],
                          [&](unsigned index) { return missing[index] != 0; });
  return errors.badInput("node " + quote(nodeNames[node]) +
                         " needs its own result: the graph has a cycle");
}
