//===- CallBody.cpp - Calls with structs and constants of a header --------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// TIR has no structs, and C++ has no compound literals. A call with structs
// becomes a C function that fills them field by field; its parameters are the
// operands of the call.
//
//===----------------------------------------------------------------------===//

#include "CallBody.h"

#include "uma/Accel/IR/CArguments.h"
#include "uma/Accel/IR/CodeTemplate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;

/// Returns the statements that make the call and return its status.
static std::string getCall(accel::CallOp call, ArrayRef<std::string> arguments,
                           accel::ReplaceOp replace) {
  if (!replace)
    return "return " + call.getCallee().str() + "(" +
           llvm::join(arguments, ", ") + ");";
  accel::CodeTemplate code;
  std::string problem, text;
  if (failed(accel::CodeTemplate::parse(replace.getText(), code, problem)))
    return "";
  for (auto [index, part] : llvm::enumerate(code.getTexts())) {
    text += accel::CodeTemplate::escape(part);
    if (index < code.getArguments().size())
      text += arguments[code.getArguments()[index]];
  }
  return code.isStatement() ? text + "\n  return 0;" : "return " + text + ";";
}

/// Builds the statements of a call from the text of its operands.
static std::string
buildText(accel::CallOp call, accel::ReplaceOp replace,
          function_ref<std::string(unsigned)> getOperand,
          function_ref<std::optional<int64_t>(unsigned)> getPick) {
  std::string text;
  SmallVector<std::string> arguments;
  for (auto [index, element] : llvm::enumerate(accel::getCArguments(call))) {
    std::optional<accel::CStruct> type = accel::getStruct(element);
    if (!type) {
      arguments.push_back(accel::getCText(element, getOperand, getPick));
      continue;
    }
    text += "  " + accel::getStructDeclaration(*type, index) + "\n";
    for (auto [designator, value] : type->fields)
      text += "  " + accel::getField(index, designator) + " = " +
              accel::getCText(value, getOperand, getPick) + ";\n";
    arguments.push_back(accel::getStructArgument(*type, index));
  }
  return text + "  " + getCall(call, arguments, replace);
}

std::string uma::buildMappedBody(accel::CallOp call, const MappedBody &body) {
  auto accelerator = call->getParentOfType<accel::AcceleratorOp>();
  accel::ReplaceOp replace;
  for (auto candidate : accelerator.getOps<accel::ReplaceOp>())
    if (candidate.getCallee() == call.getCallee())
      replace = candidate;
  return buildText(
      call, replace, [&](unsigned operand) { return body.operands[operand]; },
      [&](unsigned operand) -> std::optional<int64_t> {
        auto number = dyn_cast_or_null<IntegerAttr>(body.picks(operand));
        return number ? std::optional(number.getInt()) : std::nullopt;
      });
}

CallBody uma::buildCallBody(accel::CallOp call,
                            const llvm::SmallBitVector &isPresent,
                            ArrayRef<TypedAttr> numbers,
                            accel::ReplaceOp replace) {
  CallBody body;
  llvm::MapVector<Value, unsigned> parameters;
  auto getOperand = [&](unsigned operand) -> std::string {
    if (!isPresent[operand])
      return "NULL";
    Value value = call.getArguments()[operand];
    auto number = dyn_cast_or_null<IntegerAttr>(numbers[operand]);
    if (number && value.getDefiningOp<arith::ConstantOp>())
      return std::to_string(number.getInt());
    auto [entry, isNew] = parameters.try_emplace(value, parameters.size());
    if (isNew)
      body.operands.push_back(operand);
    return "{" + std::to_string(entry->second) + "}";
  };
  auto getPick = [&](unsigned operand) -> std::optional<int64_t> {
    return cast<IntegerAttr>(numbers[operand]).getInt();
  };
  body.text = buildText(call, replace, getOperand, getPick);
  for (auto &[value, position] : parameters)
    body.names.push_back(isa<AccelTensorType>(value.getType())
                             ? accel::getTensorName(value)
                             : accel::getSourceName(value.getDefiningOp()));
  return body;
}
