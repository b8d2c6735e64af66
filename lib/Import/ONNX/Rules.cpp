//===- Rules.cpp - The table of import rules ------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

/// Calls `fn` with every rule of an operator. The tables are small, and a model
/// has at most some thousand nodes.
template <typename Fn>
static void forEachRule(StringRef opType, Fn fn) {
  for (ArrayRef<Rule> table :
       {getActivationRules(),  getAttentionRules(),    getConstantRules(),
        getControlFlowRules(), getConvRules(),         getElementwiseRules(),
        getGeneratorRules(),   getIndexRules(),        getLossRules(),
        getMatrixRules(),      getMovementRules(),     getNormalizationRules(),
        getPoolingRules(),     getQuantizationRules(), getRecurrentRules(),
        getReductionRules(),   getReshapingRules(),    getResizeRules(),
        getSamplingRules(),    getSignalRules(),       getSliceRules()})
    for (const Rule &rule : table)
      if (rule.opType == opType)
        fn(rule);
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
