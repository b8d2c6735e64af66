//===- VariableTable.cpp - Resource variables of a model ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "VariableTable.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/IR/StateAttributes.h"
#include "uma/IR/UMADialect.h"

using namespace mlir;
using namespace uma;
using namespace uma::tflite;

Value tflite::addArgument(func::FuncOp function, StringRef name,
                          RankedTensorType type) {
  Builder builder(function.getContext());
  StringAttr attr = builder.getStringAttr(name);
  unsigned index = function.getNumArguments();
  if (failed(function.insertArgument(
          index, type,
          builder.getDictionaryAttr(
              builder.getNamedAttr(kTensorNameAttrName, attr)),
          NameLoc::get(attr))))
    return {};
  return function.getArgument(index);
}

int64_t VariableTable::getNumber(StringRef container, StringRef name) {
  for (auto [number, variable] : llvm::enumerate(variables))
    if (variable.container == container && variable.name == name)
      return number;
  variables.push_back({container.str(), name.str(), {}, {}, std::nullopt, 0});
  return int64_t(variables.size()) - 1;
}

Value VariableTable::read(func::FuncOp function, int64_t number,
                          RankedTensorType type, int64_t zero) {
  Variable &variable = variables[number];
  if (variable.current)
    return variable.current;
  if (!variable.argument) {
    variable.argument = addArgument(function, variable.name, type);
    variable.zero = zero;
  }
  return variable.current = variable.argument;
}

VariableTable::Values VariableTable::getValues() const {
  return llvm::map_to_vector<6>(
      variables, [](const Variable &variable) { return variable.current; });
}

void VariableTable::setValues(const Values &values) {
  for (auto [number, variable] : llvm::enumerate(variables))
    variable.current = number < values.size() ? values[number] : Value();
}

void VariableTable::replaceConstants(OpBuilder &builder,
                                     func::FuncOp function) {
  for (Variable &variable : llvm::reverse(variables)) {
    if (!variable.argument || variable.argument != variable.current ||
        !variable.start ||
        variable.start->getType() != variable.argument.getType())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&function.getBody().front());
    unsigned index = cast<BlockArgument>(variable.argument).getArgNumber();
    variable.argument.replaceAllUsesWith(graph::ConstantOp::create(
        builder, variable.argument.getLoc(), variable.start->getType(),
        variable.start->toAttribute(variable.name)));
    (void)function.eraseArgument(index);
    variable.argument = variable.current = {};
  }
}

/// Returns the integer that all elements are, if there is one.
static std::optional<int64_t> findInteger(const HostTensor &tensor) {
  if (tensor.getNumElements() == 0)
    return std::nullopt;
  int64_t first = tensor.getInt(0);
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    if (tensor.getDouble(i) != double(first))
      return std::nullopt;
  return first;
}

void VariableTable::describeStarts(func::FuncOp function) const {
  Builder builder(function.getContext());
  for (const Variable &variable : variables) {
    if (!variable.argument)
      continue;
    std::optional<int64_t> integer = variable.zero;
    if (variable.start &&
        variable.start->getType() == variable.argument.getType())
      integer = findInteger(*variable.start);
    Attribute start = integer ? Attribute(builder.getI64IntegerAttr(*integer))
                              : variable.start->toAttribute(variable.name);
    function.setArgAttr(cast<BlockArgument>(variable.argument).getArgNumber(),
                        kStartAttrName, start);
  }
}

void VariableTable::addResults(SmallVectorImpl<std::string> &names,
                               SmallVectorImpl<Value> &values) const {
  for (const Variable &variable : variables)
    if (variable.argument) {
      names.push_back(variable.name + "_next");
      values.push_back(variable.current ? variable.current : variable.argument);
    }
}
