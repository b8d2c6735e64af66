//===- ControlFlowRules.cpp - IF, WHILE -----------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// uma.graph has no control flow. A branch with a known condition is imported in
// place, and loops are unrolled. If the condition of a branch is not constant,
// both branches are computed and one result is selected; operators have no side
// effects.
//
//===----------------------------------------------------------------------===//

#include "FixedPoint.h"
#include "Rules.h"

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

  auto whenTrue = node.importBody(options->then_subgraph_index(), *inputs);
  if (failed(whenTrue))
    return failure();
  auto whenFalse = node.importBody(options->else_subgraph_index(), *inputs);
  if (failed(whenFalse))
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
    values.push_back(select(node, node.createReshape(condition, {}), yes, no));
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
      {BuiltinOperator::IF, "cond values*?", importIf},
      {BuiltinOperator::WHILE, "values*", importWhile},
  };
  return rules;
}
