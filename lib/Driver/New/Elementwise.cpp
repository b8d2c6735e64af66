//===- Elementwise.cpp - Drafts of element-wise operators and softmax -----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ModelText.h"
#include "Operators.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace uma::draft;
using llvm::Twine;

/// Returns the C expression for one element of a unary operator of {0} or a
/// binary operator of {0} and {1}.
static const char *getExpression(StringRef op) {
  return llvm::StringSwitch<const char *>(op)
      .Case("relu", "{0} < 0 ? 0 : {0}")
      .Case("sigmoid", "1 / (1 + exp(-{0}))")
      .Case("tanh", "tanh({0})")
      .Case("exp", "exp({0})")
      .Case("sqrt", "sqrt({0})")
      .Case("negative", "-{0}")
      .Case("abs", "{0} < 0 ? -{0} : {0}")
      .Case("add", "{0} + {1}")
      .Case("subtract", "{0} - {1}")
      .Case("multiply", "{0} * {1}")
      .Case("divide", "{0} / {1}")
      .Case("maximum", "{0} > {1} ? {0} : {1}")
      .Case("minimum", "{0} < {1} ? {0} : {1}")
      .Default("{0}");
}

/// Returns the shape of the tensors from the roles of the size parameters;
/// empty if one parameter counts all elements. Sets `count` to the model's
/// expression for the number of elements.
static std::vector<std::string> readShape(Signature &signature,
                                          std::string &count) {
  static constexpr std::pair<Role, llvm::StringLiteral> known[] = {
      {Role::Batch, "n"},  {Role::M, "m"},     {Role::Channels, "c"},
      {Role::Height, "h"}, {Role::Width, "w"}, {Role::N, "k"}};
  std::vector<std::string> shape;
  if (signature.has(Role::Count)) {
    count = "(ptrdiff_t)" + signature.access(Role::Count);
    return shape;
  }
  for (auto [role, name] : known) {
    if (!signature.has(role))
      continue;
    signature.set(role, name);
    shape.push_back(name.str());
    count += (count.empty() ? "(ptrdiff_t)" : " * ") + signature.access(role);
  }
  // Images have a batch dimension.
  if (signature.has(Role::Height) && !signature.has(Role::Batch))
    shape.insert(shape.begin(), "1");
  return shape;
}

/// Returns the function's only integer; null if there are others.
static Slot *findOnlyInteger(Signature &signature) {
  Slot *only = nullptr;
  for (Slot &slot : signature.slots) {
    if (slot.type.kind != CType::Integer)
      continue;
    if (only)
      return nullptr;
    only = &slot;
  }
  return only;
}

void uma::draft::draftElementwise(Signature signature, Draft &draft) {
  StringRef op = signature.meaning.op;
  bool isBinary = signature.meaning.meaning == Meaning::Binary;
  PatternText pattern = makePattern(signature, draft);
  std::string count;
  std::vector<std::string> shape = readShape(signature, count);
  if (count.empty())
    if (Slot *only = findOnlyInteger(signature)) {
      only->role = Role::Count;
      pattern.guess("'" + only->name + "' is the number of elements");
      (void)readShape(signature, count);
    }
  if (count.empty())
    pattern.ask("which parameter is the number of elements?");
  signature.set(Role::Input, "x");
  signature.set(Role::Weight, "z");
  signature.set(Role::Output, "y");
  signature.set(Role::Count, "elements(y)");
  pattern.addInput("x", getElementType(signature, Role::Input, pattern), shape);
  if (isBinary)
    pattern.addInput("z", getElementType(signature, Role::Weight, pattern),
                     shape);
  // The type of the result must be known too.
  (void)getElementType(signature, Role::Output, pattern);
  pattern.add("y = " + op + (isBinary ? "(x, z)" : "(x)"));
  if (isBinary && shape.empty())
    pattern.add("require elements(x) == elements(y) && elements(z) == "
                "elements(y), \"the device does not broadcast\"");
  addCall(signature, pattern, draft);

  ModelText model(signature);
  std::string i = model.local("i"), value = model.local("value"),
              other = model.local("other");
  std::string type = model.getSumType().str();
  std::string expression =
      llvm::formatv(/*Validate=*/false, getExpression(op), value, other);
  draft.needsMath |= StringRef(expression).contains("(");
  model.loop(i, count.empty() ? "0" : count);
  model.add("const " + type + " " + value + " = " + model.tensor(Role::Input) +
            "[" + i + "];");
  if (isBinary)
    model.add("const " + type + " " + other + " = " +
              model.tensor(Role::Weight) + "[" + i + "];");
  const Slot *result = signature.find(Role::Output);
  bool isNarrow =
      result && result->type.elements.front().kind == CType::Integer;
  model.add(model.tensor(Role::Output) + "[" + i + "] = (" +
            (isNarrow ? result->type.elements.front().text : type) + ")(" +
            expression + ");");
  finish(signature, std::move(pattern), model.print(), draft);
}

void uma::draft::draftSoftmax(Signature signature, Draft &draft) {
  PatternText pattern = makePattern(signature, draft);
  // The last size is the size of a row.
  Role row = signature.has(Role::N)          ? Role::N
             : signature.has(Role::Count)    ? Role::Count
             : signature.has(Role::Channels) ? Role::Channels
                                             : Role::K;
  Role rows = signature.has(Role::M) ? Role::M : Role::Batch;
  if (!signature.has(row))
    pattern.ask("which parameter is the number of elements of a row?");
  signature.set(Role::Input, "x");
  signature.set(Role::Output, "y");
  signature.set(row, "n");
  signature.set(rows, "m");
  pattern.addInput("x", getElementType(signature, Role::Input, pattern),
                   {signature.has(rows) ? "m" : "1", "n"});
  (void)getElementType(signature, Role::Output, pattern);
  pattern.guess("along the last dimension of two");
  pattern.add("y = softmax(x)");
  addCall(signature, pattern, draft);

  draft.needsMath = true;
  ModelText model(signature);
  std::string all = model.declare("all_rows", signature.access(rows, "1"));
  std::string length = model.declare("length", signature.access(row, "0"));
  std::string i = model.local("i"), j = model.local("j"),
              from = model.local("from"), to = model.local("to"),
              top = model.local("top"), sum = model.local("sum");
  model.loop(i, all);
  std::string type = model.getSumType().str();
  model.add(("const " + type + " *" + from + " = " + model.tensor(Role::Input) +
             " + " + i + " * " + length + ";"));
  model.add(type + " *" + to + " = " + model.tensor(Role::Output) + " + " + i +
            " * " + length + ";");
  model.add(type + " " + top + " = " + from + "[0], " + sum + " = 0;");
  std::string head =
      "for (ptrdiff_t " + j + " = 0; " + j + " < " + length + "; ++" + j + ")";
  model.add(head);
  model.add("  " + top + " = " + from + "[" + j + "] > " + top + " ? " + from +
            "[" + j + "] : " + top + ";");
  model.add(head);
  model.add("  " + sum + " += " + to + "[" + j + "] = (" + type + ")exp(" +
            from + "[" + j + "] - " + top + ");");
  model.add(head);
  model.add("  " + to + "[" + j + "] /= " + sum + ";");
  finish(signature, std::move(pattern), model.print(), draft);
}
