//===- Rules.h - The table of import rules -*- C++ -*----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A rule converts one operator of TensorFlow Lite, builtin or custom, to
// operations of uma.graph.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_TFLITE_RULES_H
#define UMA_LIB_IMPORT_TFLITE_RULES_H

#include "Node.h"

namespace uma::tflite {

struct Rule {
  schema::BuiltinOperator code;
  /// Names of the inputs, in order, separated by blanks. A name may be followed
  /// by marks:
  ///   `!`  real numbers: floats, or integers that are quantized
  ///   `=`  a constant whose elements the rule reads
  ///   `?`  may be omitted
  ///   `$`  a variable, which keeps its value from run to run
  ///   `@`  may be the handle of a resource variable
  ///   `*`  any number of inputs, at least one unless they may be omitted
  llvm::StringLiteral inputs;
  mlir::LogicalResult (*import)(Node &);
  /// Name of an operator with the code CUSTOM.
  llvm::StringLiteral custom = "";
  /// Whether operators have results.
  bool hasResults = true;
};

/// Imports an operator as one operation with the same operands and result.
template <typename OpT>
mlir::LogicalResult importDirectly(Node &node) {
  return node.yield(node.create<OpT>(node.getOperands()));
}

/// Imports an operator in fixed point if it can be, otherwise directly.
template <typename OpT, mlir::Value (*createFixedPoint)(Node &)>
mlir::LogicalResult importFunction(Node &node) {
  if (mlir::Value result = createFixedPoint(node))
    return node.yield(result);
  return importDirectly<OpT>(node);
}

/// Returns the rule for an operator; null if there is none. `custom` is the
/// name of a custom one.
const Rule *findRule(schema::BuiltinOperator code, llvm::StringRef custom);

/// Returns an operator's name for messages and tables: as the file format
/// spells it; custom ones with "custom" and their name in quotes.
std::string getTitle(schema::BuiltinOperator code, llvm::StringRef custom);

/// Returns the rules of one group of operators.
llvm::ArrayRef<Rule> getActivationRules();
llvm::ArrayRef<Rule> getControlFlowRules();
llvm::ArrayRef<Rule> getConvRules();
llvm::ArrayRef<Rule> getDetectionRules();
llvm::ArrayRef<Rule> getElementwiseRules();
llvm::ArrayRef<Rule> getGeneratorRules();
llvm::ArrayRef<Rule> getMatrixRules();
llvm::ArrayRef<Rule> getMovementRules();
llvm::ArrayRef<Rule> getPoolingRules();
llvm::ArrayRef<Rule> getRecurrentRules();
llvm::ArrayRef<Rule> getReductionRules();
llvm::ArrayRef<Rule> getReshapingRules();
llvm::ArrayRef<Rule> getResizeRules();
llvm::ArrayRef<Rule> getSliceRules();
llvm::ArrayRef<Rule> getVariableRules();

} // namespace uma::tflite

#endif // UMA_LIB_IMPORT_TFLITE_RULES_H
