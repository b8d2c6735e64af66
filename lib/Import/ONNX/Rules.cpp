//===- Rules.cpp - The table of import rules ------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "uma/Import/ONNX/ImportONNX.h"

#include <map>
#include <set>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

/// Returns the tables of rules by group. The tables are small and models have
/// at most some thousand nodes, so that a linear search is sufficient.
static SmallVector<ArrayRef<Rule>> getTables() {
  return {getActivationRules(),      getAttentionRules(),
          getConstantRules(),        getContribRules(),
          getControlFlowRules(),     getConvRules(),
          getElementwiseRules(),     getFlexAttentionRules(),
          getGeneratorRules(),       getIndexRules(),
          getLinearAttentionRules(), getLossRules(),
          getMatrixRules(),          getMovementRules(),
          getNormalizationRules(),   getPoolingRules(),
          getQuantizationRules(),    getQuantizedConvRules(),
          getQuantizedMatrixRules(), getRecurrentRules(),
          getReductionRules(),       getReshapingRules(),
          getResizeRules(),          getSamplingRules(),
          getSignalRules(),          getSliceRules(),
          getSuppressionRules()};
}

/// Calls `fn` with every rule of an operator.
template <typename Fn>
static void forEachRule(StringRef opType, Fn fn) {
  for (ArrayRef<Rule> table : getTables())
    for (const Rule &rule : table)
      if (rule.opType == opType)
        fn(rule);
}

std::string importer::getOperatorName(const onnx::NodeProto &node) {
  if (isDefaultDomain(node.domain()))
    return node.op_type();
  return node.domain() + "." + node.op_type();
}

const Rule *importer::findRule(StringRef opType, int64_t opset) {
  const Rule *newest = nullptr;
  forEachRule(opType, [&](const Rule &rule) {
    if (rule.since <= opset && (!newest || rule.since > newest->since))
      newest = &rule;
  });
  return opset <= kNewestOpset ? newest : nullptr;
}

std::optional<int64_t> importer::findOldestOpset(StringRef opType) {
  std::optional<int64_t> oldest;
  forEachRule(opType, [&](const Rule &rule) {
    oldest = std::min(rule.since, oldest.value_or(rule.since));
  });
  return oldest;
}

int64_t uma::getNewestOpset() { return kNewestOpset; }

std::vector<SupportedOperator> uma::listSupportedOperators() {
  struct Versions {
    std::set<int64_t> since;
    std::set<std::string> constants;
  };
  std::map<std::string, Versions> operators;
  for (ArrayRef<Rule> table : getTables())
    for (const Rule &rule : table) {
      Versions &versions = operators[rule.opType.str()];
      versions.since.insert(rule.since);
      SmallVector<StringRef> inputs;
      rule.inputs.split(inputs, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
      for (StringRef input : inputs)
        if (input.contains('='))
          versions.constants.insert(input.split('=').first.str());
    }
  std::vector<SupportedOperator> result;
  for (const auto &[name, versions] : operators)
    result.push_back({name,
                      {versions.since.begin(), versions.since.end()},
                      {versions.constants.begin(), versions.constants.end()}});
  return result;
}

std::optional<int64_t> importer::normalizeAxis(Node &node, int64_t axis,
                                               int64_t end) {
  if (axis >= -end && axis < end)
    return axis < 0 ? axis + end : axis;
  if (end == 0) {
    (void)node.badInput("the data are a scalar, which has no axis " +
                        Twine(axis));
    return std::nullopt;
  }
  (void)node.badInput("axis " + Twine(axis) + " is out of range; expected " +
                      Twine(-end) + " to " + Twine(end - 1));
  return std::nullopt;
}
