//===- CompileReportJSON.cpp - Data of the report of uma compile ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CompileReport.h"

#include "uma/Support/PrintableText.h"
#include "uma/Support/TensorText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace uma;
using accel::LayerReport;
using llvm::json::Array;
using llvm::json::Object;
using JSONValue = llvm::json::Value;

/// Converts a text of the model, whose invisible characters are shown.
static JSONValue toText(StringRef text) {
  return llvm::json::fixUTF8(toPrintable(text));
}

static JSONValue toNumber(std::optional<size_t> number) {
  return number ? JSONValue(*number) : JSONValue(nullptr);
}

static Array toArray(ArrayRef<size_t> numbers) {
  Array array;
  for (size_t number : numbers)
    array.push_back(number);
  return array;
}

static Object getOperator(const LayerReport &layer, const ReportOperator &entry,
                          GraphPoint corner) {
  Array operands, reasons;
  for (const accel::LayerOperand &operand : layer.operands)
    operands.push_back(getTensorText(operand.type) +
                       (operand.isConstant ? " constant" : ""));
  for (const accel::Reason &reason : layer.reasons)
    reasons.push_back(
        toText("not on " + reason.accelerator +
               (reason.pattern.empty() ? "" : ", pattern " + reason.pattern) +
               ": " + reason.getText()));
  std::string pattern = layer.pattern;
  if (!entry.position.empty())
    pattern += " (" + entry.position + ")";
  return Object{{"name", toText(layer.layer)},
                {"operator", layer.kind},
                {"target", toText(layer.target)},
                {"pattern", toText(pattern)},
                {"macs", layer.macs},
                {"operands", std::move(operands)},
                {"results", formatResults(layer)},
                {"reasons", std::move(reasons)},
                {"step", toNumber(entry.step)},
                {"x", corner.x},
                {"y", corner.y}};
}

static Object getStep(const CompileReport &report, size_t index) {
  const MemoryStep &memory = report.memory.steps[index];
  const ReportStep &step = report.steps[index];
  Array layers;
  for (StringRef layer : memory.layers)
    layers.push_back(toText(layer));
  return Object{
      {"name", toText(memory.name)},
      {"layers", std::move(layers)},
      {"operators", toArray(step.operators)},
      {"target", toText(memory.target)},
      {"macs", step.macs},
      {"weights", memory.weightBytes},
      {"activations", memory.activationBytes},
      {"scratch", memory.scratchBytes},
      {"live", memory.liveBytes},
      {"used", memory.usedBytes},
      {"cycles", step.cycles ? JSONValue(*step.cycles) : JSONValue(nullptr)},
      {"microseconds",
       step.microseconds ? JSONValue(*step.microseconds) : JSONValue(nullptr)},
      {"tensors", toArray(memory.tensors)}};
}

static Object getEdge(const LayeredGraph::Edge &edge) {
  Array points;
  for (const GraphPoint &point : edge.points) {
    points.push_back(point.x);
    points.push_back(point.y);
  }
  return Object{
      {"from", edge.from}, {"to", edge.to}, {"points", std::move(points)}};
}

static LayeredGraph draw(ArrayRef<LayerReport> layers) {
  llvm::DenseMap<size_t, size_t> positions;
  SmallVector<SmallVector<size_t>> sources;
  for (const LayerReport &layer : layers) {
    llvm::SmallSet<size_t, 4> from;
    SmallVector<size_t> &list = sources.emplace_back();
    for (const accel::LayerOperand &operand : layer.operands) {
      auto known =
          operand.from ? positions.find(*operand.from) : positions.end();
      if (known != positions.end() && from.insert(known->second).second)
        list.push_back(known->second);
    }
    positions[layer.index] = positions.size();
  }
  return drawInLayers(sources);
}

void uma::printJSON(const CompileReport &report, llvm::raw_ostream &os) {
  auto printMember = [&](StringRef name, const JSONValue &value) {
    os << ",\n\"" << name << "\": " << value;
  };
  auto printArray = [&](StringRef name, size_t size, auto get) {
    os << ",\n\"" << name << "\": [";
    for (size_t i = 0; i < size; ++i)
      os << (i ? ",\n" : "\n") << JSONValue(get(i));
    os << "]";
  };
  const Explanation &explanation = report.explanation;
  const MemoryUse &memory = report.memory;
  LayeredGraph graph = draw(explanation.layers);
  os << "{\"format\": \"uma-report\",\n\"version\": 1";
  printMember("model", toText(report.model));
  printMember("model_sha256", report.hash);
  printMember("command", toText(report.command));
  printArray("targets", explanation.targets.size(), [&](size_t i) {
    const TargetShare &target = explanation.targets[i];
    return Object{{"target", toText(target.target)},
                  {"operators", target.share.operators},
                  {"macs", target.share.macs}};
  });
  printMember("graph", Object{{"width", graph.width},
                              {"height", graph.height},
                              {"node_width", LayeredGraph::nodeWidth},
                              {"node_height", LayeredGraph::nodeHeight}});
  printArray("operators", report.operators.size(), [&](size_t i) {
    return getOperator(explanation.layers[i], report.operators[i],
                       graph.nodes[i]);
  });
  printArray("edges", graph.edges.size(),
             [&](size_t i) { return getEdge(graph.edges[i]); });
  printArray("steps", report.steps.size(),
             [&](size_t i) { return getStep(report, i); });
  printMember("memory", Object{{"arena", memory.arenaBytes},
                               {"bound", memory.getBound()},
                               {"peak", memory.getPeak()}});
  printArray("tensors", memory.tensors.size(), [&](size_t i) {
    Object tensor = toJSON(memory.tensors[i]);
    tensor["name"] = toText(memory.tensors[i].name);
    return tensor;
  });
  printArray("overlaps", memory.overlaps.size(),
             [&](size_t i) { return toJSON(memory.overlaps[i]); });
  printArray("arguments", memory.arguments.size(), [&](size_t i) {
    const NetworkTensor &tensor = memory.arguments[i];
    return Object{{"name", toText(tensor.name)},
                  {"type", tensor.type},
                  {"bytes", tensor.bytes},
                  {"output", tensor.isOutput}};
  });
  printMember("workspace", report.sizes.workspace);
  printMember("weights", report.sizes.weights);
  printArray("files", report.sizes.files.size(), [&](size_t i) {
    return Object{{"name", toText(report.sizes.files[i].name)},
                  {"bytes", report.sizes.files[i].bytes}};
  });
  os << "}\n";
}
