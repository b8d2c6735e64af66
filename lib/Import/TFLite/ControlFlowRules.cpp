//===- ControlFlowRules.cpp - IF, WHILE -----------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// uma.graph has no control flow. A branch with a known condition is imported in
// place, and loops are unrolled. If the condition of a branch is not constant,
// both branches are computed and one result is selected, also for the resource
// variables that they assign.
//
//===----------------------------------------------------------------------===//

#include "FixedPoint.h"
#include "Rules.h"
#include "VariableTable.h"

using namespace mlir;
using namespace uma;
using namespace uma::tflite;
using schema::BuiltinOperator;

/// Returns all operands from `first` on, as they are stored.
static FailureOr<SmallVector<Value>> getAllStored(Node &node, unsigned first) {
  SmallVector<Value> values;
  for (unsigned index = first, end = node.getNumOperands(); index < end;
       ++index) {
    if (!node.getOperand(index))
      return node.badInput("has an omitted input");
    values.push_back(node.getStored(index));
    if (!values.back())
      return failure();
  }
  return values;
}

static LogicalResult yieldAll(Node &node, ArrayRef<Value> values) {
  if (values.size() != node.getNumResults())
    return node.badInput("has " + Twine(node.getNumResults()) +
                         " results, but its body has " + Twine(values.size()) +
                         " outputs");
  for (auto [index, value] : llvm::enumerate(values))
    if (failed(node.yield(value, index)))
      return failure();
  return success();
}

/// Reports a condition that is no single bool.
static LogicalResult checkCondition(Node &node, Value condition) {
  auto type = cast<RankedTensorType>(condition.getType());
  if (type.getElementType().isInteger(1) && type.getNumElements() == 1)
    return success();
  return node.badInput("the condition is no single bool");
}

/// Selects one of two values of the same type.
static Value select(Node &node, Value condition, Value yes, Value no) {
  Type element = getElementType(yes);
  if (!isQuantized(element))
    return node.create<graph::WhereOp>({condition, yes, no});
  Type storage = getStorageElementType(element);
  Value stored =
      node.create<graph::WhereOp>({condition, castStorage(node, yes, storage),
                                   castStorage(node, no, storage)});
  return stored ? castStorage(node, stored, element) : Value();
}

/// Selects the values of the variables after both branches: `whenTrue` holds
/// those after the first one, and the current values are those after the
/// second. Variables that only one of them uses start with their input.
static LogicalResult selectVariables(Node &node, Value condition,
                                     const VariableTable::Values &before,
                                     const VariableTable::Values &whenTrue) {
  VariableTable &variables = node.getVariables();
  VariableTable::Values whenFalse = variables.getValues();
  auto get = [](const VariableTable::Values &values, size_t number) {
    return number < values.size() ? values[number] : Value();
  };
  for (size_t number = 0, e = whenFalse.size(); number != e; ++number) {
    Value yes = get(whenTrue, number), no = whenFalse[number];
    if (yes == no)
      continue;
    variables.assign(number, get(before, number));
    auto type = cast<RankedTensorType>((yes ? yes : no).getType());
    Value old = node.readVariable(number, type);
    yes = yes ? yes : old;
    no = no ? no : old;
    if (!old || yes.getType() != no.getType())
      return node.badInput("its branches assign values of different types to "
                           "variable " +
                           quote(variables.getName(number)));
    Value value = select(node, condition, yes, no);
    if (!value)
      return failure();
    variables.assign(number, value);
  }
  return success();
}

static LogicalResult importIf(Node &node) {
  const auto *options = node.getOptions<schema::IfOptions>();
  FailureOr<SmallVector<Value>> inputs = getAllStored(node, 1);
  Value condition = node.getOperand(0);
  if (!options || failed(inputs) || failed(checkCondition(node, condition)))
    return failure();
  if (std::optional<HostTensor> known = node.evaluate(condition)) {
    auto results =
        node.importBody(known->getInt(0) ? options->then_subgraph_index()
                                         : options->else_subgraph_index(),
                        *inputs);
    return failed(results) ? failure() : yieldAll(node, *results);
  }

  VariableTable::Values before = node.getVariables().getValues();
  auto whenTrue = node.importBody(options->then_subgraph_index(), *inputs);
  if (failed(whenTrue))
    return failure();
  VariableTable::Values afterTrue = node.getVariables().getValues();
  node.getVariables().setValues(before);
  auto whenFalse = node.importBody(options->else_subgraph_index(), *inputs);
  if (failed(whenFalse))
    return failure();
  condition = node.createReshape(condition, {});
  if (failed(selectVariables(node, condition, before, afterTrue)))
    return failure();
  if (whenTrue->size() != whenFalse->size())
    return node.badInput("its branches have " + Twine(whenTrue->size()) +
                         " and " + Twine(whenFalse->size()) + " outputs");
  SmallVector<Value> values;
  for (auto [yes, no] : llvm::zip_equal(*whenTrue, *whenFalse)) {
    if (yes.getType() != no.getType())
      return node.notSupported(
          "the results of its branches have the shapes " +
          formatShape(getShape(yes)) + " and " + formatShape(getShape(no)) +
          " or different elements, and the condition is known only when the "
          "model runs; only equal types are supported then");
    values.push_back(select(node, condition, yes, no));
  }
  return yieldAll(node, values);
}

static LogicalResult importWhile(Node &node) {
  const auto *options = node.getOptions<schema::WhileOptions>();
  FailureOr<SmallVector<Value>> values = getAllStored(node, 0);
  if (!options || failed(values))
    return failure();
  // The importer limits the number of operators.
  while (true) {
    auto condition = node.importBody(options->cond_subgraph_index(), *values);
    if (failed(condition))
      return failure();
    if (condition->size() != 1)
      return node.badInput("its condition has " + Twine(condition->size()) +
                           " outputs; expected one");
    if (failed(checkCondition(node, condition->front())))
      return failure();
    std::optional<HostTensor> known = node.evaluate(condition->front());
    if (!known)
      return node.notSupported(
          "its condition depends on an input of the model, or is too large to "
          "be computed; only loops whose number of steps is known are "
          "supported");
    if (!known->getInt(0))
      return yieldAll(node, *values);
    auto next = node.importBody(options->body_subgraph_index(), *values);
    if (failed(next))
      return failure();
    if (next->size() != values->size())
      return node.badInput("its body has " + Twine(next->size()) +
                           " outputs; expected " + Twine(values->size()));
    values = std::move(next);
  }
}

ArrayRef<Rule> tflite::getControlFlowRules() {
  static constexpr Rule rules[] = {
      {BuiltinOperator::IF, "cond values*?@", importIf},
      {BuiltinOperator::WHILE, "values*@", importWhile},
  };
  return rules;
}
