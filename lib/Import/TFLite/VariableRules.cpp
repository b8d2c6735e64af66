//===- VariableRules.cpp - Rules for resource variables -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "FixedPoint.h"
#include "Rules.h"
#include "VariableTable.h"

using namespace mlir;
using namespace uma;
using namespace uma::tflite;
using schema::BuiltinOperator;

/// Returns the number of the variable whose handle is the first operand.
static std::optional<int64_t> getVariable(Node &node) {
  std::optional<int64_t> number = node.getInt(0);
  if (!number || node.getVariables().contains(*number))
    return number;
  (void)node.badInput("input 'resource_id' is no handle of a variable");
  return std::nullopt;
}

/// Reports a value or result of another shape or element type than the variable
/// has.
static LogicalResult checkType(Node &node, int64_t number, Type actual,
                               RankedTensorType expected) {
  if (actual == expected)
    return success();
  std::string types;
  llvm::raw_string_ostream(types) << actual << ", but it is " << expected;
  return node.badInput("variable " +
                       quote(node.getVariables().getName(number)) + " is " +
                       types + " here");
}

static LogicalResult importVarHandle(Node &node) {
  const auto *options = node.getOptions<schema::VarHandleOptions>();
  FailureOr<RankedTensorType> type = node.getResultType();
  if (!options || failed(type))
    return failure();
  HostTensor handle(*type);
  if (handle.getNumElements() != 1)
    return node.badInput("has a result of the shape " +
                         formatShape(handle.getShape()) +
                         "; expected one handle");
  handle.setInt(
      0, node.getVariables().getNumber(getString(options->container()),
                                       getString(options->shared_name())));
  return node.yield(node.createConstant(handle));
}

static LogicalResult importReadVariable(Node &node) {
  std::optional<int64_t> number = getVariable(node);
  FailureOr<RankedTensorType> type = node.getStoredResultType();
  if (!number || failed(type))
    return failure();
  RankedTensorType stored = getStorageType(*type);
  Type element = type->getElementType();
  int64_t zero =
      isQuantized(element) ? Quantization::of(element).zeroPoints.front() : 0;
  Value value = node.readVariable(*number, stored, zero);
  if (!value || failed(checkType(node, *number, value.getType(), stored)))
    return failure();
  return node.yield(castStorage(node, value, element));
}

static LogicalResult importAssignVariable(Node &node) {
  std::optional<int64_t> number = getVariable(node);
  Value value = node.getStored(1);
  if (!number || !value)
    return failure();
  value =
      castStorage(node, value, getStorageElementType(getElementType(value)));
  return node.assignVariable(*number, value);
}

static LogicalResult importCallOnce(Node &node) {
  const auto *options = node.getOptions<schema::CallOnceOptions>();
  return options ? node.importStart(options->init_subgraph_index()) : failure();
}

ArrayRef<Rule> tflite::getVariableRules() {
  static constexpr Rule rules[] = {
      {BuiltinOperator::ASSIGN_VARIABLE, "resource_id=@ value",
       importAssignVariable, "", /*hasResults=*/false},
      {BuiltinOperator::CALL_ONCE, "", importCallOnce, "",
       /*hasResults=*/false},
      {BuiltinOperator::READ_VARIABLE, "resource_id=@", importReadVariable},
      {BuiltinOperator::VAR_HANDLE, "", importVarHandle},
  };
  return rules;
}
