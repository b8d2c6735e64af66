//===- HeaderArgument.cpp - An argument in messages -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HeaderArgument.h"

#include "uma/Accel/IR/AccelOps.h"

using namespace mlir;
using namespace uma;

std::string uma::describeSlot(const ProbeCall &call, size_t index) {
  const ProbeArgument &argument = call.arguments[index];
  if (argument.position < 0)
    return "field '" + argument.field + "' of '" + argument.type + "'";
  return "argument " + std::to_string(argument.position + 1) + " of '" +
         call.callee.str() + "'";
}

/// Returns the name of an element type in messages.
static std::string getElementName(Type element) {
  std::string text;
  llvm::raw_string_ostream(text) << element;
  StringRef name = text;
  return name.consume_front("ui") ? ("u" + name).str() : text;
}

std::string uma::describeArgument(const ProbeArgument &argument) {
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (argument.kind) {
  case ProbeArgument::Text:
    os << "'" << argument.text << "'";
    break;
  case ProbeArgument::Struct:
    os << (StringRef(argument.text).starts_with("&") ? "a pointer to '" : "a '")
       << argument.type << "'";
    break;
  case ProbeArgument::Tensor:
    os << (argument.value.getDefiningOp<accel::ArrayOp>() ? "array '"
                                                          : "tensor '")
       << accel::getTensorName(argument.value) << "'";
    if (argument.element)
      os << " of " << getElementName(argument.element);
    os << ", passed as '" << argument.getElementText() << " *'";
    break;
  case ProbeArgument::Float:
    os << "a float";
    break;
  case ProbeArgument::Integer:
    os << "an integer";
    break;
  case ProbeArgument::Constant:
    os << argument.constant;
    break;
  }
  return text;
}
