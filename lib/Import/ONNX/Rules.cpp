//===- Rules.cpp - The table of import rules -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

const Rule *importer::findRule(StringRef opType, int64_t opset) {
  // The tables are small; a model has at most some thousand nodes.
  const Rule *best = nullptr;
  for (ArrayRef<Rule> table :
       {getConstantRules(), getContractionRules(), getElementwiseRules(),
        getMovementRules(), getNormalizationRules(), getPoolingRules(),
        getReshapingRules()})
    for (const Rule &rule : table)
      if (rule.opType == opType && rule.since <= opset &&
          (!best || rule.since > best->since))
        best = &rule;
  return best;
}

std::optional<int64_t> importer::normalizeAxis(Node &node, int64_t axis,
                                               int64_t end) {
  if (axis >= -end && axis < end)
    return axis < 0 ? axis + end : axis;
  (void)node.badInput("axis " + Twine(axis) + " is out of range; expected " +
                      Twine(-end) + " to " + Twine(end - 1));
  return std::nullopt;
}
