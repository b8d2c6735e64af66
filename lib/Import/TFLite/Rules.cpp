//===- Rules.cpp - The table of import rules ------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "uma/Import/TFLite/ImportTFLite.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::tflite;

/// Returns the tables of rules by group. The tables are small and models have
/// at most some thousand operators, so that a linear search is sufficient.
static SmallVector<ArrayRef<Rule>> getTables() {
  return {getActivationRules(), getControlFlowRules(), getConvRules(),
          getDetectionRules(),  getElementwiseRules(), getGeneratorRules(),
          getMatrixRules(),     getMovementRules(),    getPoolingRules(),
          getRecurrentRules(),  getReductionRules(),   getReshapingRules(),
          getResizeRules(),     getSliceRules(),       getVariableRules()};
}

const Rule *tflite::findRule(schema::BuiltinOperator code, StringRef custom) {
  for (ArrayRef<Rule> table : getTables())
    for (const Rule &rule : table)
      if (rule.code == code && rule.custom == custom)
        return &rule;
  return nullptr;
}

std::string tflite::getTitle(schema::BuiltinOperator code, StringRef custom) {
  return code == schema::BuiltinOperator::CUSTOM ? "custom " + quote(custom)
                                                 : getOperatorName(code);
}

std::vector<SupportedTFLiteOperator> uma::listSupportedTFLiteOperators() {
  std::vector<SupportedTFLiteOperator> result;
  for (ArrayRef<Rule> table : getTables())
    for (const Rule &rule : table) {
      SupportedTFLiteOperator &entry = result.emplace_back();
      entry.name =
          rule.custom.empty() ? getOperatorName(rule.code) : rule.custom.str();
      SmallVector<StringRef> inputs;
      rule.inputs.split(inputs, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
      for (StringRef input : inputs)
        if (input.contains('='))
          entry.constants.push_back(input
                                        .take_while([](char c) {
                                          return llvm::isAlnum(c) || c == '_';
                                        })
                                        .str());
    }
  llvm::sort(result,
             [](const auto &a, const auto &b) { return a.name < b.name; });
  return result;
}
