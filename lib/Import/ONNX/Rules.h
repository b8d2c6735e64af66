//===- Rules.h - The table of import rules -*- C++ -*----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A rule converts one operator of ONNX, from one version of the operator set
// on, to operations of uma.graph.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_ONNX_RULES_H
#define UMA_LIB_IMPORT_ONNX_RULES_H

#include "Node.h"

namespace uma::importer {

/// Newest version of the default operator set that the rules cover. A newer one
/// may change any operator.
inline constexpr int64_t kNewestOpset = 27;

struct Rule {
  /// Name of the operator, behind its domain and a dot if that is not the
  /// default domain.
  llvm::StringLiteral opType;
  /// First operator set that the rule applies to. It applies up to the next
  /// rule of the operator.
  int64_t since;
  /// Inputs by ONNX's formal names, in order, separated by blanks. A name may
  /// be followed by marks:
  ///   `=`  a constant whose elements the rule reads
  ///   `!`  with `=`: the shape of the result depends on these elements
  ///   `&`  a value or a constant, which the rule forwards or ignores
  ///   `?`  may be omitted
  ///   `~`  may hold floats of 8 bits, or bytes of a narrow type, whose
  ///   elements
  ///        the rule moves
  ///   `^`  may hold the same, which the rule converts
  ///   `*`  any number of inputs, at least one
  /// An unmarked input becomes an operand.
  llvm::StringLiteral inputs;
  mlir::LogicalResult (*import)(Node &);
};

/// Imports an operator as one operation with the same operands and result.
template <typename OpT>
mlir::LogicalResult importDirectly(Node &node) {
  return node.yield(node.create<OpT>(node.getOperands()));
}

/// Returns whether `domain` is ONNX's default domain, which has two names.
inline bool isDefaultDomain(llvm::StringRef domain) {
  return domain.empty() || domain == "ai.onnx";
}

/// Returns the name of a node's operator as rules have it.
std::string getOperatorName(const onnx::NodeProto &node);

/// Returns the rule for an operator in the operator set `opset` of the default
/// domain; null for unknown operators.
const Rule *findRule(llvm::StringRef opType, int64_t opset);

/// Returns the first operator set with a rule for an operator; std::nullopt for
/// unknown operators.
std::optional<int64_t> findOldestOpset(llvm::StringRef opType);

/// Returns the rules of one group of operators.
llvm::ArrayRef<Rule> getActivationRules();
llvm::ArrayRef<Rule> getAttentionRules();
llvm::ArrayRef<Rule> getConstantRules();
llvm::ArrayRef<Rule> getContribRules();
llvm::ArrayRef<Rule> getControlFlowRules();
llvm::ArrayRef<Rule> getConvRules();
llvm::ArrayRef<Rule> getElementwiseRules();
llvm::ArrayRef<Rule> getFlexAttentionRules();
llvm::ArrayRef<Rule> getGeneratorRules();
llvm::ArrayRef<Rule> getIndexRules();
llvm::ArrayRef<Rule> getLinearAttentionRules();
llvm::ArrayRef<Rule> getLossRules();
llvm::ArrayRef<Rule> getMatrixRules();
llvm::ArrayRef<Rule> getMovementRules();
llvm::ArrayRef<Rule> getNormalizationRules();
llvm::ArrayRef<Rule> getPoolingRules();
llvm::ArrayRef<Rule> getQuantizationRules();
llvm::ArrayRef<Rule> getQuantizedConvRules();
llvm::ArrayRef<Rule> getQuantizedMatrixRules();
llvm::ArrayRef<Rule> getRecurrentRules();
llvm::ArrayRef<Rule> getReductionRules();
llvm::ArrayRef<Rule> getReshapingRules();
llvm::ArrayRef<Rule> getResizeRules();
llvm::ArrayRef<Rule> getSamplingRules();
llvm::ArrayRef<Rule> getSignalRules();
llvm::ArrayRef<Rule> getSliceRules();
llvm::ArrayRef<Rule> getSuppressionRules();

/// Normalises an axis to 0 to `end` - 1; negative ones count from `end`.
/// Reports an axis out of range.
std::optional<int64_t> normalizeAxis(Node &node, int64_t axis, int64_t end);

} // namespace uma::importer

#endif // UMA_LIB_IMPORT_ONNX_RULES_H
